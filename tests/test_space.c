/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/space.h"

#include <check.h>
#include <signal.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { PROCESS = 2 };

#define PAGE ((uint64_t)4096)
#define MIB ((uint64_t)1 << 20)

static const struct range_window window = { 16 * MIB, 64 * MIB };

static struct space made_space(struct store *store) {
    struct space space = space_bind(store);
    space_make(&space, PROCESS);
    return space;
}

static void check_range(struct space_range is, struct space_range should) {
    ck_assert_uint_eq(is.start, should.start);
    ck_assert_uint_eq(is.size, should.size);
    ck_assert_uint_eq(is.kind, should.kind);
    ck_assert_uint_eq(is.id, should.id);
}

START_TEST(a_region_is_found_at_each_of_its_bytes) {
    static const struct space_range regions[] = {
        { 16 * MIB, PAGE, SPACE_BLOCK, 0 },
        { 16 * MIB + PAGE, 3 * PAGE, SPACE_HOST, SPACE_IDS - 1 },
        { 32 * MIB, 2 * MIB, SPACE_RESERVATION, 7 },
        { ((uint64_t)1 << 48) - PAGE, PAGE, SPACE_RESERVATION, SPACE_IDS - 1 },
    };
    struct store *store = store_new();
    struct space space = made_space(store);
    struct space_range found;

    for (size_t index = 0; index < COUNT(regions); index++) {
        space_add(&space, PROCESS, regions[index]);
    }
    for (size_t index = 0; index < COUNT(regions); index++) {
        ck_assert(space_find(&space, PROCESS, regions[index].start, &found));
        check_range(found, regions[index]);
        ck_assert(
            space_find(&space, PROCESS, regions[index].start + regions[index].size - 1, &found));
        check_range(found, regions[index]);
    }
    ck_assert(!space_find(&space, PROCESS, 16 * MIB - 1, &found));
    ck_assert(!space_find(&space, PROCESS, 16 * MIB + 4 * PAGE, &found));
    ck_assert(!space_find(&space, PROCESS, (uint64_t)1 << 48, &found));
    ck_assert(!space_find(&space, PROCESS, UINT64_MAX, &found));
    store_free(store);
}
END_TEST

START_TEST(places_are_the_lowest_that_fit) {
    struct store *store = store_new();
    struct space space = made_space(store);
    uint64_t start = 0;

    space_add(&space, PROCESS, (struct space_range){ 16 * MIB, PAGE, SPACE_BLOCK, 1 });
    ck_assert(space_fit(&space, PROCESS, window, PAGE, PAGE, &start));
    ck_assert_uint_eq(start, 16 * MIB + PAGE);
    ck_assert(space_fit(&space, PROCESS, window, PAGE, 2 * MIB, &start));
    ck_assert_uint_eq(start, 18 * MIB);
    ck_assert(space_fit(&space, PROCESS, window, 46 * MIB, 2 * MIB, &start));
    ck_assert_uint_eq(start, 18 * MIB);
    ck_assert(!space_fit(&space, PROCESS, window, 48 * MIB, PAGE, &start));
    ck_assert(!space_fit(&space, PROCESS, window, 47 * MIB, 2 * MIB, &start));
    ck_assert(!space_fit(&space, PROCESS, window, PAGE, (uint64_t)1 << 30, &start));
    space_remove(&space, PROCESS, 16 * MIB);
    ck_assert(space_fit(&space, PROCESS, window, 48 * MIB, 2 * MIB, &start));
    ck_assert_uint_eq(start, 16 * MIB);
    store_free(store);
}
END_TEST

START_TEST(only_whole_pages_of_a_window_count) {
    static const struct range_window odd = { 16 * MIB + 1, 16 * MIB + 3 * PAGE - 1 };
    struct store *store = store_new();
    struct space space = made_space(store);
    uint64_t start = 0;

    ck_assert(space_fit(&space, PROCESS, odd, PAGE, PAGE, &start));
    ck_assert_uint_eq(start, 16 * MIB + PAGE);
    ck_assert(!space_fit(&space, PROCESS, odd, 2 * PAGE, PAGE, &start));
    store_free(store);
}
END_TEST

START_TEST(a_region_is_added_at_the_lowest_place_that_fits) {
    struct store *store = store_new();
    struct space space = made_space(store);
    struct space_range region = { .size = MIB, .kind = SPACE_BLOCK, .id = 3 };
    struct space_range found;

    space_add(&space, PROCESS, (struct space_range){ 16 * MIB, PAGE, SPACE_HOST, 1 });
    ck_assert(space_add_fit(&space, PROCESS, window, 2 * MIB, &region));
    ck_assert_uint_eq(region.start, 18 * MIB);
    ck_assert(space_find(&space, PROCESS, 19 * MIB - 1, &found));
    ck_assert_uint_eq(found.id, 3);
    ck_assert_uint_eq(found.size, MIB);
    ck_assert_int_eq(found.kind, SPACE_BLOCK);
    region.size = 46 * MIB;
    ck_assert(!space_add_fit(&space, PROCESS, window, PAGE, &region));
    store_free(store);
}
END_TEST

START_TEST(free_means_free_throughout) {
    struct store *store = store_new();
    struct space space = made_space(store);

    space_add(&space, PROCESS, (struct space_range){ 17 * MIB, MIB, SPACE_HOST, 1 });
    ck_assert(space_is_free(&space, PROCESS, 16 * MIB, MIB));
    ck_assert(!space_is_free(&space, PROCESS, 16 * MIB, MIB + PAGE));
    ck_assert(!space_is_free(&space, PROCESS, 17 * MIB, PAGE));
    ck_assert(space_is_free(&space, PROCESS, 18 * MIB, ((uint64_t)1 << 48) - 18 * MIB));
    ck_assert(!space_is_free(&space, PROCESS, 18 * MIB, (uint64_t)1 << 48));
    ck_assert(!space_is_free(&space, PROCESS, (uint64_t)1 << 48, PAGE));
    store_free(store);
}
END_TEST

START_TEST(mappings_lie_beside_the_regions) {
    struct store *store = store_new();
    struct space space = made_space(store);
    struct space_range found;

    space_add(&space, PROCESS, (struct space_range){ 16 * MIB, 8 * MIB, SPACE_RESERVATION, 3 });
    space_map(&space, PROCESS, 18 * MIB, 2 * MIB, 0);
    space_map(&space, PROCESS, 20 * MIB, 2 * MIB, 9);
    ck_assert(space_find_mapping(&space, PROCESS, 20 * MIB - 1, &found));
    check_range(found, (struct space_range){ 18 * MIB, 2 * MIB, SPACE_RESERVATION, 0 });
    ck_assert(!space_find_mapping(&space, PROCESS, 16 * MIB, &found));
    ck_assert(space_is_unmapped(&space, PROCESS, 16 * MIB, 2 * MIB));
    ck_assert(!space_is_unmapped(&space, PROCESS, 16 * MIB, 2 * MIB + PAGE));
    ck_assert(space_find(&space, PROCESS, 19 * MIB, &found));
    ck_assert_uint_eq(found.id, 3);
    space_unmap(&space, PROCESS, 18 * MIB);
    ck_assert(space_is_unmapped(&space, PROCESS, 16 * MIB, 4 * MIB));
    ck_assert(!space_is_free(&space, PROCESS, 18 * MIB, PAGE));
    store_free(store);
}
END_TEST

START_TEST(mappings_are_walked_in_order) {
    struct store *store = store_new();
    struct space space = made_space(store);
    struct space_range found = { 0, 0, SPACE_FREE, 0 };

    for (uint32_t id = 0; id < 100; id++) {
        uint64_t place = id * 37 % 100;
        space_map(&space, PROCESS, place * MIB, (1 + place % 2) * MIB / 2, (uint32_t)place);
    }
    for (uint32_t id = 0; id < 100; id++) {
        ck_assert(space_next_mapping(&space, PROCESS, found.start + found.size, &found));
        check_range(
            found, (struct space_range){ id * MIB, (1 + id % 2) * MIB / 2, SPACE_RESERVATION, id });
        ck_assert(space_next_mapping(&space, PROCESS, found.start + found.size - 1, &found));
        ck_assert_uint_eq(found.id, id);
    }
    ck_assert(!space_next_mapping(&space, PROCESS, found.start + found.size, &found));
    store_free(store);
}
END_TEST

START_TEST(free_bytes_tell_the_fragmentation) {
    struct store *store = store_new();
    struct space space = made_space(store);
    uint64_t all = (uint64_t)1 << 48;

    ck_assert_uint_eq(space_free_bytes(&space, PROCESS), all);
    space_add(&space, PROCESS, (struct space_range){ all / 4, PAGE, SPACE_BLOCK, 1 });
    space_map(&space, PROCESS, 0, PAGE, 1);
    ck_assert_uint_eq(space_free_bytes(&space, PROCESS), all - PAGE);
    ck_assert_uint_eq(space_free_largest(&space, PROCESS), all / 4 * 3 - PAGE);
    store_free(store);
}
END_TEST

START_TEST(processes_do_not_share_addresses) {
    struct store *store = store_new();
    struct space space = made_space(store);
    struct space_range found;

    space_make(&space, PROCESS + 1);
    space_add(&space, PROCESS, (struct space_range){ 16 * MIB, PAGE, SPACE_BLOCK, 1 });
    ck_assert(!space_find(&space, PROCESS + 1, 16 * MIB, &found));
    space_drop(&space, PROCESS);
    space_make(&space, PROCESS);
    ck_assert(!space_find(&space, PROCESS, 16 * MIB, &found));
    store_free(store);
}
END_TEST

static const struct space_range refused[] = {
    { MIB, PAGE, SPACE_FREE, 1 },          { MIB, PAGE, SPACE_KINDS, 1 },
    { MIB, PAGE, SPACE_BLOCK, SPACE_IDS }, { MIB + 1, PAGE, SPACE_BLOCK, 1 },
    { MIB, PAGE + 1, SPACE_BLOCK, 1 },     { 0, PAGE, SPACE_BLOCK, 1 },
};

START_TEST(what_is_no_region_is_refused) {
    struct space space = made_space(store_new());

    space_add(&space, PROCESS, (struct space_range){ 0, PAGE, SPACE_HOST, 1 });
    space_add(&space, PROCESS, refused[_i]);
}
END_TEST

Suite *test_space(void);

Suite *test_space(void) {
    Suite *suite = suite_create("space");
    TCase *tests = tcase_create("space");

    tcase_add_test(tests, a_region_is_found_at_each_of_its_bytes);
    tcase_add_test(tests, places_are_the_lowest_that_fit);
    tcase_add_test(tests, only_whole_pages_of_a_window_count);
    tcase_add_test(tests, a_region_is_added_at_the_lowest_place_that_fits);
    tcase_add_test(tests, free_means_free_throughout);
    tcase_add_test(tests, mappings_lie_beside_the_regions);
    tcase_add_test(tests, mappings_are_walked_in_order);
    tcase_add_test(tests, free_bytes_tell_the_fragmentation);
    tcase_add_test(tests, processes_do_not_share_addresses);
    tcase_add_loop_test_raise_signal(tests, what_is_no_region_is_refused, SIGABRT, 0,
                                     COUNT(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
