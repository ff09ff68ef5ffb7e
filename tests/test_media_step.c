/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the media units: where the memory that they touch comes from, and how long they take. */
#include "scenario/step_row.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stage.h"

static struct stage stage;

static void set_up(void) {
    stage_init(&stage);
}

static void tear_down(void) {
    stage_fini(&stage);
}

#define MEDIA(key) "{'media':'3us','" key "':{'address':'$p','size':1024}}"
#define WAIT ",{'call':'aclrtSynchronizeDevice'},{'phase':'done'}"

/* A word stands in what happened. */
static void check_happened(const char *steps, const char *word) {
    const char *happened = stage_play_steps(&stage, steps);
    ck_assert_msg(strstr(happened, word) != NULL, "%s", happened);
}

START_TEST(memory_of_both_media_allocations_is_media_memory) {
    check_happened("{'call':'acldvppMalloc','size':1024,'as':'p'}," MEDIA("reads"), "A:reads-0@");
    check_happened("{'call':'hi_mpi_dvpp_malloc','size':1024,'as':'p'}," MEDIA("writes"),
                   "A:writes-0@");
}
END_TEST

START_TEST(a_piece_inside_of_a_media_allocation_is_media_memory) {
    check_happened("{'call':'acldvppMalloc','size':4096,'as':'p'},"
                   "{'media':'1us','reads':{'address':'$p + 128','size':100}}",
                   "A:reads-0@");
}
END_TEST

START_TEST(other_memory_is_told_by_where_it_comes_from) {
    check_happened("{'call':'aclrtMalloc','size':1024,'as':'p'}," MEDIA("reads"), "A:reads-1@");
    check_happened(
        "{'call':'aclrtMallocPhysical','size':'2MiB','as':'h'},"
        "{'call':'aclrtReserveMemAddress','size':'2MiB','as':'p'},"
        "{'call':'aclrtMapMem','virPtr':'$p','size':'2MiB','handle':'$h'}," MEDIA("reads"),
        "A:reads-2@");
    check_happened("{'call':'aclrtMallocHost','size':1024,'as':'p'}," MEDIA("reads"), "A:reads-3@");
    check_happened("{'call':'acldvppMalloc','size':1024,'as':'p'},"
                   "{'call':'acldvppFree','devPtr':'$p'}," MEDIA("reads"),
                   "A:reads-4@");
}
END_TEST

START_TEST(media_work_takes_its_time_on_a_stream) {
    stage.product->cost[COST_CALL] = (struct cost){ 0, { 0, 0, 0 } };
    const char *happened = stage_play_steps(
        &stage,
        "{'call':'acldvppMalloc','size':1024,'as':'p'},{'phase':'go'}," MEDIA("reads") WAIT);
    uint64_t start = strtoull(strstr(happened, "A:go@") + 5, NULL, 10);
    uint64_t end = strtoull(strstr(happened, "A:done@") + 7, NULL, 10);
    ck_assert_uint_eq(end - start, 3000);
}
END_TEST

START_TEST(media_work_that_reads_and_writes_touches_first_what_it_reads) {
    const char *happened = stage_play_steps(
        &stage, "{'call':'acldvppMalloc','size':1024,'as':'p'},"
                "{'call':'aclrtMalloc','size':1024,'as':'q'},"
                "{'media':'1us','reads':{'address':'$q','size':1},"
                "'writes':{'address':'$p','size':1}},{'call':'aclrtSynchronizeDevice'}");
    const char *reads = strstr(happened, "A:reads-1@");
    ck_assert_ptr_nonnull(reads);
    ck_assert_ptr_nonnull(strstr(reads, "A:writes-0@"));
}
END_TEST

START_TEST(media_work_on_no_memory_faults_at_the_next_synchronise) {
    ck_assert_str_eq(stage_read_steps(&stage, "{'media':'1us','reads':{'address':0,'size':1}},"
                                              "{'call':'aclrtSynchronizeDevice','expect':0}"),
                     "");
    ck_assert_str_eq(stage_run(&stage), "");
    ck_assert_uint_eq(run_mismatch_count(stage.run), 0);
    ck_assert_str_eq(stage_read_steps(&stage,
                                      "{'call':'acldvppMalloc','size':1024,'as':'p'},"
                                      "{'media':'1us','reads':{'address':'$p','size':'4MiB'}},"
                                      "{'call':'aclrtSynchronizeDevice','expect':0}"),
                     "");
    ck_assert_str_eq(stage_run(&stage), "");
    ck_assert_uint_eq(run_mismatch_count(stage.run), 1);
    ck_assert_int_eq(run_mismatch_get(stage.run, 0)->code, 507015);
}
END_TEST

START_TEST(a_media_step_says_what_it_touches) {
    ck_assert_str_eq(stage_read_steps(&stage, "{'media':'1us'}"),
                     "x.json:1:51: /processes/A/steps/0: a media step \"reads\" or \"writes\" a "
                     "range, or both\n");
    ck_assert_ptr_nonnull(strstr(stage_read_steps(&stage, "{'media':'1us','reads':{'size':1}}"),
                                 "a range has an \"address\" and a \"size\""));
    ck_assert_ptr_nonnull(strstr(stage_read_steps(&stage, "{'media':5,'read':{}}"),
                                 "unknown key \"read\"; did you mean \"reads\"?"));
}
END_TEST

Suite *test_media_step(void);

Suite *test_media_step(void) {
    Suite *suite = suite_create("media_step");
    TCase *tests = tcase_create("media_step");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, memory_of_both_media_allocations_is_media_memory);
    tcase_add_test(tests, a_piece_inside_of_a_media_allocation_is_media_memory);
    tcase_add_test(tests, other_memory_is_told_by_where_it_comes_from);
    tcase_add_test(tests, media_work_takes_its_time_on_a_stream);
    tcase_add_test(tests, media_work_that_reads_and_writes_touches_first_what_it_reads);
    tcase_add_test(tests, media_work_on_no_memory_faults_at_the_next_synchronise);
    tcase_add_test(tests, a_media_step_says_what_it_touches);
    suite_add_tcase(suite, tests);
    return suite;
}
