/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/stage.h"

/* JSON with ' for ". */
static struct json_document *parse(const char *text, struct problem *problem) {
    struct text json = { 0 };
    text_append(&json, text);
    for (size_t place = 0; place < json.size; place++) {
        json.bytes[place] = json.bytes[place] == '\'' ? '"' : json.bytes[place];
    }
    struct json_document *document = json_parse("x.json", text_get(&json), json.size, problem);
    text_fini(&json);
    return document;
}

static struct json_document *parse_well(const char *text) {
    struct problem problem = { 0 };
    struct json_document *document = parse(text, &problem);
    ck_assert_ptr_nonnull(document);
    ck_assert(problem_is_empty(&problem));
    return document;
}

/* The complaints about bytes, which may hold zeros; no document comes of them unless told. */
static void check_complaint(const char *bytes, size_t size, bool has_document,
                            const char *expected) {
    struct problem problem = { 0 };
    struct json_document *document = json_parse("x.json", bytes, size, &problem);
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, expected);
    ck_assert((document != NULL) == has_document);
    free(complaints);
    problem_fini(&problem);
    json_free(document);
}

static void check_broken(const char *text, const char *expected) {
    check_complaint(text, strlen(text), false, expected);
}

/* A mistake beside which the rest is read. */
static void check_mistaken(const char *text, const char *expected) {
    check_complaint(text, strlen(text), true, expected);
}

START_TEST(every_kind_of_value_is_read_as_itself) {
    struct json_document *document =
        parse_well("{'a':null,'b':true,'c':false,'d':-7,'e':'word','f':[],'g':{}}");
    static const enum json_type types[] = { JSON_NULL,   JSON_TRUE,  JSON_FALSE, JSON_NUMBER,
                                            JSON_STRING, JSON_ARRAY, JSON_OBJECT };
    const struct json *at = json_first(json_root(document));
    for (int place = 0; place < 7; place++, at = json_next(at)) {
        ck_assert_int_eq(json_type(at), types[place]);
        ck_assert_int_eq(json_key(at)[0], 'a' + place);
    }
    ck_assert_ptr_null(at);
    ck_assert_int_eq(json_integer(json_find(json_root(document), "d")), -7);
    ck_assert_str_eq(json_string(json_find(json_root(document), "e")), "word");
    ck_assert_ptr_null(json_find(json_root(document), "h"));
    ck_assert_uint_eq(json_count(json_root(document)), 7);
    json_free(document);
}
END_TEST

START_TEST(members_and_items_are_walked_over_what_lies_inside_them) {
    struct json_document *document = parse_well("[[1,[2,3]],{'x':[4]},5]");
    const struct json *first = json_first(json_root(document));
    const struct json *second = json_next(first);
    const struct json *third = json_next(second);
    ck_assert_int_eq(json_type(second), JSON_OBJECT);
    ck_assert_int_eq(json_integer(third), 5);
    ck_assert_ptr_null(json_next(third));
    ck_assert_int_eq(json_integer(json_first(json_next(json_first(first)))), 2);
    ck_assert_ptr_null(json_first(third));
    json_free(document);
}
END_TEST

START_TEST(the_line_of_a_value_is_known) {
    struct json_document *document = parse_well("{\n'a':\r\n 1,\n\n'b': [\n2]}");
    const struct json *first = json_first(json_root(document));
    ck_assert_uint_eq(json_line(json_root(document)), 1);
    ck_assert_uint_eq(json_line(first), 3);
    ck_assert_uint_eq(json_line(json_next(first)), 5);
    ck_assert_uint_eq(json_line(json_first(json_next(first))), 6);
    json_free(document);
}
END_TEST

START_TEST(numbers_up_to_2_to_the_53_are_exact) {
    struct json_document *document = parse_well("[9007199254740992,-9007199254740992,0,-0]");
    const struct json *at = json_first(json_root(document));
    ck_assert_int_eq(json_integer(at), INT64_C(9007199254740992));
    ck_assert_int_eq(json_integer(json_next(at)), -INT64_C(9007199254740992));
    json_free(document);
}
END_TEST

START_TEST(numbers_beyond_2_to_the_53_are_refused_and_the_rest_is_read) {
    check_mistaken("[9007199254740993, 1]",
                   "x.json:1:2: 9007199254740993 is beyond 2^53; write it as a string\n");
    check_mistaken("[-9007199254740993]",
                   "x.json:1:2: -9007199254740993 is beyond 2^53; write it as a string\n");
    check_mistaken("[\n12345678901234567890123456789012345678901234]",
                   "x.json:2:1: 1234567890123456789012345678901234567890... is beyond 2^53; write "
                   "it as a string\n");
}
END_TEST

START_TEST(a_number_of_a_thousand_digits_is_refused) {
    char digits[1001];
    memset(digits, '7', 1000);
    digits[1000] = '\0';
    struct problem problem = { 0 };
    json_free(json_parse("x.json", digits, 1000, &problem));
    ck_assert_uint_eq(problem.complaints.count, 1);
    ck_assert_str_eq(problem.complaints.items[0].message,
                     "7777777777777777777777777777777777777777... is beyond 2^53; write it as a "
                     "string");
    problem_fini(&problem);
}
END_TEST

START_TEST(fractions_and_exponents_are_refused_and_the_rest_is_read) {
    static const char rest[] = " is not a whole number; expected one, or one with a unit in a "
                               "string: \"1536MiB\"\n";
    static const char *const numbers[] = { "1.5", "1e3", "-0.0", "1E-400", "1e999" };
    for (size_t place = 0; place < 5; place++) {
        char expected[200];
        (void)snprintf(expected, sizeof expected, "x.json:1:1: %s%s", numbers[place], rest);
        check_mistaken(numbers[place], expected);
    }
}
END_TEST

START_TEST(a_bad_number_is_complained_about_once) {
    struct problem problem = { 0 };
    struct json_document *document = parse("{'a':1.5}", &problem);
    const struct json *value = json_find(json_root(document), "a");
    ck_assert_int_eq(json_integer(value), 0);
    json_complain(value, &problem, "and it is too small");
    ck_assert_uint_eq(problem.complaints.count, 1);
    problem_fini(&problem);
    json_free(document);
}
END_TEST

START_TEST(a_number_may_not_begin_with_0_or_end_early) {
    check_broken("[007]", "x.json:1:2: a number may not begin with 0\n");
    check_broken("[-]", "x.json:1:3: \"]\" stands here; expected a digit\n");
    check_broken("[+1]", "x.json:1:2: \"+\" stands here; expected a value\n");
    check_broken("-", "x.json:1:2: the file ends here; expected a digit\n");
}
END_TEST

START_TEST(a_key_that_stands_twice_is_refused_and_the_rest_is_read) {
    check_mistaken("{\"a\":1,\n \"b\":2,\n \"a\":3}",
                   "x.json:3:2: /a: the key \"a\" stands here a second time\n");
    check_mistaken("[{\"a\":1,\"a\":2,\"a\":3},{\"a\":1}]",
                   "x.json:1:9: /0/a: the key \"a\" stands here a second time\n"
                   "x.json:1:15: /0/a: the key \"a\" stands here a second time\n");
}
END_TEST

START_TEST(a_key_stands_twice_however_it_is_escaped) {
    check_mistaken("{\"a\":1,\"\\u0061\":2}",
                   "x.json:1:8: /a: the key \"a\" stands here a second time\n");
}
END_TEST

START_TEST(a_key_stands_twice_however_many_others_lie_between) {
    struct text json = { 0 };
    text_append(&json, "{\"twice\":0");
    for (int number = 0; number < 10000; number++) {
        text_printf(&json, ",\"k%d\":%d", number, number);
    }
    text_append(&json, "\n,\"twice\":0}");
    check_mistaken(text_get(&json),
                   "x.json:2:2: /twice: the key \"twice\" stands here a second time\n");
    text_fini(&json);
}
END_TEST

START_TEST(equal_keys_of_different_objects_are_fine) {
    json_free(parse_well("{'a':{'a':{'a':1}},'b':{'a':2}}"));
}
END_TEST

START_TEST(nesting_is_allowed_up_to_100) {
    char deep[203];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    deep[200] = '\0';
    json_free(parse_well(deep));
    memset(deep, '[', 101);
    memset(deep + 101, ']', 101);
    deep[202] = '\0';
    check_broken(deep, "x.json:1:101: this is nested more than 100 deep\n");
}
END_TEST

START_TEST(an_empty_text_is_said_to_be_empty) {
    check_broken("", "x.json:1:1: the file is empty; expected a JSON object\n");
    check_broken(" \n\t\r\n ", "x.json:3:2: the file is empty; expected a JSON object\n");
}
END_TEST

START_TEST(what_is_missing_is_named_where_it_is_missing) {
    check_broken("{\"a\" 1}", "x.json:1:6: \"1\" stands here; expected a colon\n");
    check_broken("{\"a\":}", "x.json:1:6: \"}\" stands here; expected a value\n");
    check_broken("{\"a\":1,}", "x.json:1:8: \"}\" stands here; expected a key in quotes\n");
    check_broken("{a:1}", "x.json:1:2: \"a\" stands here; expected a key in quotes\n");
    check_broken("[1 2]", "x.json:1:4: \"2\" stands here; expected a comma or ]\n");
    check_broken("{\"a\":1 \"b\":2}", "x.json:1:8: \"\"\" stands here; expected a comma or }\n");
    check_broken("[1,]", "x.json:1:4: \"]\" stands here; expected a value\n");
    check_broken("{} {}", "x.json:1:4: \"{\" stands here; expected the end of the file\n");
    check_broken("[1", "x.json:1:3: the file ends here; expected a comma or ]\n");
    check_broken("{\"a\":", "x.json:1:6: the file ends here; expected a value\n");
}
END_TEST

START_TEST(words_that_are_no_value_are_refused) {
    check_broken("[True]", "x.json:1:2: \"T\" stands here; expected a value\n");
    check_broken("[nul]", "x.json:1:2: \"n\" stands here; expected a value\n");
    check_broken("[nullx]", "x.json:1:6: \"x\" stands here; expected a comma or ]\n");
    check_broken("tru", "x.json:1:1: \"t\" stands here; expected a value\n");
    check_broken("NaN", "x.json:1:1: \"N\" stands here; expected a value\n");
    check_broken("/* no */ 1", "x.json:1:1: \"/\" stands here; expected a value\n");
}
END_TEST

START_TEST(a_string_without_an_end_is_named_where_it_begins) {
    check_broken("[\"a\", \"b", "x.json:1:7: this string has no end\n");
    check_broken("[\"a\nb\"]", "x.json:1:2: this string has no end\n");
    check_broken("\"\\", "x.json:1:2: this escape is none of JSON's\n");
}
END_TEST

START_TEST(control_bytes_and_zeros_in_strings_are_refused) {
    check_broken("\"a\tb\"", "x.json:1:3: a byte 0x09 stands in a string; escape it\n");
    check_broken("\"\\u0000\"", "x.json:1:2: a string may not hold a zero byte\n");
    check_complaint("\"a\0b\"", 5, false,
                    "x.json:1:3: a byte 0x00 stands in a string; escape it\n");
    check_complaint("1\0", 2, false,
                    "x.json:1:2: a byte 0x00 stands here; expected the end of the file\n");
}
END_TEST

START_TEST(escapes_are_those_of_json) {
    struct json_document *document = parse_well("['\\\"\\\\\\/\\n\\t\\u20ac']");
    ck_assert_str_eq(json_string(json_first(json_root(document))), "\"\\/\n\t\xe2\x82\xac");
    json_free(document);
    check_broken("\"\\x41\"", "x.json:1:2: this escape is none of JSON's\n");
    check_broken("\"\\u12g4\"", "x.json:1:2: \\u has four hexadecimal digits\n");
    check_broken("\"\\u12", "x.json:1:2: \\u has four hexadecimal digits\n");
}
END_TEST

START_TEST(halves_of_characters_belong_together) {
    struct json_document *document = parse_well("['\\ud83d\\ude00']");
    ck_assert_str_eq(json_string(json_first(json_root(document))), "\xf0\x9f\x98\x80");
    json_free(document);
    check_broken("\"\\ud83d\"", "x.json:1:2: \\ud83d is half of a character\n");
    check_broken("\"\\ud83d\\ud83d\"", "x.json:1:2: \\ud83d is half of a character\n");
    check_broken("\"\\ude00\\ud83d\"", "x.json:1:2: \\ude00 is half of a character\n");
    check_broken("\"\\ud83dx\"", "x.json:1:2: \\ud83d is half of a character\n");
}
END_TEST

START_TEST(bytes_that_are_not_utf_8_are_refused) {
    static const char *const bad[] = { "\x80",
                                       "\xc0\xaf",
                                       "\xc3",
                                       "\xe0\x80\x80",
                                       "\xed\xa0\x80",
                                       "\xf0\x80\x80\x80",
                                       "\xf4\x90\x80\x80",
                                       "\xff",
                                       "\xe2\x82" };
    for (size_t place = 0; place < sizeof bad / sizeof *bad; place++) {
        char text[16];
        char expected[80];
        (void)snprintf(text, sizeof text, "\"%s\"", bad[place]);
        (void)snprintf(expected, sizeof expected, "x.json:1:2: byte 0x%02x is not valid UTF-8\n",
                       (unsigned char)bad[place][0]);
        check_broken(text, expected);
    }
    json_free(parse_well("'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf'"));
}
END_TEST

START_TEST(a_byte_order_mark_is_refused_by_name) {
    check_broken("\xef\xbb\xbf{}",
                 "x.json:1:1: a byte order mark stands here; save the file without it\n");
}
END_TEST

START_TEST(a_pointer_escapes_its_slashes_and_tildes) {
    struct problem problem = { 0 };
    struct json_document *document = parse("{'a/b':{'~':[0,1]}}", &problem);
    const struct json *inner = json_first(json_first(json_root(document)));
    json_complain(json_next(json_first(inner)), &problem, "wrong %d", 7);
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, "x.json:1:16: /a~1b/~0/1: wrong 7\n");
    free(complaints);
    problem_fini(&problem);
    json_free(document);
}
END_TEST

/* They would change what a terminal shows, or where a line ends. */
START_TEST(control_characters_are_refused) {
    static const char *const escapes[] = { "\\u001b", "\\r", "\\b", "\\f", "\\u007f", "\\u009b" };
    for (size_t place = 0; place < sizeof escapes / sizeof *escapes; place++) {
        struct problem problem = { 0 };
        struct text json = { 0 };
        text_printf(&json, "{'a':'x%s'}", escapes[place]);
        json_free(parse(text_get(&json), &problem));
        char *complaints = stage_complaints(&problem);
        ck_assert_str_eq(complaints, "x.json:1:6: /a: a control character stands in this string; "
                                     "expected letters\n");
        free(complaints);
        problem_fini(&problem);
        text_fini(&json);
    }
}
END_TEST

START_TEST(a_complaint_is_one_line_whatever_the_file_quotes) {
    struct problem problem = { 0 };
    struct json_document *document = parse("{'a':'x\\n\\ty\\u20ac'}", &problem);
    const struct json *value = json_first(json_root(document));
    json_complain(value, &problem, "\"%s\"", json_string(value));
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, "x.json:1:6: /a: \"x??y\xe2\x82\xac\"\n");
    free(complaints);
    problem_fini(&problem);
    json_free(document);
}
END_TEST

START_TEST(every_unknown_key_is_named_with_the_nearest) {
    static const char *const keys[] = { "size", "value" };
    struct problem problem = { 0 };
    struct json_document *document = parse("{'size':1,'sise':2,'colour':3}", &problem);
    ck_assert(!json_check_keys(json_root(document), keys, 2, &problem));
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints,
                     "x.json:1:11: /sise: unknown key \"sise\"; did you mean \"size\"?\n"
                     "x.json:1:20: /colour: unknown key \"colour\"; expected one of size, value\n");
    free(complaints);
    problem_fini(&problem);
    json_free(document);
}
END_TEST

START_TEST(a_value_of_another_type_is_told_what_it_is) {
    struct problem problem = { 0 };
    struct json_document *document = parse("[[],true,null,3,'x',{}]", &problem);
    const struct json *at = json_first(json_root(document));
    for (; at != NULL; at = json_next(at)) {
        (void)json_expect(at, JSON_NUMBER, "it", &problem);
        (void)json_expect(at, JSON_TRUE, "a flag", &problem);
    }
    char *complaints = stage_complaints(&problem);
    ck_assert_ptr_nonnull(strstr(complaints, "/0: it is a list; expected a whole number\n"));
    ck_assert_ptr_nonnull(strstr(complaints, "/1: it is true or false; expected a whole number\n"));
    ck_assert_ptr_nonnull(strstr(complaints, "/2: it is null; expected a whole number\n"));
    ck_assert_ptr_nonnull(strstr(complaints, "/3: a flag is a whole number; expected true or "
                                             "false\n"));
    ck_assert_ptr_nonnull(strstr(complaints, "/5: it is an object; expected a whole number\n"));
    ck_assert_uint_eq(problem.complaints.count, 10);
    free(complaints);
    problem_fini(&problem);
    json_free(document);
}
END_TEST

START_TEST(files_that_can_not_be_read_are_told_why) {
    static const char *const paths[] = { "/nowhere.json", "/dev/null/x.json", "/", "/dev/zero" };
    static const char *const expected[] = {
        "/nowhere.json: No such file or directory\n",
        "/dev/null/x.json: Not a directory\n",
        "/: this is a directory; expected a file\n",
        "/dev/zero: this file has more than 64 MiB; expected less\n",
    };
    for (int place = 0; place < 4; place++) {
        struct problem problem = { 0 };
        ck_assert_ptr_null(json_read(paths[place], &problem));
        char *complaints = stage_complaints(&problem);
        ck_assert_str_eq(complaints, expected[place]);
        free(complaints);
        problem_fini(&problem);
    }
}
END_TEST

Suite *test_json(void);

Suite *test_json(void) {
    Suite *suite = suite_create("json");
    TCase *tcase = tcase_create("json");

    tcase_add_test(tcase, every_kind_of_value_is_read_as_itself);
    tcase_add_test(tcase, members_and_items_are_walked_over_what_lies_inside_them);
    tcase_add_test(tcase, the_line_of_a_value_is_known);
    tcase_add_test(tcase, numbers_up_to_2_to_the_53_are_exact);
    tcase_add_test(tcase, numbers_beyond_2_to_the_53_are_refused_and_the_rest_is_read);
    tcase_add_test(tcase, a_number_of_a_thousand_digits_is_refused);
    tcase_add_test(tcase, fractions_and_exponents_are_refused_and_the_rest_is_read);
    tcase_add_test(tcase, a_bad_number_is_complained_about_once);
    tcase_add_test(tcase, a_number_may_not_begin_with_0_or_end_early);
    tcase_add_test(tcase, a_key_that_stands_twice_is_refused_and_the_rest_is_read);
    tcase_add_test(tcase, a_key_stands_twice_however_it_is_escaped);
    tcase_add_test(tcase, a_key_stands_twice_however_many_others_lie_between);
    tcase_add_test(tcase, equal_keys_of_different_objects_are_fine);
    tcase_add_test(tcase, nesting_is_allowed_up_to_100);
    tcase_add_test(tcase, an_empty_text_is_said_to_be_empty);
    tcase_add_test(tcase, what_is_missing_is_named_where_it_is_missing);
    tcase_add_test(tcase, words_that_are_no_value_are_refused);
    tcase_add_test(tcase, a_string_without_an_end_is_named_where_it_begins);
    tcase_add_test(tcase, control_bytes_and_zeros_in_strings_are_refused);
    tcase_add_test(tcase, escapes_are_those_of_json);
    tcase_add_test(tcase, halves_of_characters_belong_together);
    tcase_add_test(tcase, bytes_that_are_not_utf_8_are_refused);
    tcase_add_test(tcase, a_byte_order_mark_is_refused_by_name);
    tcase_add_test(tcase, a_pointer_escapes_its_slashes_and_tildes);
    tcase_add_test(tcase, control_characters_are_refused);
    tcase_add_test(tcase, a_complaint_is_one_line_whatever_the_file_quotes);
    tcase_add_test(tcase, every_unknown_key_is_named_with_the_nearest);
    tcase_add_test(tcase, a_value_of_another_type_is_told_what_it_is);
    tcase_add_test(tcase, files_that_can_not_be_read_are_told_why);
    suite_add_tcase(suite, tcase);
    return suite;
}
