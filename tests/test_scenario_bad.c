/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of mistakes in the file of a scenario. */
#include "scenario/scenario.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/stage.h"

static struct stage stage;

static void set_up(void) {
    stage_init(&stage);
}

static void tear_down(void) {
    stage_fini(&stage);
}

/* What is said of the steps of one process, less the place that all have in common. */
static void check_steps(const char *steps, const char *expected) {
    static const char place[] = "/processes/A/steps";
    struct text said = { 0 };
    const char *complaints = stage_read_steps(&stage, steps);
    for (const char *at = complaints; *at != '\0'; at += strcspn(at, "\n") + 1) {
        const char *pointer = strstr(at, place);
        ck_assert_ptr_nonnull(pointer);
        pointer += sizeof place - 1;
        text_append_bytes(&said, pointer, strcspn(pointer, "\n") + 1);
    }
    ck_assert_str_eq(text_get(&said), expected);
    text_fini(&said);
}

static void check_file(const char *json, const char *expected) {
    ck_assert_str_eq(stage_read(&stage, json), expected);
}

static void check_processes(const char *json, const char *expected) {
    ck_assert_str_eq(stage_read_processes(&stage, json), expected);
}

/* The complaint stands somewhere in a line of its own. */
static void check_said(const char *complaints, const char *expected) {
    ck_assert_msg(strstr(complaints, expected) != NULL, "%s", complaints);
}

START_TEST(a_size_an_address_or_a_handle_is_never_left_out) {
    check_steps("{'call':'aclrtMalloc'}", "/0: aclrtMalloc lacks its argument \"size\"\n");
    check_steps("{'call':'acl.rt.map_mem'}", "/0: aclrtMapMem lacks its argument \"vir_ptr\"\n"
                                             "/0: aclrtMapMem lacks its argument \"size\"\n"
                                             "/0: aclrtMapMem lacks its argument \"handle\"\n");
}
END_TEST

START_TEST(a_misspelt_argument_is_not_also_missing) {
    check_steps("{'call':'aclrtMalloc','sise':1}",
                "/0/sise: unknown key \"sise\"; did you mean \"size\"?\n");
}
END_TEST

START_TEST(a_misspelt_call_is_told_with_the_nearest_and_its_names_are_bound) {
    check_steps("{'call':'aclrtMaloc','size':1,'as':['p','q']},{'call':'aclrtFree','devPtr':'$q'}",
                "/0/call: there is no call \"aclrtMaloc\"; did you mean \"aclrtMalloc\"?\n");
    check_steps("{'cal':'aclrtMalloc','as':'p'},{'call':'aclrtFree','devPtr':'$p'}",
                "/0: this is no step: it has none of call, send, receive, barrier, delay, compute, "
                "media, cut, let, draw, start, kill, exit, phase, repeat; did you mean "
                "\"call\"?\n");
    check_steps("{'call':'frobnicate'}",
                "/0/call: there is no call \"frobnicate\"; see `aclsim list calls`\n");
    check_steps("{'call':7}", "/0/call: a call is a whole number; expected a string\n");
}
END_TEST

START_TEST(an_output_is_bound_by_as_and_not_given) {
    check_steps("{'call':'aclrtMalloc','size':1,'devPtr':3}",
                "/0/devPtr: \"devPtr\" is an output: bind it with \"as\", or pass null\n");
    check_steps("{'call':'aclrtFree','devPtr':0,'as':'x'}",
                "/0/as: aclrtFree has 0 outputs to bind\n");
    check_steps("{'call':'aclrtGetMemInfo','attr':1,'as':['f',null]}", "");
    check_steps("{'call':'aclrtGetMemInfo','attr':1,'as':['f','t','x','y','z']}",
                "/0/as: aclrtGetMemInfo has 2 outputs to bind\n");
}
END_TEST

START_TEST(a_name_to_bind_is_a_word) {
    check_steps("{'let':'a b','value':1}",
                "/0/let: a name to bind has letters, digits, _ and dots, and no $ here\n");
    check_steps("{'receive':'$x'}",
                "/0/receive: a name to bind has letters, digits, _ and dots, and no $ here\n");
    check_steps("{'receive':7}",
                "/0/receive: a name to bind is a whole number; expected a string\n");
}
END_TEST

START_TEST(a_name_is_used_after_it_is_bound_and_in_its_process_only) {
    check_steps("{'delay':'$x * 1us'},{'let':'x','value':1}",
                "/0/delay: \"$x\" is not bound here\n");
    check_steps("{'let':'x','value':'$x + 1'}", "/0/value: \"$x\" is not bound here\n");
    check_steps("{'let':'x','value':1},{'let':'x','value':'$x + 1'}", "");
    check_said(stage_read_processes(&stage, "'A':{'steps':[{'let':'x','value':1}]},"
                                            "'B':{'steps':[{'let':'y','value':'$x'}]}"),
               "/processes/B/steps/0/value: \"$x\" is not bound here\n");
}
END_TEST

START_TEST(other_steps_expect_no_code) {
    check_steps("{'delay':'1us','expect':0}",
                "/0/expect: unknown key \"expect\"; expected one of delay, label\n");
}
END_TEST

START_TEST(each_kind_of_step_says_what_it_lacks) {
    check_steps("{'send':1},{'let':'x'},{'repeat':3},{'exit':1},{'exit':false},"
                "{'compute':'1us','reads':{'address':1}},{'compute':'1us','writes':4}",
                "/0: a send names the process that it goes to: \"to\"\n"
                "/1: a let has a \"value\"\n"
                "/2: a repeat has \"steps\"\n"
                "/3/exit: an exit is written \"exit\": true\n"
                "/4/exit: an exit is written \"exit\": true\n"
                "/5/reads: a range has an \"address\" and a \"size\"\n"
                "/6/writes: a range is a whole number; expected an object\n");
    check_steps("7,[],'x'", "/0: a step is a whole number; expected an object\n"
                            "/1: a step is a list; expected an object\n"
                            "/2: a step is a string; expected an object\n");
}
END_TEST

START_TEST(a_label_is_a_word_that_names_one_step_of_a_thread) {
    check_steps("{'phase':'p','label':'same'},{'phase':'p','label':'same'}",
                ": the label \"same\" stands at two steps\n");
    check_processes("'A':{'steps':[{'phase':'p','label':'x'}],"
                    "'threads':{'t':{'steps':[{'phase':'p','label':'x'}]}}}",
                    "");
    check_steps("{'phase':'p','label':'a b'},{'phase':'p','label':'a:b'},"
                "{'phase':'p','label':'12'},{'phase':'p','label':'end'},{'phase':'p','label':''}",
                "/0/label: a label has no blanks, colons, slashes or #\n"
                "/1/label: a label has no blanks, colons, slashes or #\n"
                "/2/label: a label is no number, not \"end\" and not \"lifetime\", which "
                "name other steps in a schedule\n"
                "/3/label: a label is no number, not \"end\" and not \"lifetime\", which "
                "name other steps in a schedule\n"
                "/4/label: a label is no number, not \"end\" and not \"lifetime\", which "
                "name other steps in a schedule\n");
    check_steps("{'repeat':2,'steps':[{'exit':true}],'label':'x'}",
                "/0/label: unknown key \"label\"; expected one of repeat, steps\n");
}
END_TEST

START_TEST(a_repeat_has_a_number_of_rounds_and_is_read_without_it_too) {
    check_steps("{'repeat':'many','steps':[{'delay':'soon'}]},{'repeat':-1,'steps':[]}",
                "/0/repeat: a repeat is a number of rounds, such as 10\n"
                "/0/steps/0/delay: \"soon\" is not a value: a time is expected, such as 15us\n"
                "/1/repeat: a repeat is a number of rounds, such as 10\n");
}
END_TEST

START_TEST(names_of_servers_and_containers_that_are_not_there_are_told) {
    const char *said = stage_read(&stage, "{'format':1,'servers':{'left':{},'right':{}},"
                                          "'containers':{'box':{'server':'lift','visible':[]}},"
                                          "'processes':{'A':{'server':'nowhere','steps':[]},"
                                          "'B':{'container':'bax','steps':[]},"
                                          "'C':{'server':'right','container':'box','steps':[]}}}");
    check_said(said,
               "/containers/box/server: there is no server \"lift\"; did you mean \"left\"?\n");
    check_said(said, "/processes/A/server: there is no server \"nowhere\"\n");
    check_said(said,
               "/processes/B/container: there is no container \"bax\"; did you mean \"box\"?\n");
    check_said(said, "/processes/C/server: its container is on another server\n");
    ck_assert_uint_eq(stage.problem.complaints.count, 4);
}
END_TEST

START_TEST(a_mistake_in_a_server_a_container_or_a_process_makes_no_others) {
    const char *said =
        stage_read(&stage, "{'format':1,'servers':{'s':{'colour':1},'t':3},"
                           "'containers':{'c':{'server':'s','visible':[0],'colour':1}},"
                           "'processes':{'A':{'colour':1,'container':'c','steps':[{'phase':4}]},"
                           "'B':{'server':'t','steps':[{'send':1,'to':'A'},{'send':1,'to':'C'}]},"
                           "'C':7}}");
    ck_assert_uint_eq(stage.problem.complaints.count, 6);
    check_said(said, "/processes/A/steps/0/phase: a phase is a whole number; expected a string\n");
    check_said(said, "/processes/C: a process is a whole number; expected an object\n");
    check_said(said, "/servers/t: a server is a whole number; expected an object\n");
}
END_TEST

START_TEST(values_of_servers_and_containers_are_checked) {
    const char *said = stage_read(
        &stage, "{'format':1,'servers':{'s':{'devices':-1,'rc_form':1,'virtual_npu':'16GB'},"
                "'t':{'devices':5000000000,'virtual_npu':'1MiB','model':[]}},"
                "'containers':{'c':{'visible':[0,0,-1,'x']},'d':{}},"
                "'processes':{'A':{'device':-1,'starts':'soon','steps':[]}}}");
    check_said(said, "/servers/s/devices: expected a number from 0 to 4294967294\n");
    check_said(said, "/servers/s/rc_form: rc_form is a whole number; expected true or false\n");
    check_said(said,
               "/servers/s/virtual_npu: \"16GB\" is not a size; expected one like \"4MiB\"\n");
    check_said(said, "/servers/t/virtual_npu: a virtual NPU has at least 2MiB\n");
    check_said(said, "/servers/t/model: fields of the model is a list; expected an object\n");
    check_said(said, "/containers/c/visible/1: a list of visible devices has each once");
    check_said(said, "/containers/c/visible/2: a list of visible devices has each once");
    check_said(said, "/containers/c/visible/3: a device is a string; expected a whole number\n");
    check_said(said, "/containers/d: a container lists its \"visible\" devices\n");
    check_said(said, "/processes/A/device: expected a number from 0 to 4294967294\n");
    check_said(said, "/processes/A/starts: expected \"later\", or no such key\n");
    ck_assert_uint_eq(stage.problem.complaints.count, 12);
}
END_TEST

START_TEST(a_process_that_nobody_starts_is_a_mistake) {
    check_processes("'A':{'starts':'later','steps':[]}",
                    "x.json:1:40: /processes/A/starts: no step starts this process\n");
}
END_TEST

START_TEST(a_process_has_steps_and_a_name_that_schedules_can_use) {
    check_processes("'A':{}",
                    "x.json:1:30: /processes/A: a process has \"steps\" or \"threads\"\n");
    check_processes("'A B':{'steps':[]}", "x.json:1:32: /processes/A B: the name of a process has "
                                          "no blanks, colons, slashes or #\n");
    check_processes("'A':{'steps':{}}",
                    "x.json:1:39: /processes/A/steps: steps is an object; expected a list\n");
}
END_TEST

START_TEST(formats_of_other_versions_are_refused_before_all_else) {
    check_file("{'format':2,'procs':{}}",
               "x.json:1:11: /format: format 2 is not known; this version reads 1\n");
    check_file("{'processes':{}}",
               "x.json:1:1: the key \"format\" is missing; this version writes \"format\": 1\n");
    check_file("{'format':'1'}", "x.json:1:11: /format: format is a string; expected a whole "
                                 "number\n");
    check_file("[]", "x.json:1:1: a scenario is a list; expected an object\n");
}
END_TEST

START_TEST(unknown_keys_of_the_file_are_told) {
    check_said(stage_read(&stage, "{'format':1,'proceses':{},'colour':1}"),
               "/proceses: unknown key \"proceses\"; did you mean \"processes\"?\n");
    check_said(stage_read(&stage, "{'format':1,'colour':1,'processes':{'A':{'steps':[]}}}"),
               "/colour: unknown key \"colour\"; expected one of format, scenario, about, "
               "products, seed, servers, containers, distributions, processes, expect\n");
}
END_TEST

START_TEST(mistakes_of_all_sorts_are_told_in_one_go) {
    const char *said = stage_read(&stage, "{'format':1,'seed':1.5,'title':'x','title':'y',\n"
                                          "'processes':{'A':{'device':12345678901234567890,\n"
                                          "'steps':[{'delay':0.5},{'call':'aclrtFre'}]}}}");
    check_said(said, "x.json:1:20: 1.5 is not a whole number");
    check_said(said, "x.json:1:36: /title: the key \"title\" stands here a second time\n");
    check_said(said, "x.json:2:28: 12345678901234567890 is beyond 2^53");
    check_said(said, "x.json:3:19: 0.5 is not a whole number");
    check_said(said, "x.json:1:24: /title: unknown key \"title\"");
    check_said(said, "x.json:3:32: /processes/A/steps/1/call: there is no call \"aclrtFre\"");
    ck_assert_uint_eq(stage.problem.complaints.count, 6);
}
END_TEST

Suite *test_scenario_bad(void);

Suite *test_scenario_bad(void) {
    Suite *suite = suite_create("scenario_bad");
    TCase *tests = tcase_create("scenario_bad");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_size_an_address_or_a_handle_is_never_left_out);
    tcase_add_test(tests, a_misspelt_argument_is_not_also_missing);
    tcase_add_test(tests, a_misspelt_call_is_told_with_the_nearest_and_its_names_are_bound);
    tcase_add_test(tests, an_output_is_bound_by_as_and_not_given);
    tcase_add_test(tests, a_name_to_bind_is_a_word);
    tcase_add_test(tests, a_name_is_used_after_it_is_bound_and_in_its_process_only);
    tcase_add_test(tests, other_steps_expect_no_code);
    tcase_add_test(tests, each_kind_of_step_says_what_it_lacks);
    tcase_add_test(tests, a_label_is_a_word_that_names_one_step_of_a_thread);
    tcase_add_test(tests, a_repeat_has_a_number_of_rounds_and_is_read_without_it_too);
    tcase_add_test(tests, names_of_servers_and_containers_that_are_not_there_are_told);
    tcase_add_test(tests, a_mistake_in_a_server_a_container_or_a_process_makes_no_others);
    tcase_add_test(tests, values_of_servers_and_containers_are_checked);
    tcase_add_test(tests, a_process_that_nobody_starts_is_a_mistake);
    tcase_add_test(tests, a_process_has_steps_and_a_name_that_schedules_can_use);
    tcase_add_test(tests, formats_of_other_versions_are_refused_before_all_else);
    tcase_add_test(tests, unknown_keys_of_the_file_are_told);
    tcase_add_test(tests, mistakes_of_all_sorts_are_told_in_one_go);
    suite_add_tcase(suite, tests);
    return suite;
}
