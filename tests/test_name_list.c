/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name_list.h"

#include <check.h>
#include <stdio.h>

START_TEST(names_have_numbers_in_the_order_in_which_they_came) {
    struct name_list list = { 0 };
    ck_assert_uint_eq(name_list_find(&list, 0, "a"), NAME_NONE);
    ck_assert_uint_eq(name_list_add(&list, 0, "b"), 0);
    ck_assert_uint_eq(name_list_add(&list, 0, "a"), 1);
    ck_assert_uint_eq(name_list_find(&list, 0, "a"), 1);
    ck_assert_uint_eq(name_list_find(&list, 0, "b"), 0);
    ck_assert_uint_eq(name_list_find(&list, 0, ""), NAME_NONE);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_str_eq(list.items[1], "a");
    name_list_fini(&list);
}
END_TEST

START_TEST(a_name_in_another_scope_is_another_name) {
    struct name_list list = { 0 };
    name_list_add(&list, 1, "a");
    ck_assert_uint_eq(name_list_find(&list, 2, "a"), NAME_NONE);
    ck_assert_uint_eq(name_list_add(&list, 2, "a"), 1);
    ck_assert_uint_eq(name_list_find(&list, 1, "a"), 0);
    ck_assert_uint_eq(name_list_find(&list, 2, "a"), 1);
    name_list_fini(&list);
}
END_TEST

START_TEST(of_equal_names_the_first_is_found) {
    struct name_list list = { 0 };
    name_list_add(&list, 0, "a");
    ck_assert_uint_eq(name_list_add(&list, 0, "a"), 1);
    ck_assert_uint_eq(name_list_find(&list, 0, "a"), 0);
    name_list_fini(&list);
}
END_TEST

/* By comparing each with each this would take 5 * 10^9 steps. */
START_TEST(many_names_are_found_without_a_search) {
    enum { MANY = 100000, BYTES = 8 };
    char *texts = host_zeroed(MANY, BYTES);
    struct name_list list = { 0 };
    for (uint32_t place = 0; place < MANY; place++) {
        (void)snprintf(texts + place * BYTES, BYTES, "%x", place);
        ck_assert_uint_eq(name_list_add(&list, 7, texts + place * BYTES), place);
    }
    for (uint32_t place = 0; place < MANY; place++) {
        ck_assert_uint_eq(name_list_find(&list, 7, texts + place * BYTES), place);
    }
    name_list_fini(&list);
    free(texts);
}
END_TEST

Suite *test_name_list(void);
Suite *test_name_list(void) {
    Suite *suite = suite_create("name_list");
    TCase *tcase = tcase_create("name_list");
    tcase_add_test(tcase, names_have_numbers_in_the_order_in_which_they_came);
    tcase_add_test(tcase, a_name_in_another_scope_is_another_name);
    tcase_add_test(tcase, of_equal_names_the_first_is_found);
    tcase_add_test(tcase, many_names_are_found_without_a_search);
    suite_add_tcase(suite, tcase);
    return suite;
}
