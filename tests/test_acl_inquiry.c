/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver knows of memory behind a handle or an address. */
#include <check.h>

#include "machine/handle.h"
#include "tests/streaming.h"

enum { A, B };

/* An aclrtPhysicalMemProp after its size: handle type, allocation type, attribute, device,
 * location. */
static uint64_t make(struct world *world, uint64_t attribute, uint64_t location) {
    ck_assert_int_eq(
        world_call(world, A, "aclrtMallocPhysical", 2 * MIB, 0, 0, attribute, 0, location, 0, 0),
        0);
    return world->result.out[0];
}

static int32_t ask(struct world *world, const char *call, uint64_t value) {
    return world_call(world, A, call, value);
}

/* vmm-and-sharing 4.13: what is stored is told, which is not always what was asked for. */
static const struct {
    uint64_t attribute;
    uint64_t location;
    uint64_t told;
} attributes[] = {
    { 4, 1, 4 },  { 5, 1, 5 },   { 12, 1, 5 }, { 13, 1, 4 }, { 15, 1, 15 }, { 16, 1, 16 },
    { 4, 0, 4 },  { 5, 0, 5 },   { 2, 0, 13 }, { 3, 0, 12 }, { 12, 0, 12 }, { 13, 0, 13 },
    { 15, 0, 7 }, { 16, 0, 16 }, { 6, 0, 16 }, { 7, 0, 7 },
};

START_TEST(the_attribute_of_a_handle_is_that_of_its_pages) {
    struct world world;
    world_init(&world);
    uint64_t handle = make(&world, attributes[_i].attribute, attributes[_i].location);
    ck_assert_int_eq(ask(&world, "aclrtMemGetAllocationPropertiesFromHandle", handle), 0);
    ck_assert_uint_eq(world.result.out_count, 6);
    ck_assert_uint_eq(world.result.out[0], 0);
    ck_assert_uint_eq(world.result.out[1], 0);
    ck_assert_uint_eq(world.result.out[2], attributes[_i].told);
    ck_assert_uint_eq(world.result.out[3], 0);
    ck_assert_uint_eq(world.result.out[4], attributes[_i].location);
    ck_assert_uint_eq(world.result.out[5], 0);
    world_fini(&world);
}
END_TEST

START_TEST(where_there_is_no_hbm_ddr_is_told) {
    struct world world;
    world_prepare(&world);
    world.product->hbm = false;
    world_start(&world);
    uint64_t handle = make(&world, 4, 1);
    ck_assert_int_eq(ask(&world, "aclrtMemGetAllocationPropertiesFromHandle", handle), 0);
    ck_assert_uint_eq(world.result.out[2], 13);
    handle = make(&world, 16, 1);
    ck_assert_int_eq(ask(&world, "aclrtMemGetAllocationPropertiesFromHandle", handle), 100000);
    ck_assert_uint_eq(world.result.out_count, 0);
    world_fini(&world);
}
END_TEST

START_TEST(only_live_handles_have_properties) {
    struct world world;
    world_init(&world);
    uint64_t handle = make(&world, 4, 1);
    const uint64_t value[16] = { handle };
    ck_assert_int_eq(ask(&world, "aclrtMemGetAllocationPropertiesFromHandle", 0), 100000);
    ck_assert_int_eq(world_call_values(&world, A, "aclrtMemGetAllocationPropertiesFromHandle",
                                       value, NULL, 0, 2),
                     100000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreePhysical", handle), 0);
    ck_assert_int_eq(ask(&world, "aclrtMemGetAllocationPropertiesFromHandle", handle), 107000);
    world_fini(&world);
}
END_TEST

static void check_range(struct world *world, uint64_t address, uint64_t base, uint64_t size) {
    ck_assert_int_eq(ask(world, "aclrtMemGetAddressRange", address), 0);
    ck_assert_uint_eq(world->result.out[0], base);
    ck_assert_uint_eq(world->result.out[1], size);
}

START_TEST(an_address_has_the_range_of_its_block_or_mapping) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 1000);
    uint64_t host = streaming_host_block(&world, A, 5000);
    check_range(&world, block, block, 4096);
    check_range(&world, block + 4095, block, 4096);
    check_range(&world, host + 8191, host, 8192);
    uint64_t handle = make(&world, 4, 1);
    ck_assert_int_eq(world_call(&world, A, "aclrtReserveMemAddress", 8 * MIB, 0, 0, 0), 0);
    uint64_t range = world.result.out[0];
    ck_assert_int_eq(ask(&world, "aclrtMemGetAddressRange", range), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtMapMem", range, 2 * MIB, 0, handle, 0), 0);
    check_range(&world, range + 1, range, 2 * MIB);
    ck_assert_int_eq(ask(&world, "aclrtMemGetAddressRange", range + 2 * MIB), 107000);
    world_fini(&world);
}
END_TEST

START_TEST(one_output_of_a_range_may_be_null) {
    struct world world;
    world_init(&world);
    const uint64_t value[16] = { streaming_block(&world, A, 1000) };
    const char call[] = "aclrtMemGetAddressRange";
    ck_assert_int_eq(world_call_values(&world, A, call, value, NULL, 0, 2), 0);
    ck_assert_int_eq(world_call_values(&world, A, call, value, NULL, 0, 4), 0);
    ck_assert_int_eq(world_call_values(&world, A, call, value, NULL, 0, 6), 107000);
    ck_assert_int_eq(ask(&world, call, 0), 100000);
    ck_assert_int_eq(ask(&world, call, 12345), 107000);
    world_fini(&world);
}
END_TEST

static void check_pointer(struct world *world, uint64_t address, uint64_t location, uint64_t page) {
    ck_assert_int_eq(ask(world, "aclrtPointerGetAttributes", address), 0);
    ck_assert_uint_eq(world->result.out_count, 3);
    ck_assert_uint_eq(world->result.out[0], 0);
    ck_assert_uint_eq(world->result.out[1], location);
    ck_assert_uint_eq(world->result.out[2], page);
}

/* malloc-and-friends 7.4 */
START_TEST(a_pointer_has_a_place_and_pages) {
    struct world world;
    world_init(&world);
    check_pointer(&world, streaming_block(&world, A, 1000), 1, 4096);
    check_pointer(&world, streaming_block(&world, A, 4 * MIB), 1, 2 * MIB);
    check_pointer(&world, streaming_host_block(&world, A, 1000), 0, 4096);
    check_pointer(&world, 12345, 2, 0);
    uint64_t handle = make(&world, 4, 1);
    ck_assert_int_eq(world_call(&world, A, "aclrtReserveMemAddress", 4 * MIB, 0, 0, 0), 0);
    uint64_t range = world.result.out[0];
    ck_assert_int_eq(world_call(&world, A, "aclrtMapMem", range, 2 * MIB, 0, handle, 0), 0);
    check_pointer(&world, range, 1, 2 * MIB);
    check_pointer(&world, range + 2 * MIB, 2, 0);
    ck_assert_int_eq(ask(&world, "aclrtPointerGetAttributes", 0), 100000);
    const uint64_t value[16] = { range };
    ck_assert_int_eq(world_call_values(&world, A, "aclrtPointerGetAttributes", value, NULL, 0, 2),
                     100000);
    world_fini(&world);
}
END_TEST

START_TEST(memory_of_another_device_is_told_by_its_number) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    uint64_t block = streaming_block(&world, A, 1000);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(ask(&world, "aclrtPointerGetAttributes", block), 0);
    ck_assert_uint_eq(world.result.out[0], 1);
    world_fini(&world);
}
END_TEST

Suite *test_acl_inquiry(void);

Suite *test_acl_inquiry(void) {
    Suite *suite = suite_create("acl_inquiry");
    TCase *tests = tcase_create("acl_inquiry");
    tcase_add_loop_test(tests, the_attribute_of_a_handle_is_that_of_its_pages, 0,
                        (int)(sizeof attributes / sizeof *attributes));
    tcase_add_test(tests, where_there_is_no_hbm_ddr_is_told);
    tcase_add_test(tests, only_live_handles_have_properties);
    tcase_add_test(tests, an_address_has_the_range_of_its_block_or_mapping);
    tcase_add_test(tests, one_output_of_a_range_may_be_null);
    tcase_add_test(tests, a_pointer_has_a_place_and_pages);
    tcase_add_test(tests, memory_of_another_device_is_told_by_its_number);
    suite_add_tcase(suite, tests);
    return suite;
}
