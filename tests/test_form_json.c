/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "tests/pickled.h"

static const char *json(const char *text) {
    return json_tale(text, strlen(text));
}

/* Texts, and what they say. */
static const struct {
    const char *text;
    const char *tale;
} texts[] = {
    { "null", "result none" },
    { " true\n", "result bool1" },
    { "\xef\xbb\xbf" "false", "result bool0" },
    { "0", "result 0" },
    { "-7", "result -7" },
    { "18446744073709551615", "result -1" },
    { "-9223372036854775808", "result -9223372036854775808" },
    { "512.00", "result 512" },
    { "0.5", "result float" },
    { "-1.25e+10", "result float" },
    { "3E2", "result float" },
    { "99999999999999999999.5", "result float" },
    { "\"red\"", "result red" },
    { "\"\\u0072ed\"", "result red" },
    { "\"bl\\u00fce\\n\\\"\\\\\\/\\b\\f\\r\\t\"", "result word" },
    { "\"\"", "result word" },
    { "[]", "result list" },
    { "{}", "result dict" },
    { "[ 1 , \"blue\" ]", "append 1;append blue;result list" },
    { "{\"red\":[{}, 2],\r\n\"green\" : null}",
      "append dict;append 2;set red=list;set word=none;result dict" },
    { "[[[]],{\"red\":{\"blue\":1}}]",
      "append list;append list;set blue=1;set red=dict;append dict;result list" },
};

START_TEST(values_are_told_as_they_are_complete) {
    ck_assert_str_eq(json(texts[_i].text), texts[_i].tale);
}
END_TEST

/* A number alone may be cut and be another one; all else is refused. */
START_TEST(a_text_that_is_cut_off_anywhere_is_refused) {
    size_t whole = strlen(texts[_i].text);
    while (whole > 0 && texts[_i].text[whole - 1] == '\n') {
        whole--;
    }
    for (size_t size = 0; size < whole; size++) {
        const char *tale = json_tale(texts[_i].text, size);
        bool is_number = strchr("-0123456789", texts[_i].text[0]) != NULL;
        ck_assert_msg(strstr(tale, "bad: byte ") != NULL || is_number, "%zu: %s", size, tale);
    }
}
END_TEST

static const struct {
    const char *text;
    const char *tale;
} mistakes[] = {
    { "", "bad: byte 0: the file ends; expected a value" },
    { "nul", "bad: byte 3: the file ends; expected true, false or null" },
    { "NaN", "bad: byte 0: 'N'; expected a value" },
    { "1 2", "bad: byte 2: '2'; expected the end of the file" },
    { "[1,]", "append 1;bad: byte 3: ']'; expected a value" },
    { "[,1]", "bad: byte 1: ','; expected a value" },
    { "[1 2]", "append 1;bad: byte 3: '2'; expected a comma or ]" },
    { "[1}", "append 1;bad: byte 2: '}'; expected a comma or ]" },
    { "[1", "append 1;bad: byte 2: the file ends; expected a comma or ]" },
    { "{\"red\":1]", "set red=1;bad: byte 8: ']'; expected a comma or }" },
    { "{\"red\":1,}", "set red=1;bad: byte 9: '}'; expected a key in quotes" },
    { "{red:1}", "bad: byte 1: 'r'; expected a key in quotes" },
    { "{\"red\" 1}", "bad: byte 7: '1'; expected a colon after the key" },
    { "\"red", "bad: byte 4: the file ends; expected the end of the string" },
    { "\"re\nd\"", "bad: byte 3: 0x0a; expected the end of the string" },
    { "\"\\x\"", "bad: byte 2: 'x'; expected one of \"\\/bfnrtu after the backslash" },
    { "\"\\u12g4\"", "bad: byte 5: 'g'; expected four hexadecimal digits" },
    { "01", "bad: byte 1: '1'; expected a number without a leading 0" },
    { "[00]", "bad: byte 2: '0'; expected a number without a leading 0" },
    { "-", "bad: byte 1: the file ends; expected a digit" },
    { "1.", "bad: byte 2: the file ends; expected a digit" },
    { "1e+", "bad: byte 3: the file ends; expected a digit" },
    { "18446744073709551616",
      "bad: byte 20: the file ends; expected an integer of at most 64 bits before it" },
    { "[-9223372036854775809]",
      "bad: byte 21: ']'; expected an integer of at most 64 bits before it" },
    { "\xef\xbb" "1", "bad: byte 2: '1'; expected a value" },
};

START_TEST(what_is_no_json_is_refused) {
    ck_assert_str_eq(json(mistakes[_i].text), mistakes[_i].tale);
}
END_TEST

START_TEST(nesting_is_bounded) {
    char text[402];
    memset(text, '[', 200);
    memset(text + 200, ']', 200);
    const char *tale = json_tale(text, 400);
    ck_assert_str_eq(tale + strlen(tale) - strlen("result list"), "result list");
    memset(text, '[', 201);
    ck_assert_str_eq(json_tale(text, 402),
                     "bad: byte 200: '['; expected at most 200 levels of nesting");
}
END_TEST

START_TEST(random_text_ends_with_one_complaint_or_a_value) {
    uint64_t state = (uint64_t)_i + 1;
    for (int round = 0; round < 300; round++) {
        char text[48];
        for (size_t place = 0; place < sizeof text; place++) {
            static const char likely[] = "[]{}\"\":,,,  \\u01-.e1redtruenull";
            state = mix64(state, MIX_LOW);
            text[place] = likely[(state >> 16) % (sizeof likely - 1)];
        }
        const char *tale = json_tale(text, sizeof text);
        ck_assert(strstr(tale, "bad: ") != NULL || strstr(tale, "result ") != NULL);
    }
}
END_TEST

Suite *test_form_json(void);

Suite *test_form_json(void) {
    Suite *suite = suite_create("form_json");
    TCase *tests = tcase_create("form_json");
    int count = (int)(sizeof texts / sizeof texts[0]);
    tcase_add_loop_test(tests, values_are_told_as_they_are_complete, 0, count);
    tcase_add_loop_test(tests, a_text_that_is_cut_off_anywhere_is_refused, 0, count);
    tcase_add_loop_test(tests, what_is_no_json_is_refused, 0,
                        (int)(sizeof mistakes / sizeof mistakes[0]));
    tcase_add_test(tests, nesting_is_bounded);
    tcase_add_loop_test(tests, random_text_ends_with_one_complaint_or_a_value, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}
