/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <signal.h>

#include "memory/range.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { OWNER = 3 };

/* A line of 100 units, of which 20 to 29 and 30 to 39 are in use. */
static struct range_map misused_map(void) {
    struct range_map map = range_map_bind(store_new(), "map");
    range_map_make(&map, OWNER, 0, 100);
    range_take(&map, OWNER, (struct range){ 20, 10, 1 });
    range_take(&map, OWNER, (struct range){ 30, 10, 1 });
    return map;
}

static const struct range refused[] = {
    { 20, 10, 2 }, { 15, 6, 2 }, { 39, 2, 2 },          { 90, 11, 2 },
    { 100, 1, 2 }, { 50, 0, 2 }, { 50, UINT64_MAX, 2 }, { 50, 1, 0 },
};

START_TEST(what_is_not_free_cannot_be_taken) {
    struct range_map map = misused_map();

    range_take(&map, OWNER, refused[_i]);
}
END_TEST

static const uint64_t not_starts[] = { 0, 19, 21, 40, 99, 100, UINT64_MAX };

START_TEST(only_starts_of_ranges_are_given) {
    struct range_map map = misused_map();

    range_give(&map, OWNER, not_starts[_i]);
}
END_TEST

static const struct range not_parts[] = {
    { 19, 2, 0 }, { 25, 6, 0 }, { 25, 0, 0 }, { 40, 1, 0 }, { 100, 1, 0 }, { 25, UINT64_MAX, 0 },
};

START_TEST(only_parts_of_one_range_are_given) {
    struct range_map map = misused_map();

    range_give_part(&map, OWNER, not_parts[_i].start, not_parts[_i].size);
}
END_TEST

START_TEST(an_owner_has_one_map) {
    struct range_map map = misused_map();

    range_map_make(&map, OWNER, 0, 100);
}
END_TEST

START_TEST(a_map_must_exist_to_be_asked) {
    struct range_map map = misused_map();

    range_totals(&map, OWNER + 1);
}
END_TEST

START_TEST(a_dropped_map_does_not_exist) {
    struct range_map map = misused_map();

    range_map_drop(&map, OWNER);
    range_totals(&map, OWNER);
}
END_TEST

Suite *test_range_misuse(void);

Suite *test_range_misuse(void) {
    Suite *suite = suite_create("range_misuse");
    TCase *tests = tcase_create("range_misuse");

    tcase_add_loop_test_raise_signal(tests, what_is_not_free_cannot_be_taken, SIGABRT, 0,
                                     COUNT(refused));
    tcase_add_loop_test_raise_signal(tests, only_starts_of_ranges_are_given, SIGABRT, 0,
                                     COUNT(not_starts));
    tcase_add_loop_test_raise_signal(tests, only_parts_of_one_range_are_given, SIGABRT, 0,
                                     COUNT(not_parts));
    tcase_add_test_raise_signal(tests, an_owner_has_one_map, SIGABRT);
    tcase_add_test_raise_signal(tests, a_map_must_exist_to_be_asked, SIGABRT);
    tcase_add_test_raise_signal(tests, a_dropped_map_does_not_exist, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
