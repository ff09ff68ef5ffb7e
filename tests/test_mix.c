/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mix.h"

#include <check.h>

enum { RECORD_SIZE = 64 };

static void fill(unsigned char bytes[RECORD_SIZE]) {
    for (size_t index = 0; index < RECORD_SIZE; index++) {
        bytes[index] = (unsigned char)(index * 37 + 11);
    }
}

/* Flips each bit of the record in turn and counts the lanes that stay as they were. */
static int count_blind_lanes(unsigned char bytes[RECORD_SIZE], size_t size) {
    struct hash128 before = mix128(7, bytes, size);
    int blind = 0;

    for (size_t bit = 0; bit < size * 8; bit++) {
        unsigned char mask = (unsigned char)(1U << bit % 8);
        bytes[bit / 8] ^= mask;
        struct hash128 after = mix128(7, bytes, size);
        blind += (after.low == before.low) + (after.high == before.high);
        bytes[bit / 8] ^= mask;
    }
    return blind;
}

START_TEST(every_bit_of_a_record_changes_both_lanes) {
    unsigned char bytes[RECORD_SIZE];

    fill(bytes);
    ck_assert_int_eq(count_blind_lanes(bytes, RECORD_SIZE), 0);
}
END_TEST

START_TEST(every_bit_of_a_zero_record_changes_both_lanes) {
    unsigned char bytes[RECORD_SIZE] = { 0 };

    ck_assert_int_eq(count_blind_lanes(bytes, RECORD_SIZE), 0);
}
END_TEST

START_TEST(every_bit_of_an_odd_size_changes_both_lanes) {
    unsigned char bytes[RECORD_SIZE];

    fill(bytes);
    for (size_t size = 1; size < RECORD_SIZE; size++) {
        ck_assert_int_eq(count_blind_lanes(bytes, size), 0);
    }
}
END_TEST

START_TEST(zero_bytes_at_the_end_count) {
    const unsigned char bytes[RECORD_SIZE] = { 0 };

    for (size_t size = 0; size < RECORD_SIZE; size++) {
        ck_assert(!hash128_equal(mix128(1, bytes, size), mix128(1, bytes, size + 1)));
    }
}
END_TEST

START_TEST(a_seed_changes_both_lanes) {
    struct hash128 one = mix128(1, "", 0);
    struct hash128 two = mix128(2, "", 0);

    ck_assert_uint_ne(one.low, two.low);
    ck_assert_uint_ne(one.high, two.high);
}
END_TEST

START_TEST(the_hash_is_the_same_on_every_machine) {
    unsigned char bytes[RECORD_SIZE];

    fill(bytes);
    struct hash128 hash = mix128(42, bytes, 61);
    ck_assert_uint_eq(hash.low, UINT64_C(0x715b95b977e9dc8b));
    ck_assert_uint_eq(hash.high, UINT64_C(0xd80bbe4d52639435));
}
END_TEST

START_TEST(both_ways_to_multiply_agree) {
    uint64_t left = UINT64_MAX;
    uint64_t right = UINT64_MAX;

    for (int step = 0; step < 1000; step++) {
        ck_assert(hash128_equal(mix_multiply(left, right), mix_multiply_halves(left, right)));
        left = left * UINT64_C(6364136223846793005) + 1;
        right = mix64(right, left) >> step % 64;
    }
}
END_TEST

START_TEST(addition_carries_into_the_high_lane) {
    struct hash128 sum = hash128_add((struct hash128){ UINT64_MAX, 1 }, (struct hash128){ 1, 1 });

    ck_assert(hash128_equal(sum, (struct hash128){ 0, 3 }));
}
END_TEST

START_TEST(subtraction_undoes_addition) {
    struct hash128 left = { 5, UINT64_MAX };
    struct hash128 right = { UINT64_MAX - 2, 9 };

    ck_assert(hash128_equal(hash128_subtract(hash128_add(left, right), right), left));
}
END_TEST

Suite *test_mix(void);

Suite *test_mix(void) {
    Suite *suite = suite_create("mix");
    TCase *tests = tcase_create("mix");

    tcase_add_test(tests, every_bit_of_a_record_changes_both_lanes);
    tcase_add_test(tests, every_bit_of_a_zero_record_changes_both_lanes);
    tcase_add_test(tests, every_bit_of_an_odd_size_changes_both_lanes);
    tcase_add_test(tests, zero_bytes_at_the_end_count);
    tcase_add_test(tests, a_seed_changes_both_lanes);
    tcase_add_test(tests, the_hash_is_the_same_on_every_machine);
    tcase_add_test(tests, both_ways_to_multiply_agree);
    tcase_add_test(tests, addition_carries_into_the_high_lane);
    tcase_add_test(tests, subtraction_undoes_addition);
    suite_add_tcase(suite, tests);
    return suite;
}
