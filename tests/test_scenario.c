/* SPDX-License-Identifier: Apache-2.0 */
/* What the file of a scenario may say. */
#include "scenario/scenario.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/stage.h"
#include "tests/world.h"

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

static const struct step *step_at(uint32_t place) {
    ck_assert_uint_lt(place, stage.scenario->steps.count);
    return &stage.scenario->steps.items[place];
}

START_TEST(the_smallest_scenario_has_one_process_without_steps) {
    check_file("{'format':1,'processes':{'A':{'steps':[]}}}", "");
    ck_assert_str_eq(stage.scenario->title, "");
    ck_assert_uint_eq(stage.scenario->seed, 1);
    ck_assert(stage.scenario->all_products);
    ck_assert_uint_eq(stage.scenario->servers.count, 1);
    ck_assert_uint_eq(stage.scenario->processes.count, 1);
    ck_assert_uint_eq(stage.scenario->processes.items[0].device, PROGRAM_NONE);
    ck_assert(!stage.scenario->expects_findings);
}
END_TEST

START_TEST(every_kind_of_step_is_read) {
    static const enum step_kind kinds[] = { STEP_CALL,    STEP_SEND,  STEP_RECEIVE, STEP_BARRIER,
                                            STEP_DELAY,   STEP_LET,   STEP_START,   STEP_KILL,
                                            STEP_COMPUTE, STEP_PHASE, STEP_REPEAT,  STEP_EXIT,
                                            STEP_AGAIN };
    ck_assert_str_eq(stage_read_processes(
                         &stage,
                         "'A':{'steps':[{'call':'aclInit'},{'send':1,'to':'B'},{'receive':'x'},"
                         "{'barrier':'b'},{'delay':'1us'},{'let':'y','value':'$x'},{'start':'B'},"
                         "{'kill':'B'},{'compute':'1us'},{'phase':'p'},{'repeat':2,'steps':["
                         "{'exit':true}]}]},'B':{'starts':'later','steps':[]}"),
                     "");
    ck_assert_uint_eq(stage.scenario->steps.count, 13);
    for (uint32_t place = 0; place < 13; place++) {
        ck_assert_int_eq(step_at(place)->kind, kinds[place]);
    }
}
END_TEST

START_TEST(steps_are_numbered_in_the_order_of_the_file_and_know_their_lines) {
    check_steps("{'phase':'a'},\n{'repeat':2,'steps':[\n{'phase':'b'},{'phase':'c'}]},\n"
                "{'phase':'d','label':'last'}",
                "");
    static const uint32_t numbers[] = { 1, 2, 3, 4, 2, 5 };
    static const uint32_t lines[] = { 1, 2, 3, 3, 2, 4 };
    for (uint32_t place = 0; place < 6; place++) {
        ck_assert_uint_eq(step_at(place)->number, numbers[place]);
        ck_assert_uint_eq(step_at(place)->line, lines[place]);
    }
    ck_assert_str_eq(step_at(5)->label, "last");
}
END_TEST

START_TEST(loops_without_rounds_or_steps_are_left_out) {
    check_steps(
        "{'repeat':0,'steps':[{'phase':'a'},{'barrier':'b'}]},"
        "{'repeat':1000000000000,'steps':[]},"
        "{'repeat':9,'steps':[{'repeat':9,'steps':[{'repeat':0,'steps':[{'exit':true}]}]}]}",
        "");
    ck_assert_uint_eq(stage.scenario->steps.count, 0);
}
END_TEST

START_TEST(the_arguments_of_a_call_have_the_names_of_the_prototype) {
    check_steps("{'call':'aclrtMalloc','size':'4MiB','policy':2,'as':'p'}", "");
    check_steps("{'call':'acl.rt.malloc','size':'4MiB','policy':2,'as':'p'}", "");
    check_steps("{'call':'acl.rt.memset','dev_ptr':1,'max_count':2,'value':0,'count':2}", "");
    check_steps("{'call':'acl.rt.memset','devPtr':1,'max_count':2,'value':0,'count':2}",
                "/0/devPtr: unknown key \"devPtr\"; did you mean \"dev_ptr\"?\n");
}
END_TEST

START_TEST(what_the_documentation_lets_a_program_leave_out_may_be_left_out) {
    check_steps("{'call':'aclrtReserveMemAddress','size':'4MiB','as':'r'},"
                "{'call':'aclrtMallocPhysical','size':'4MiB','as':'h'},"
                "{'call':'aclrtMapMem','virPtr':'$r','size':'4MiB','handle':'$h'},"
                "{'call':'aclrtMalloc','size':1,'as':'p'},"
                "{'call':'aclrtMemExportToShareableHandle','handle':'$h','as':'s'},"
                "{'call':'aclrtMemSetPidToShareableHandle','shareableHandle':'$s','pid':[1]}",
                "");
}
END_TEST

START_TEST(null_stands_for_pointers_and_handles_only) {
    check_steps("{'call':'aclrtMalloc','size':1,'devPtr':null}", "");
    ck_assert_uint_eq(step_at(0)->null_mask, 1);
    check_steps("{'call':'aclrtFree','devPtr':null}", "");
    ck_assert_uint_eq(step_at(0)->null_mask, 0);
    check_steps("{'call':'aclrtMallocPhysical','size':1,'prop':null}", "");
    ck_assert_uint_ne(step_at(0)->null_mask, 0);
    check_steps("{'call':'aclInit','configPath':null},{'call':'aclInit','configPath':'a b.json'}",
                "");
    check_steps(
        "{'call':'aclrtMalloc','size':null}",
        "/0/size: \"size\" is null; only pointers and handles may be, and this is a size\n");
    check_steps("{'call':'aclrtSetDevice','deviceId':null}",
                "/0/deviceId: \"deviceId\" is null; only pointers and handles may be, and this is "
                "a device\n");
    check_steps("{'call':'aclInit','configPath':3}",
                "/0/configPath: a text is a whole number; expected a string\n");
}
END_TEST

START_TEST(structs_are_objects_whose_members_may_be_left_out) {
    check_steps("{'call':'aclrtMallocPhysical','size':1,'prop':{}},"
                "{'call':'aclrtMallocPhysical','size':1,'prop':{'memAttr':10,'handleType':0,"
                "'allocationType':0,'location':{'id':1,'type':1},'reserve':0}},"
                "{'call':'aclrtMallocPhysical','size':1,'prop':{'location':{'type':0}}}",
                "");
    check_steps("{'call':'aclrtMallocPhysical','size':1,'prop':{'memAttribute':1}}",
                "/0/prop/memAttribute: unknown key \"memAttribute\"; expected one of handleType, "
                "allocationType, memAttr, location, reserve\n");
    check_steps("{'call':'aclrtMallocPhysical','size':1,'prop':{'location':{'idd':1}}}",
                "/0/prop/location/idd: unknown key \"idd\"; did you mean \"id\"?\n");
    check_steps("{'call':'aclrtMallocPhysical','size':1,'prop':{'location':3}}",
                "/0/prop/location: a location is a whole number; expected an object\n");
    check_steps("{'call':'aclrtMallocPhysical','size':1,'prop':[]}",
                "/0/prop: aclrtPhysicalMemProp is a list; expected an object\n");
}
END_TEST

START_TEST(lists_hold_values_or_structs) {
    check_steps("{'call':'aclrtMemSetAccess','virPtr':1,'size':2,'desc':["
                "{'location':{'id':1}},{'flags':1,'location':{'id':2,'type':0}}]}",
                "");
    ck_assert_uint_eq(step_at(0)->list_count, 6);
    ck_assert_uint_eq(step_at(0)->list_length, 2);
    check_steps("{'call':'aclrtMemSetAccess','virPtr':1,'size':2,'desc':[{'location':{}}]}",
                "/0/desc/0/location: the member \"location.id\" is missing\n");
    check_steps("{'call':'aclrtMemSetAccess','virPtr':1,'size':2,'desc':[{}]}",
                "/0/desc/0: the member \"location.id\" is missing\n");
    check_steps("{'call':'aclrtMemSetAccess','virPtr':1,'size':2,'desc':[{'location':7}]}",
                "/0/desc/0/location: a location is a whole number; expected an object\n");
    check_steps("{'call':'aclrtMemSetPidToShareableHandle','shareableHandle':1,'pid':5}",
                "/0/pid: process ids is a whole number; expected a list\n");
}
END_TEST

START_TEST(a_list_has_at_most_4096_values) {
    struct text steps = { 0 };
    for (int extra = 0; extra < 2; extra++) {
        text_clear(&steps);
        text_append(&steps, "{'call':'aclrtMemSetPidToShareableHandle','shareableHandle':1,"
                            "'pid':[0");
        for (int place = 1; place < 4096 + extra; place++) {
            text_append(&steps, ",0");
        }
        text_append(&steps, "]}");
        check_steps(text_get(&steps), extra == 0 ? "" : "/0/pid: a list has at most 4096 values\n");
    }
    text_fini(&steps);
}
END_TEST

START_TEST(codes_are_numbers_or_names_by_what_holds) {
    check_steps("{'call':'aclInit','expect':100002},"
                "{'call':'aclInit','expect':'ACL_ERROR_REPEAT_INITIALIZE'},"
                "{'call':'aclInit','expect':'REPEAT_INITIALIZE'},"
                "{'call':'aclInit','expect':{'default':0,'atlas':1,'no:aclrtMalloc':207000}}",
                "");
    ck_assert_uint_eq(stage.scenario->alternatives.count, 6);
    for (int place = 0; place < 3; place++) {
        ck_assert_int_eq(stage.scenario->alternatives.items[place].value, 100002);
        ck_assert_str_eq(stage.scenario->alternatives.items[place].key, "default");
    }
    check_steps("{'call':'aclInit','expect':'ACL_ERROR_REPEAT_INITIALISE'}",
                "/0/expect: there is no code \"ACL_ERROR_REPEAT_INITIALISE\"; did you mean "
                "\"ACL_ERROR_REPEAT_INITIALIZE\"?\n");
    check_steps("{'call':'aclInit','expect':{'no:aclrtMaloc':1}}",
                "/0/expect/no:aclrtMaloc: there is no call \"aclrtMaloc\"; did you mean "
                "\"aclrtMalloc\"?\n");
    check_steps("{'call':'aclInit','expect':[]}",
                "/0/expect: a code is a number or a name such as ACL_ERROR_RT_PARAM_INVALID\n");
}
END_TEST

START_TEST(processes_are_named_by_steps_wherever_they_stand) {
    check_processes("'A':{'steps':[{'send':1,'to':'Beta'},{'receive':'x','from':'Beta'},"
                    "{'kill':'Beta'},{'start':'Beta'}]},'Beta':{'starts':'later','steps':[]}",
                    "");
    check_steps("{'send':1,'to':'a'},{'receive':'x','from':'Q1'},{'kill':'nobody'},{'start':3}",
                "/0/to: there is no process \"a\"; did you mean \"A\"?\n"
                "/1/from: there is no process \"Q1\"\n"
                "/2/kill: there is no process \"nobody\"\n"
                "/3/start: a process is a whole number; expected a string\n");
}
END_TEST

START_TEST(loops_nest_8_deep) {
    check_steps("{'repeat':1,'steps':[{'repeat':1,'steps':[{'repeat':1,'steps':[{'repeat':1,"
                "'steps':[{'repeat':1,'steps':[{'repeat':1,'steps':[{'repeat':1,'steps':["
                "{'repeat':1,'steps':[{'phase':'p'}]}]}]}]}]}]}]}]}",
                "");
    check_steps("{'repeat':1,'steps':[{'repeat':1,'steps':[{'repeat':1,'steps':[{'repeat':1,"
                "'steps':[{'repeat':1,'steps':[{'repeat':1,'steps':[{'repeat':1,'steps':["
                "{'repeat':1,'steps':[{'repeat':1,'steps':[{'phase':'p'}]}]}]}]}]}]}]}]}]}",
                "/0/steps/0/steps/0/steps/0/steps/0/steps/0/steps/0/steps/0/steps/0: loops are "
                "nested at most 8 deep\n");
}
END_TEST

START_TEST(loops_make_at_most_10_to_the_10_steps) {
    static const char too_many[] = ": the loops of these steps make more than 10^10 steps\n";
    check_steps("{'repeat':9000000000,'steps':[{'phase':'p'}]}", "");
    check_steps("{'repeat':1000000000000,'steps':[{'phase':'p'}]}", too_many);
    check_steps("{'repeat':100000,'steps':[{'repeat':100000,'steps':[{'phase':'p'}]}]}", too_many);
    check_steps("{'repeat':9000000000,'steps':[{'phase':'p'},{'phase':'p'}]}", too_many);
    check_steps("{'repeat':9007199254740992,'steps':[{'repeat':9007199254740992,'steps':["
                "{'phase':'p'}]}]}",
                too_many);
}
END_TEST

START_TEST(threads_follow_the_steps_and_share_the_names_of_the_process) {
    check_processes("'A':{'steps':[{'let':'x','value':1}],'threads':{"
                    "'one':{'steps':[{'let':'y','value':'$x'}]},'two':{'steps':[]}}},"
                    "'B':{'threads':{'only':{'steps':[]}}}",
                    "");
    ck_assert_uint_eq(stage.scenario->processes.items[0].thread_count, 3);
    ck_assert_uint_eq(stage.scenario->processes.items[0].binding_count, 2);
    ck_assert_uint_eq(stage.scenario->processes.items[1].thread_first, 3);
    ck_assert_uint_eq(stage.scenario->processes.items[1].thread_count, 1);
    check_processes("'A':{'threads':{'t':{},'u':{'stps':[]},'v':3}}",
                    "x.json:1:46: /processes/A/threads/t: a thread has \"steps\"\n"
                    "x.json:1:54: /processes/A/threads/u/stps: unknown key \"stps\"; did you mean "
                    "\"steps\"?\n"
                    "x.json:1:53: /processes/A/threads/u: a thread has \"steps\"\n"
                    "x.json:1:69: /processes/A/threads/v: a thread is a whole number; expected an "
                    "object\n");
}
END_TEST

START_TEST(servers_containers_and_processes_name_each_other) {
    check_file("{'format':1,'servers':{'one':{},'two':{'product':'x','devices':4,'rc_form':true,"
               "'compute_group':true,'virtual_machine':true,'virtual_npu':'16GiB','model':{}}},"
               "'containers':{'c':{'server':'two','visible':[3,1],'own_pids':false},"
               "'d':{'visible':[]}},"
               "'processes':{'A':{'container':'c','steps':[]},'B':{'server':'two','steps':[]},"
               "'C':{'device':3,'steps':[]}}}",
               "");
    ck_assert_uint_eq(stage.scenario->processes.items[0].server, 1);
    ck_assert_uint_eq(stage.scenario->processes.items[0].container, 0);
    ck_assert_uint_eq(stage.scenario->processes.items[1].server, 1);
    ck_assert_uint_eq(stage.scenario->processes.items[2].server, 0);
    ck_assert_uint_eq(stage.scenario->processes.items[2].device, 3);
    ck_assert_uint_eq(stage.scenario->containers.items[0].visible_count, 2);
    ck_assert(!stage.scenario->containers.items[0].own_pids);
    ck_assert(stage.scenario->containers.items[1].own_pids);
    ck_assert_uint_eq(stage.scenario->servers.items[1].quota_bytes, 16 * GIB);
    ck_assert_uint_eq(stage.scenario->servers.items[1].devices, 4);
}
END_TEST

START_TEST(findings_are_expected_by_name_and_how_often) {
    check_file("{'format':1,'processes':{'A':{'steps':[]}},"
               "'expect':{'findings':['never_freed',{'double_free':3},"
               "{'self_import':{'default':0,'by-hand':2}}]}}",
               "");
    ck_assert(stage.scenario->expects_findings);
    ck_assert_uint_eq(stage.scenario->findings.count, 3);
    ck_assert_str_eq(stage.scenario->findings.items[1].name, "double_free");
    ck_assert_uint_eq(stage.scenario->findings.items[2].count.count, 2);
    const char *said = stage_read(&stage, "{'format':1,'processes':{'A':{'steps':[]}},"
                                          "'expect':{'findings':[7,{'race':-3},{'a':1,'b':2},"
                                          "'duble_free']}}");
    check_said(said, "/expect/findings/1: a finding is a name, or {\"name\": how often}, or");
    check_said(said, "/expect/findings/3: there is no finding \"duble_free\"; did you mean "
                     "\"double_free\"?\n");
    ck_assert_uint_eq(stage.problem.complaints.count, 4);
}
END_TEST

/* By a search through all names for each, let alone for the nearest, this takes far too long. */
START_TEST(many_processes_and_names_are_read) {
    enum { PROCESSES = 10000, NAMES = 10000 };
    struct text text = { 0 };
    for (int process = 0; process < PROCESSES; process++) {
        text_printf(&text, "'p%d':{'steps':[{'send':1,'to':'p%d'},{'barrier':'b%d'}]},", process,
                    PROCESSES - 1 - process, process % NAMES);
    }
    text_append(&text, "'last':{'steps':[{'let':'n0','value':0}");
    for (int name = 1; name < NAMES; name++) {
        text_printf(&text, ",{'let':'n%d','value':'$n%d'}", name, name - 1);
    }
    text_append(&text, "]}");
    check_processes(text_get(&text), "");
    ck_assert_uint_eq(stage.scenario->names.count, NAMES);
    ck_assert_uint_eq(stage.scenario->bindings.count, NAMES);
    ck_assert_uint_eq(step_at(0)->process, PROCESSES - 1);
    text_fini(&text);
}
END_TEST

Suite *test_scenario(void);

Suite *test_scenario(void) {
    Suite *suite = suite_create("scenario");
    TCase *tests = tcase_create("scenario");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_smallest_scenario_has_one_process_without_steps);
    tcase_add_test(tests, every_kind_of_step_is_read);
    tcase_add_test(tests, steps_are_numbered_in_the_order_of_the_file_and_know_their_lines);
    tcase_add_test(tests, loops_without_rounds_or_steps_are_left_out);
    tcase_add_test(tests, the_arguments_of_a_call_have_the_names_of_the_prototype);
    tcase_add_test(tests, what_the_documentation_lets_a_program_leave_out_may_be_left_out);
    tcase_add_test(tests, null_stands_for_pointers_and_handles_only);
    tcase_add_test(tests, structs_are_objects_whose_members_may_be_left_out);
    tcase_add_test(tests, lists_hold_values_or_structs);
    tcase_add_test(tests, a_list_has_at_most_4096_values);
    tcase_add_test(tests, codes_are_numbers_or_names_by_what_holds);
    tcase_add_test(tests, processes_are_named_by_steps_wherever_they_stand);
    tcase_add_test(tests, loops_nest_8_deep);
    tcase_add_test(tests, loops_make_at_most_10_to_the_10_steps);
    tcase_add_test(tests, threads_follow_the_steps_and_share_the_names_of_the_process);
    tcase_add_test(tests, servers_containers_and_processes_name_each_other);
    tcase_add_test(tests, findings_are_expected_by_name_and_how_often);
    tcase_add_test(tests, many_processes_and_names_are_read);
    suite_add_tcase(suite, tests);
    return suite;
}
