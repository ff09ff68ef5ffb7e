/* SPDX-License-Identifier: Apache-2.0 */
/* How processes begin, end and wait in vain; order and time of what they do. */
#include <check.h>
#include <string.h>

#include "acl/acl_error.h"
#include "base/text.h"
#include "tests/stage.h"
#include "tests/world.h"

static struct stage stage;

static void set_up(void) {
    stage_init(&stage);
}

static void tear_down(void) {
    schedule_free((struct schedule *)stage.options.schedule);
    stage_fini(&stage);
}

static void check_play(const char *processes, const char *expected) {
    ck_assert_str_eq(stage_play(&stage, processes), expected);
    ck_assert_uint_eq(run_next_stuck(stage.run, 0), PROGRAM_NONE);
}

static void check_steps(const char *steps, const char *expected) {
    ck_assert_str_eq(stage_play_steps(&stage, steps), expected);
}

/* Runs under a schedule, after which the clock's order holds. */
static const char *play_scheduled(const char *processes, const char *lines) {
    stage.options.schedule = schedule_parse("s", lines, &stage.problem);
    ck_assert_ptr_nonnull(stage.options.schedule);
    return stage_play(&stage, processes);
}

/* The names of the threads that wait for ever, with a blank behind each. */
static void check_stuck(const char *expected) {
    struct text names = { 0 };
    for (uint32_t thread = run_next_stuck(stage.run, 0); thread != PROGRAM_NONE;
         thread = run_next_stuck(stage.run, thread + 1)) {
        run_name_step(stage.run, thread, &names);
        text_append(&names, " ");
    }
    ck_assert_str_eq(text_get(&names), expected);
    text_fini(&names);
}

START_TEST(values_from_one_process_arrive_in_the_order_in_which_they_were_sent) {
    check_play("'A':{'steps':[{'send':1,'to':'B'},{'send':2,'to':'B'},{'send':3,'to':'B'}]},"
               "'B':{'steps':[{'delay':'1us'},{'receive':'x'},{'receive':'y'},{'receive':'z'}]}",
               "A:start@0 B:start@0 A>B=1@0 A>B=2@0 A>B=3@0 A:end@0 B<A=1@1000 B<A=2@1000 "
               "B<A=3@1000 B:end@1000 ");
}
END_TEST

START_TEST(a_receive_from_one_passes_over_the_values_of_others_and_keeps_them) {
    check_play("'A':{'steps':[{'send':1,'to':'C'},{'send':2,'to':'C'}]},"
               "'B':{'steps':[{'delay':'5ns'},{'send':3,'to':'C'}]},"
               "'C':{'steps':[{'receive':'x','from':'B'},{'receive':'x'},"
               "{'receive':'x','from':'A'}]}",
               "A:start@0 B:start@0 C:start@0 A>C=1@0 A>C=2@0 A:end@0 B>C=3@5 C<B=3@5 B:end@5 "
               "C<A=1@5 C<A=2@5 C:end@5 ");
}
END_TEST

START_TEST(the_last_of_several_values_may_be_taken_first) {
    check_play("'A':{'steps':[{'send':1,'to':'C'}]},'B':{'steps':[{'send':2,'to':'C'}]},"
               "'C':{'steps':[{'delay':'1ns'},{'receive':'x','from':'B'},{'delay':'9ns'},"
               "{'receive':'x'},{'receive':'x'}]},"
               "'D':{'steps':[{'delay':'2ns'},{'send':4,'to':'C'}]}",
               "A:start@0 B:start@0 C:start@0 D:start@0 A>C=1@0 B>C=2@0 A:end@0 B:end@0 C<B=2@1 "
               "D>C=4@2 D:end@2 C<A=1@10 C<D=4@10 C:end@10 ");
}
END_TEST

START_TEST(a_process_may_send_to_itself_and_its_threads_share_the_box) {
    check_play("'A':{'steps':[{'send':5,'to':'A'},{'receive':'x'},{'send':'$x + 1','to':'A'}],"
               "'threads':{'t':{'steps':[{'delay':'1ns'},{'receive':'y'}]}}}",
               "A:start@0 A>A=5@0 A<A=5@0 A>A=6@0 A<A=6@1 A:end@1 ");
}
END_TEST

START_TEST(delays_let_others_go_first) {
    check_play("'A':{'steps':[{'delay':'2us'},{'phase':'a'}]},"
               "'B':{'steps':[{'delay':'1us'},{'phase':'b'},{'delay':'1us'},{'phase':'c'}]}",
               "A:start@0 B:start@0 B:b@1000 A:a@2000 B:c@2000 A:end@2000 B:end@2000 ");
    check_steps("{'let':'n','value':3},{'delay':'$n * 2ns'},{'phase':'p'},"
                "{'delay':'18446744073s'},{'delay':'18446744073s'},{'phase':'late'}",
                "A:start@0 A:p@6 A:late@18446744073709551615 A:end@18446744073709551615 ");
}
END_TEST

START_TEST(loops_repeat_and_start_anew_inside_others) {
    check_steps("{'let':'n','value':0},{'repeat':2,'steps':[{'repeat':3,'steps':["
                "{'let':'n','value':'$n + 1'}]},{'send':'$n','to':'A'}]},"
                "{'repeat':0,'steps':[{'phase':'never'}]}",
                "A:start@0 A>A=3@0 A>A=6@0 A:end@0 ");
}
END_TEST

START_TEST(a_barrier_in_loops_lets_rounds_pass_together) {
    check_play("'A':{'steps':[{'repeat':2,'steps':[{'delay':'10ns'},{'barrier':'b'},"
               "{'phase':'a'}]}]},"
               "'B':{'steps':[{'repeat':2,'steps':[{'delay':'1ns'},{'barrier':'b'},"
               "{'phase':'b'}]}]}",
               "A:start@0 B:start@0 A:a@10 B:b@10 A:a@20 B:b@20 A:end@20 B:end@20 ");
}
END_TEST

START_TEST(a_barrier_that_not_all_reach_again_is_told) {
    (void)stage_play(&stage, "'A':{'steps':[{'repeat':3,'steps':[{'barrier':'b'}]}]},"
                             "'B':{'steps':[{'repeat':2,'steps':[{'barrier':'b'}]}]}");
    check_stuck("A:2#3 ");
}
END_TEST

START_TEST(threads_run_side_by_side_and_the_process_ends_with_the_last) {
    check_play("'A':{'steps':[{'delay':'3ns'},{'phase':'one'}],"
               "'threads':{'t':{'steps':[{'delay':'1ns'},{'phase':'two'},{'delay':'8ns'}]}}}",
               "A:start@0 A:two@1 A:one@3 A:end@9 ");
}
END_TEST

START_TEST(all_threads_work_on_the_device_of_the_process) {
    ck_assert_str_eq(stage_play(&stage, "'A':{'device':1,'steps':[{'delay':'1us'}],'threads':{"
                                        "'t':{'steps':[{'call':'aclrtGetDevice','as':'d',"
                                        "'expect':0},{'send':'$d','to':'A'}]}}}"),
                     "A:start@0 A>A=1@1000 A:end@1000 ");
    ck_assert_uint_eq(run_mismatch_count(stage.run), 0);
}
END_TEST

START_TEST(a_process_that_starts_later_keeps_what_was_sent_to_it) {
    check_play("'A':{'steps':[{'send':7,'to':'B'},{'delay':'5ns'},{'start':'B'}]},"
               "'B':{'starts':'later','steps':[{'receive':'x'}]}",
               "A:start@0 A>B=7@0 B:start@5 B<A=7@5 A:end@5 B:end@5 ");
}
END_TEST

START_TEST(a_process_that_runs_can_not_be_started) {
    ck_assert_str_eq(stage_read_processes(&stage, "'A':{'steps':[\n {'start':'B'}]},"
                                                  "'B':{'steps':[{'receive':'x'}]}"),
                     "");
    ck_assert_str_eq(stage_run(&stage), "x.json:2:2: /processes/A/steps/0: A:1: the process that "
                                        "it starts runs already\n");
}
END_TEST

START_TEST(a_process_started_anew_begins_with_nothing) {
    check_play("'A':{'steps':[{'start':'B'},{'delay':'10ns'},{'kill':'B'},{'start':'B'},"
               "{'delay':'100ns'}]},"
               "'B':{'starts':'later','steps':[{'let':'n','value':0},{'let':'n','value':'$n'},"
               "{'repeat':2,'steps':[{'phase':'round'},{'delay':'8ns'}]}]}",
               "A:start@0 B:start@0 B:round@0 B:round@8 B:killed@10 B:start@10 B:round@10 "
               "B:round@18 B:end@26 A:end@110 ");
}
END_TEST

START_TEST(messages_to_a_process_that_ended_are_lost_with_it) {
    check_play("'A':{'steps':[{'send':1,'to':'B'},{'send':2,'to':'B'},{'kill':'B'},"
               "{'send':3,'to':'B'},{'start':'B'}]},"
               "'B':{'steps':[{'delay':'1ns'},{'receive':'x'}]}",
               "A:start@0 B:start@0 A>B=1@0 A>B=2@0 B:killed@0 A>B=3@0 B:start@0 A:end@0 B<A=3@1 "
               "B:end@1 ");
}
END_TEST

START_TEST(who_is_killed_at_a_barrier_no_longer_stands_there) {
    (void)stage_play(&stage, "'A':{'steps':[{'barrier':'b'},{'phase':'never'}]},"
                             "'B':{'steps':[{'delay':'1ns'},{'kill':'A'},{'start':'A'},"
                             "{'delay':'1ns'},{'kill':'A'},{'barrier':'b'},{'phase':'never'}]}");
    check_stuck("B:6 ");
    ck_assert_ptr_null(strstr(text_get(&stage.happened), "never"));
}
END_TEST

START_TEST(who_is_killed_while_it_waits_takes_no_further_step) {
    static const char *const waits[] = {
        "{'receive':'x'}",
        "{'delay':'1s'}",
        "{'barrier':'b'}",
        "{'call':'aclrtMalloc','size':'1MiB'}",
        "{'call':'aclrtMalloc','size':'1MiB'},{'call':'aclrtMalloc','size':'1MiB'}",
        "{'compute':'1s'},{'call':'aclrtSynchronizeDevice'}",
    };
    for (size_t place = 0; place < sizeof waits / sizeof *waits; place++) {
        struct text processes = { 0 };
        text_printf(&processes,
                    "'A':{'device':0,'steps':[%s,{'phase':'never'}]},"
                    "'B':{'device':0,'steps':[{'call':'aclrtMalloc','size':'1MiB'}]},"
                    "'C':{'steps':[{'delay':'50ns'},{'kill':'A'},{'delay':'2s'},"
                    "{'kill':'A'}]},'D':{'starts':'later','steps':[{'barrier':'b'}]},"
                    "'E':{'steps':[{'exit':true},{'start':'D'}]}",
                    waits[place]);
        const char *happened = stage_play(&stage, text_get(&processes));
        ck_assert_ptr_nonnull(strstr(happened, "A:killed@50 "));
        ck_assert_ptr_null(strstr(happened, "never"));
        ck_assert_ptr_nonnull(strstr(happened, "B:end@"));
        ck_assert_uint_eq(run_next_stuck(stage.run, 0), PROGRAM_NONE);
        text_fini(&processes);
    }
}
END_TEST

START_TEST(a_process_that_ends_itself_ends_all_its_threads) {
    check_play("'A':{'steps':[{'delay':'1ns'},{'exit':true},{'phase':'never'}],"
               "'threads':{'t':{'steps':[{'receive':'x'}]}}},"
               "'B':{'steps':[{'delay':'1ns'},{'kill':'B'},{'phase':'never'}]}",
               "A:start@0 B:start@0 A:end@1 B:killed@1 ");
}
END_TEST

START_TEST(all_that_wait_for_each_other_are_told) {
    (void)stage_play(&stage, "'A':{'steps':[{'receive':'x','from':'B'}]},"
                             "'B':{'steps':[{'phase':'p'},{'receive':'x','label':'get'}],"
                             "'threads':{'t':{'steps':[{'barrier':'b'}]}}},"
                             "'C':{'steps':[{'barrier':'b'},{'phase':'q'},{'barrier':'c'}]},"
                             "'D':{'starts':'later','steps':[{'barrier':'c'}]},"
                             "'E':{'steps':[{'exit':true},{'start':'D'}]}");
    check_stuck("A:1 B:get C:3 ");
}
END_TEST

START_TEST(the_length_of_a_list_is_the_count_of_its_items) {
    stage.product->whitelist_max = 2;
    ck_assert_str_eq(
        stage_play_steps(
            &stage, "{'call':'aclrtMallocPhysical','size':'2MiB','as':'h','expect':0},"
                    "{'call':'aclrtReserveMemAddress','size':'2MiB','as':'r','expect':0},"
                    "{'call':'aclrtMapMem','virPtr':'$r','size':'2MiB','handle':'$h','expect':0},"
                    "{'call':'aclrtMemSetAccess','virPtr':'$r','size':'2MiB','desc':["
                    "{'location':{'id':0}}],'expect':0},"
                    "{'call':'aclrtMemExportToShareableHandle','handle':'$h','as':'s','expect':0},"
                    "{'call':'aclrtMemSetPidToShareableHandle','shareableHandle':'$s',"
                    "'pid':[7,8],'expect':0},"
                    "{'call':'aclrtMemSetPidToShareableHandle','shareableHandle':'$s',"
                    "'pid':[7,8,9],'expect':107000},"
                    "{'call':'aclrtMemSetPidToShareableHandle','shareableHandle':'$s',"
                    "'pid':null,'expect':100000}"),
        text_get(&stage.happened));
    ck_assert_uint_eq(run_mismatch_count(stage.run), 0);
}
END_TEST

START_TEST(an_omitted_location_is_the_current_device) {
    ck_assert_ptr_nonnull(strstr(
        stage_play(&stage,
                   "'A':{'steps':[{'call':'aclInit'},{'call':'aclrtSetDevice','deviceId':2},"
                   "{'call':'aclrtGetMemInfo','attr':'ACL_HBM_MEM_HUGE','as':'before'},"
                   "{'call':'aclrtMallocPhysical','size':'6MiB','prop':{'location':{'type':1}},"
                   "'as':'h','expect':0},"
                   "{'call':'aclrtGetMemInfo','attr':'ACL_HBM_MEM_HUGE','as':'after'},"
                   "{'send':'$before - $after','to':'A'}]}"),
        "A>A=6291456@"));
    ck_assert_uint_eq(run_mismatch_count(stage.run), 0);
}
END_TEST

START_TEST(a_call_that_fails_binds_nothing) {
    ck_assert_ptr_nonnull(
        strstr(stage_play_steps(&stage, "{'let':'p','value':7},"
                                        "{'call':'aclrtMalloc','size':0,'as':'p',"
                                        "'expect':100000},{'send':'$p','to':'A'}"),
               "A>A=7@"));
}
END_TEST

START_TEST(each_code_that_is_not_the_expected_one_is_kept_with_its_line) {
    (void)stage_play_steps(&stage, "{'call':'aclrtFree','devPtr':0,'expect':0},\n"
                                   "{'call':'aclrtFree','devPtr':0,'expect':100000},\n"
                                   "{'repeat':2,'steps':[\n{'call':'aclrtFree','devPtr':0,"
                                   "'expect':{'default':100000,'by-hand':5}}]},\n"
                                   "{'call':'aclrtFree','devPtr':0,'expect':{'other':7}}");
    ck_assert_uint_eq(run_mismatch_count(stage.run), 2);
    static const uint32_t lines[] = { 1, 4 };
    static const int64_t expected[] = { 0, 5 };
    for (uint32_t place = 0; place < 2; place++) {
        const struct run_mismatch *mismatch = run_mismatch_get(stage.run, place);
        ck_assert_uint_eq(stage.scenario->steps.items[mismatch->step].line, lines[place]);
        ck_assert_int_eq(mismatch->expected, expected[place]);
        ck_assert_int_eq(mismatch->code, ACL_ERROR_INVALID_PARAM);
        ck_assert_uint_eq(mismatch->times, place + 1);
    }
}
END_TEST

START_TEST(an_expectation_is_chosen_by_product_family_and_lacking_call) {
    struct acl_support support = { .rows = host_zeroed(acl_row_count(), 1),
                                   .family = { "f0", "f1", "f2" },
                                   .family_count = 3 };
    uint32_t row = 0;
    memset(support.rows, 0xff, acl_row_count());
    ck_assert(acl_row_find("aclrtMalloc", &row));
    support.rows[row] = (uint8_t) ~(1 << 2); /* the product by hand is of family 2 */
    stage.options.support = &support;
    (void)stage_play_steps(&stage, "{'call':'aclrtFree','devPtr':0,'expect':{'f1':1,'f2':2}},"
                                   "{'call':'aclrtFree','devPtr':0,'expect':{'f1':1,'default':3}},"
                                   "{'call':'aclrtFree','devPtr':0,'expect':{"
                                   "'no:aclrtFree':1,'no:aclrtMalloc':4,'default':3}},"
                                   "{'call':'aclrtMalloc','size':1,'expect':207000}");
    ck_assert_uint_eq(run_mismatch_count(stage.run), 3);
    ck_assert_int_eq(run_mismatch_get(stage.run, 0)->expected, 2);
    ck_assert_int_eq(run_mismatch_get(stage.run, 1)->expected, 3);
    ck_assert_int_eq(run_mismatch_get(stage.run, 2)->expected, 4);
    free(support.rows);
}
END_TEST

START_TEST(values_that_can_not_be_computed_stop_the_run_with_their_round) {
    ck_assert_str_eq(stage_read_steps(&stage, "{'let':'n','value':2},\n{'repeat':5,'steps':[\n"
                                              "{'let':'n','value':'$n - 1','label':'down'}]}"),
                     "");
    ck_assert_str_eq(stage_run(&stage), "x.json:3:1: /processes/A/steps/1/steps/0: A:down#3: a "
                                        "value overflows, falls below 0 or is divided by 0\n");
}
END_TEST

START_TEST(a_compute_needs_a_device_and_a_stream_of_its_own) {
    ck_assert_str_eq(stage_read_processes(&stage, "'A':{'steps':[{'compute':'1us'}]}"), "");
    ck_assert_str_eq(stage_run(&stage), "x.json:1:40: /processes/A/steps/0: A:1: a compute step "
                                        "needs a device: call aclrtSetDevice before it\n");
    ck_assert_str_eq(stage_read_steps(&stage, "{'compute':'1us','stream':7}"), "");
    ck_assert_str_eq(stage_run(&stage), "x.json:1:51: /processes/A/steps/0: A:1: this is no stream "
                                        "of the process\n");
}
END_TEST

START_TEST(a_compute_takes_its_time_on_the_stream_and_not_of_the_thread) {
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        stage.product->cost[key] = (struct cost){ 0 };
    }
    check_steps("{'call':'aclrtCreateStream','as':'s'},{'compute':'5us','stream':'$s'},"
                "{'compute':'7us'},{'phase':'queued'},"
                "{'call':'aclrtSynchronizeStream','stream':'$s'},{'phase':'own'},"
                "{'call':'aclrtSynchronizeDevice'},{'phase':'all'}",
                "A:start@0 A:queued@0 A:own@5000 A:all@7000 A:end@7000 ");
}
END_TEST

START_TEST(devices_that_are_not_there_are_told_before_the_run) {
    ck_assert_str_eq(stage_read_processes(&stage, "'A':{'device':8,'steps':[]}"), "");
    ck_assert_ptr_nonnull(strstr(stage_run(&stage), "device 8 is not there: there are 8\n"));
    ck_assert_str_eq(stage_read(&stage, "{'format':1,'containers':{'c':{'visible':[9]}},"
                                        "'processes':{'A':{'steps':[]}}}"),
                     "");
    ck_assert_ptr_nonnull(strstr(stage_run(&stage), "device 9 is not there: there are 8\n"));
    ck_assert_str_eq(stage_read(&stage, "{'format':1,'containers':{'c':{'visible':[5,3]}},"
                                        "'processes':{'A':{'container':'c','device':2,'steps':[]}}"
                                        "}"),
                     "");
    ck_assert_ptr_nonnull(strstr(stage_run(&stage), "device 2 is not there: there are 2\n"));
}
END_TEST

START_TEST(another_product_needs_someone_who_finds_it) {
    ck_assert_str_eq(stage_read(&stage, "{'format':1,'servers':{'s':{'product':'x'}},"
                                        "'processes':{'A':{'steps':[]}}}"),
                     "");
    ck_assert_str_eq(stage_run(&stage), "x.json: s: the product \"x\" can not be looked up here\n");
}
END_TEST

START_TEST(pids_count_from_1000_and_inside_a_container_from_1) {
    ck_assert_str_eq(
        stage_read(&stage, "{'format':1,'containers':{'c':{'visible':[0]},"
                           "'d':{'visible':[0],'own_pids':false}},'processes':{"
                           "'A':{'steps':[]},'B':{'container':'c','steps':[]},"
                           "'C':{'container':'d','steps':[]},'D':{'container':'c','steps':[]}}}"),
        "");
    ck_assert_str_eq(stage_run(&stage), "");
    static const uint32_t inside[] = { 1000, 1, 1002, 2 };
    for (uint32_t process = 0; process < 4; process++) {
        const struct site_process *at = &run_machine(stage.run)->site->process[process];
        ck_assert_uint_eq(at->pid, 1000 + process);
        ck_assert_uint_eq(at->pid_inside, inside[process]);
    }
}
END_TEST

static const char pair[] = "'A':{'steps':[{'phase':'a1','label':'one'},{'repeat':2,'steps':["
                           "{'repeat':2,'steps':[{'phase':'a2'}]}]},{'phase':'a3'}]},"
                           "'B':{'steps':[{'delay':'1s'},{'phase':'b1'}],"
                           "'threads':{'t':{'steps':[{'phase':'b2','label':'two'}]}}}";

START_TEST(a_schedule_names_labels_numbers_rounds_threads_and_ends) {
    ck_assert_str_eq(play_scheduled(pair, "B:2\nA:one\nA:4#1.2\nB/2:two\nA:4#2.2\nA:end\n"),
                     "A:start@0 B:start@0 B:b1@1000000000 A:a1@1000000000 A:a2@1000000000 "
                     "A:a2@1000000000 B:b2@1000000000 A:a2@1000000000 A:a2@1000000000 "
                     "A:a3@1000000000 A:end@1000000000 B:end@1000000000 ");
}
END_TEST

START_TEST(the_free_policy_can_take_any_order_and_needs_no_time) {
    struct store *store = store_new();
    struct random_stream random = random_stream(store, 7, "test");
    bool was_first[2] = { false, false };
    stage.options.is_free = true;
    stage.options.choice = choice_random(&random, choice_bit(CHOICE_NEXT));
    for (int round = 0; round < 64; round++) {
        const char *happened = stage_play(&stage, "'A':{'steps':[{'delay':'1s'},{'phase':'x'}]},"
                                                  "'B':{'steps':[{'phase':'y'}]}");
        const char *first = strstr(happened, "A:x@0 ");
        const char *second = strstr(happened, "B:y@0 ");
        ck_assert(first != NULL && second != NULL);
        was_first[first < second] = true;
        ck_assert_uint_eq(machine_now(run_machine(stage.run)), 0);
    }
    ck_assert(was_first[0] && was_first[1]);
    store_free(store);
}
END_TEST

START_TEST(the_digest_is_that_of_what_happens_and_not_of_the_file) {
    char before[33];
    (void)stage_play_steps(&stage, "{'call':'aclrtMalloc','size':'4MiB','as':'p'},"
                                   "{'call':'aclrtFree','devPtr':'$p'}");
    strcpy(before, stage_digest(&stage));
    (void)stage_play_steps(&stage, "{'call':'acl.rt.malloc','size':4194304,'as':'q'},\n\n"
                                   "{'call':'acl.rt.free','dev_ptr':'$q','label':'x'}");
    ck_assert_str_eq(stage_digest(&stage), before);
    (void)stage_play_steps(&stage, "{'call':'aclrtMalloc','size':'6MiB','as':'p'},"
                                   "{'call':'aclrtFree','devPtr':'$p'}");
    ck_assert_str_ne(stage_digest(&stage), before);
}
END_TEST

START_TEST(the_most_steps_that_are_allowed_are_taken) {
    stage.options.steps_max = 6;
    check_steps("{'repeat':3,'steps':[{'phase':'p'}]}", "A:start@0 A:p@0 A:p@0 A:p@0 A:end@0 ");
    stage.options.steps_max = 5;
    ck_assert_str_eq(stage_read_steps(&stage, "{'repeat':3,'steps':[{'phase':'p'}]}"), "");
    ck_assert_ptr_nonnull(
        strstr(stage_run(&stage), "the run takes more steps than --max-steps allows\n"));
}
END_TEST

static void add_order(TCase *tests) {
    tcase_add_test(tests, values_from_one_process_arrive_in_the_order_in_which_they_were_sent);
    tcase_add_test(tests, a_receive_from_one_passes_over_the_values_of_others_and_keeps_them);
    tcase_add_test(tests, the_last_of_several_values_may_be_taken_first);
    tcase_add_test(tests, a_process_may_send_to_itself_and_its_threads_share_the_box);
    tcase_add_test(tests, delays_let_others_go_first);
    tcase_add_test(tests, loops_repeat_and_start_anew_inside_others);
    tcase_add_test(tests, a_barrier_in_loops_lets_rounds_pass_together);
    tcase_add_test(tests, threads_run_side_by_side_and_the_process_ends_with_the_last);
    tcase_add_test(tests, all_threads_work_on_the_device_of_the_process);
    tcase_add_test(tests, a_compute_takes_its_time_on_the_stream_and_not_of_the_thread);
    tcase_add_test(tests, a_schedule_names_labels_numbers_rounds_threads_and_ends);
    tcase_add_test(tests, the_free_policy_can_take_any_order_and_needs_no_time);
    tcase_add_test(tests, the_digest_is_that_of_what_happens_and_not_of_the_file);
    tcase_add_test(tests, the_most_steps_that_are_allowed_are_taken);
}

static void add_calls(TCase *tests) {
    tcase_add_test(tests, the_length_of_a_list_is_the_count_of_its_items);
    tcase_add_test(tests, an_omitted_location_is_the_current_device);
    tcase_add_test(tests, a_call_that_fails_binds_nothing);
    tcase_add_test(tests, each_code_that_is_not_the_expected_one_is_kept_with_its_line);
    tcase_add_test(tests, an_expectation_is_chosen_by_product_family_and_lacking_call);
    tcase_add_test(tests, values_that_can_not_be_computed_stop_the_run_with_their_round);
    tcase_add_test(tests, a_compute_needs_a_device_and_a_stream_of_its_own);
    tcase_add_test(tests, devices_that_are_not_there_are_told_before_the_run);
    tcase_add_test(tests, another_product_needs_someone_who_finds_it);
    tcase_add_test(tests, pids_count_from_1000_and_inside_a_container_from_1);
}

static void add_ends(TCase *tests) {
    tcase_add_test(tests, a_barrier_that_not_all_reach_again_is_told);
    tcase_add_test(tests, a_process_that_starts_later_keeps_what_was_sent_to_it);
    tcase_add_test(tests, a_process_that_runs_can_not_be_started);
    tcase_add_test(tests, a_process_started_anew_begins_with_nothing);
    tcase_add_test(tests, messages_to_a_process_that_ended_are_lost_with_it);
    tcase_add_test(tests, who_is_killed_at_a_barrier_no_longer_stands_there);
    tcase_add_test(tests, who_is_killed_while_it_waits_takes_no_further_step);
    tcase_add_test(tests, a_process_that_ends_itself_ends_all_its_threads);
    tcase_add_test(tests, all_that_wait_for_each_other_are_told);
}

Suite *test_run_ends(void);

Suite *test_run_ends(void) {
    Suite *suite = suite_create("run_ends");
    TCase *tests = tcase_create("run_ends");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    add_order(tests);
    add_calls(tests);
    add_ends(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
