/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMapMem and aclrtUnmapMem (spec: VMM 4.7, 4.9, 8.2, 8.4). */
#include <check.h>

#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/stream.h"
#include "tests/virtual_calls.h"

#define MAP "aclrtMapMem"
#define UNMAP "aclrtUnmapMem"
#define FREE "aclrtFreePhysical"
#define RELEASE "aclrtReleaseMemAddress"

static struct world world;

static void setup(void) {
    world_init(&world);
}

static void teardown(void) {
    virtual_fini(&world);
}

static int32_t map(uint64_t address, uint64_t size, uint64_t handle) {
    return world_call(&world, 0, MAP, address, size, 0, handle, 0);
}

/* A map that must fail and change nothing. */
static int32_t map_refusal(uint64_t address, uint64_t size, uint64_t handle) {
    return virtual_refusal(&world, 0, MAP, address, size, 0, handle, 0);
}

static uint32_t access_of(uint32_t thread, uint64_t address, uint32_t device) {
    struct process_id process = { thread };
    uint32_t slot = 0;
    ck_assert(mapping_find(&world.machine, process, address, &slot));
    return mapping_access(&world.machine, process, slot, ON_DEVICE, device);
}

START_TEST(a_map_gives_the_owner_access_and_counts) {
    uint64_t address = virtual_reserve(&world, 0, 8 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(map(address + 2 * MIB, 4 * MIB, handle), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.out_count, 0);
    ck_assert_uint_eq(virtual_handle(&world, 0, handle)->references, 2);
    ck_assert_uint_eq(virtual_handle(&world, 0, handle)->maps, 1);
    ck_assert_uint_eq(access_of(0, address + 2 * MIB, 0), 3);
    ck_assert_uint_eq(access_of(0, address + 6 * MIB - 1, 0), 3);
    ck_assert_uint_eq(access_of(0, address + 2 * MIB, 1), 0);
}
END_TEST

START_TEST(one_handle_may_be_mapped_several_times) {
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t address = virtual_reserve(&world, 0, 8 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(map(address, 4 * MIB, handle), ACL_SUCCESS);
    ck_assert_int_eq(map(address + 4 * MIB, 4 * MIB, handle), ACL_SUCCESS);
    ck_assert_uint_eq(virtual_handle(&world, 0, handle)->maps, 2);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 4 * MIB);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address + 4 * MIB), ACL_SUCCESS);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
}
END_TEST

START_TEST(what_the_acl_layer_checks_is_100000_whatever_else_is_wrong) {
    ck_assert_int_eq(virtual_refusal(&world, 0, MAP, 0, 1, 1, 1, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&world, 0, MAP, 1, 0, 1, 1, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&world, 0, MAP, 1, 1, 1, 0, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&world, 0, MAP, 1, 1, 1, 1, 1), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, 0), ACL_ERROR_INVALID_PARAM);
}
END_TEST

START_TEST(offset_and_handle_come_before_the_address) {
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    uint64_t address = virtual_reserve(&world, 0, 4 * MIB);
    uint64_t foreign = virtual_create(&world, 1, 4 * MIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, MAP, 1, 2 * MIB, 2 * MIB, handle, 0),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map_refusal(1, 8 * MIB, foreign), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map_refusal(1, 8 * MIB, 77), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_int_eq(map_refusal(address, 4 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
}
END_TEST

START_TEST(a_map_may_be_smaller_than_the_memory_but_not_larger) {
    uint64_t address = virtual_reserve(&world, 0, 16 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(map_refusal(address, 6 * MIB, handle), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    world.product->map_larger_code = ACL_ERROR_RT_PARAM_INVALID;
    ck_assert_int_eq(map_refusal(address, 6 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map_refusal(address, UINT64_MAX, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map(address, 2 * MIB, handle), ACL_SUCCESS);
}
END_TEST

START_TEST(address_and_size_are_multiples_of_the_granularity) {
    uint64_t address = virtual_reserve(&world, 0, 8 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(map_refusal(address + MIB, 4 * MIB, handle), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(map_refusal(address, 3 * MIB, handle), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    world.product->unaligned_code = ACL_ERROR_RT_PARAM_INVALID;
    ck_assert_int_eq(map_refusal(address + MIB, 4 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map_refusal(address, 3 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map_refusal(1, 2 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
}
END_TEST

START_TEST(giant_pages_are_mapped_by_the_gib) {
    uint64_t address = virtual_reserve(&world, 0, 3 * GIB);
    uint64_t handle = virtual_create_at(&world, 0, 2 * MIB, HBM_GIANT, ON_DEVICE, 0);
    world.product->unaligned_code = ACL_ERROR_RT_PARAM_INVALID;
    ck_assert_int_eq(map_refusal(address + 2 * MIB, GIB, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map_refusal(address, 2 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map(address + GIB, GIB, handle), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_MAP].base_ns +
                                                world.product->cost[COST_MAP].page_ns[PAGE_GIANT]);
}
END_TEST

START_TEST(a_map_lies_within_one_range) {
    uint64_t first = virtual_reserve(&world, 0, 4 * MIB);
    uint64_t second = virtual_reserve(&world, 0, 4 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_uint_eq(second, first + 4 * MIB);
    ck_assert_int_eq(map_refusal(second + 4 * MIB, 4 * MIB, handle),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(map_refusal(first + 2 * MIB, 4 * MIB, handle),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(map_refusal(second + 2 * MIB, 4 * MIB, handle),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(
        virtual_refusal(&world, 1, MAP, first, 4 * MIB, 0, virtual_create(&world, 1, 4 * MIB)),
        ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(map(second, 4 * MIB, handle), ACL_SUCCESS);
}
END_TEST

START_TEST(mappings_do_not_overlap) {
    uint64_t address = virtual_reserve(&world, 0, 12 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(map(address + 4 * MIB, 4 * MIB, handle), ACL_SUCCESS);
    static const uint64_t offsets[] = { 2 * MIB, 4 * MIB, 6 * MIB };
    for (int place = 0; place < 3; place++) {
        ck_assert_int_eq(map_refusal(address + offsets[place], 4 * MIB, handle),
                         ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    ck_assert_int_eq(map(address, 4 * MIB, handle), ACL_SUCCESS);
    ck_assert_int_eq(map(address + 8 * MIB, 4 * MIB, handle), ACL_SUCCESS);
}
END_TEST

START_TEST(the_first_map_ties_a_range_to_its_device_until_release) {
    uint64_t address = virtual_reserve(&world, 0, 4 * MIB);
    uint64_t first = virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 0);
    uint64_t second = virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 1);
    ck_assert_int_eq(map(address, 2 * MIB, first), ACL_SUCCESS);
    ck_assert_int_eq(map_refusal(address + 2 * MIB, 2 * MIB, second),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    ck_assert_int_eq(map_refusal(address, 2 * MIB, second), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, address), ACL_SUCCESS);
    ck_assert_uint_eq(virtual_reserve(&world, 0, 4 * MIB), address);
    ck_assert_int_eq(map(address, 2 * MIB, second), ACL_SUCCESS);
}
END_TEST

START_TEST(host_memory_is_of_no_device) {
    uint64_t address = virtual_reserve(&world, 0, 6 * MIB);
    uint64_t host = virtual_create_at(&world, 0, 2 * MIB, MEM_HUGE, ON_HOST, 0);
    uint64_t first = virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 1);
    uint64_t second = virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 2);
    ck_assert_int_eq(map(address, 2 * MIB, host), ACL_SUCCESS);
    ck_assert_int_eq(map(address + 2 * MIB, 2 * MIB, first), ACL_SUCCESS);
    ck_assert_int_eq(map(address + 4 * MIB, 2 * MIB, host), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    ck_assert_int_eq(map_refusal(address, 2 * MIB, second), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
END_TEST

START_TEST(an_imported_handle_counts_for_the_device_it_names) {
    uint64_t imported = virtual_import(&world, 1, virtual_create(&world, 1, 2 * MIB), 0, 2);
    uint64_t of_its_device = virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 2);
    uint64_t of_the_memory = virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 0);
    uint64_t address = virtual_reserve(&world, 0, 6 * MIB);
    ck_assert_int_eq(map(address, 2 * MIB, imported), ACL_SUCCESS);
    ck_assert_uint_eq(access_of(0, address, 2), 3);
    ck_assert_uint_eq(access_of(0, address, 0), 0);
    ck_assert_int_eq(map_refusal(address + 2 * MIB, 2 * MIB, of_the_memory),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(map(address + 2 * MIB, 2 * MIB, of_its_device), ACL_SUCCESS);
}
END_TEST

START_TEST(memory_freed_while_mapped_stays_until_the_unmap) {
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t address = virtual_reserve(&world, 0, 4 * MIB);
    uint64_t handle = virtual_create(&world, 0, 2 * MIB);
    ck_assert_int_eq(map(address, 2 * MIB, handle), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_uint_eq(access_of(0, address, 0), 3);
    ck_assert_int_eq(virtual_refusal(&world, 0, FREE, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(map(address + 2 * MIB, 2 * MIB, handle), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMemRetainAllocationHandle", address), 0);
    ck_assert_uint_eq(world.result.out[0], handle);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address + 2 * MIB), ACL_SUCCESS);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    ck_assert_int_eq(map_refusal(address, 2 * MIB, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(world_call(&world, 0, RELEASE, address), ACL_SUCCESS);
}
END_TEST

START_TEST(an_address_stays_the_same_when_its_memory_is_exchanged) {
    uint64_t address = virtual_mapped(&world, 0, 4 * MIB);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    uint64_t other = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(map(address, 4 * MIB, other), ACL_SUCCESS);
}
END_TEST

START_TEST(unmap_wants_the_start_of_a_mapping) {
    uint64_t address = virtual_mapped(&world, 0, 4 * MIB);
    static const uint64_t offsets[] = { 2 * MIB, 4 * MIB, 4 * KIB };
    for (int place = 0; place < 3; place++) {
        ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, address + offsets[place]),
                         ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    world.product->unmap_unaligned_code = ACL_ERROR_RT_PARAM_INVALID;
    ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, address + 4 * KIB),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, address + 2 * MIB),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(virtual_refusal(&world, 1, UNMAP, address), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, address), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
END_TEST

/* A stream of process 0 with one task that copies between two addresses for a long time. */
static void start_copy(uint64_t to, uint64_t from, uint64_t size) {
    struct process_id process = { 0 };
    uint32_t presence = process_current(&world.machine, (struct thread_id){ 0 });
    uint32_t stream = stream_make(&world.machine, process, presence, false);
    struct task task = { .kind = TASK_COPY, .to = to, .from = from, .size = size };
    stream_queue(&world.machine, process, stream, &task);
}

START_TEST(running_work_holds_an_unmap_back_where_the_product_says_so) {
    uint64_t below = virtual_mapped(&world, 0, 2 * MIB);
    uint64_t to = virtual_mapped(&world, 0, 2 * MIB);
    uint64_t from = virtual_mapped(&world, 0, 2 * MIB);
    uint64_t above = virtual_mapped(&world, 0, 2 * MIB);
    start_copy(to + MIB, from, MIB);
    world.product->unmap_busy = true;
    ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, to), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(virtual_refusal(&world, 0, UNMAP, from), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, below), ACL_SUCCESS);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, above), ACL_SUCCESS);
    world.product->unmap_busy = false;
    ck_assert_int_eq(world_call(&world, 0, UNMAP, to), ACL_SUCCESS);
}
END_TEST

START_TEST(both_calls_cost_by_the_pages) {
    const struct cost *cost = world.product->cost;
    uint64_t address = virtual_mapped(&world, 0, 6 * MIB);
    ck_assert_uint_eq(world.result.cost_ns,
                      cost[COST_MAP].base_ns + 3 * cost[COST_MAP].page_ns[PAGE_HUGE]);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.cost_ns,
                      cost[COST_UNMAP].base_ns + 3 * cost[COST_UNMAP].page_ns[PAGE_HUGE]);
    ck_assert_int_eq(world_call(&world, 0, UNMAP, address), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_uint_eq(world.result.cost_ns, cost[COST_CALL].base_ns);
}
END_TEST

START_TEST(no_call_of_virtual_memory_works_where_the_chip_is_its_own_host) {
    static const char *const names[] = {
        "aclrtMemGetAllocationGranularity",
        "aclrtMallocPhysical",
        FREE,
        "aclrtMemRetainAllocationHandle",
        "aclrtReserveMemAddress",
        RELEASE,
        MAP,
        UNMAP,
        "aclrtMemSetAccess",
        "aclrtMemGetAccess",
    };
    static const uint64_t values[][16] = {
        { 0, 0, HBM_HUGE },
        { MIB, 0, 0, HBM_HUGE, 0, ON_DEVICE },
        { 1 },
        { 1 },
        { MIB },
        { 1 },
        { 1, 1, 0, 1 },
        { 1 },
        { 1, 1, 1 },
        { 1, 0, 1 },
    };
    world.server[0].rc_form = true;
    for (size_t call = 0; call < sizeof names / sizeof *names; call++) {
        ck_assert_int_eq(virtual_refusal_values(&world, 0, names[call], values[call], 0),
                         ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
    ck_assert_int_eq(virtual_refusal(&world, 0, MAP, 0, 1, 0, 1), ACL_ERROR_INVALID_PARAM);
}
END_TEST

START_TEST(what_changes_memory_waits_for_the_driver) {
    static const struct {
        const char *name;
        bool waits;
    } calls[] = {
        { "aclrtMemGetAllocationGranularity", false },
        { "aclrtMallocPhysical", true },
        { FREE, true },
        { "aclrtMemRetainAllocationHandle", false },
        { "aclrtReserveMemAddress", false },
        { RELEASE, false },
        { MAP, true },
        { UNMAP, true },
        { "aclrtMemSetAccess", true },
        { "aclrtMemGetAccess", false },
    };
    for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
        uint32_t row = 0;
        ck_assert(acl_row_find(calls[call].name, &row));
        ck_assert_int_eq((acl_row_get(row)->flags & ACL_KERNEL) != 0, calls[call].waits);
    }
}
END_TEST

Suite *test_acl_map(void);
Suite *test_acl_map(void) {
    Suite *suite = suite_create("acl_map");
    TCase *maps = tcase_create("map");
    tcase_add_checked_fixture(maps, setup, teardown);
    tcase_add_test(maps, a_map_gives_the_owner_access_and_counts);
    tcase_add_test(maps, one_handle_may_be_mapped_several_times);
    tcase_add_test(maps, what_the_acl_layer_checks_is_100000_whatever_else_is_wrong);
    tcase_add_test(maps, offset_and_handle_come_before_the_address);
    tcase_add_test(maps, a_map_may_be_smaller_than_the_memory_but_not_larger);
    tcase_add_test(maps, address_and_size_are_multiples_of_the_granularity);
    tcase_add_test(maps, giant_pages_are_mapped_by_the_gib);
    tcase_add_test(maps, a_map_lies_within_one_range);
    tcase_add_test(maps, mappings_do_not_overlap);
    tcase_add_test(maps, the_first_map_ties_a_range_to_its_device_until_release);
    tcase_add_test(maps, host_memory_is_of_no_device);
    tcase_add_test(maps, an_imported_handle_counts_for_the_device_it_names);
    suite_add_tcase(suite, maps);

    TCase *unmaps = tcase_create("unmap");
    tcase_add_checked_fixture(unmaps, setup, teardown);
    tcase_add_test(unmaps, memory_freed_while_mapped_stays_until_the_unmap);
    tcase_add_test(unmaps, an_address_stays_the_same_when_its_memory_is_exchanged);
    tcase_add_test(unmaps, unmap_wants_the_start_of_a_mapping);
    tcase_add_test(unmaps, running_work_holds_an_unmap_back_where_the_product_says_so);
    tcase_add_test(unmaps, both_calls_cost_by_the_pages);
    tcase_add_test(unmaps, what_changes_memory_waits_for_the_driver);
    tcase_add_test(unmaps, no_call_of_virtual_memory_works_where_the_chip_is_its_own_host);
    suite_add_tcase(suite, unmaps);
    return suite;
}
