/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtReserveMemAddress and aclrtReleaseMemAddress (spec: VMM 4.4, 4.6; 12, rows 24 and 25). */
#include <check.h>

#include "tests/virtual_calls.h"

#define RESERVE "aclrtReserveMemAddress"
#define RELEASE "aclrtReleaseMemAddress"

static struct world world;

static void setup(void) {
    world_init(&world);
}

static void teardown(void) {
    virtual_fini(&world);
}

/* Reserves at an address. */
static int32_t expect(uint64_t address, uint64_t size) {
    return world_call(&world, 0, RESERVE, size, 0, address, 0);
}

START_TEST(ranges_lie_at_the_lowest_free_address_of_the_window) {
    ck_assert_uint_eq(virtual_reserve(&world, 0, 4 * MIB), 20 * TIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, 2 * MIB), 20 * TIB + 4 * MIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, 2 * MIB), 20 * TIB + 6 * MIB);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, 20 * TIB + 4 * MIB), ACL_SUCCESS);
    ck_assert_uint_eq(virtual_reserve(&world, 0, 4 * MIB), 20 * TIB + 8 * MIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, 2 * MIB), 20 * TIB + 4 * MIB);
}
END_TEST

START_TEST(processes_have_addresses_of_their_own) {
    ck_assert_uint_eq(virtual_reserve(&world, 0, 2 * MIB), 20 * TIB);
    ck_assert_uint_eq(virtual_reserve(&world, 1, 2 * MIB), 20 * TIB);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, 20 * TIB), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 1, RELEASE, 20 * TIB), ACL_SUCCESS);
}
END_TEST

START_TEST(a_size_takes_whole_pages_of_2_mib) {
    static const uint64_t sizes[] = { 1, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 5 * MIB };
    static const uint64_t taken[] = { 2 * MIB, 2 * MIB, 2 * MIB, 4 * MIB, 6 * MIB };
    uint64_t at = 20 * TIB;
    for (int place = 0; place < 5; place++) {
        ck_assert_uint_eq(virtual_reserve(&world, 0, sizes[place]), at);
        at += taken[place];
    }
}
END_TEST

START_TEST(ranges_from_1_gib_on_start_at_a_multiple_of_it) {
    ck_assert_uint_eq(virtual_reserve(&world, 0, 2 * MIB), 20 * TIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, GIB - 2 * MIB), 20 * TIB + 2 * MIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, 2 * MIB), 20 * TIB + GIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, GIB), 20 * TIB + 2 * GIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, GIB + 2 * MIB), 20 * TIB + 3 * GIB);
    ck_assert_uint_eq(virtual_reserve(&world, 0, GIB), 20 * TIB + 5 * GIB);
}
END_TEST

START_TEST(a_full_window_spills_into_the_second_one_until_that_is_full) {
    for (uint64_t count = 0; count < 32; count++) {
        ck_assert_uint_eq(virtual_reserve(&world, 0, 128 * GIB), 20 * TIB + count * 128 * GIB);
    }
    for (uint64_t count = 0; count < 32; count++) {
        ck_assert_uint_eq(virtual_reserve(&world, 0, 128 * GIB), 16 * TIB + count * 128 * GIB);
    }
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * MIB),
                     ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
    world.product->addresses_full_code = ACL_ERROR_RT_MEMORY_ALLOCATION;
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * MIB), ACL_ERROR_RT_MEMORY_ALLOCATION);
}
END_TEST

START_TEST(one_range_has_a_largest_size_where_the_product_says_so) {
    virtual_reserve(&world, 0, 128 * GIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 128 * GIB + 1),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, UINT64_MAX), ACL_ERROR_RT_PARAM_INVALID);
    world.product->reserve_max = 0;
    virtual_reserve(&world, 0, 3 * TIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, UINT64_MAX),
                     ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, (uint64_t)1 << 63),
                     ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
}
END_TEST

START_TEST(a_window_of_another_product_is_used_alone) {
    world.product->reserve_from = 16 * TIB;
    world.product->reserve_to = 16 * TIB + 6 * MIB;
    world.product->spill_from = 0;
    world.product->spill_to = 0;
    ck_assert_uint_eq(virtual_reserve(&world, 0, 4 * MIB), 16 * TIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 4 * MIB),
                     ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * MIB, 0, 20 * TIB),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
END_TEST

START_TEST(what_the_acl_layer_checks_is_100000_whatever_else_is_wrong) {
    static const uint64_t no_size[16] = { 0, 1, 1, 0 }, flags[16] = { MIB, 1, 1, 2 };
    static const uint64_t no_output[16] = { MIB, 1, 1, 0 };
    ck_assert_int_eq(virtual_refusal_values(&world, 0, RESERVE, no_size, 0),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, RESERVE, flags, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, RESERVE, no_output, 1),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&world, 0, RELEASE, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(world_call(&world, 0, RESERVE, MIB, 0, 0, 1), ACL_SUCCESS);
}
END_TEST

START_TEST(alignment_comes_before_the_expected_address) {
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, MIB, 2 * MIB, 5),
                     ACL_ERROR_RT_PARAM_INVALID);
    world.product->expect_pointer = false;
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, MIB, 2 * MIB, 5),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 129 * GIB, 0, 5),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, MIB, 0, 5),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    virtual_reserve(&world, 0, MIB);
}
END_TEST

START_TEST(an_expected_address_is_aligned_by_the_size) {
    static const struct {
        uint64_t size;
        uint64_t unit;
    } rules[] = {
        { 1, 2 * MIB },           { 2 * MIB, 2 * MIB },   { 2 * MIB + 1, 4 * MIB },
        { 5 * MIB, 8 * MIB },     { 8 * MIB, 8 * MIB },   { 256 * MIB + 2 * MIB, 512 * MIB },
        { 512 * MIB, 512 * MIB }, { 512 * MIB + 1, GIB }, { 3 * GIB, GIB },
    };
    uint64_t at = 16 * TIB;
    for (size_t place = 0; place < sizeof rules / sizeof *rules; place++, at += 8 * GIB) {
        ck_assert_int_eq(
            virtual_refusal(&world, 0, RESERVE, rules[place].size, 0, at + rules[place].unit / 2),
            ACL_ERROR_RT_PARAM_INVALID);
        ck_assert_int_eq(expect(at + rules[place].unit, rules[place].size), ACL_SUCCESS);
        ck_assert_uint_eq(world.result.out[0], at + rules[place].unit);
    }
}
END_TEST

START_TEST(an_expected_address_lies_in_the_window_of_8_tib) {
    static const uint64_t outside[] = { 2 * MIB, 16 * TIB - 2 * MIB, 24 * TIB, 40 * TIB,
                                        UINT64_MAX - 2 * MIB + 1 };
    for (int place = 0; place < 5; place++) {
        ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * MIB, 0, outside[place]),
                         ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * GIB, 0, 24 * TIB - GIB),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(expect(16 * TIB, 2 * MIB), ACL_SUCCESS);
    ck_assert_int_eq(expect(24 * TIB - GIB, GIB), ACL_SUCCESS);
    ck_assert_int_eq(expect(20 * TIB - GIB, 2 * GIB), ACL_SUCCESS);
}
END_TEST

START_TEST(an_expected_address_must_be_free) {
    ck_assert_int_eq(expect(18 * TIB, 8 * MIB), ACL_SUCCESS);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * MIB, 0, 18 * TIB + 6 * MIB),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 16 * MIB, 0, 18 * TIB),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    world.product->expect_taken_code = ACL_ERROR_RT_PARAM_INVALID;
    ck_assert_int_eq(virtual_refusal(&world, 0, RESERVE, 2 * MIB, 0, 18 * TIB),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(expect(18 * TIB + 8 * MIB, 2 * MIB), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, 18 * TIB), ACL_SUCCESS);
    ck_assert_int_eq(expect(18 * TIB + 2 * MIB, 2 * MIB), ACL_SUCCESS);
}
END_TEST

START_TEST(release_wants_the_start_of_a_range) {
    uint64_t address = virtual_reserve(&world, 0, 4 * MIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, RELEASE, address + 2 * MIB),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RELEASE, address + 4 * MIB),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 1, RELEASE, address), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RELEASE, 1), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, address), ACL_SUCCESS);
    ck_assert_int_eq(virtual_refusal(&world, 0, RELEASE, address), ACL_ERROR_RT_PARAM_INVALID);
}
END_TEST

START_TEST(a_range_that_holds_a_mapping_is_not_released) {
    uint64_t address = virtual_mapped(&world, 0, 2 * MIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, RELEASE, address), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(world_call(&world, 0, "aclrtUnmapMem", address), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, address), ACL_SUCCESS);
}
END_TEST

START_TEST(nothing_is_reserved_before_a_device_is_set) {
    struct world other;
    world_prepare(&other);
    other.process[0].device = SITE_NO_DEVICE;
    world_start(&other);
    ck_assert_int_eq(virtual_refusal(&other, 0, RESERVE, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&other, 0, RESERVE, MIB, 1), ACL_ERROR_RT_INVALID_HANDLE);
    ck_assert_int_eq(virtual_refusal(&other, 0, RELEASE, 20 * TIB), ACL_ERROR_RT_INVALID_HANDLE);
    virtual_fini(&other);
}
END_TEST

START_TEST(both_calls_cost_the_same_for_any_size) {
    uint64_t address = virtual_reserve(&world, 0, 100 * GIB);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_RESERVE].base_ns);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, address), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_RELEASE_ADDRESS].base_ns);
}
END_TEST

Suite *test_acl_reserve(void);
Suite *test_acl_reserve(void) {
    Suite *suite = suite_create("acl_reserve");
    TCase *reserve = tcase_create("reserve");
    tcase_add_checked_fixture(reserve, setup, teardown);
    tcase_add_test(reserve, ranges_lie_at_the_lowest_free_address_of_the_window);
    tcase_add_test(reserve, processes_have_addresses_of_their_own);
    tcase_add_test(reserve, a_size_takes_whole_pages_of_2_mib);
    tcase_add_test(reserve, ranges_from_1_gib_on_start_at_a_multiple_of_it);
    tcase_add_test(reserve, a_full_window_spills_into_the_second_one_until_that_is_full);
    tcase_add_test(reserve, one_range_has_a_largest_size_where_the_product_says_so);
    tcase_add_test(reserve, a_window_of_another_product_is_used_alone);
    tcase_add_test(reserve, what_the_acl_layer_checks_is_100000_whatever_else_is_wrong);
    suite_add_tcase(suite, reserve);

    TCase *expected = tcase_create("expected address");
    tcase_add_checked_fixture(expected, setup, teardown);
    tcase_add_test(expected, alignment_comes_before_the_expected_address);
    tcase_add_test(expected, an_expected_address_is_aligned_by_the_size);
    tcase_add_test(expected, an_expected_address_lies_in_the_window_of_8_tib);
    tcase_add_test(expected, an_expected_address_must_be_free);
    suite_add_tcase(suite, expected);

    TCase *release = tcase_create("release");
    tcase_add_checked_fixture(release, setup, teardown);
    tcase_add_test(release, release_wants_the_start_of_a_range);
    tcase_add_test(release, a_range_that_holds_a_mapping_is_not_released);
    tcase_add_test(release, both_calls_cost_the_same_for_any_size);
    suite_add_tcase(suite, release);

    TCase *worlds = tcase_create("other worlds");
    tcase_add_test(worlds, nothing_is_reserved_before_a_device_is_set);
    suite_add_tcase(suite, worlds);
    return suite;
}
