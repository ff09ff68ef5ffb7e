/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/expression.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_constant.h"
#include "base/text.h"
#include "tests/stage.h"

/* The names that are bound: "n" is 7, "range.start" is 4096, "unset" has no value. */
static const char *const names[] = { "n", "range.start", "unset" };

static bool find(void *context, const char *name, uint32_t *number, const char **nearest) {
    (void)context;
    for (uint32_t place = 0; place < 3; place++) {
        if (strcmp(names[place], name) == 0) {
            *number = place;
            return true;
        }
    }
    *nearest = problem_nearest(name, names, 3);
    return false;
}

static bool value_of(void *context, uint32_t number, uint64_t *value) {
    (void)context;
    *value = number == 0 ? 7 : 4096;
    return number < 2;
}

struct reading {
    struct expression_code code;
    struct expression expression;
    struct json_document *document;
    struct problem problem;
    bool is_well;
};

/* Reads a JSON value that stands alone. */
static struct reading read_json(const char *json, bool as_time) {
    struct reading reading = { .is_well = false };
    reading.document = json_parse("x.json", json, strlen(json), &reading.problem);
    ck_assert_ptr_nonnull(reading.document);
    struct expression_reader reader = { &reading.code, find, NULL, as_time };
    reading.is_well = expression_read(&reader, json_root(reading.document), &reading.expression,
                                      &reading.problem);
    return reading;
}

static void reading_fini(struct reading *reading) {
    array_fini(&reading->code.tokens);
    json_free(reading->document);
    problem_fini(&reading->problem);
}

static void check_json(const char *json, bool as_time, uint64_t expected) {
    struct reading reading = read_json(json, as_time);
    uint64_t value = 0;
    ck_assert_msg(reading.is_well, "%s was refused", json);
    ck_assert(problem_is_empty(&reading.problem));
    ck_assert(expression_evaluate(&reading.code, reading.expression, value_of, NULL, &value));
    ck_assert_msg(value == expected, "%s is %" PRIu64, json, value);
    reading_fini(&reading);
}

/* An expression without its quotes. */
static void check_value(const char *text, uint64_t expected) {
    char json[512];
    (void)snprintf(json, sizeof json, "\"%s\"", text);
    check_json(json, false, expected);
}

static void check_time(const char *text, uint64_t expected) {
    char json[512];
    (void)snprintf(json, sizeof json, "\"%s\"", text);
    check_json(json, true, expected);
}

static void check_refused_json(const char *json, bool as_time, const char *expected) {
    struct reading reading = read_json(json, as_time);
    char *complaints = stage_complaints(&reading.problem);
    char line[512];
    (void)snprintf(line, sizeof line, "x.json:1:1: %s\n", expected);
    ck_assert(!reading.is_well);
    ck_assert_str_eq(complaints, line);
    free(complaints);
    reading_fini(&reading);
}

static void check_refused(const char *text, const char *expected) {
    char json[512];
    (void)snprintf(json, sizeof json, "\"%s\"", text);
    check_refused_json(json, false, expected);
}

static void check_refused_time(const char *text, const char *expected) {
    char json[512];
    (void)snprintf(json, sizeof json, "\"%s\"", text);
    check_refused_json(json, true, expected);
}

/* Reads well, and has no value when it is evaluated. */
static void check_no_value(const char *text) {
    char json[512];
    uint64_t value = 0;
    (void)snprintf(json, sizeof json, "\"%s\"", text);
    struct reading reading = read_json(json, false);
    ck_assert(reading.is_well);
    ck_assert_msg(!expression_evaluate(&reading.code, reading.expression, value_of, NULL, &value),
                  "%s is %" PRIu64, text, value);
    reading_fini(&reading);
}

START_TEST(numbers_are_written_plain_in_quotes_or_hexadecimal) {
    check_json("4096", false, 4096);
    check_json("-1", false, UINT64_MAX);
    check_value("4096", 4096);
    check_value("0x10", 16);
    check_value("0XfF", 255);
    check_value("0xffffffffffffffff", UINT64_MAX);
    check_value("18446744073709551615", UINT64_MAX);
}
END_TEST

START_TEST(sizes_have_units_of_powers_of_1024) {
    check_value("3KiB", 3072);
    check_value("4MiB", UINT64_C(4) << 20);
    check_value("5GiB", UINT64_C(5) << 30);
    check_value("6TiB", UINT64_C(6) << 40);
}
END_TEST

START_TEST(products_bind_closer_than_sums_and_both_from_the_left) {
    check_value("2 + 3 * 4", 14);
    check_value("20 - 3 - 4", 13);
    check_value("100 / 5 / 2", 10);
    check_value("17 % 10 * 2", 14);
    check_value("(2 + 3) * 4", 20);
    check_value("2*(3+(4-1))", 12);
    check_value("  1+1  ", 2);
    check_value("7 / 2", 3);
}
END_TEST

START_TEST(functions_have_two_arguments_which_are_expressions) {
    check_value("align_up(5, 4)", 8);
    check_value("align_up(8, 4)", 8);
    check_value("align_up(10, 3)", 12);
    check_value("align_down(7, 4)", 4);
    check_value("min(3, 2 + 2)", 3);
    check_value("max(3, 2 + 2)", 4);
    check_value("max(min(1, 2), align_up( 3MiB , 2MiB ))", UINT64_C(4) << 20);
    check_value("align_up (5, 4) + 1", 9);
}
END_TEST

START_TEST(names_stand_for_what_they_are_bound_to) {
    check_value("$n", 7);
    check_value("$n * $n + 1", 50);
    check_value("$range.start + 4KiB", 8192);
}
END_TEST

START_TEST(constants_of_the_headers_are_known_by_name) {
    for (uint32_t place = 0; place < acl_constant_count(); place++) {
        uint64_t value = 0;
        ck_assert(acl_constant_find(acl_constant_name(place), &value));
        check_value(acl_constant_name(place), value);
    }
    check_value("ACL_MEM_MALLOC_HUGE_ONLY + ACL_MEM_TYPE_HIGH_BAND_WIDTH", 0x1001);
    check_value("NULL", 0);
}
END_TEST

START_TEST(no_two_constants_have_one_name) {
    for (uint32_t place = 0; place < acl_constant_count(); place++) {
        for (uint32_t other = 0; other < place; other++) {
            ck_assert_str_ne(acl_constant_name(place), acl_constant_name(other));
        }
    }
}
END_TEST

START_TEST(times_have_units_and_factors_have_none) {
    check_time("15ns", 15);
    check_time("15us", 15000);
    check_time("2ms + 1us", 2001000);
    check_time("1s", 1000000000);
    check_time("3 * 10us", 30000);
    check_time("10us * $n", 70000);
    check_time("$n", 7);
    check_time("0", 0);
    check_json("0", true, 0);
}
END_TEST

START_TEST(a_time_without_a_unit_is_refused) {
    check_refused_json("15", true, "15 has no unit; expected a time such as \"15us\"");
    check_refused_json("-3", true, "-3 has no unit; expected a time such as \"3us\"");
    check_refused_time("15", "\"15\" is not a value: a time has one of the units ns, us, ms, s");
    check_refused_time("2 * 3",
                       "\"2 * 3\" is not a value: a time has one of the units ns, us, ms, s");
    check_refused_time("15m", "\"15m\" is not a value: times are whole, with one of ns, us, ms, s");
    check_refused_time("4KiB",
                       "\"4KiB\" is not a value: times are whole, with one of ns, us, ms, s");
    check_refused_time("1.5us",
                       "\"1.5us\" is not a value: times are whole, with one of ns, us, ms, s");
}
END_TEST

START_TEST(other_units_and_fractions_are_refused) {
    static const char *const bad[] = { "4MB", "4mib", "4M", "1.5MiB", "15us", "99999999TiB" };
    for (size_t place = 0; place < 6; place++) {
        char expected[200];
        (void)snprintf(expected, sizeof expected,
                       "\"%s\" is not a value: sizes are whole, with one of KiB, MiB, GiB, TiB or "
                       "none",
                       bad[place]);
        check_refused(bad[place], expected);
    }
}
END_TEST

START_TEST(numbers_beyond_64_bits_are_refused) {
    check_refused("18446744073709551616",
                  "\"18446744073709551616\" is not a value: a number has at most 64 bits");
    check_refused("0x10000000000000000", "\"0x10000000000000000\" is not a value: a hexadecimal "
                                         "number has 1 to 16 digits");
    check_refused("0x", "\"0x\" is not a value: a hexadecimal number has 1 to 16 digits");
    check_refused("0x1g", "\"0x1g\" is not a value: a hexadecimal number has the digits 0 to f");
    check_refused("0x0x1", "\"0x0x1\" is not a value: a hexadecimal number has the digits 0 to f");
}
END_TEST

START_TEST(a_name_that_is_not_bound_is_told_with_the_nearest) {
    check_refused("$x1y2", "\"$x1y2\" is not bound here");
    check_refused("$range.strat",
                  "\"$range.strat\" is not bound here; did you mean \"$range.start\"?");
    check_refused("$", "\"$\" is not a value: a name is expected after $");
    check_refused("1 + $ n", "\"1 + $ n\" is not a value: a name is expected after $");
}
END_TEST

START_TEST(a_name_without_its_dollar_is_told) {
    check_refused("n", "\"n\" is not a value; did you mean \"$n\"?");
}
END_TEST

START_TEST(a_misspelt_constant_is_told_with_the_nearest) {
    check_refused("ACL_MEM_MALLOC_HUGE_FRIST",
                  "there is no constant \"ACL_MEM_MALLOC_HUGE_FRIST\"; "
                  "did you mean \"ACL_MEM_MALLOC_HUGE_FIRST\"?");
    check_refused("hello", "\"hello\" is not a value: names of values begin with $, names of "
                           "constants with ACL_");
}
END_TEST

START_TEST(broken_expressions_are_told_what_is_missing) {
    check_refused("", "\"\" is not a value: a number, a $name or a bracket is expected");
    check_refused("1 +", "\"1 +\" is not a value: a number, a $name or a bracket is expected");
    check_refused("1 + * 2",
                  "\"1 + * 2\" is not a value: a number, a $name or a bracket is expected");
    check_refused("-1", "\"-1\" is not a value: a number, a $name or a bracket is expected");
    check_refused("(1", "\"(1\" is not a value: a closing bracket is expected");
    check_refused("min(1, 2", "\"min(1, 2\" is not a value: a closing bracket is expected");
    check_refused("min(1)", "\"min(1)\" is not a value: a comma is expected: this function has two "
                            "arguments");
    check_refused("min(1, 2, 3)", "\"min(1, 2, 3)\" is not a value: a closing bracket is expected");
    check_refused("round(1, 2)", "\"round(1, 2)\" is not a value: the functions are align_up, "
                                 "align_down, min and max");
    check_refused("1 2", "\"1 2\" is not a value: \"2\" stands behind its end");
    check_refused("1)", "\"1)\" is not a value: \")\" stands behind its end");
    check_refused("4 MiB", "\"4 MiB\" is not a value: \"MiB\" stands behind its end");
}
END_TEST

START_TEST(what_is_no_number_and_no_string_is_no_value) {
    check_refused_json("[]", false,
                       "this is a list; expected a number or a string such as \"4MiB\"");
    check_refused_json("true", true,
                       "this is true or false; expected a number or a string such as \"15us\"");
    check_refused_json("null", false,
                       "this is null; expected a number or a string such as \"4MiB\"");
}
END_TEST

START_TEST(a_long_string_is_quoted_in_part) {
    char json[300];
    char expected[300];
    memset(json, '(', 200);
    json[0] = '"';
    json[200] = '"';
    json[201] = '\0';
    (void)snprintf(expected, sizeof expected, "\"%.60s...\" is not a value: it is nested too deep",
                   json + 1);
    check_refused_json(json, false, expected);
}
END_TEST

START_TEST(brackets_nest_up_to_31_deep_with_as_much_around_them_as_can_be) {
    struct text deep = { 0 };
    for (int level = 0; level < 31; level++) {
        text_append(&deep, "1 + 2 * max(1, ");
    }
    text_append(&deep, "1");
    for (int level = 0; level < 31; level++) {
        text_append(&deep, ")");
    }
    char json[1024];
    (void)snprintf(json, sizeof json, "\"%s\"", text_get(&deep));
    struct reading reading = read_json(json, false);
    uint64_t value = 0;
    ck_assert(reading.is_well);
    ck_assert(expression_evaluate(&reading.code, reading.expression, value_of, NULL, &value));
    ck_assert_uint_eq(value, (UINT64_C(1) << 32) - 1);
    reading_fini(&reading);
    text_fini(&deep);
}
END_TEST

START_TEST(a_long_sum_has_its_value) {
    struct text sum = { 0 };
    text_append(&sum, "\"0");
    for (int term = 0; term < 5000; term++) {
        text_append(&sum, "+2*3");
    }
    text_append(&sum, "\"");
    check_json(text_get(&sum), false, 30000);
    text_fini(&sum);
}
END_TEST

START_TEST(what_overflows_falls_below_0_or_is_divided_by_0_has_no_value) {
    check_no_value("18446744073709551615 + 1");
    check_no_value("9223372036854775808 * 2");
    check_no_value("1 - 2");
    check_no_value("1 / 0");
    check_no_value("1 % 0");
    check_no_value("align_up(1, 0)");
    check_no_value("align_down(1, 0)");
    check_no_value("align_up(18446744073709551615, 2)");
    check_no_value("$unset");
    check_value("9223372036854775807 * 2 + 1", UINT64_MAX);
    check_value("align_down(18446744073709551615, 2)", UINT64_MAX - 1);
}
END_TEST

START_TEST(a_name_has_letters_digits_and_dots) {
    ck_assert(expression_is_name("a_Z.09"));
    ck_assert(!expression_is_name(""));
    ck_assert(!expression_is_name("a b"));
    ck_assert(!expression_is_name("$a"));
    ck_assert(!expression_is_name("\xc3\xa9"));
    char longest[129];
    memset(longest, 'a', sizeof longest - 1);
    longest[128] = '\0';
    ck_assert(!expression_is_name(longest));
    ck_assert(expression_is_name(longest + 1));
}
END_TEST

Suite *test_expression(void);

Suite *test_expression(void) {
    Suite *suite = suite_create("expression");
    TCase *tests = tcase_create("expression");

    tcase_add_test(tests, numbers_are_written_plain_in_quotes_or_hexadecimal);
    tcase_add_test(tests, sizes_have_units_of_powers_of_1024);
    tcase_add_test(tests, products_bind_closer_than_sums_and_both_from_the_left);
    tcase_add_test(tests, functions_have_two_arguments_which_are_expressions);
    tcase_add_test(tests, names_stand_for_what_they_are_bound_to);
    tcase_add_test(tests, constants_of_the_headers_are_known_by_name);
    tcase_add_test(tests, no_two_constants_have_one_name);
    tcase_add_test(tests, times_have_units_and_factors_have_none);
    tcase_add_test(tests, a_time_without_a_unit_is_refused);
    tcase_add_test(tests, other_units_and_fractions_are_refused);
    tcase_add_test(tests, numbers_beyond_64_bits_are_refused);
    tcase_add_test(tests, a_name_that_is_not_bound_is_told_with_the_nearest);
    tcase_add_test(tests, a_name_without_its_dollar_is_told);
    tcase_add_test(tests, a_misspelt_constant_is_told_with_the_nearest);
    tcase_add_test(tests, broken_expressions_are_told_what_is_missing);
    tcase_add_test(tests, what_is_no_number_and_no_string_is_no_value);
    tcase_add_test(tests, a_long_string_is_quoted_in_part);
    tcase_add_test(tests, brackets_nest_up_to_31_deep_with_as_much_around_them_as_can_be);
    tcase_add_test(tests, a_long_sum_has_its_value);
    tcase_add_test(tests, what_overflows_falls_below_0_or_is_divided_by_0_has_no_value);
    tcase_add_test(tests, a_name_has_letters_digits_and_dots);
    suite_add_tcase(suite, tests);
    return suite;
}
