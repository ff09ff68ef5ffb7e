/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios as they run: messages, barriers, loops, schedules, ends. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "acl/acl_error.h"
#include "scenario/run.h"
#include "tests/world.h"

struct scene {
    struct product *product;
    struct scenario *scenario;
    struct run *run;
    struct problem problem;
    struct text calls; /* "A:aclrtMalloc=0 …", in the order in which they were served */
};

static void note_call(void *context, const struct fact *fact, const void *detail) {
    struct scene *scene = context;
    const struct acl_detail *called = detail;
    uint32_t process = scene->scenario->programs.items[fact->thread].process;
    text_printf(&scene->calls, "%s:%s=%d ", scene->scenario->processes.items[process].name,
                acl_row_get(called->record->row)->name, fact->code);
}

static struct scene scene_with(const char *processes, struct run_options options) {
    struct scene scene = { .product = world_product() };
    struct text text = { 0 };
    text_printf(&text, "{ \"format\": 1, \"processes\": {\n%s } }", processes);
    scene.scenario = scenario_parse("test", text_get(&text), text.size, &scene.problem);
    problem_print(&scene.problem, stderr);
    ck_assert_ptr_nonnull(scene.scenario);
    options.product = scene.product;
    options.steps_max = options.steps_max == 0 ? 10000 : options.steps_max;
    scene.run = run_new(scene.scenario, &options, &scene.problem);
    ck_assert_ptr_nonnull(scene.run);
    text_fini(&text);
    return scene;
}

static bool run_scene(struct scene *scene) {
    journal_add_reader(&run_machine(scene->run)->journal, journal_kind(FACT_CALLED), note_call,
                       scene);
    return run_to_end(scene->run, &scene->problem);
}

static void scene_fini(struct scene *scene) {
    run_free(scene->run);
    scenario_free(scene->scenario);
    product_free(scene->product);
    problem_fini(&scene->problem);
    text_fini(&scene->calls);
}

static struct run_options by_clock(void) {
    return (struct run_options){ .choice = choice_first() };
}

/* The calls that a scenario makes by the clock. */
static void assert_calls(const char *processes, const char *calls) {
    struct scene scene = scene_with(processes, by_clock());
    ck_assert(run_scene(&scene));
    ck_assert_str_eq(text_get(&scene.calls), calls);
    ck_assert_uint_eq(run_next_stuck(scene.run, 0), PROGRAM_NONE);
    scene_fini(&scene);
}

#define GET "\"call\": \"aclrtGetDevice\""
#define COUNT "\"call\": \"aclrtGetDeviceCount\""
#define FREE(value) "\"call\": \"aclrtFree\", \"devPtr\": \"" value "\""

START_TEST(messages_of_one_sender_arrive_in_order) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": ["
                 "  { \"send\": 1, \"to\": \"B\" }, { \"send\": 0, \"to\": \"B\" } ] },"
                 "\"B\": { \"device\": 0, \"steps\": ["
                 "  { \"receive\": \"x\" }, { \"receive\": \"y\" },"
                 "  { " FREE("$x") " }, { " FREE("$y") " } ] }",
                 "B:aclrtFree=107000 B:aclrtFree=100000 ");
}
END_TEST

START_TEST(a_receive_waits_until_something_is_sent) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": ["
                 "  { \"receive\": \"x\" }, { " FREE("$x") " } ] },"
                                                           "\"B\": { \"device\": 0, \"steps\": ["
                                                           "  { \"delay\": \"5us\" }, { " GET
                                                           " }, { \"send\": 0, \"to\": \"A\" } ] }",
                 "B:aclrtGetDevice=0 A:aclrtFree=100000 ");
}
END_TEST

START_TEST(a_receive_takes_the_message_of_the_sender_it_names) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": [ { \"send\": 0, \"to\": \"C\" } ] },"
                 "\"B\": { \"device\": 0, \"steps\": [ { \"send\": 1, \"to\": \"C\" } ] },"
                 "\"C\": { \"device\": 0, \"steps\": [ { \"delay\": \"1us\" },"
                 "  { \"receive\": \"x\", \"from\": \"B\" }, { \"receive\": \"y\" },"
                 "  { " FREE("$x") " }, { " FREE("$y") " } ] }",
                 "C:aclrtFree=107000 C:aclrtFree=100000 ");
}
END_TEST

START_TEST(a_barrier_holds_until_the_last_one_is_there_round_after_round) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": [ { \"repeat\": 2, \"steps\": ["
                 "  { \"delay\": \"9us\" }, { " GET " }, { \"barrier\": \"b\" } ] } ] },"
                 "\"B\": { \"device\": 0, \"steps\": [ { \"repeat\": 2, \"steps\": ["
                 "  { \"barrier\": \"b\" }, { " COUNT " } ] } ] }",
                 "A:aclrtGetDevice=0 B:aclrtGetDeviceCount=0 A:aclrtGetDevice=0 "
                 "B:aclrtGetDeviceCount=0 ");
}
END_TEST

START_TEST(expressions_are_computed_with_what_is_bound) {
    assert_calls(
        "\"A\": { \"device\": 0, \"steps\": ["
        "  { \"let\": \"n\", \"value\": \"align_up(3MiB, 2MiB) - 4 * 1MiB\" },"
        "  { " FREE(
            "$n") " },"
                  "  { \"let\": \"n\", \"value\": \"(7 % 4 + max(1, 0x2) * min(3, 4)) / 9\" },"
                  "  { " FREE("$n - 1") " }, { " FREE("align_down($n + 9, 8)") " } ] }",
        "A:aclrtFree=100000 A:aclrtFree=100000 A:aclrtFree=107000 ");
}
END_TEST

START_TEST(a_value_that_falls_below_zero_stops_the_run) {
    struct scene scene = scene_with("\"A\": { \"device\": 0, \"steps\": [\n"
                                    "  { \"let\": \"n\", \"value\": \"1 - 2\" } ] }",
                                    by_clock());
    ck_assert(!run_scene(&scene));
    ck_assert_uint_eq(scene.problem.complaints.count, 1);
    ck_assert_uint_eq(scene.problem.complaints.items[0].place.line, 3);
    scene_fini(&scene);
}
END_TEST

START_TEST(python_names_and_their_arguments_work) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": ["
                 "  { \"call\": \"acl.rt.malloc_align32\", \"size\": \"1MiB\", \"as\": \"p\" },"
                 "  { \"call\": \"acl.rt.free\", \"dev_ptr\": \"$p\" } ] }",
                 "A:aclrtMallocAlign32=0 A:aclrtFree=0 ");
}
END_TEST

START_TEST(a_null_output_is_passed_as_null) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": ["
                 "  { \"call\": \"aclrtMalloc\", \"size\": \"1MiB\", \"devPtr\": null } ] }",
                 "A:aclrtMalloc=100000 ");
}
END_TEST

START_TEST(a_process_that_starts_later_runs_when_it_is_started) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": ["
                 "  { " GET " }, { \"start\": \"B\" }, { \"delay\": \"50us\" }, { " COUNT " } ] },"
                 "\"B\": { \"device\": 0, \"starts\": \"later\", \"steps\": [ { " GET " } ] }",
                 "A:aclrtGetDevice=0 B:aclrtGetDevice=0 A:aclrtGetDeviceCount=0 ");
}
END_TEST

START_TEST(a_killed_process_takes_no_further_step) {
    assert_calls("\"A\": { \"device\": 0, \"steps\": [ { \"delay\": \"5us\" },"
                 "  { \"kill\": \"B\" }, { \"delay\": \"50us\" }, { " GET " } ] },"
                 "\"B\": { \"device\": 0, \"steps\": ["
                 "  { \"receive\": \"never\" }, { " COUNT " } ] }",
                 "A:aclrtGetDevice=0 ");
}
END_TEST

START_TEST(a_thread_that_waits_for_ever_is_told) {
    struct scene scene = scene_with("\"A\": { \"device\": 0, \"steps\": [ { " GET " } ] },\n"
                                    "\"B\": { \"device\": 0, \"steps\": [\n"
                                    "  { \"receive\": \"never\", \"label\": \"stuck\" } ] }",
                                    by_clock());
    struct text name = { 0 };
    ck_assert(run_scene(&scene));
    ck_assert_uint_eq(run_next_stuck(scene.run, 0), 1);
    run_name_step(scene.run, 1, &name);
    ck_assert_str_eq(text_get(&name), "B:stuck");
    ck_assert_uint_eq(run_current_step(scene.run, 1)->line, 4);
    text_fini(&name);
    scene_fini(&scene);
}
END_TEST

START_TEST(a_code_that_was_not_expected_is_told_with_its_line) {
    struct scene scene = scene_with("\"A\": { \"device\": 0, \"steps\": [\n"
                                    "  { " GET ", \"expect\": 0 },\n"
                                    "  { " FREE("0") ", \"expect\": 0 } ] }",
                                    by_clock());
    ck_assert(run_scene(&scene));
    ck_assert_uint_eq(run_mismatch_count(scene.run), 1);
    const struct run_mismatch *mismatch = run_mismatch_get(scene.run, 0);
    ck_assert_int_eq(mismatch->code, ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(mismatch->expected, 0);
    ck_assert_uint_eq(scene.scenario->steps.items[mismatch->step].line, 4);
    scene_fini(&scene);
}
END_TEST

START_TEST(too_many_steps_stop_the_run) {
    struct run_options options = by_clock();
    options.steps_max = 100;
    struct scene scene = scene_with("\"A\": { \"device\": 0, \"steps\": [ { \"repeat\": 1000,"
                                    " \"steps\": [ { \"delay\": \"1ns\" } ] } ] }",
                                    options);
    ck_assert(!run_scene(&scene));
    ck_assert_uint_eq(scene.problem.complaints.count, 1);
    scene_fini(&scene);
}
END_TEST

static const char two_processes[] =
    "\"A\": { \"device\": 0, \"steps\": [ { \"repeat\": 2, \"steps\": ["
    "  { " GET ", \"label\": \"get\" } ] }, { " GET " } ] },"
    "\"B\": { \"device\": 0, \"steps\": [ { \"delay\": \"1s\" },"
    "  { " COUNT ", \"label\": \"count\" } ] }";

START_TEST(a_schedule_orders_steps_by_label_number_and_round) {
    struct run_options options = by_clock();
    struct problem problem = { 0 };
    struct schedule *schedule = schedule_parse("s", "A:get#1\nB:count\nA:get#2\nA:3\n", &problem);
    options.schedule = schedule;
    struct scene scene = scene_with(two_processes, options);
    ck_assert(run_scene(&scene));
    ck_assert_str_eq(text_get(&scene.calls), "A:aclrtGetDevice=0 B:aclrtGetDeviceCount=0 "
                                             "A:aclrtGetDevice=0 A:aclrtGetDevice=0 ");
    scene_fini(&scene);
    schedule_free(schedule);
}
END_TEST

START_TEST(a_step_in_a_loop_is_named_without_its_round_too) {
    struct run_options options = by_clock();
    struct problem problem = { 0 };
    struct schedule *schedule = schedule_parse("s", "A:get\nB:count\nA:get\n", &problem);
    options.schedule = schedule;
    struct scene scene = scene_with(two_processes, options);
    ck_assert(run_scene(&scene));
    ck_assert_str_eq(text_get(&scene.calls), "A:aclrtGetDevice=0 B:aclrtGetDeviceCount=0 "
                                             "A:aclrtGetDevice=0 A:aclrtGetDevice=0 ");
    scene_fini(&scene);
    schedule_free(schedule);
}
END_TEST

START_TEST(what_goes_wrong_in_a_loop_is_told_once_and_counted) {
    struct scene scene =
        scene_with("\"A\": { \"device\": 0, \"steps\": [ { \"repeat\": 5, \"steps\": ["
                   " { " FREE("0") ", \"expect\": 0 }, { " FREE("0") " } ] } ] }",
                   by_clock());
    ck_assert(run_scene(&scene));
    ck_assert_uint_eq(run_mismatch_count(scene.run), 1);
    ck_assert_uint_eq(run_mismatch_get(scene.run, 0)->times, 5);
    ck_assert_uint_eq(run_unasked_failures(scene.run), 5);
    scene_fini(&scene);
}
END_TEST

START_TEST(a_schedule_with_an_unknown_step_is_refused) {
    struct run_options options = by_clock();
    struct problem problem = { 0 };
    struct schedule *schedule = schedule_parse("s", "B:nothing\n", &problem);
    options.schedule = schedule;
    struct scene scene = scene_with(two_processes, options);
    ck_assert(!run_scene(&scene));
    ck_assert_uint_eq(scene.problem.complaints.count, 1);
    scene_fini(&scene);
    schedule_free(schedule);
}
END_TEST

START_TEST(under_the_free_policy_the_clock_stands_still) {
    struct run_options options = by_clock();
    options.is_free = true;
    struct scene scene = scene_with(two_processes, options);
    ck_assert(run_scene(&scene));
    ck_assert_uint_eq(machine_now(run_machine(scene.run)), 0);
    scene_fini(&scene);
}
END_TEST

START_TEST(the_same_scenario_has_the_same_digest_and_another_one_another) {
    static const char *const waits[] = { "1us", "1us", "2us" };
    struct hash128 digest[3];
    for (int place = 0; place < 3; place++) {
        char processes[200];
        (void)snprintf(processes, sizeof processes,
                       "\"A\": { \"device\": 0, \"steps\": [ { \"delay\": \"%s\" }, { " GET
                       " } ] }",
                       waits[place]);
        struct scene scene = scene_with(processes, by_clock());
        ck_assert(run_scene(&scene));
        digest[place] = journal_digest(&run_machine(scene.run)->journal);
        scene_fini(&scene);
    }
    ck_assert(hash128_equal(digest[0], digest[1]));
    ck_assert(!hash128_equal(digest[0], digest[2]));
}
END_TEST

START_TEST(calls_that_reach_the_kernel_wait_for_each_other) {
    struct scene scene = scene_with("\"A\": { \"device\": 0, \"steps\": ["
                                    "  { \"call\": \"aclrtMalloc\", \"size\": \"1MiB\" } ] },"
                                    "\"B\": { \"device\": 0, \"steps\": ["
                                    "  { \"call\": \"aclrtMalloc\", \"size\": \"1MiB\" } ] },"
                                    "\"C\": { \"device\": 1, \"steps\": ["
                                    "  { \"call\": \"aclrtMalloc\", \"size\": \"1MiB\" } ] }",
                                    by_clock());
    uint64_t cost_ns = cost_of(&scene.product->cost[COST_MALLOC], PAGE_HUGE, 1);
    ck_assert(run_scene(&scene));
    ck_assert_str_eq(text_get(&scene.calls), "A:aclrtMalloc=0 C:aclrtMalloc=0 B:aclrtMalloc=0 ");
    ck_assert_uint_eq(machine_now(run_machine(scene.run)), 2 * cost_ns);
    scene_fini(&scene);
}
END_TEST

Suite *test_run(void);

Suite *test_run(void) {
    Suite *suite = suite_create("run");
    TCase *tests = tcase_create("run");
    tcase_add_test(tests, messages_of_one_sender_arrive_in_order);
    tcase_add_test(tests, a_receive_waits_until_something_is_sent);
    tcase_add_test(tests, a_receive_takes_the_message_of_the_sender_it_names);
    tcase_add_test(tests, a_barrier_holds_until_the_last_one_is_there_round_after_round);
    tcase_add_test(tests, expressions_are_computed_with_what_is_bound);
    tcase_add_test(tests, a_value_that_falls_below_zero_stops_the_run);
    tcase_add_test(tests, python_names_and_their_arguments_work);
    tcase_add_test(tests, a_null_output_is_passed_as_null);
    tcase_add_test(tests, a_process_that_starts_later_runs_when_it_is_started);
    tcase_add_test(tests, a_killed_process_takes_no_further_step);
    tcase_add_test(tests, a_thread_that_waits_for_ever_is_told);
    tcase_add_test(tests, a_code_that_was_not_expected_is_told_with_its_line);
    tcase_add_test(tests, too_many_steps_stop_the_run);
    tcase_add_test(tests, a_schedule_orders_steps_by_label_number_and_round);
    tcase_add_test(tests, a_step_in_a_loop_is_named_without_its_round_too);
    tcase_add_test(tests, what_goes_wrong_in_a_loop_is_told_once_and_counted);
    tcase_add_test(tests, a_schedule_with_an_unknown_step_is_refused);
    tcase_add_test(tests, under_the_free_policy_the_clock_stands_still);
    tcase_add_test(tests, the_same_scenario_has_the_same_digest_and_another_one_another);
    tcase_add_test(tests, calls_that_reach_the_kernel_wait_for_each_other);
    suite_add_tcase(suite, tests);
    return suite;
}
