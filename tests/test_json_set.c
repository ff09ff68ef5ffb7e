/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <string.h>

#include "base/json_set.h"
#include "base/text.h"
#include "tests/stage.h"

static struct text told;

/* A value as text, without blanks. */
static void write(const struct json *value) {
    bool is_object = json_type(value) == JSON_OBJECT;
    switch (json_type(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        text_append(&told, is_object ? "{" : "[");
        for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
            text_printf(&told, "%s%s", is_object ? json_key(at) : "", is_object ? ":" : "");
            write(at);
            text_append(&told, json_next(at) == NULL ? "" : ",");
        }
        text_append(&told, is_object ? "}" : "]");
        break;
    case JSON_NUMBER:
        text_printf(&told, "%lld", (long long)json_integer(value));
        break;
    case JSON_STRING:
        text_printf(&told, "'%s'", json_string(value));
        break;
    default:
        text_append(&told, json_type_name(value));
        break;
    }
}

static const char document[] = "{\n\"a\": { \"b\": 1, \"c/d\": [10, 20,\n 30] },\n\"e~\": \"x\" }";

/* The document after two settings, the second one NULL for none; or the complaints. */
static const char *set(const char *first, const char *second) {
    struct problem problem = { 0 };
    struct json_settings settings = { 0 };
    struct json_document *at = json_parse("f", document, sizeof document - 1, &problem);
    array_add(&settings.items, first);
    if (second != NULL) {
        array_add(&settings.items, second);
    }
    bool is_set = json_set(at, &settings, &problem);
    ck_assert_int_eq(is_set, problem_is_empty(&problem));
    text_clear(&told);
    if (is_set) {
        write(json_root(at));
    } else {
        char *complaints = stage_complaints(&problem);
        text_append(&told, complaints);
        free(complaints);
    }
    array_fini(&settings.items);
    json_free(at);
    problem_fini(&problem);
    return text_get(&told);
}

START_TEST(a_value_that_is_there_is_replaced) {
    ck_assert_str_eq(set("/a/b=2", NULL), "{a:{b:2,c/d:[10,20,30]},e~:'x'}");
    ck_assert_str_eq(set("/a=[]", "/e~0=7"), "{a:[],e~:7}");
    ck_assert_str_eq(set("/a/c~1d/0={\"x\": [1, 2]}", "/a/c~1d/0/x/1=3"),
                     "{a:{b:1,c/d:[{x:[1,3]},20,30]},e~:'x'}");
    ck_assert_str_eq(set("/a/c~1d/2=9", "/a/b=8"), "{a:{b:8,c/d:[10,20,9]},e~:'x'}");
}
END_TEST

START_TEST(members_and_items_are_added) {
    ck_assert_str_eq(set("/f=1", "/a/g=2"), "{a:{b:1,c/d:[10,20,30],g:2},e~:'x',f:1}");
    ck_assert_str_eq(set("/a/c~1d/-=40", "/a/c~1d/-=50"), "{a:{b:1,c/d:[10,20,30,40,50]},e~:'x'}");
    ck_assert_str_eq(set("/={}", NULL), "{a:{b:1,c/d:[10,20,30]},e~:'x',:{}}");
}
END_TEST

START_TEST(what_is_no_json_is_a_text) {
    ck_assert_str_eq(set("/a=4MiB", "/e~0=[1,"), "{a:'4MiB',e~:'[1,'}");
    ck_assert_str_eq(set("/a=1.5", "/e~0=a=b"), "{a:'1.5',e~:'a=b'}");
    ck_assert_str_eq(set("/a=", "/e~0=\"4\""), "{a:'',e~:'4'}");
    ck_assert_str_eq(set("/a=true", "/e~0=null"), "{a:true or false,e~:null}");
}
END_TEST

START_TEST(what_has_no_place_is_refused) {
    ck_assert_str_eq(set("/a/f/g=1", "/x/y=1"),
                     "--set: /a/f: there is no \"f\" in f; did you mean \"b\"?\n"
                     "--set: /x: there is no \"x\" in f; did you mean \"a\"?\n");
    ck_assert_str_eq(set("/a/b/c=1", NULL), "--set: /a/b/c: a whole number in f has no parts\n");
    ck_assert_str_eq(
        set("/a/c~1d/3=1", "/a/c~1d/00=1"),
        "--set: /a/c~1d/3: the list in f has 3 items; expected a number below that, or "
        "\"-\" at the end of the pointer for a new one\n"
        "--set: /a/c~1d/00: the list in f has 3 items; expected a number below that, or "
        "\"-\" at the end of the pointer for a new one\n");
    ck_assert_str_eq(
        set("/a/c~1d/-/x=1", NULL),
        "--set: /a/c~1d/-: the list in f has 3 items; expected a number below that, or "
        "\"-\" at the end of the pointer for a new one\n");
    ck_assert_str_eq(set("a=1", "/a"), "--set: a=1: expected a JSON pointer and a value, such as "
                                       "/processes/A/device=1\n"
                                       "--set: /a: expected a JSON pointer and a value, such as "
                                       "/processes/A/device=1\n");
    ck_assert_str_eq(set("=1", NULL), "--set: =1: expected a JSON pointer and a value, such as "
                                      "/processes/A/device=1\n");
}
END_TEST

START_TEST(letters_are_those_of_a_file) {
    ck_assert_str_eq(set("/a=\xff", "/a\xff=1"), "--set: /a: a byte of this is not valid UTF-8\n"
                                                 "--set: /a?: a byte of this is not valid UTF-8\n");
    ck_assert_str_eq(set("/a=\x1b[1m", "/e\n=1"),
                     "--set: /a: a control character stands in this; expected letters\n"
                     "--set: /e?: a control character stands in this; expected letters\n");
    ck_assert_str_eq(set("/a=\xc2\x9b", "/a=\x7f"),
                     "--set: /a: a control character stands in this; expected letters\n"
                     "--set: /a: a control character stands in this; expected letters\n");
    ck_assert_str_eq(set("/a=1\n2\t\xc3\xa4", NULL), "{a:'1\n2\t\xc3\xa4',e~:'x'}");
}
END_TEST

/* A complaint about what was set says so; about the rest it names the file. */
START_TEST(complaints_name_the_setting_or_the_file) {
    struct problem problem = { 0 };
    struct json_settings settings = { 0 };
    struct json_document *at = json_parse("f", document, sizeof document - 1, &problem);
    array_add(&settings.items, "/a/b={\"z\": 1}");
    ck_assert(json_set(at, &settings, &problem));
    const struct json *a = json_find(json_root(at), "a");
    json_complain(json_find(json_find(a, "b"), "z"), &problem, "one");
    json_complain(json_first(json_find(a, "c/d")), &problem, "two");
    json_complain(json_find(json_root(at), "e~"), &problem, "three");
    ck_assert_uint_eq(json_line(json_find(a, "b")), 2);
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints,
                     "--set: /a/b/z: one\nf:2:24: /a/c~1d/0: two\nf:4:7: /e~0: three\n");
    free(complaints);
    array_fini(&settings.items);
    json_free(at);
    problem_fini(&problem);
}
END_TEST

static void tear_down(void) {
    text_fini(&told);
}

Suite *test_json_set(void);

Suite *test_json_set(void) {
    Suite *suite = suite_create("json_set");
    TCase *tests = tcase_create("json_set");
    tcase_add_checked_fixture(tests, NULL, tear_down);
    tcase_add_test(tests, a_value_that_is_there_is_replaced);
    tcase_add_test(tests, members_and_items_are_added);
    tcase_add_test(tests, what_is_no_json_is_a_text);
    tcase_add_test(tests, what_has_no_place_is_refused);
    tcase_add_test(tests, letters_are_those_of_a_file);
    tcase_add_test(tests, complaints_name_the_setting_or_the_file);
    suite_add_tcase(suite, tests);
    return suite;
}
