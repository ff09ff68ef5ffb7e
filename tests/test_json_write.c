/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "base/json_write.h"

START_TEST(a_quote_stands_for_a_double_one) {
    struct text text = { 0 };
    json_write(&text, "{ 'name': '%s', 'size': %d }", "A", 4);
    ck_assert_str_eq(text_get(&text), "{ \"name\": \"A\", \"size\": 4 }");
    text_fini(&text);
}
END_TEST

START_TEST(items_are_parted_by_commas_and_the_first_by_none) {
    struct text text = { 0 };
    json_write(&text, "[");
    for (int item = 1; item <= 3; item++) {
        json_write_next(&text);
        json_write(&text, "%d", item);
    }
    json_write(&text, "]");
    ck_assert_str_eq(text_get(&text), "[\n1,\n2,\n3]");
    text_fini(&text);
}
END_TEST

START_TEST(long_text_is_written_whole) {
    struct text text = { 0 };
    char word[5001];
    for (size_t place = 0; place < 5000; place++) {
        word[place] = 'x';
    }
    word[5000] = '\0';
    json_write(&text, "'%s'", word);
    ck_assert_uint_eq(text.size, 5002);
    text_fini(&text);
}
END_TEST

Suite *test_json_write(void);
Suite *test_json_write(void) {
    Suite *suite = suite_create("json_write");
    TCase *tests = tcase_create("json_write");
    tcase_add_test(tests, a_quote_stands_for_a_double_one);
    tcase_add_test(tests, items_are_parted_by_commas_and_the_first_by_none);
    tcase_add_test(tests, long_text_is_written_whole);
    suite_add_tcase(suite, tests);
    return suite;
}
