/* SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"

#include <check.h>
#include <stdint.h>

struct point {
    int x;
    int y;
};

START_TEST(a_fresh_array_is_empty) {
    ARRAY(int) numbers = { 0 };

    ck_assert_uint_eq(numbers.count, 0);
    array_fini(&numbers);
}
END_TEST

START_TEST(items_keep_their_order_while_the_array_grows) {
    ARRAY(int) numbers = { 0 };

    for (int number = 0; number < 1000; number++) {
        array_add(&numbers, number);
    }
    ck_assert_uint_eq(numbers.count, 1000);
    for (int number = 0; number < 1000; number++) {
        ck_assert_int_eq(numbers.items[number], number);
    }
    array_fini(&numbers);
}
END_TEST

START_TEST(a_compound_literal_can_be_added) {
    ARRAY(struct point) points = { 0 };

    array_add(&points, (struct point){ 3, 4 });
    ck_assert_int_eq(points.items[0].y, 4);
    array_fini(&points);
}
END_TEST

START_TEST(clearing_keeps_the_room) {
    ARRAY(int) numbers = { 0 };

    array_reserve(&numbers, 100);
    array_add(&numbers, 1);
    array_clear(&numbers);
    ck_assert_uint_eq(numbers.count, 0);
    ck_assert_uint_ge(numbers.capacity, 100);
    array_fini(&numbers);
}
END_TEST

START_TEST(a_finished_array_can_be_used_again) {
    ARRAY(int) numbers = { 0 };

    array_add(&numbers, 1);
    array_fini(&numbers);
    array_add(&numbers, 2);
    ck_assert_uint_eq(numbers.count, 1);
    ck_assert_int_eq(numbers.items[0], 2);
    array_fini(&numbers);
}
END_TEST

START_TEST(room_beyond_the_address_space_ends_the_program) {
    ARRAY(uint64_t) numbers = { 0 };

    array_reserve(&numbers, SIZE_MAX / 2);
}
END_TEST

Suite *test_array(void);

Suite *test_array(void) {
    Suite *suite = suite_create("array");
    TCase *tests = tcase_create("array");

    tcase_add_test(tests, a_fresh_array_is_empty);
    tcase_add_test(tests, items_keep_their_order_while_the_array_grows);
    tcase_add_test(tests, a_compound_literal_can_be_added);
    tcase_add_test(tests, clearing_keeps_the_room);
    tcase_add_test(tests, a_finished_array_can_be_used_again);
    tcase_add_exit_test(tests, room_beyond_the_address_space_ends_the_program, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
