/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "acl/acl_error.h"
#include "machine/block.h"
#include "tests/world.h"

enum { A, B };

static uint64_t take(struct world *world, uint64_t size) {
    ck_assert_int_eq(world_call(world, A, "aclrtMallocHost", size), ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

static int32_t give(struct world *world, uint64_t address) {
    return world_call(world, A, "aclrtFreeHost", address);
}

static void start_rc_form(struct world *world) {
    world_prepare(world);
    world->server[0].rc_form = true;
    world->product->usable = 64 * MIB;
    world_start(world);
}

START_TEST(null_and_sizes_that_cannot_be_are_refused) {
    const uint64_t value[16] = { 4096 };
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call_values(&world, A, "aclrtMallocHost", value, NULL, 0, 1), 100000);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 0), 100000);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", UINT64_MAX), 100000);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", UINT64_MAX - 40), 207001);
    ck_assert_int_eq(give(&world, 0), 100000);
    world_fini(&world);
}
END_TEST

START_TEST(allocation_needs_a_current_device_and_free_does_not) {
    struct world world;
    world_init(&world);
    uint64_t block = take(&world, 4096);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 4096), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 0), 100000);
    ck_assert_int_eq(give(&world, block), 0);
    ck_assert_int_eq(give(&world, block), 107000);
    world_fini(&world);
}
END_TEST

START_TEST(host_memory_is_whole_pages_of_4_kib_that_no_device_gives) {
    struct world world;
    struct process_id process = { A };
    uint32_t slot = 0;
    world_init(&world);
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t block = take(&world, 4097);
    const struct cost *cost = &world.product->cost[COST_MALLOC];
    ck_assert_uint_eq(world.result.cost_ns, cost->base_ns + 2 * cost->page_ns[PAGE_NORMAL]);
    ck_assert(block_find_host(&world.machine, process, block + 8191, &slot));
    ck_assert_uint_eq(block_get_host(&world.machine, process, slot)->requested, 4097);
    ck_assert_uint_eq(block_get_host(&world.machine, process, slot)->size, 8192);
    ck_assert_uint_eq(block % 4096, 0);
    ck_assert_uint_ge(block, world.product->host_from);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    take(&world, TIB / 2);
    ck_assert_int_eq(give(&world, block), 0);
    cost = &world.product->cost[COST_FREE];
    ck_assert_uint_eq(world.result.cost_ns, cost->base_ns + 2 * cost->page_ns[PAGE_NORMAL]);
    world_fini(&world);
}
END_TEST

START_TEST(only_its_addresses_limit_host_memory) {
    struct world world;
    world_prepare(&world);
    world.product->host_to = world.product->host_from + 8 * MIB;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 8 * MIB + 1), 207001);
    uint64_t block = take(&world, 8 * MIB);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 1), 207001);
    ck_assert_int_eq(give(&world, block), 0);
    take(&world, 1);
    world_fini(&world);
}
END_TEST

START_TEST(free_of_what_is_no_host_block_is_refused) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", 4096, 1), 0);
    uint64_t device = world.result.out[0];
    ck_assert_int_eq(world_call(&world, B, "aclrtMallocHost", 4096), 0);
    uint64_t foreign = world.result.out[0];
    ck_assert_int_eq(give(&world, foreign), 107000);
    uint64_t block = take(&world, 8192);
    const uint64_t wrong[] = { device, block + 1, block + 4096, block + 8192, UINT64_MAX };
    struct hash128 before = store_hash_afresh(world.store);
    for (size_t place = 0; place < sizeof wrong / sizeof *wrong; place++) {
        ck_assert_int_eq(give(&world, wrong[place]), 107000);
    }
    ck_assert_uint_eq(store_hash_afresh(world.store).low, before.low);
    ck_assert_int_eq(give(&world, block), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", device), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_host_block_remembers_its_maker) {
    struct world world;
    struct process_id process = { A };
    uint32_t row = 0;
    uint32_t slot = 0;
    world_init(&world);
    ck_assert(acl_row_find("acl.rt.malloc_host", &row));
    struct acl_record record = { .row = (uint16_t)row, .step = 7, .tag = 9, .arg = { 100 } };
    acl_call(world.acl, &record, &world.result);
    ck_assert(block_find_host(&world.machine, process, world.result.out[0], &slot));
    ck_assert_uint_eq(block_get_host(&world.machine, process, slot)->tag, 9);
    ck_assert_uint_eq(block_get_host(&world.machine, process, slot)->made.step, 7);
    world_fini(&world);
}
END_TEST

START_TEST(a_reset_of_the_device_leaves_host_memory_and_the_end_does_not) {
    struct world world;
    struct process_id process = { A };
    world_init(&world);
    take(&world, 4096);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_uint_eq(table_count(world.machine.host, A), 1);
    process_end(&world.machine, process, PROCESS_EXITED);
    ck_assert_uint_eq(table_count(world.machine.host, A), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_chip_that_is_its_own_host_takes_host_memory_from_the_device) {
    struct world world;
    start_rc_form(&world);
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t block = take(&world, 5000);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 8192);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 64 * MIB), 207001);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", block), 107000);
    ck_assert_int_eq(world_call(&world, A, "acldvppFree", block), 107000);
    ck_assert_int_eq(give(&world, block + 4096), 107000);
    ck_assert_int_eq(give(&world, block), 0);
    ck_assert_int_eq(give(&world, block), 107000);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    world_fini(&world);
}
END_TEST

START_TEST(device_memory_is_no_host_memory_even_there) {
    struct world world;
    start_rc_form(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", 4096, 2), 0);
    uint64_t device = world.result.out[0];
    ck_assert_int_eq(give(&world, device), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", device), 0);
    world_fini(&world);
}
END_TEST

Suite *test_acl_host(void);

Suite *test_acl_host(void) {
    Suite *suite = suite_create("acl_host");
    TCase *tests = tcase_create("acl_host");
    tcase_add_test(tests, null_and_sizes_that_cannot_be_are_refused);
    tcase_add_test(tests, allocation_needs_a_current_device_and_free_does_not);
    tcase_add_test(tests, host_memory_is_whole_pages_of_4_kib_that_no_device_gives);
    tcase_add_test(tests, only_its_addresses_limit_host_memory);
    tcase_add_test(tests, free_of_what_is_no_host_block_is_refused);
    tcase_add_test(tests, a_host_block_remembers_its_maker);
    tcase_add_test(tests, a_reset_of_the_device_leaves_host_memory_and_the_end_does_not);
    tcase_add_test(tests, a_chip_that_is_its_own_host_takes_host_memory_from_the_device);
    tcase_add_test(tests, device_memory_is_no_host_memory_even_there);
    suite_add_tcase(suite, tests);
    return suite;
}
