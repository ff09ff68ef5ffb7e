/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_error.h"

#include <check.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

struct sample {
    int32_t code;
    const char *name;
};

/* From the tables of the specification (malloc 18), a few of each. */
static const struct sample samples[] = {
    { 0, "ACL_SUCCESS" },
    { 100000, "ACL_ERROR_INVALID_PARAM" },
    { 100001, "ACL_ERROR_UNINITIALIZE" },
    { 100002, "ACL_ERROR_REPEAT_INITIALIZE" },
    { 100037, "ACL_ERROR_REPEAT_FINALIZE" },
    { 100045, "ACL_ERROR_DUMP_NOT_RUN" },
    { 107000, "ACL_ERROR_RT_PARAM_INVALID" },
    { 107001, "ACL_ERROR_RT_INVALID_DEVICEID" },
    { 107002, "ACL_ERROR_RT_CONTEXT_NULL" },
    { 107003, "ACL_ERROR_RT_STREAM_CONTEXT" },
    { 107016, "ACL_ERROR_RT_INVALID_MEMORY_TYPE" },
    { 107017, "ACL_ERROR_RT_INVALID_HANDLE" },
    { 107032, "ACL_ERROR_STREAM_CAPTURE_CONFLICT" },
    { 107045, "ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING" },
    { 145000, "ACL_ERROR_GE_PARAM_INVALID" },
    { 148046, "ACL_ERROR_PROF_REPEAT_SUBSCRIBE" },
    { 200000, "ACL_ERROR_BAD_ALLOC" },
    { 200006, "ACL_ERROR_FEATURE_UNSUPPORTED" },
    { 207000, "ACL_ERROR_RT_FEATURE_NOT_SUPPORT" },
    { 207001, "ACL_ERROR_RT_MEMORY_ALLOCATION" },
    { 207005, "ACL_ERROR_RT_RESOURCE_ALLOC_FAIL" },
    { 207006, "ACL_ERROR_RT_NO_PERMISSION" },
    { 207018, "ACL_ERROR_RT_DEVICE_OOM" },
    { 300000, "ACL_ERROR_STORAGE_OVER_LIMIT" },
    { 500000, "ACL_ERROR_INTERNAL_ERROR" },
    { 507000, "ACL_ERROR_RT_INTERNAL_ERROR" },
    { 507007, "ACL_ERROR_RT_CONTEXT_RELEASE_ERROR" },
    { 507013, "ACL_ERROR_RT_SYS_DMA" },
    { 507046, "ACL_ERROR_RT_STREAM_SYNC_TIMEOUT" },
    { 507899, "ACL_ERROR_RT_DRV_INTERNAL_ERROR" },
    { 507911, "ACL_ERROR_HOST_MEMORY_NOT_REGISTERED" },
    { 507916, "ACL_ERROR_RT_CCU_EXCEPTION" },
    { 545602, "ACL_ERROR_GE_REDEPLOYING" },
};

static const struct sample rows[] = {
#define ERROR(value, name, meaning) { value, "ACL_ERROR_" #name },
#include "acl/acl_errors.inc"
#undef ERROR
};

START_TEST(a_code_has_the_name_of_the_vendor_and_a_meaning) {
    ck_assert_ptr_nonnull(acl_error_name(samples[_i].code));
    ck_assert_str_eq(acl_error_name(samples[_i].code), samples[_i].name);
    ck_assert_uint_gt(strlen(acl_error_meaning(samples[_i].code)), 5);
}
END_TEST

START_TEST(an_enumerator_has_its_value) {
    ck_assert_int_eq(ACL_SUCCESS, 0);
    ck_assert_int_eq(ACL_ERROR_RT_PARAM_INVALID, 107000);
    ck_assert_int_eq(ACL_ERROR_RT_MEMORY_ALLOCATION, 207001);
}
END_TEST

START_TEST(a_number_that_is_no_code_has_neither) {
    static const int32_t none[] = { 1, -1, 99999, 100046, 107046, 207021 + 1, 507917, INT32_MAX };
    for (size_t place = 0; place < COUNT(none); place++) {
        ck_assert_ptr_null(acl_error_name(none[place]));
        ck_assert_ptr_null(acl_error_meaning(none[place]));
    }
}
END_TEST

START_TEST(codes_and_names_are_unique) {
    for (size_t left = 0; left < COUNT(rows); left++) {
        for (size_t right = left + 1; right < COUNT(rows); right++) {
            ck_assert_int_ne(rows[left].code, rows[right].code);
            ck_assert_str_ne(rows[left].name, rows[right].name);
        }
    }
}
END_TEST

/* The digit says who is to blame: the caller, a shortage, the state of the business, a fault. */
START_TEST(the_first_digit_is_one_of_four) {
    for (size_t place = 0; place < COUNT(rows); place++) {
        int32_t digit = rows[place].code / 100000;
        ck_assert(digit == 1 || digit == 2 || digit == 3 || digit == 5);
    }
}
END_TEST

Suite *test_acl_error(void);

Suite *test_acl_error(void) {
    Suite *suite = suite_create("acl_error");
    TCase *tests = tcase_create("acl_error");
    tcase_add_loop_test(tests, a_code_has_the_name_of_the_vendor_and_a_meaning, 0,
                        (int)COUNT(samples));
    tcase_add_test(tests, an_enumerator_has_its_value);
    tcase_add_test(tests, a_number_that_is_no_code_has_neither);
    tcase_add_test(tests, codes_and_names_are_unique);
    tcase_add_test(tests, the_first_digit_is_one_of_four);
    suite_add_tcase(suite, tests);
    return suite;
}
