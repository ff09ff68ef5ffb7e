/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/range.h"

#include <check.h>
#include <stdlib.h>

#include "base/host.h"
#include "tests/plain_ranges.h"
#include "tests/random_edits.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { OWNER = 3, STEPS = 10000 };

static const struct range_window everywhere = { 0, UINT64_MAX };
static const uint64_t alignments[] = { 1, 1, 2, 512, 512, 512 * 512 };

/* What a random test does: where the line lies, how large ranges are, how many there are. */
struct shape {
    uint64_t start;
    uint64_t size;
    uint32_t size_bits;
    uint32_t ranges;
};

static const struct shape shapes[] = {
    { 0, 3000, 6, 60 },
    { 777, 400000, 8, 1500 },
    { 100, 20000000, 13, 1500 },
    { (uint64_t)1 << 62, (uint64_t)1 << 62, 51, 300 },
    { 0, (uint64_t)1 << 63, 0, 700 },
};

/* A map and what it must equal. */
struct pair {
    struct shape shape;
    struct random_edits random;
    struct store *store;
    struct range_map map;
    struct plain_ranges plain;
    uint32_t step;
};

static struct pair *pair_new(struct shape shape) {
    struct pair *pair = host_zeroed(1, sizeof *pair);
    pair->shape = shape;
    pair->random.seed = 91;
    pair->store = store_new();
    pair->map = range_map_bind(pair->store, "map");
    range_map_make(&pair->map, OWNER, shape.start, shape.size);
    pair->plain.start = shape.start;
    pair->plain.end = shape.start + shape.size;
    return pair;
}

static void pair_free(struct pair *pair) {
    store_free(pair->store);
    free(pair);
}

static uint64_t below(struct pair *pair, uint64_t limit) {
    return random_edits_next(&pair->random) % limit;
}

static uint64_t random_unit(struct pair *pair) {
    return pair->shape.start + below(pair, pair->shape.size);
}

/* Small sizes are as frequent as large ones; half of them are whole coarse units. */
static uint64_t random_size(struct pair *pair) {
    uint64_t size = 1 + below(pair, (uint64_t)1 << below(pair, pair->shape.size_bits + 1));
    return size > RANGE_COARSE && below(pair, 2) == 0 ? size / RANGE_COARSE * RANGE_COARSE : size;
}

static uint32_t random_id(struct pair *pair) {
    return 1 + (uint32_t)below(pair, 3);
}

static void check_equal(struct range left, struct range right) {
    ck_assert_uint_eq(left.start, right.start);
    ck_assert_uint_eq(left.size, right.size);
    ck_assert_uint_eq(left.id, right.id);
}

static void check_totals(const struct pair *pair) {
    struct range_totals is = range_totals(&pair->map, OWNER);
    struct range_totals should = plain_ranges_totals(&pair->plain);
    ck_assert_uint_eq(is.free, should.free);
    ck_assert_uint_eq(is.free_largest, should.free_largest);
    ck_assert_uint_eq(is.coarse_free, should.coarse_free);
    ck_assert_uint_eq(is.coarse_largest, should.coarse_largest);
    ck_assert_uint_eq(is.ranges, should.ranges);
}

/* Every range of the line, and every range in use by its own walk. */
static void check_all(const struct pair *pair) {
    struct range range = { 0, 0, 0 };
    uint64_t unit = pair->plain.start;
    while (range_at(&pair->map, OWNER, unit, &range)) {
        check_equal(range, plain_ranges_at(&pair->plain, unit));
        unit += range.size;
    }
    ck_assert_uint_eq(unit, pair->plain.end);
    unit = 0;
    for (uint32_t index = 0; index < pair->plain.count; index++) {
        ck_assert(range_next_used(&pair->map, OWNER, unit, &range));
        check_equal(range, pair->plain.used[index]);
        unit = range.start + range.size;
    }
    ck_assert(!range_next_used(&pair->map, OWNER, unit, &range));
    check_totals(pair);
}

static void take(struct pair *pair, struct range range) {
    range_take(&pair->map, OWNER, range);
    plain_ranges_take(&pair->plain, range);
}

static void try_fit(struct pair *pair) {
    uint64_t size = random_size(pair);
    uint64_t alignment = alignments[below(pair, COUNT(alignments))];
    struct range_window window = everywhere;
    uint64_t is = 0;
    uint64_t should = 0;
    if (below(pair, 2) == 0) {
        window.from = random_unit(pair);
    }
    if (below(pair, 2) == 0) {
        window.to = random_unit(pair);
    }
    bool found = range_fit(&pair->map, OWNER, window, size, alignment, &is);
    ck_assert(found == plain_ranges_fit(&pair->plain, window, size, alignment, &should));
    ck_assert_uint_eq(is, should);
    if (!found || pair->plain.count == pair->shape.ranges) {
        return;
    }
    struct range range = { is, size, random_id(pair) };
    if (below(pair, 2) == 0) {
        take(pair, range);
        return;
    }
    range.start = 0;
    ck_assert(range_take_fit(&pair->map, OWNER, window, alignment, &range));
    ck_assert_uint_eq(range.start, is);
    plain_ranges_take(&pair->plain, range);
}

/* A place anywhere in a free range, often at one of its ends. */
static void try_take(struct pair *pair) {
    uint64_t unit = random_unit(pair);
    struct range range = plain_ranges_at(&pair->plain, unit);
    uint64_t size = random_size(pair);
    if (range.id == 0 && pair->plain.count < pair->shape.ranges) {
        size = size < range.size ? size : range.size;
        uint64_t skip = below(pair, 3) == 0 ? 0 : below(pair, range.size - size + 1);
        take(pair, (struct range){ range.start + skip, size, random_id(pair) });
    }
}

static void try_take_lowest(struct pair *pair) {
    struct range taken = { 0, 0, 0 };
    uint64_t most = random_size(pair);
    uint64_t start = 0;
    if (pair->plain.count >= pair->shape.ranges) {
        return;
    }
    bool found = plain_ranges_fit(&pair->plain, everywhere, 1, 1, &start);
    ck_assert(range_take_lowest(&pair->map, OWNER, most, 9, &taken) == found);
    if (found) {
        uint64_t size = plain_ranges_at(&pair->plain, start).size;
        check_equal(taken, (struct range){ start, size < most ? size : most, 9 });
        plain_ranges_take(&pair->plain, taken);
    }
}

static void give(struct pair *pair) {
    struct range range = pair->plain.used[below(pair, pair->plain.count)];
    range_give(&pair->map, OWNER, range.start);
    plain_ranges_give(&pair->plain, range.start, range.size);
}

static void give_part(struct pair *pair) {
    struct range range = pair->plain.used[below(pair, pair->plain.count)];
    uint64_t skip = below(pair, 3) == 0 ? 0 : below(pair, range.size);
    uint64_t size = below(pair, 3) == 0 ? range.size - skip : 1 + below(pair, range.size - skip);
    range_give_part(&pair->map, OWNER, range.start + skip, size);
    plain_ranges_give(&pair->plain, range.start + skip, size);
}

static void ask(struct pair *pair) {
    struct range is = { 0, 0, 0 };
    struct range should = { 0, 0, 0 };
    uint64_t unit = random_unit(pair);
    ck_assert(range_at(&pair->map, OWNER, unit, &is));
    check_equal(is, plain_ranges_at(&pair->plain, unit));
    bool found = range_next_used(&pair->map, OWNER, unit, &is);
    ck_assert(found == plain_ranges_next(&pair->plain, unit, &should));
    if (found) {
        check_equal(is, should);
    }
    struct range_window window = { unit, unit + 1 + below(pair, pair->shape.size) };
    ck_assert_uint_eq(range_longest(&pair->map, OWNER, window),
                      plain_ranges_longest(&pair->plain, window));
}

/* Phases of growth and of decline, so that trees gain and lose levels. */
static void change(struct pair *pair, uint32_t steps) {
    for (uint32_t end = pair->step + steps; pair->step < end; pair->step++) {
        uint64_t dice = below(pair, 12);
        bool grows = pair->step % 5000 < 3000;
        if (dice < (grows ? 5 : 2)) {
            try_fit(pair);
        } else if (dice < (grows ? 7 : 3)) {
            try_take(pair);
        } else if (dice < (grows ? 9 : 4)) {
            try_take_lowest(pair);
        } else if (dice == 11) {
            ask(pair);
        } else if (pair->plain.count > 0 && dice == 10) {
            give_part(pair);
        } else if (pair->plain.count > 0) {
            give(pair);
        }
        if (pair->step % 8 == 0) {
            check_totals(pair);
        }
    }
}

START_TEST(a_map_equals_a_sorted_array) {
    struct pair *pair = pair_new(shapes[_i]);

    for (uint32_t step = 0; step < STEPS; step += 1000) {
        change(pair, 1000);
        check_all(pair);
    }
    while (pair->plain.count > 0) {
        give(pair);
    }
    check_all(pair);
    ck_assert_uint_eq(table_count(pair->map.node, OWNER), 2);
    pair_free(pair);
}
END_TEST

START_TEST(a_rollback_undoes_every_change) {
    struct pair *pair = pair_new(shapes[_i]);
    struct pair *before = host_zeroed(1, sizeof *before);

    change(pair, 2500);
    *before = *pair;
    struct store_mark mark = store_mark(pair->store);
    for (int round = 0; round < 3; round++) {
        change(pair, 1000);
        check_all(pair);
        store_rollback(pair->store, &mark);
        *pair = *before;
        pair->random.seed += (uint64_t)round;
        check_all(pair);
    }
    change(pair, 500);
    store_unmark(pair->store, &mark);
    change(pair, 500);
    check_all(pair);
    free(before);
    pair_free(pair);
}
END_TEST

START_TEST(a_copy_goes_its_own_way) {
    struct pair *pair = pair_new(shapes[_i]);
    struct pair *copy = host_zeroed(1, sizeof *copy);

    change(pair, 2500);
    *copy = *pair;
    copy->store = store_copy(pair->store);
    copy->map = range_map_bind(copy->store, "map");
    copy->random.seed++;
    change(copy, 1000);
    check_all(pair);
    change(pair, 1000);
    check_all(copy);
    check_all(pair);
    pair_free(pair);
    pair_free(copy);
}
END_TEST

/* Units in [0, count) that are used in an order without pattern, by a step that is odd. */
static uint64_t scattered(uint64_t index, uint64_t count) {
    return index * 40503 % count;
}

enum { MANY = 1 << 17 };

START_TEST(a_map_ends_as_small_as_it_began) {
    struct store *store = store_new();
    struct range_map map = range_map_bind(store, "map");
    range_map_make(&map, OWNER, 0, 4 * MANY);

    for (uint64_t index = 0; index < MANY; index++) {
        range_take(&map, OWNER, (struct range){ 4 * scattered(index, MANY), 3, 1 });
    }
    uint64_t bytes = store_bytes(store);
    for (uint64_t index = 0; index < MANY; index++) {
        uint64_t start = 4 * scattered(index, MANY);
        range_give(&map, OWNER, start);
        range_take(&map, OWNER, (struct range){ start + 1, 2, 1 });
    }
    ck_assert_uint_le(store_bytes(store), bytes);
    for (uint64_t index = 0; index < MANY; index++) {
        range_give(&map, OWNER, 4 * scattered(index, MANY) + 1);
    }
    ck_assert_uint_eq(table_count(map.node, OWNER), 2);
    ck_assert_uint_eq(range_totals(&map, OWNER).free_largest, 4 * MANY);
    ck_assert_uint_le(store_bytes(store), bytes);
    store_free(store);
}
END_TEST

/* Whether nodes are merged when most of their ranges are gone. */
START_TEST(few_ranges_need_few_nodes) {
    struct store *store = store_new();
    struct range_map map = range_map_bind(store, "map");
    range_map_make(&map, OWNER, 0, MANY);

    for (uint64_t unit = 0; unit < MANY; unit++) {
        range_take(&map, OWNER, (struct range){ unit, 1, 1 });
    }
    uint32_t full = table_count(map.node, OWNER);
    ck_assert_uint_le(full, MANY / 15);
    for (uint64_t unit = 0; unit < MANY; unit++) {
        if (unit % 64 != 0) {
            range_give(&map, OWNER, unit);
        }
    }
    ck_assert_uint_le(table_count(map.node, OWNER), full / 10);
    store_free(store);
}
END_TEST

/* In leaves that are filled in order lie 18 ranges: those at the ends stay, so that none meet. */
START_TEST(leaves_merge_that_have_no_free_end) {
    enum { LEAF = 18 };
    struct store *store = store_new();
    struct range_map map = range_map_bind(store, "map");
    range_map_make(&map, OWNER, 0, MANY);

    for (uint64_t unit = 0; unit < MANY; unit++) {
        range_take(&map, OWNER, (struct range){ unit, 1, 1 });
    }
    uint32_t full = table_count(map.node, OWNER);
    for (uint64_t unit = 0; unit < MANY; unit++) {
        if (unit % LEAF != 0 && unit % LEAF != LEAF - 1) {
            range_give(&map, OWNER, unit);
        }
    }
    ck_assert_uint_le(table_count(map.node, OWNER), full / 2);
    store_free(store);
}
END_TEST

START_TEST(a_window_of_one_unit_is_enough) {
    struct store *store = store_new();
    struct range_map map = range_map_bind(store, "map");
    range_map_make(&map, OWNER, 0, 1000);

    for (uint64_t unit = 1; unit < 1000; unit += 2) {
        range_take(&map, OWNER, (struct range){ unit, 1, 1 });
    }
    for (uint64_t unit = 0; unit < 1000; unit++) {
        uint64_t start = 0;
        struct range_window one = { unit, unit + 1 };
        bool found = range_fit(&map, OWNER, one, 1, 1, &start);
        ck_assert(found == (unit % 2 == 0));
        ck_assert_uint_eq(start, found ? unit : 0);
    }
    store_free(store);
}
END_TEST

/*
 * Free runs by the ten thousand, each a unit too short behind its aligned start. Whoever looks at
 * them one by one looks a billion times, and Check ends the test.
 */
START_TEST(runs_that_are_nearly_aligned_are_not_searched) {
    enum { RUNS = 40000, LENGTH = 1200, TIMES = 100000 };
    struct store *store = store_new();
    struct range_map map = range_map_bind(store, "map");
    range_map_make(&map, OWNER, 1, (uint64_t)RUNS * 2048 + 4096);
    uint64_t start = 0;
    uint64_t sum = 0;

    for (uint64_t run = 0; run < RUNS; run++) {
        uint64_t end = run * 2048 + 1;
        range_take(&map, OWNER, (struct range){ end + LENGTH, 2048 - LENGTH, 1 });
    }
    for (uint64_t time = 0; time < TIMES; time++) {
        ck_assert(range_fit(&map, OWNER, everywhere, LENGTH - 510, RANGE_COARSE, &start));
        sum += start;
    }
    ck_assert_uint_eq(sum, (uint64_t)TIMES * (RUNS * 2048 + RANGE_COARSE));
    ck_assert(range_fit(&map, OWNER, everywhere, LENGTH - 511, RANGE_COARSE, &start));
    ck_assert_uint_eq(start, RANGE_COARSE);
    store_free(store);
}
END_TEST

START_TEST(owners_have_maps_of_their_own) {
    struct store *store = store_new();
    struct range_map map = range_map_bind(store, "map");
    struct range_map other = range_map_bind(store, "other");
    struct range range = { 0, 0, 0 };

    ck_assert(!range_map_exists(&map, 70));
    range_map_make(&map, 70, 10, 10);
    range_map_make(&map, 1, 0, 100);
    ck_assert(range_map_exists(&map, 70) && !range_map_exists(&map, 71));
    ck_assert(!range_map_exists(&other, 70));
    range_take(&map, 70, (struct range){ 10, 10, 5 });
    ck_assert(range_at(&map, 1, 10, &range) && range.id == 0);
    ck_assert(!range_at(&map, 70, 9, &range) && !range_at(&map, 70, 20, &range));
    range_map_drop(&map, 70);
    ck_assert(!range_map_exists(&map, 70));
    ck_assert_uint_eq(table_count(map.node, 70), 0);
    range_map_make(&map, 70, 0, 5);
    ck_assert_uint_eq(range_totals(&map, 70).free, 5);
    store_free(store);
}
END_TEST

START_TEST(a_full_line_has_no_place) {
    struct pair *pair = pair_new(shapes[0]);
    struct range range = { 0, 0, 0 };
    uint64_t start = 0;

    take(pair, (struct range){ 0, pair->shape.size, 4 });
    check_all(pair);
    ck_assert(!range_fit(&pair->map, OWNER, everywhere, 1, 1, &start));
    ck_assert(!range_take_lowest(&pair->map, OWNER, 1, 1, &range));
    range = (struct range){ 0, 1, 1 };
    ck_assert(!range_take_fit(&pair->map, OWNER, everywhere, 1, &range));
    pair_free(pair);
}
END_TEST

Suite *test_range(void);

Suite *test_range(void) {
    Suite *suite = suite_create("range");
    TCase *tests = tcase_create("range");

    tcase_add_loop_test(tests, a_map_equals_a_sorted_array, 0, COUNT(shapes));
    tcase_add_loop_test(tests, a_rollback_undoes_every_change, 0, COUNT(shapes));
    tcase_add_loop_test(tests, a_copy_goes_its_own_way, 0, COUNT(shapes));
    tcase_add_test(tests, a_map_ends_as_small_as_it_began);
    tcase_add_test(tests, few_ranges_need_few_nodes);
    tcase_add_test(tests, leaves_merge_that_have_no_free_end);
    tcase_add_test(tests, a_window_of_one_unit_is_enough);
    tcase_add_test(tests, runs_that_are_nearly_aligned_are_not_searched);
    tcase_add_test(tests, owners_have_maps_of_their_own);
    tcase_add_test(tests, a_full_line_has_no_place);
    suite_add_tcase(suite, tests);
    return suite;
}
