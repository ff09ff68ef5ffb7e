/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_row.h"
#include "tests/random_calls.h"
#include "trace/call_text.h"
#include "trace/reason_text.h"

/* A refusal comes with a rule of its code that can be written out; a success with none. The record
 * is that of the call. */
static void check_result(const struct world *world, const struct acl_record *record) {
    const struct acl_result *result = &world->result;
    struct text sentence = { 0 };
    ck_assert_int_eq(result->code == ACL_SUCCESS, result->rule == ACL_NO_RULE);
    reason_text(record, result, &sentence);
    if (result->code != ACL_SUCCESS) {
        int32_t code = acl_rule_code(result->rule);
        ck_assert(code == 0 || code == result->code);
        ck_assert_uint_gt(sentence.size, 8);
        ck_assert_ptr_null(strpbrk(text_get(&sentence), "{}"));
        ck_assert_ptr_nonnull(reason_section(record, result));
    }
    text_fini(&sentence);
}

static void try_call(struct world *world, uint32_t row, const uint64_t *value, uint32_t null_mask) {
    static const uint64_t list[6] = { 0, 0, 0, 1001, 7, 7 };
    struct acl_record record = { .row = (uint16_t)row, .null_mask = null_mask, .list_count = 6 };
    memcpy(record.arg, value, sizeof record.arg);
    record.list = list;
    world_call_values(world, 0, acl_row_get(row)->name, value, list, 6, null_mask);
    check_result(world, &record);
}

/* Each call with small, huge and mixed values, and with each parameter NULL. */
static void try_values(struct world *world, uint32_t row) {
    static const uint64_t values[] = {
        0, 1, 2, 3, 32, 2 * MIB, 3 * MIB, GIB, 16 * TIB, UINT64_MAX
    };
    uint64_t mixed = row + 1;
    for (uint32_t trial = 0; trial < 60; trial++) {
        uint64_t value[ACL_ARGS];
        for (uint32_t place = 0; place < ACL_ARGS; place++) {
            mixed = mixed * 6364136223846793005 + 1442695040888963407;
            value[place] = trial < 10 ? values[trial] : values[(mixed >> 33) % 10];
        }
        try_call(world, row, value, trial < ACL_PARAMETERS ? 1U << trial : 0);
        try_call(world, row, value, 0);
    }
}

/* The calls that end what others need come in their turn, so each is met before and after. */
START_TEST(every_refusal_names_a_rule_of_its_code) {
    struct world world;
    world_prepare(&world);
    world.server[0].rc_form = _i == 1;
    world.server[0].compute_group = _i == 2;
    world.server[0].quota_bytes = _i == 3 ? 4 * GIB : 0;
    world_start(&world);
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        if (strstr(acl_row_get(row)->name, "Synchronize") == NULL) {
            try_values(&world, row);
        }
    }
    world_fini(&world);
}
END_TEST

START_TEST(refusals_among_random_calls_name_rules_of_their_codes) {
    struct world world;
    world_init(&world);
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    uint32_t refused = 0;
    for (uint32_t call = 0; call < 3000; call++) {
        random_call(&calls, &world, call % WORLD_PROCESSES);
        const struct acl_result *result = &world.result;
        ck_assert_int_eq(result->code == ACL_SUCCESS, result->rule == ACL_NO_RULE);
        if (result->rule != ACL_NO_RULE) {
            int32_t code = acl_rule_code(result->rule);
            ck_assert(code == 0 || code == result->code);
            refused++;
        }
    }
    ck_assert_uint_gt(refused, 100);
    world_fini(&world);
}
END_TEST

START_TEST(every_call_says_where_it_is_specified) {
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        const char *section = acl_row_get(row)->section;
        ck_assert_ptr_nonnull(section);
        ck_assert(strncmp(section, "vmm-and-sharing ", 16) == 0 ||
                  strncmp(section, "malloc-and-friends ", 19) == 0);
    }
}
END_TEST

START_TEST(no_two_rules_have_one_name) {
    for (uint32_t left = ACL_NO_RULE + 1; left < ACL_RULES; left++) {
        for (uint32_t right = left + 1; right < ACL_RULES; right++) {
            ck_assert_str_ne(acl_rule_name((enum acl_rule)left),
                             acl_rule_name((enum acl_rule)right));
        }
    }
}
END_TEST

START_TEST(a_sentence_has_the_values_and_the_section) {
    struct world world;
    world_init(&world);
    struct text text = { 0 };
    const uint64_t value[ACL_ARGS] = { 3 * MIB, 0, 0, 4, 0, 1 };
    struct acl_record record = { .row = 0 };
    uint32_t row = 0;
    ck_assert(acl_row_find("aclrtMallocPhysical", &row));
    record.row = (uint16_t)row;
    memcpy(record.arg, value, sizeof record.arg);
    world_call_values(&world, 0, "aclrtMallocPhysical", value, NULL, 0, 0);
    call_text_result(&record, &world.result, &text);
    ck_assert_str_eq(text_get(&text), "= 507899 ACL_ERROR_RT_DRV_INTERNAL_ERROR: size 3MiB is no "
                                      "multiple of 2MiB (vmm-and-sharing 4.2)");
    text_fini(&text);
    world_fini(&world);
}
END_TEST

Suite *test_acl_rule(void);
Suite *test_acl_rule(void) {
    Suite *suite = suite_create("acl_rule");
    TCase *tests = tcase_create("acl_rule");
    tcase_add_loop_test(tests, every_refusal_names_a_rule_of_its_code, 0, 4);
    tcase_add_loop_test(tests, refusals_among_random_calls_name_rules_of_their_codes, 0, 3);
    tcase_add_test(tests, every_call_says_where_it_is_specified);
    tcase_add_test(tests, no_two_rules_have_one_name);
    tcase_add_test(tests, a_sentence_has_the_values_and_the_section);
    suite_add_tcase(suite, tests);
    return suite;
}
