/* SPDX-License-Identifier: Apache-2.0 */
#include "store/slots.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random_edits.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* A set, and the same as one byte a slot. */
struct pair {
    struct slots slots;
    unsigned char *used; /* 0 or 1 */
    struct random_edits random;
};

/* Both sides of each size at which the set gets another level. */
static const uint32_t capacities[] = { 0, 64, 128, 4096, 4160, 262144, 262208 };

static void pair_init(struct pair *pair, uint64_t seed) {
    slots_init(&pair->slots);
    pair->used = calloc(1, 1);
    ck_assert_ptr_nonnull(pair->used);
    pair->random = (struct random_edits){ .seed = seed };
}

static void pair_fini(struct pair *pair) {
    slots_fini(&pair->slots);
    free(pair->used);
}

static void pair_grow(struct pair *pair, uint32_t capacity) {
    uint32_t had = pair->slots.capacity;
    pair->used = realloc(pair->used, capacity + 1);
    ck_assert_ptr_nonnull(pair->used);
    memset(pair->used + had, 0, capacity - had);
    slots_grow(&pair->slots, capacity);
}

static void pair_toggle(struct pair *pair, uint32_t slot) {
    if (pair->used[slot] == 0) {
        slots_set(&pair->slots, slot);
    } else {
        slots_clear(&pair->slots, slot);
    }
    pair->used[slot] ^= 1;
}

/* Fills the set, but for one slot in so many. */
static void pair_fill(struct pair *pair, uint32_t gap) {
    for (uint32_t slot = 0; slot < pair->slots.capacity; slot++) {
        if (pair->used[slot] == 0 && (gap == 0 || random_edits_below(&pair->random, gap) != 0)) {
            pair_toggle(pair, slot);
        }
    }
}

static uint32_t expected_free(const struct pair *pair) {
    uint32_t capacity = pair->slots.capacity;
    const unsigned char *found = memchr(pair->used, 0, capacity);
    return found != NULL ? (uint32_t)(found - pair->used) : capacity;
}

static uint32_t expected_used(const struct pair *pair, uint32_t from) {
    uint32_t capacity = pair->slots.capacity;
    const unsigned char *found =
        from < capacity ? memchr(pair->used + from, 1, capacity - from) : NULL;
    return found != NULL ? (uint32_t)(found - pair->used) : SLOT_NONE;
}

/* Compares the two slot by slot. */
static void check_pair(const struct pair *pair) {
    uint32_t wrong = 0;
    uint32_t used = 0;
    for (uint32_t slot = 0; slot < pair->slots.capacity; slot++) {
        wrong += slots_has(&pair->slots, slot) != (pair->used[slot] != 0);
        used += pair->used[slot];
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(pair->slots.used, used);
    ck_assert_uint_eq(slots_find_free(&pair->slots), expected_free(pair));
    ck_assert_uint_eq(slots_find_used(&pair->slots, 0), expected_used(pair, 0));
}

/* Random changes, most of them where the lowest free slot is; each is followed by both searches. */
static void check_changes(struct pair *pair, int count) {
    uint32_t capacity = pair->slots.capacity;
    int wrong = 0;
    for (int change = 0; change < count && capacity > 0; change++) {
        uint32_t lowest = slots_find_free(&pair->slots);
        uint32_t any = random_edits_below(&pair->random, capacity);
        uint32_t near = lowest > any % 4 ? lowest - any % 4 : 0;
        pair_toggle(pair, change % 3 == 0 || near >= capacity ? any : near);
        wrong += slots_find_free(&pair->slots) != expected_free(pair);
        wrong += slots_find_used(&pair->slots, any) != expected_used(pair, any);
    }
    ck_assert_int_eq(wrong, 0);
}

START_TEST(a_fresh_set_holds_nothing) {
    struct slots slots;

    slots_init(&slots);
    ck_assert_uint_eq(slots_find_free(&slots), 0);
    ck_assert_uint_eq(slots_find_used(&slots, 0), SLOT_NONE);
    ck_assert(!slots_has(&slots, 0));
    slots_fini(&slots);
}
END_TEST

START_TEST(slots_agree_with_bytes) {
    struct pair pair;

    pair_init(&pair, 11);
    pair_grow(&pair, capacities[_i]);
    check_changes(&pair, 300);
    pair_fill(&pair, 1000);
    check_changes(&pair, 300);
    pair_fill(&pair, 0);
    check_pair(&pair);
    check_changes(&pair, 300);
    check_pair(&pair);
    pair_fini(&pair);
}
END_TEST

START_TEST(growing_keeps_every_slot) {
    struct pair pair;

    pair_init(&pair, 12);
    for (size_t index = 0; index < COUNT(capacities); index++) {
        pair_grow(&pair, capacities[index]);
        pair_fill(&pair, (uint32_t)_i);
        check_pair(&pair);
        check_changes(&pair, 50);
    }
    pair_fini(&pair);
}
END_TEST

START_TEST(growing_word_by_word_keeps_every_slot) {
    struct pair pair;

    pair_init(&pair, 13);
    for (uint32_t capacity = 64; capacity <= 4096 + 4 * 64; capacity += 64) {
        pair_grow(&pair, capacity);
        pair_fill(&pair, _i == 0 ? 0 : 200);
        check_pair(&pair);
    }
    pair_fini(&pair);
}
END_TEST

START_TEST(the_lowest_free_slot_is_found_all_the_way_up) {
    struct slots slots;
    uint32_t wrong = 0;

    slots_init(&slots);
    for (uint32_t slot = 0; slot < 262144 + 128; slot++) {
        wrong += slots_find_free(&slots) != slot;
        if (slot == slots.capacity) {
            slots_grow(&slots, slot < 4096 ? slot + 64 : slot * 2);
        }
        slots_set(&slots, slot);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(slots.used, 262144 + 128);
    slots_fini(&slots);
}
END_TEST

START_TEST(one_gap_in_a_full_set_is_found) {
    struct pair pair;

    pair_init(&pair, 14);
    pair_grow(&pair, 262208);
    pair_fill(&pair, 0);
    for (uint32_t bit = 0; bit < 18; bit++) {
        for (uint32_t slot = (UINT32_C(1) << bit) - 1; slot <= UINT32_C(1) << bit; slot++) {
            slots_clear(&pair.slots, slot);
            ck_assert_uint_eq(slots_find_free(&pair.slots), slot);
            slots_set(&pair.slots, slot);
            ck_assert_uint_eq(slots_find_free(&pair.slots), pair.slots.capacity);
        }
    }
    pair_fini(&pair);
}
END_TEST

START_TEST(a_copy_goes_its_own_way) {
    struct pair pair;
    struct pair copy;

    pair_init(&pair, 15);
    for (int step = 0; step <= _i; step++) {
        pair_grow(&pair, capacities[step]);
    }
    pair_fill(&pair, 500);
    pair_init(&copy, 16);
    pair_grow(&copy, capacities[_i]);
    memcpy(copy.used, pair.used, capacities[_i]);
    slots_fini(&copy.slots);
    slots_copy(&copy.slots, &pair.slots);
    check_pair(&copy);
    check_changes(&copy, 100);
    check_changes(&pair, 100);
    check_pair(&copy);
    check_pair(&pair);
    pair_fini(&copy);
    pair_fini(&pair);
}
END_TEST

START_TEST(a_smaller_capacity_changes_nothing) {
    struct pair pair;

    pair_init(&pair, 17);
    pair_grow(&pair, 4160);
    pair_fill(&pair, 100);
    slots_grow(&pair.slots, 64);
    ck_assert_uint_eq(pair.slots.capacity, 4160);
    check_pair(&pair);
    pair_fini(&pair);
}
END_TEST

START_TEST(nothing_is_beyond_the_capacity) {
    struct pair pair;

    pair_init(&pair, 18);
    pair_grow(&pair, capacities[_i]);
    pair_fill(&pair, 0);
    ck_assert(!slots_has(&pair.slots, capacities[_i]));
    ck_assert(!slots_has(&pair.slots, SLOT_NONE));
    ck_assert_uint_eq(slots_find_used(&pair.slots, capacities[_i]), SLOT_NONE);
    ck_assert_uint_eq(slots_find_used(&pair.slots, SLOT_NONE), SLOT_NONE);
    pair_fini(&pair);
}
END_TEST

START_TEST(setting_a_slot_twice_is_a_bug) {
    struct slots slots;

    slots_init(&slots);
    slots_grow(&slots, 64);
    slots_set(&slots, 5);
    slots_set(&slots, 5);
}
END_TEST

START_TEST(setting_a_slot_beyond_the_capacity_is_a_bug) {
    struct slots slots;

    slots_init(&slots);
    slots_grow(&slots, 128);
    slots_set(&slots, 128);
}
END_TEST

START_TEST(clearing_a_free_slot_is_a_bug) {
    struct slots slots;

    slots_init(&slots);
    slots_grow(&slots, 64);
    slots_clear(&slots, 5);
}
END_TEST

START_TEST(a_capacity_of_part_of_a_word_is_a_bug) {
    struct slots slots;

    slots_init(&slots);
    slots_grow(&slots, 65);
}
END_TEST

START_TEST(a_capacity_beyond_the_levels_is_a_bug) {
    struct slots slots;

    slots_init(&slots);
    slots_grow(&slots, (UINT32_C(1) << 30) + 64);
}
END_TEST

Suite *test_slots(void);

Suite *test_slots(void) {
    Suite *suite = suite_create("slots");
    TCase *tests = tcase_create("slots");

    tcase_add_test(tests, a_fresh_set_holds_nothing);
    tcase_add_loop_test(tests, slots_agree_with_bytes, 0, (int)COUNT(capacities));
    tcase_add_loop_test(tests, growing_keeps_every_slot, 0, 4);
    tcase_add_loop_test(tests, growing_word_by_word_keeps_every_slot, 0, 2);
    tcase_add_test(tests, the_lowest_free_slot_is_found_all_the_way_up);
    tcase_add_test(tests, one_gap_in_a_full_set_is_found);
    tcase_add_loop_test(tests, a_copy_goes_its_own_way, 0, (int)COUNT(capacities));
    tcase_add_test(tests, a_smaller_capacity_changes_nothing);
    tcase_add_loop_test(tests, nothing_is_beyond_the_capacity, 0, (int)COUNT(capacities));
    tcase_add_test_raise_signal(tests, setting_a_slot_twice_is_a_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, setting_a_slot_beyond_the_capacity_is_a_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, clearing_a_free_slot_is_a_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, a_capacity_of_part_of_a_word_is_a_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, a_capacity_beyond_the_levels_is_a_bug, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
