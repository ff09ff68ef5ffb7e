/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_policy.h"

#include <check.h>

#include "tests/world.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { EXTRA = 32, LIMIT = 1 << 20, HUGE_SIZE = 2 << 20 };

static struct acl_plan plan_of(const struct product *product, uint64_t policy, uint64_t size,
                               uint64_t extra) {
    struct acl_plan plan;
    ck_assert(acl_policy_plan(product, policy, size, extra, &plan));
    return plan;
}

struct rounding {
    uint64_t size, align32, malloc, giant;
};

static const struct rounding roundings[] = {
    { 1, 32, 64, 32 },
    { 31, 32, 64, 32 },
    { 32, 32, 64, 32 },
    { 33, 64, 96, 64 },
    { 1000, 1024, 1056, 1024 },
    { 4096, 4096, 4128, 4096 },
    { 1048544, 1048544, 1048576, 1048544 },
    { 1048576, 1048576, 1048608, 1048576 },
    { 2097152, 2097152, 2097184, 2097152 },
    { 2097120, 2097120, 2097152, 2097120 },
};

START_TEST(sizes_are_rounded_to_32_and_a_giant_policy_adds_nothing) {
    const struct rounding *at = &roundings[_i];
    struct product *product = world_product();
    ck_assert_uint_eq(plan_of(product, ACL_MALLOC_HUGE_FIRST, at->size, 0).rounded, at->align32);
    ck_assert_uint_eq(plan_of(product, ACL_MALLOC_HUGE_FIRST, at->size, EXTRA).rounded, at->malloc);
    ck_assert_uint_eq(plan_of(product, ACL_MALLOC_HUGE1G_ONLY, at->size, EXTRA).rounded, at->giant);
    ck_assert_uint_eq(plan_of(product, ACL_MALLOC_HUGE1G_ONLY_P2P, at->size, EXTRA).rounded,
                      at->giant);
    product_free(product);
}
END_TEST

START_TEST(an_extra_that_is_no_multiple_of_32_is_rounded_with_the_size) {
    uint64_t rounded = 0;
    ck_assert(acl_policy_round(16, 16, &rounded));
    ck_assert_uint_eq(rounded, 32);
    ck_assert(acl_policy_round(17, 16, &rounded));
    ck_assert_uint_eq(rounded, 64);
}
END_TEST

START_TEST(rounding_past_the_largest_number_is_refused) {
    uint64_t rounded = 0;
    ck_assert(acl_policy_round(UINT64_MAX - 40, 0, &rounded));
    ck_assert_uint_eq(rounded, UINT64_MAX - 31);
    ck_assert(acl_policy_round(UINT64_MAX - 31, 0, &rounded));
    ck_assert(!acl_policy_round(UINT64_MAX - 30, 0, &rounded));
    ck_assert(!acl_policy_round(UINT64_MAX, 0, &rounded));
    ck_assert(acl_policy_round(UINT64_MAX - 63, EXTRA, &rounded));
    ck_assert_uint_eq(rounded, UINT64_MAX - 31);
    ck_assert(!acl_policy_round(UINT64_MAX - 62, EXTRA, &rounded));
    ck_assert(!acl_policy_round(UINT64_MAX, EXTRA, &rounded));
}
END_TEST

START_TEST(a_giant_policy_fits_where_the_extra_would_overflow) {
    struct product *product = world_product();
    struct acl_plan plan;
    ck_assert(!acl_policy_plan(product, ACL_MALLOC_HUGE_ONLY, UINT64_MAX - 40, EXTRA, &plan));
    ck_assert(acl_policy_plan(product, ACL_MALLOC_HUGE1G_ONLY, UINT64_MAX - 40, EXTRA, &plan));
    product_free(product);
}
END_TEST

struct row {
    uint64_t policy;
    enum page_class small, large, fallback; /* the fallback of the large one */
    bool p2p;
};

static const struct row rows[] = {
    { 0, PAGE_NORMAL, PAGE_HUGE, PAGE_NORMAL, false },
    { 1, PAGE_HUGE, PAGE_HUGE, PAGE_HUGE, false },
    { 2, PAGE_NORMAL, PAGE_NORMAL, PAGE_NORMAL, false },
    { 3, PAGE_NORMAL, PAGE_HUGE, PAGE_NORMAL, true },
    { 4, PAGE_HUGE, PAGE_HUGE, PAGE_HUGE, true },
    { 5, PAGE_NORMAL, PAGE_NORMAL, PAGE_NORMAL, true },
    { 6, PAGE_GIANT, PAGE_GIANT, PAGE_GIANT, false },
    { 7, PAGE_GIANT, PAGE_GIANT, PAGE_GIANT, true },
    { 0x100, PAGE_NORMAL, PAGE_HUGE, PAGE_NORMAL, false },
    { 0x1000, PAGE_NORMAL, PAGE_HUGE, PAGE_NORMAL, false },
    { 0x100000, PAGE_NORMAL, PAGE_HUGE, PAGE_NORMAL, false },
    { 1 | 0x100, PAGE_HUGE, PAGE_HUGE, PAGE_HUGE, false },
    { 1 | 0x1000, PAGE_HUGE, PAGE_HUGE, PAGE_HUGE, false },
    { 2 | 0x100, PAGE_NORMAL, PAGE_NORMAL, PAGE_NORMAL, false },
    { 2 | 0x1000, PAGE_NORMAL, PAGE_NORMAL, PAGE_NORMAL, false },
};

START_TEST(a_policy_means_pages_and_a_fallback) {
    const struct row *at = &rows[_i];
    struct product *product = world_product();
    struct acl_plan small = plan_of(product, at->policy, LIMIT, 0);
    struct acl_plan large = plan_of(product, at->policy, LIMIT + 1, 0);
    ck_assert_int_eq(small.page, at->small);
    ck_assert_int_eq(large.page, at->large);
    ck_assert_int_eq(large.fallback, at->fallback);
    ck_assert_int_eq(small.p2p, at->p2p);
    ck_assert_int_eq(large.p2p, at->p2p);
    ck_assert(small.supported && large.supported);
    if (small.page == PAGE_NORMAL) {
        ck_assert_int_eq(small.fallback, PAGE_NORMAL);
    }
    product_free(product);
}
END_TEST

START_TEST(the_limit_meets_the_rounded_size) {
    struct product *product = world_product();
    ck_assert_int_eq(plan_of(product, 0, 1048544, EXTRA).page, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 0, 1048545, EXTRA).page, PAGE_HUGE);
    ck_assert_int_eq(plan_of(product, 0, 1048576, EXTRA).page, PAGE_HUGE);
    ck_assert_int_eq(plan_of(product, 0, 1048576, 0).page, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 3, 1048544, EXTRA).page, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 3, 1048545, EXTRA).page, PAGE_HUGE);
    product_free(product);
}
END_TEST

START_TEST(an_option_makes_it_meet_the_size_as_asked_for) {
    struct product *product = world_product();
    product->huge_first_raw = true;
    ck_assert_int_eq(plan_of(product, 0, 1048576, EXTRA).page, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 0, 1048577, EXTRA).page, PAGE_HUGE);
    product_free(product);
}
END_TEST

START_TEST(the_limit_is_the_product_s) {
    struct product *product = world_product();
    product->huge_first_limit = 4096;
    ck_assert_int_eq(plan_of(product, 0, 4096, 0).page, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 0, 4097, 0).page, PAGE_HUGE);
    product_free(product);
}
END_TEST

START_TEST(an_option_takes_the_limit_from_policy_3_only) {
    struct product *product = world_product();
    product->p2p_first_limited = false;
    ck_assert_int_eq(plan_of(product, 3, 1, EXTRA).page, PAGE_HUGE);
    ck_assert_int_eq(plan_of(product, 3, 1, EXTRA).fallback, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 0, 1, EXTRA).page, PAGE_NORMAL);
    product_free(product);
}
END_TEST

START_TEST(an_option_gives_normal_pages_for_policies_3_and_4) {
    struct product *product = world_product();
    product->p2p_plain_normal = true;
    for (uint64_t policy = 0; policy <= 7; policy++) {
        struct acl_plan plan = plan_of(product, policy, HUGE_SIZE, 0);
        bool normal = policy >= 2 && policy <= 5;
        ck_assert_int_eq(plan.page == PAGE_NORMAL, normal);
        ck_assert(!normal || plan.fallback == PAGE_NORMAL);
    }
    ck_assert(plan_of(product, 4, HUGE_SIZE, 0).p2p);
    product_free(product);
}
END_TEST

static const uint64_t unknown[] = {
    8,        9,         0xFF,       0xFFFF,     0x101000,          0x1100,
    0x1101,   3 | 0x100, 4 | 0x1000, 6 | 0x100,  1 | 0x100000,      0x200,
    0x100100, 8 | 0x100, UINT32_MAX, UINT64_MAX, UINT64_C(1) << 32, 1 | 0x200,
};

START_TEST(a_value_outside_the_enum_has_the_2_mib_rule_and_no_fallback) {
    struct product *product = world_product();
    struct acl_plan small = plan_of(product, unknown[_i], HUGE_SIZE - 1, EXTRA);
    struct acl_plan large = plan_of(product, unknown[_i], HUGE_SIZE, EXTRA);
    ck_assert_int_eq(small.page, PAGE_NORMAL);
    ck_assert_int_eq(small.fallback, PAGE_NORMAL);
    ck_assert_int_eq(large.page, PAGE_HUGE);
    ck_assert_int_eq(large.fallback, PAGE_HUGE);
    ck_assert(!small.p2p && !large.p2p && small.supported && large.supported);
    product_free(product);
}
END_TEST

START_TEST(an_option_makes_a_value_outside_the_enum_policy_0) {
    struct product *product = world_product();
    product->unknown_policy_first = true;
    ck_assert_int_eq(plan_of(product, unknown[_i], LIMIT, 0).page, PAGE_NORMAL);
    struct acl_plan large = plan_of(product, unknown[_i], LIMIT + 1, 0);
    ck_assert_int_eq(large.page, PAGE_HUGE);
    ck_assert_int_eq(large.fallback, PAGE_NORMAL);
    product_free(product);
}
END_TEST

START_TEST(later_editions_know_no_flags_beside_a_policy) {
    struct product *product = world_product();
    product->policy_or = false;
    ck_assert_int_eq(plan_of(product, 1 | 0x100, 32, 0).page, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 2 | 0x1000, HUGE_SIZE, 0).page, PAGE_HUGE);
    ck_assert_int_eq(plan_of(product, 0x100, LIMIT + 1, 0).fallback, PAGE_NORMAL);
    ck_assert_int_eq(plan_of(product, 0x1000, LIMIT + 1, 0).fallback, PAGE_NORMAL);
    product_free(product);
}
END_TEST

/* Which policies each option of a product closes, a bit each. */
START_TEST(a_product_may_lack_p2p_and_giant_pages) {
    for (uint32_t options = 0; options < 8; options++) {
        struct product *product = world_product();
        product->p2p_pages = (options & 1) != 0;
        product->giant_policy = (options & 2) != 0;
        product->giant_p2p_policy = (options & 4) != 0;
        for (uint64_t policy = 0; policy <= 7; policy++) {
            bool supported = policy <= 2 || (policy <= 5 && product->p2p_pages) ||
                             (policy == 6 && product->giant_policy) ||
                             (policy == 7 && product->giant_p2p_policy);
            ck_assert_int_eq(plan_of(product, policy, 1, EXTRA).supported, supported);
        }
        product_free(product);
    }
}
END_TEST

Suite *test_acl_policy(void);

Suite *test_acl_policy(void) {
    Suite *suite = suite_create("acl_policy");
    TCase *tests = tcase_create("acl_policy");
    tcase_add_loop_test(tests, sizes_are_rounded_to_32_and_a_giant_policy_adds_nothing, 0,
                        (int)COUNT(roundings));
    tcase_add_test(tests, an_extra_that_is_no_multiple_of_32_is_rounded_with_the_size);
    tcase_add_test(tests, rounding_past_the_largest_number_is_refused);
    tcase_add_test(tests, a_giant_policy_fits_where_the_extra_would_overflow);
    tcase_add_loop_test(tests, a_policy_means_pages_and_a_fallback, 0, (int)COUNT(rows));
    tcase_add_test(tests, the_limit_meets_the_rounded_size);
    tcase_add_test(tests, an_option_makes_it_meet_the_size_as_asked_for);
    tcase_add_test(tests, the_limit_is_the_product_s);
    tcase_add_test(tests, an_option_takes_the_limit_from_policy_3_only);
    tcase_add_test(tests, an_option_gives_normal_pages_for_policies_3_and_4);
    tcase_add_loop_test(tests, a_value_outside_the_enum_has_the_2_mib_rule_and_no_fallback, 0,
                        (int)COUNT(unknown));
    tcase_add_loop_test(tests, an_option_makes_a_value_outside_the_enum_policy_0, 0,
                        (int)COUNT(unknown));
    tcase_add_test(tests, later_editions_know_no_flags_beside_a_policy);
    tcase_add_test(tests, a_product_may_lack_p2p_and_giant_pages);
    suite_add_tcase(suite, tests);
    return suite;
}
