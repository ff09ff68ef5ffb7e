/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_fresh_text_reads_as_nothing) {
    struct text text = { 0 };

    ck_assert_str_eq(text_get(&text), "");
    text_fini(&text);
}
END_TEST

START_TEST(appended_strings_follow_each_other) {
    struct text text = { 0 };

    text_append(&text, "one ");
    text_append_bytes(&text, "two, three", 3);
    text_printf(&text, " %d%c", 3, '!');
    ck_assert_str_eq(text_get(&text), "one two 3!");
    ck_assert_uint_eq(text.size, strlen("one two 3!"));
    text_fini(&text);
}
END_TEST

START_TEST(a_long_text_stays_whole) {
    struct text text = { 0 };

    for (int line = 0; line < 1000; line++) {
        text_printf(&text, "%04d\n", line);
    }
    ck_assert_uint_eq(text.size, 5000);
    ck_assert_str_eq(text_get(&text) + 4995, "0999\n");
    text_fini(&text);
}
END_TEST

START_TEST(a_cleared_text_starts_again) {
    struct text text = { 0 };

    text_append(&text, "old");
    text_clear(&text);
    ck_assert_str_eq(text_get(&text), "");
    text_append(&text, "new");
    ck_assert_str_eq(text_get(&text), "new");
    text_fini(&text);
}
END_TEST

START_TEST(json_strings_are_escaped) {
    struct text text = { 0 };

    text_append_json_string(&text, "a\"b\\c\n\r\t\b\f\x01\x1f/\xc3\xa9");
    ck_assert_str_eq(text_get(&text), "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u001f/\xc3\xa9\"");
    text_fini(&text);
}
END_TEST

START_TEST(a_stolen_string_belongs_to_the_caller) {
    struct text text = { 0 };

    text_append(&text, "mine");
    char *stolen = text_steal(&text);
    text_append(&text, "yours");
    ck_assert_str_eq(stolen, "mine");
    ck_assert_str_eq(text_get(&text), "yours");
    free(stolen);
    text_fini(&text);
}
END_TEST

START_TEST(nothing_can_be_stolen_too) {
    struct text text = { 0 };

    char *stolen = text_steal(&text);
    ck_assert_str_eq(stolen, "");
    free(stolen);
}
END_TEST

Suite *test_text(void);

Suite *test_text(void) {
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");

    tcase_add_test(tests, a_fresh_text_reads_as_nothing);
    tcase_add_test(tests, appended_strings_follow_each_other);
    tcase_add_test(tests, a_long_text_stays_whole);
    tcase_add_test(tests, a_cleared_text_starts_again);
    tcase_add_test(tests, json_strings_are_escaped);
    tcase_add_test(tests, a_stolen_string_belongs_to_the_caller);
    tcase_add_test(tests, nothing_can_be_stolen_too);
    suite_add_tcase(suite, tests);
    return suite;
}
