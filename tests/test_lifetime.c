/* SPDX-License-Identifier: Apache-2.0 */
/* Things that threads release when they have lived their time. */
#include "scenario/lifetime.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_row.h"
#include "core/random.h"
#include "scenario/run_state.h"
#include "tests/stage.h"

static struct stage stage;

static void set_up(void) {
    stage_init(&stage);
}

static void tear_down(void) {
    stage_fini(&stage);
}

static uint64_t end_first(struct lifetimes *lifetimes, uint32_t thread) {
    uint32_t slot = lifetime_take(lifetimes, thread);
    uint64_t value = lifetime_get(lifetimes, thread, slot)->value;
    lifetime_end(lifetimes, thread, slot);
    return value;
}

START_TEST(lifetimes_end_in_order_of_due_times_then_of_making) {
    static const uint64_t due[] = { 50, 20, 50, 10, 20, 50 };
    static const uint64_t expected[] = { 3, 1, 4, 0, 2, 5 };
    struct store *store = store_new();
    struct lifetimes lifetimes = lifetime_bind(store);
    lifetime_begin(&lifetimes, 6, (struct lifetime){ .value = 99 }, 1);
    for (uint32_t place = 0; place < 6; place++) {
        lifetime_begin(&lifetimes, 7, (struct lifetime){ .value = place }, due[place]);
    }
    ck_assert_uint_eq(lifetime_count(&lifetimes, 7), 6);
    for (uint32_t place = 0; place < 6; place++) {
        ck_assert_uint_eq(lifetime_due(&lifetimes, 7), due[expected[place]]);
        ck_assert_uint_eq(end_first(&lifetimes, 7), expected[place]);
    }
    ck_assert_uint_eq(lifetime_count(&lifetimes, 7), 0);
    ck_assert_uint_eq(end_first(&lifetimes, 6), 99);
    store_free(store);
}
END_TEST

/* By a scan for the first this would take 10^10 steps. */
START_TEST(many_wait_for_their_end) {
    enum { MANY = 100000 };
    struct store *store = store_new();
    struct lifetimes lifetimes = lifetime_bind(store);
    struct random_stream stream = random_stream(store, 1, "due");
    uint64_t before = 0;
    uint64_t walked = store_walked(store);
    for (uint32_t place = 0; place < MANY; place++) {
        lifetime_begin(&lifetimes, 0, (struct lifetime){ .value = place },
                       random_below(&stream, 1000000));
    }
    for (uint32_t place = 0; place < MANY; place++) {
        ck_assert_uint_ge(lifetime_due(&lifetimes, 0), before);
        before = lifetime_due(&lifetimes, 0);
        (void)end_first(&lifetimes, 0);
    }
    ck_assert_uint_eq(store_walked(store), walked);
    store_free(store);
}
END_TEST

/* Begins and ends some; what ended, as one number. */
static uint64_t live_on(struct lifetimes *lifetimes, struct random_stream *stream) {
    uint64_t ended = 0;
    for (uint32_t place = 0; place < 500; place++) {
        if (random_below(stream, 5) < 2 && lifetime_count(lifetimes, 3) > 0) {
            ended = ended * 31 + end_first(lifetimes, 3);
        } else {
            lifetime_begin(lifetimes, 3, (struct lifetime){ .value = place },
                           random_below(stream, 100));
        }
    }
    while (lifetime_count(lifetimes, 3) > 10) {
        ended = ended * 31 + end_first(lifetimes, 3);
    }
    return ended;
}

START_TEST(a_rollback_or_a_copy_has_the_same_lifetimes) {
    struct store *store = store_new();
    struct lifetimes lifetimes = lifetime_bind(store);
    struct random_stream stream = random_stream(store, 1, "due");
    (void)live_on(&lifetimes, &stream);
    struct store *copy = store_copy(store);
    struct lifetimes copied = lifetime_bind(copy);
    struct random_stream other = random_stream(copy, 1, "due");
    struct store_mark mark = store_mark(store);
    uint64_t ended = live_on(&lifetimes, &stream);
    lifetime_forget(&lifetimes, 3);
    ck_assert_uint_eq(lifetime_count(&lifetimes, 3), 0);
    ck_assert(!store_alike(store, copy));
    store_rollback(store, &mark);
    ck_assert(store_same(store, copy));
    ck_assert_uint_eq(live_on(&lifetimes, &stream), ended);
    ck_assert_uint_eq(live_on(&copied, &other), ended);
    ck_assert(store_same(store, copy));
    store_unmark(store, &mark);
    store_free(copy);
    store_free(store);
}
END_TEST

START_TEST(what_releases_a_thing_takes_it_and_nothing_else) {
    uint32_t releases = 0;
    for (uint32_t place = 0; place < acl_row_count(); place++) {
        const struct acl_row *row = acl_row_get(place);
        uint32_t released_by = 0;
        if (row->released_by != NULL) {
            ck_assert(acl_row_find(row->released_by, &released_by));
            ck_assert_uint_eq(acl_row_parameters(acl_row_get(released_by)), 1);
            ck_assert_uint_eq(acl_row_args(acl_row_get(released_by)), 1);
            releases++;
        }
    }
    ck_assert_uint_gt(releases, 8);
}
END_TEST

/* "A:Free@20 ": the calls of a process by name, less "aclrt", and the time of each. */
static void note_call(void *context, const struct fact *fact, const void *detail) {
    struct text *text = context;
    (void)detail;
    if (fact->kind == FACT_PHASE) {
        text_printf(text, "%s@%" PRIu64 " ", stage.scenario->names.items[fact->value[0]],
                    fact->time_ns);
        return;
    }
    uint32_t process = stage.scenario->programs.items[fact->thread].process;
    text_printf(text, "%s:", stage.scenario->processes.items[process].name);
    if (fact->kind == FACT_CALLED) {
        text_printf(text, "%s%s", acl_row_get(fact->row)->name + strlen("aclrt"),
                    fact->code == 0 ? "" : "!");
    } else {
        text_append(text, fact->kind == FACT_PROCESS_ENDED ? "end" : "received");
    }
    text_printf(text, "@%" PRIu64 " ", fact->time_ns);
}

/* Begins a run of what was read, whose calls are noted. */
static void begin(struct text *text) {
    uint64_t kinds = journal_kind(FACT_CALLED) | journal_kind(FACT_PROCESS_ENDED) |
                     journal_kind(FACT_PHASE) | journal_kind(FACT_RECEIVED);
    run_free(stage.run);
    stage.run = run_new(stage.scenario, &stage.options, &stage.problem);
    ck_assert_ptr_nonnull(stage.run);
    journal_add_reader(&run_machine(stage.run)->journal, kinds, note_call, text);
}

static void check_calls(const char *processes, const char *expected) {
    struct text text = { 0 };
    ck_assert_str_eq(stage_read_processes(&stage, processes), "");
    begin(&text);
    ck_assert(run_to_end(stage.run, &stage.problem));
    ck_assert_str_eq(text_get(&text), expected);
    ck_assert_uint_eq(run_next_stuck(stage.run, 0), PROGRAM_NONE);
    text_fini(&text);
}

#define MALLOC(lifetime) "{'call':'aclrtMalloc','size':'1KiB','lifetime':'" lifetime "'}"
#define DELAY(time) "{'delay':'" time "'}"
#define PHASE(name) "{'phase':'" name "'}"
#define A(steps) "'A':{'device':0,'steps':[" steps "]}"
#define B(steps) "'B':{'device':0,'steps':[" steps "]}"

START_TEST(a_lifetime_ends_while_the_thread_lets_time_pass) {
    check_calls(A(MALLOC("10us") "," DELAY("1ms") "," PHASE("later")),
                "A:Malloc@0 A:Free@11007 later@1001007 A:end@1001007 ");
}
END_TEST

START_TEST(a_delay_that_ends_during_a_release_ends_behind_it) {
    check_calls(A(MALLOC("10us") "," DELAY("11us") "," PHASE("later")),
                "A:Malloc@0 A:Free@11007 later@12015 A:end@12015 ");
}
END_TEST

START_TEST(a_release_goes_before_a_step_that_is_due_with_it) {
    check_calls(A(MALLOC("0") "," MALLOC("0") "," PHASE("later")),
                "A:Malloc@0 A:Free@1007 A:Malloc@2015 A:Free@3022 later@4030 A:end@4030 ");
}
END_TEST

START_TEST(a_lifetime_ends_while_the_thread_waits_for_a_value_or_at_a_barrier) {
    check_calls(
        A(MALLOC("10us") ",{'receive':'x'}," MALLOC("10us") ",{'barrier':'b'}," PHASE("met")) "," B(
            DELAY("1ms") ",{'send':1,'to':'A'}," DELAY("1ms") ",{'barrier':'b'"
                                                              "}"),
        "A:Malloc@0 A:Free@11007 A:received@1000000 A:Malloc@1000000 A:Free@1011007 met@2000000 "
        "B:end@2000000 A:end@2000000 ");
}
END_TEST

START_TEST(a_value_that_comes_during_a_release_is_received_behind_it) {
    check_calls(A(MALLOC("10us") ",{'receive':'x'}") "," B(DELAY("11500ns") ",{'send':1,'to':'A'}"),
                "A:Malloc@0 A:Free@11007 B:end@11500 A:received@12015 A:end@12015 ");
}
END_TEST

/* The barrier is A's last step, and opens while a release of A waits for C. */
START_TEST(a_thread_that_comes_to_its_end_during_a_release_lives_on) {
    check_calls(A(MALLOC("3us") "," MALLOC("5ms") ",{'barrier':'b'}") "," B(
                    DELAY("4200ns") ",{'barrier':'b'}") ","
                                                        "'C':{'device':0,'steps':[" DELAY(
                                                            "3500ns") "," MALLOC("0") "]}",
                "A:Malloc@0 A:Malloc@1007 C:Malloc@3500 B:end@4200 A:Free@4507 C:Free@5515 "
                "C:end@6523 A:Free@5002014 A:end@5003022 ");
}
END_TEST

START_TEST(a_thread_in_a_call_releases_behind_it) {
    check_calls(
        A(MALLOC("10us") ",{'compute':'1ms'},{'call':'aclrtSynchronizeDevice'}," PHASE("later")),
        "A:Malloc@0 A:SynchronizeDevice@1001007 A:Free@1002007 later@1003015 A:end@1003015 ");
}
END_TEST

START_TEST(a_release_waits_for_the_driver_like_any_call) {
    check_calls(A(MALLOC("1us")) "," B(MALLOC("1us")),
                "A:Malloc@0 B:Malloc@1007 A:Free@2014 A:end@3022 B:Free@3022 B:end@4030 ");
}
END_TEST

START_TEST(what_failed_is_not_released) {
    check_calls(A("{'call':'aclrtMalloc','size':0,'lifetime':'1us'}," PHASE("later")),
                "A:Malloc!@0 later@0 A:end@0 ");
}
END_TEST

START_TEST(a_thread_ends_behind_its_last_step_and_lifetime) {
    check_calls(A(MALLOC("1ms") "," MALLOC("2ms")),
                "A:Malloc@0 A:Malloc@1007 A:Free@1001007 A:Free@2002014 A:end@2003022 ");
    check_calls(A(MALLOC("1ms") "," DELAY("5ms")), "A:Malloc@0 A:Free@1001007 A:end@5001007 ");
}
END_TEST

START_TEST(a_process_that_exits_or_is_killed_releases_nothing_more) {
    check_calls(A(MALLOC("1ms") ",{'exit':true}"), "A:Malloc@0 A:end@1007 ");
    check_calls(A(MALLOC("1us") "," DELAY("1ms")) "," B(DELAY("15us") ",{'kill':'A'}"),
                "A:Malloc@0 A:Free@2007 A:end@15000 B:end@15000 ");
    check_calls(A(MALLOC("1us") "," DELAY("1ms")) "," B(MALLOC("1ms") ",{'kill':'A'},"
                                                                      "{'exit':true}"),
                "A:Malloc@0 B:Malloc@1007 A:end@2014 B:end@2014 ");
}
END_TEST

/* What A made in its first life would be due at 31 us. */
START_TEST(a_process_that_is_started_again_knows_nothing_of_its_former_life) {
    check_calls(
        "'A':{'device':0,'starts':'later','steps':[" MALLOC("30us") "," DELAY("40us") "]}," B(
            "{'start':'A'}," DELAY("10us") ",{'kill':'A'}," DELAY("10us") ",{'start':'A'}"),
        "A:Malloc@0 A:end@10000 A:Malloc@20000 B:end@20000 A:Free@51007 A:end@61007 ");
}
END_TEST

START_TEST(all_that_a_call_makes_may_have_a_lifetime) {
    check_calls(A("{'call':'aclrtReserveMemAddress','size':'2MiB','lifetime':'1us'},"
                  "{'call':'aclrtMallocPhysical','size':'2MiB','lifetime':'1us'},"
                  "{'call':'aclrtMallocHost','size':'2MiB','lifetime':'1us'},"
                  "{'call':'aclrtCreateStream','lifetime':'1us'},"
                  "{'call':'aclrtCreateEvent','lifetime':'1us'}"),
                "A:ReserveMemAddress@0 A:MallocPhysical@1008 A:ReleaseMemAddress@3614 "
                "A:FreePhysical@4623 A:MallocHost@7230 A:CreateStream@9770 A:FreeHost@10770 "
                "A:DestroyStream@13311 A:CreateEvent@14311 A:DestroyEvent@16311 A:end@17311 ");
}
END_TEST

START_TEST(a_schedule_names_the_end_of_a_lifetime) {
    struct schedule *schedule = schedule_new();
    schedule_add(schedule, "B:first");
    schedule_add(schedule, "A:lifetime");
    schedule_add(schedule, "B:second");
    stage.options.schedule = schedule;
    check_calls(A(MALLOC("1ms")) "," B(
                    "{'phase':'first','label':'first'},{'phase':'second','label':'second'}"),
                "first@0 A:Malloc@0 A:Free@1001007 second@1001007 B:end@1001007 A:end@1002015 ");
    schedule_free(schedule);
    stage.options.schedule = NULL;
}
END_TEST

/* How often a word stands in a text. */
static int count(const char *text, const char *word) {
    int times = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        times++;
    }
    return times;
}

START_TEST(in_any_order_all_that_was_made_is_released_once) {
    enum { SEEDS = 50 };
    struct store *store = store_new();
    stage.options.is_free = true;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct text text = { 0 };
        struct random_stream stream = random_stream_at(random_table(store), 1, seed, seed);
        stage.options.choice = choice_random(&stream, choice_bit(CHOICE_NEXT));
        ck_assert_str_eq(stage_read_processes(
                             &stage, A(MALLOC("1us") "," MALLOC("9us") ",{'barrier':'b'}") "," B(
                                         MALLOC("1us") ",{'send':1,'to':'B'},{'receive':'x'},"
                                                       "{'barrier':'b'}," MALLOC("0"))),
                         "");
        begin(&text);
        ck_assert(run_to_end(stage.run, &stage.problem));
        ck_assert_int_eq(count(text_get(&text), ":Malloc@"), 4);
        ck_assert_int_eq(count(text_get(&text), ":Free@"), 4);
        ck_assert_int_eq(count(text_get(&text), ":end@"), 2);
        ck_assert_uint_eq(run_next_stuck(stage.run, 0), PROGRAM_NONE);
        text_fini(&text);
    }
    store_free(store);
}
END_TEST

START_TEST(a_run_that_is_rolled_back_releases_again) {
    struct text text = { 0 };
    ck_assert_str_eq(stage_read_processes(&stage, A("{'repeat':20,'steps':[{'call':"
                                                    "'aclrtMalloc','size':'2MiB','lifetime':"
                                                    "'7us'}]}")),
                     "");
    begin(&text);
    run_start_process(stage.run, 0);
    for (int place = 0; place < 15; place++) {
        ck_assert(run_one(stage.run));
    }
    struct store *store = run_machine(stage.run)->store;
    struct store_mark mark = store_mark(store);
    text_clear(&text);
    while (run_one(stage.run)) {
    }
    struct hash128 end = store_hash(store);
    char *first = text_steal(&text);
    ck_assert_ptr_nonnull(strstr(first, "A:Free@"));
    store_rollback(store, &mark);
    while (run_one(stage.run)) {
    }
    ck_assert_str_eq(text_get(&text), first);
    ck_assert(hash128_equal(store_hash(store), end));
    store_unmark(store, &mark);
    free(first);
    text_fini(&text);
}
END_TEST

START_TEST(only_what_is_released_has_a_lifetime) {
    ck_assert_ptr_nonnull(
        strstr(stage_read_steps(&stage, "{'call':'aclrtFree','devPtr':0,'lifetime':'1us'}"),
               "/lifetime: aclrtFree makes nothing that a call releases"));
    ck_assert_ptr_nonnull(strstr(
        stage_read_steps(&stage, "{'call':'aclrtMalloc','size':1,'lifetime':5}"), "5 has no unit"));
    ck_assert_ptr_nonnull(
        strstr(stage_read_steps(&stage, "{'phase':'x','label':'lifetime'}"), "not \"lifetime\""));
}
END_TEST

Suite *test_lifetime(void);
Suite *test_lifetime(void) {
    Suite *suite = suite_create("lifetime");
    TCase *tcase = tcase_create("lifetime");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, lifetimes_end_in_order_of_due_times_then_of_making);
    tcase_add_test(tcase, many_wait_for_their_end);
    tcase_add_test(tcase, a_rollback_or_a_copy_has_the_same_lifetimes);
    tcase_add_test(tcase, what_releases_a_thing_takes_it_and_nothing_else);
    tcase_add_test(tcase, a_lifetime_ends_while_the_thread_lets_time_pass);
    tcase_add_test(tcase, a_delay_that_ends_during_a_release_ends_behind_it);
    tcase_add_test(tcase, a_release_goes_before_a_step_that_is_due_with_it);
    tcase_add_test(tcase, a_lifetime_ends_while_the_thread_waits_for_a_value_or_at_a_barrier);
    tcase_add_test(tcase, a_value_that_comes_during_a_release_is_received_behind_it);
    tcase_add_test(tcase, a_thread_that_comes_to_its_end_during_a_release_lives_on);
    tcase_add_test(tcase, a_thread_in_a_call_releases_behind_it);
    tcase_add_test(tcase, a_release_waits_for_the_driver_like_any_call);
    tcase_add_test(tcase, what_failed_is_not_released);
    tcase_add_test(tcase, a_thread_ends_behind_its_last_step_and_lifetime);
    tcase_add_test(tcase, a_process_that_exits_or_is_killed_releases_nothing_more);
    tcase_add_test(tcase, a_process_that_is_started_again_knows_nothing_of_its_former_life);
    tcase_add_test(tcase, all_that_a_call_makes_may_have_a_lifetime);
    tcase_add_test(tcase, a_schedule_names_the_end_of_a_lifetime);
    tcase_add_test(tcase, in_any_order_all_that_was_made_is_released_once);
    tcase_add_test(tcase, a_run_that_is_rolled_back_releases_again);
    tcase_add_test(tcase, only_what_is_released_has_a_lifetime);
    suite_add_tcase(suite, tcase);
    return suite;
}
