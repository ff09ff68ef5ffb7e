/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a run, and what a scenario expects of them. */
#include <check.h>
#include <stdlib.h>

#include "base/text.h"
#include "scenario/figure_expect.h"
#include "tests/stage.h"

static struct stage stage;
static struct text told;

static void set_up(void) {
    stage_init(&stage);
}

static void tear_down(void) {
    text_fini(&told);
    stage_fini(&stage);
}

/* A makes a block of 2 MiB and one of 4 MiB and frees the first; it exports 2 MiB more. A call is
 * refused. */
static const char steps[] =
    "[ { 'call': 'aclrtMalloc', 'size': '2MiB', 'as': 'p' },"
    "  { 'call': 'aclrtMalloc', 'size': '4MiB', 'as': 'q' },"
    "  { 'call': 'aclrtFree', 'devPtr': '$p' },"
    "  { 'call': 'aclrtFree', 'devPtr': 0, 'expect': 100000 },"
    "  { 'call': 'aclrtMallocPhysical', 'size': '2MiB', 'as': 'h' },"
    "  { 'call': 'aclrtMemExportToShareableHandle', 'handle': '$h', 'as': 's' } ]";

/* What of the expectations is not met, a line each; pointers without "/expect/". */
static const char *unmet_of(const char *processes, const char *expected) {
    struct text json = { 0 };
    struct figure_difference difference;
    text_printf(&json, "{ 'format': 1, 'processes': { %s }, 'expect': %s }", processes, expected);
    ck_assert_str_eq(stage_read(&stage, text_get(&json)), "");
    text_fini(&json);
    ck_assert_str_eq(stage_run(&stage), "");
    text_clear(&told);
    text_append(&told, "");
    for (size_t place = 0; (place = figure_expect_next(stage.run, place, &difference)) != 0;) {
        struct text line = { 0 };
        figure_expect_write(&difference, &line);
        text_printf(&told, "%s\n", text_get(&line) + sizeof "/expect/" - 1);
        text_fini(&line);
    }
    return text_get(&told);
}

static const char *unmet(const char *expected) {
    struct text processes = { 0 };
    text_printf(&processes, "'A': { 'device': 0, 'steps': %s }", steps);
    const char *answer = unmet_of(text_get(&processes), expected);
    text_fini(&processes);
    return answer;
}

START_TEST(figures_that_are_as_expected_are_silent) {
    ck_assert_str_eq(
        unmet("{ 'totals': { 'calls': 6, 'refused': 1, 'unasked': 0, 'steps': 6,"
              "    'processes': { 'A': { 'calls': 6, 'device_peak_bytes': '10MiB' } },"
              "    'devices': { '0': { 'peak_bytes': '10MiB' } } },"
              "  'finally': { 'processes': { 'A': { 'blocks': 1, 'block_bytes': '6MiB',"
              "    'handles': 1, 'shares': 1, 'mappings': 0, 'streams': 0 } },"
              "    'devices': { '0': { 'used_bytes': 0 }, 'server:1': { 'used_bytes': 0 } } } }"),
        "");
}
END_TEST

START_TEST(each_figure_that_is_not_is_told_with_its_place) {
    ck_assert_str_eq(
        unmet("{ 'totals': { 'calls': 7, 'devices': { '0': { 'peak_bytes': '4MiB' } } },"
              "  'finally': { 'processes': { 'A': { 'handles': 0 } } } }"),
        "totals/calls is 6, expected exactly 7 (line 1)\n"
        "totals/devices/0/peak_bytes is 10MiB, expected exactly 4MiB (line 1)\n"
        "finally/processes/A/handles is 1, expected exactly 0 (line 1)\n");
}
END_TEST

START_TEST(bounds_include_their_ends) {
    ck_assert_str_eq(unmet("{ 'totals': { 'calls': { 'at_least': 6, 'at_most': 6 } } }"), "");
    stage_fini(&stage);
    stage_init(&stage);
    ck_assert_str_eq(
        unmet("{ 'totals': { 'calls': { 'at_least': 7 }, 'steps': { 'at_most': 5 } } }"),
        "totals/calls/at_least is 6, expected at least 7 (line 1)\n"
        "totals/steps/at_most is 6, expected at most 5 (line 1)\n");
}
END_TEST

START_TEST(products_may_differ) {
    ck_assert_str_eq(unmet("{ 'totals': { 'calls': { 'default': 5, 'by-hand': 6 }, 'refused':"
                           "  { 'at_most': { 'default': 1, 'by-hand': 0 } },"
                           "  'steps': { 'atlas_350': 99 } } }"),
                     "totals/refused/at_most is 1, expected at most 0 (line 1)\n");
}
END_TEST

START_TEST(calls_are_counted_by_name) {
    ck_assert_str_eq(
        unmet("{ 'totals': { 'by_call': { 'aclrtMalloc': { 'times': 2, 'refused': 0 },"
              "    'aclrtFree': { 'times': 2, 'refused': 0, 'queue_ns': 0 },"
              "    'aclrtMallocHost': { 'times': 0 }, 'acl.rt.free': { 'times': 3 } } } }"),
        "totals/by_call/aclrtFree/refused is 1, expected exactly 0 (line 1)\n"
        "totals/by_call/acl.rt.free/times is 2, expected exactly 3 (line 1)\n");
}
END_TEST

/* Killed with a block the first time, the second time it frees it; what it ever did is counted. */
START_TEST(the_last_end_of_a_process_counts) {
    ck_assert_str_eq(
        unmet_of("'A': { 'steps': [ { 'start': 'B' }, { 'delay': '1ms' }, { 'kill': 'B' },"
                 "    { 'delay': '1ms' }, { 'start': 'B' }, { 'delay': '1ms' },"
                 "    { 'send': 1, 'to': 'B' } ] },"
                 "'B': { 'device': 0, 'starts': 'later', 'steps': ["
                 "    { 'call': 'aclrtMalloc', 'size': '2MiB', 'as': 'p' }, { 'receive': 'go' },"
                 "    { 'call': 'aclrtFree', 'devPtr': '$p' } ] }",
                 "{ 'totals': { 'processes': { 'B': { 'calls': 3 } } },"
                 "  'finally': { 'processes': { 'B': { 'blocks': 0, 'block_bytes': 0 } },"
                 "    'devices': { '0': { 'used_bytes': 0 } } } }"),
        "");
}
END_TEST

START_TEST(a_device_that_is_not_there_is_told) {
    ck_assert_str_eq(unmet("{ 'finally': { 'devices': { '1023': { 'used_bytes': 0 } } } }"),
                     "finally/devices/1023/used_bytes: there is no such device, expected exactly 0 "
                     "(line 1)\n");
}
END_TEST

Suite *test_figure(void);

Suite *test_figure(void) {
    Suite *suite = suite_create("figure");
    TCase *tests = tcase_create("figure");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, figures_that_are_as_expected_are_silent);
    tcase_add_test(tests, each_figure_that_is_not_is_told_with_its_place);
    tcase_add_test(tests, bounds_include_their_ends);
    tcase_add_test(tests, products_may_differ);
    tcase_add_test(tests, calls_are_counted_by_name);
    tcase_add_test(tests, the_last_end_of_a_process_counts);
    tcase_add_test(tests, a_device_that_is_not_there_is_told);
    suite_add_tcase(suite, tests);
    return suite;
}
