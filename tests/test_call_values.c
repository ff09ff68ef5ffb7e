/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/call_values.h"

#include <check.h>
#include <stdlib.h>

#include "acl/acl_row.h"

static struct acl_record record_of(const char *name) {
    uint32_t row = 0;
    ck_assert(acl_row_find(name, &row));
    return (struct acl_record){ .row = (uint16_t)row };
}

static void check_arguments(const struct acl_record *record, enum call_style style,
                            const char *expected) {
    struct text text = { 0 };
    call_values_arguments(record, style, &text);
    ck_assert_str_eq(text_get(&text), expected);
    text_fini(&text);
}

START_TEST(structs_are_their_members_in_order) {
    struct acl_record record = record_of("aclrtMallocPhysical");
    for (uint32_t place = 0; place < 8; place++) {
        record.arg[place] = place + 1;
    }
    check_arguments(&record, CALL_LOG, "size=1, prop={2,3,4,5,6,7}, flags=8");
    check_arguments(&record, CALL_JSON, "\"size\":1,\"prop\":[2,3,4,5,6,7],\"flags\":8");
}
END_TEST

START_TEST(lists_of_structs_are_cut_into_items) {
    static const uint64_t list[] = { 3, 1, 1, 0, (uint64_t)-1, 2 };
    struct acl_record record = record_of("aclrtMemSetAccess");
    record.list = list;
    record.list_count = 6;
    record.arg[0] = 0xabc000;
    record.arg[1] = 4096;
    record.arg[2] = 2;
    check_arguments(&record, CALL_LOG,
                    "virPtr=0xabc000, size=4096, desc=[{3,1,1},{0,-1,2}], count=2");
    check_arguments(
        &record, CALL_JSON,
        "\"virPtr\":\"0xabc000\",\"size\":4096,\"desc\":[[3,1,1],[0,-1,2]],\"count\":2");
}
END_TEST

START_TEST(null_pointers_are_null_also_those_of_outputs) {
    struct acl_record record = record_of("aclrtMallocPhysical");
    record.null_mask = 1 | 4;
    record.arg[0] = 1;
    check_arguments(&record, CALL_LOG, "handle=null, size=1, prop=null, flags=0");
    check_arguments(&record, CALL_JSON, "\"handle\":null,\"size\":1,\"prop\":null,\"flags\":0");
}
END_TEST

START_TEST(numbers_that_json_can_not_hold_are_strings) {
    struct acl_record record = record_of("aclrtMalloc");
    record.arg[0] = ((uint64_t)1 << 53) + 1;
    record.arg[1] = (uint64_t)-3;
    check_arguments(&record, CALL_LOG, "size=9007199254740993, policy=-3");
    check_arguments(&record, CALL_JSON, "\"size\":\"9007199254740993\",\"policy\":-3");
    record.arg[0]--;
    check_arguments(&record, CALL_JSON, "\"size\":9007199254740992,\"policy\":-3");
}
END_TEST

START_TEST(a_text_is_there_or_not) {
    struct acl_record record = record_of("aclInit");
    check_arguments(&record, CALL_LOG, "configPath=null");
    record.arg[0] = 1;
    check_arguments(&record, CALL_LOG, "configPath=\"\"");
    check_arguments(&record, CALL_JSON, "\"configPath\":\"\"");
}
END_TEST

START_TEST(results_have_the_names_of_their_outputs) {
    struct acl_record record = record_of("aclrtGetMemInfo");
    struct acl_result result = { .out_count = 2, .out = { 10, 20 } };
    struct text text = { 0 };
    call_values_results(&record, &result, CALL_LOG, &text);
    ck_assert_str_eq(text_get(&text), "free=10, total=20");
    text_fini(&text);
}
END_TEST

Suite *test_call_values(void);
Suite *test_call_values(void) {
    Suite *suite = suite_create("call_values");
    TCase *tests = tcase_create("call_values");
    tcase_add_test(tests, structs_are_their_members_in_order);
    tcase_add_test(tests, lists_of_structs_are_cut_into_items);
    tcase_add_test(tests, null_pointers_are_null_also_those_of_outputs);
    tcase_add_test(tests, numbers_that_json_can_not_hold_are_strings);
    tcase_add_test(tests, a_text_is_there_or_not);
    tcase_add_test(tests, results_have_the_names_of_their_outputs);
    suite_add_tcase(suite, tests);
    return suite;
}
