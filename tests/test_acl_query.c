/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "acl/acl_error.h"
#include "tests/world.h"

enum { A, B, ATTRIBUTES = 18 };
enum {
    DDR,
    HBM,
    HBM_HUGE = 4,
    HBM_NORMAL,
    HBM_HUGE1G = 10,
    NORMAL = 12,
    HUGE_PAGES,
    HUGE1G,
};

struct answer {
    uint64_t free, total;
};

static struct answer ask(struct world *world, uint64_t attribute) {
    ck_assert_int_eq(world_call(world, A, "aclrtGetMemInfo", attribute), ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 2);
    return (struct answer){ world->result.out[0], world->result.out[1] };
}

/* Which attributes answer with something, a bit each. */
static uint32_t present(struct world *world) {
    uint32_t bits = 0;
    for (uint32_t attribute = 0; attribute < ATTRIBUTES; attribute++) {
        struct answer answer = ask(world, attribute);
        ck_assert_int_eq(answer.free == 0, answer.total == 0);
        bits |= (uint32_t)(answer.total != 0) << attribute;
    }
    return bits;
}

START_TEST(null_outputs_are_refused) {
    const uint64_t value[16] = { 18 };
    struct world world;
    world_init(&world);
    for (uint32_t parameter = 1; parameter <= 2; parameter++) {
        ck_assert_int_eq(
            world_call_values(&world, A, "aclrtGetMemInfo", value, NULL, 0, 1U << parameter),
            100000);
    }
    world_fini(&world);
}
END_TEST

START_TEST(an_attribute_outside_the_enum_is_refused_once_a_device_is_set) {
    static const uint64_t bad[] = { 18, 100, UINT32_MAX, UINT64_MAX };
    struct world world;
    world_init(&world);
    for (size_t place = 0; place < sizeof bad / sizeof *bad; place++) {
        ck_assert_int_eq(world_call(&world, A, "aclrtGetMemInfo", bad[place]), 107016);
        ck_assert_uint_eq(world.result.out_count, 0);
    }
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetMemInfo", 18), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetMemInfo", HBM), 107002);
    world_fini(&world);
}
END_TEST

START_TEST(the_total_is_the_same_for_every_class_but_whole_giant_pages) {
    struct world world;
    world_init(&world);
    for (uint64_t attribute = 0; attribute < ATTRIBUTES; attribute++) {
        uint64_t total = ask(&world, attribute).total;
        bool giant = attribute == 10 || attribute == 11 || attribute == 14 || attribute == 17;
        bool ddr =
            attribute == 0 || attribute == 2 || attribute == 3 || attribute == 6 || attribute == 7;
        ck_assert_uint_eq(total, ddr ? 0 : giant ? 60 * GIB : 62432 * MIB);
    }
    world_fini(&world);
}
END_TEST

START_TEST(totals_are_rounded_down_to_2_mib) {
    struct world world;
    world_prepare(&world);
    world.product->usable = 3 * GIB - 4096;
    world_start(&world);
    ck_assert_uint_eq(ask(&world, HBM).total, 3 * GIB - 2 * MIB);
    ck_assert_uint_eq(ask(&world, HBM).free, 3 * GIB - 2 * MIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).total, 2 * GIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).free, 2 * GIB);
    world_fini(&world);
}
END_TEST

START_TEST(what_is_free_depends_on_the_page_class) {
    struct world world;
    world_prepare(&world);
    world.product->usable = 4 * GIB;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocAlign32", 4096, 2), 0);
    ck_assert_uint_eq(ask(&world, NORMAL).free, 4 * GIB - 4096);
    ck_assert_uint_eq(ask(&world, HBM_NORMAL).free, 4 * GIB - 4096);
    ck_assert_uint_eq(ask(&world, HBM).free, 4 * GIB - 4096);
    ck_assert_uint_eq(ask(&world, HUGE_PAGES).free, 4 * GIB - 2 * MIB);
    ck_assert_uint_eq(ask(&world, HBM_HUGE).free, 4 * GIB - 2 * MIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).free, 3 * GIB);
    ck_assert_uint_eq(ask(&world, HBM_HUGE1G).free, 3 * GIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).total, 4 * GIB);
    world_fini(&world);
}
END_TEST

START_TEST(a_giant_page_is_free_only_when_it_is_whole) {
    struct world world;
    world_prepare(&world);
    world.product->usable = 2 * GIB;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocAlign32", 2 * MIB, 1), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocAlign32", GIB - 2 * MIB, 1), 0);
    uint64_t between = world.result.out[0];
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocAlign32", 2 * MIB, 1), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", between), 0);
    ck_assert_uint_eq(ask(&world, HUGE_PAGES).free, 2 * GIB - 4 * MIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).free, 0);
    world_fini(&world);
}
END_TEST

START_TEST(p2p_classes_have_the_same_pool) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", MIB, 4), 0);
    ck_assert_uint_eq(ask(&world, 16).free, ask(&world, HUGE_PAGES).free);
    ck_assert_uint_eq(ask(&world, 15).free, ask(&world, NORMAL).free);
    ck_assert_uint_eq(ask(&world, 8).free, ask(&world, HBM_HUGE).free);
    ck_assert_uint_eq(ask(&world, 9).free, ask(&world, HBM_NORMAL).free);
    ck_assert_uint_eq(ask(&world, HUGE_PAGES).free, 62430 * MIB);
    world_fini(&world);
}
END_TEST

START_TEST(the_share_of_a_class_limits_what_is_free_not_the_total) {
    struct world world;
    world_prepare(&world);
    world.product->usable = 4 * GIB;
    world.product->limit_normal = 64 * MIB;
    world.product->limit_huge = 128 * MIB;
    world.product->limit_giant = GIB;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocAlign32", 4096, 2), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocAlign32", 4096, 1), 0);
    ck_assert_uint_eq(ask(&world, NORMAL).free, 64 * MIB - 4096);
    ck_assert_uint_eq(ask(&world, HUGE_PAGES).free, 126 * MIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).free, GIB);
    ck_assert_uint_eq(ask(&world, HBM).free, 4 * GIB - 2 * MIB - 4096);
    ck_assert_uint_eq(ask(&world, NORMAL).total, 4 * GIB);
    ck_assert_uint_eq(ask(&world, HUGE_PAGES).total, 4 * GIB);
    world_fini(&world);
}
END_TEST

START_TEST(other_processes_take_from_the_same_free_memory) {
    struct world world;
    world_init(&world);
    uint64_t before = ask(&world, HBM).free;
    ck_assert_int_eq(world_call(&world, B, "aclrtMalloc", 10 * MIB, 1), 0);
    ck_assert_uint_eq(ask(&world, HBM).free, before - 12 * MIB);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    ck_assert_uint_eq(ask(&world, HBM).free, before);
    world_fini(&world);
}
END_TEST

START_TEST(what_the_system_holds_counts_as_used) {
    struct world world;
    world_prepare(&world);
    world.product->usable = 8 * GIB;
    world.product->held = GIB;
    world_start(&world);
    ck_assert_uint_eq(ask(&world, HBM).total, 8 * GIB);
    ck_assert_uint_eq(ask(&world, HBM).free, 7 * GIB);
    world_fini(&world);
}
END_TEST

START_TEST(a_virtual_device_has_its_quota) {
    struct world world;
    world_prepare(&world);
    world.server[0].quota_bytes = 16 * GIB;
    world_start(&world);
    ck_assert_uint_eq(ask(&world, HBM).total, 16 * GIB);
    ck_assert_uint_eq(ask(&world, HBM).free, 16 * GIB);
    ck_assert_uint_eq(ask(&world, HUGE1G).total, 16 * GIB);
    world_fini(&world);
}
END_TEST

START_TEST(a_product_without_hbm_answers_for_ddr_under_every_name) {
    struct world world;
    world_prepare(&world);
    world.product->hbm = false;
    world.product->giant_hbm_attribute = false;
    world.product->giant_attribute = false;
    world_start(&world);
    ck_assert_uint_eq(present(&world), 0x3FFFF & ~(1U << 10 | 1U << 11 | 1U << 14 | 1U << 17));
    ck_assert_uint_eq(ask(&world, DDR).total, 62432 * MIB);
    ck_assert_uint_eq(ask(&world, HBM).total, 62432 * MIB);
    world_fini(&world);
}
END_TEST

START_TEST(a_product_with_both_has_two_sorts_of_memory) {
    struct world world;
    world_prepare(&world);
    world.product->ddr_usable = 15665 * MIB;
    world_start(&world);
    ck_assert_uint_eq(present(&world), 0x3FFFF);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", MIB, 1), 0);
    ck_assert_uint_eq(ask(&world, DDR).total, 15664 * MIB);
    ck_assert_uint_eq(ask(&world, DDR).free, 15664 * MIB);
    ck_assert_uint_eq(ask(&world, HBM).free, 62430 * MIB);
    ck_assert_uint_eq(ask(&world, HUGE_PAGES).free, 62430 * MIB);
    world_fini(&world);
}
END_TEST

START_TEST(classes_that_a_product_lacks_are_0_of_0) {
    struct world world;
    world_prepare(&world);
    world.product->p2p_pages = false;
    world.product->giant_attribute = false;
    world_start(&world);
    uint32_t expected = 1U << 1 | 1U << 4 | 1U << 5 | 1U << 10 | 1U << 12 | 1U << 13;
    ck_assert_uint_eq(present(&world), expected);
    world_fini(&world);
}
END_TEST

START_TEST(one_giant_class_may_be_there_alone) {
    struct world world;
    world_prepare(&world);
    world.product->giant_attribute = false;
    world_start(&world);
    uint32_t others = 1U << 1 | 1U << 4 | 1U << 5 | 3U << 8 | 3U << 12 | 3U << 15;
    ck_assert_uint_eq(present(&world), others | 1U << 10);
    world_fini(&world);
}
END_TEST

Suite *test_acl_query(void);

Suite *test_acl_query(void) {
    Suite *suite = suite_create("acl_query");
    TCase *tests = tcase_create("acl_query");
    tcase_add_test(tests, null_outputs_are_refused);
    tcase_add_test(tests, an_attribute_outside_the_enum_is_refused_once_a_device_is_set);
    tcase_add_test(tests, the_total_is_the_same_for_every_class_but_whole_giant_pages);
    tcase_add_test(tests, totals_are_rounded_down_to_2_mib);
    tcase_add_test(tests, what_is_free_depends_on_the_page_class);
    tcase_add_test(tests, a_giant_page_is_free_only_when_it_is_whole);
    tcase_add_test(tests, p2p_classes_have_the_same_pool);
    tcase_add_test(tests, the_share_of_a_class_limits_what_is_free_not_the_total);
    tcase_add_test(tests, other_processes_take_from_the_same_free_memory);
    tcase_add_test(tests, what_the_system_holds_counts_as_used);
    tcase_add_test(tests, a_virtual_device_has_its_quota);
    tcase_add_test(tests, a_product_without_hbm_answers_for_ddr_under_every_name);
    tcase_add_test(tests, a_product_with_both_has_two_sorts_of_memory);
    tcase_add_test(tests, classes_that_a_product_lacks_are_0_of_0);
    tcase_add_test(tests, one_giant_class_may_be_there_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
