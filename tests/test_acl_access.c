/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemSetAccess and aclrtMemGetAccess (spec: VMM 4.10, 4.11; 12, rows 27 and 36). */
#include <check.h>

#include "machine/handle.h"
#include "machine/mapping.h"
#include "tests/virtual_calls.h"

#define SET "aclrtMemSetAccess"
#define GET "aclrtMemGetAccess"

enum { NONE = 0, READ = 1, READ_WRITE = 3, WIDTH = 3 };

static struct world world;

static void setup(void) {
    world_init(&world);
}

static void teardown(void) {
    virtual_fini(&world);
}

struct desc {
    uint64_t flags;
    uint64_t id;
    uint64_t location;
};

static int32_t set_many(uint64_t address, uint64_t size, const struct desc *desc, uint32_t count) {
    const uint64_t value[16] = { address, size, count };
    return world_call_values(&world, 0, SET, value, (const uint64_t *)desc, count * WIDTH, 0);
}

static int32_t set(uint64_t address, uint64_t size, uint64_t flags, uint64_t id,
                   uint64_t location) {
    return set_many(address, size, &(struct desc){ flags, id, location }, 1);
}

/* One location; it must fail and change nothing. */
static int32_t refusal(uint64_t address, uint64_t size, struct desc desc) {
    const uint64_t value[16] = { address, size, 1 };
    return virtual_list_refusal(&world, 0, SET, value, (const uint64_t *)&desc, WIDTH);
}

static uint64_t get(uint64_t address, uint64_t id, uint64_t location) {
    ck_assert_int_eq(world_call(&world, 0, GET, address, id, location), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.out_count, 1);
    return world.result.out[0];
}

/* Memory on the host, mapped. */
static uint64_t map_host(void) {
    uint64_t address = virtual_reserve(&world, 0, 2 * MIB);
    uint64_t handle = virtual_create_at(&world, 0, 2 * MIB, MEM_HUGE, ON_HOST, 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address, 2 * MIB, 0, handle), 0);
    return address;
}

/* Memory that process 1 made at a location, imported on device 2 and mapped. */
static uint64_t map_import(uint64_t location) {
    uint64_t exported = virtual_create_at(&world, 1, 2 * MIB, MEM_HUGE, location, 0);
    uint64_t handle = virtual_import(&world, 1, exported, 0, 2);
    uint64_t address = virtual_reserve(&world, 0, 2 * MIB);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address, 2 * MIB, 0, handle), 0);
    return address;
}

START_TEST(another_device_gets_access_until_the_unmap) {
    uint64_t address = virtual_mapped(&world, 0, 4 * MIB);
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), NONE);
    ck_assert_int_eq(set(address, 4 * MIB, READ_WRITE, 1, ON_DEVICE), ACL_SUCCESS);
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 2, ON_DEVICE), NONE);
    ck_assert_int_eq(world_call(&world, 0, "aclrtUnmapMem", address), ACL_SUCCESS);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address, 4 * MIB, 0, handle), 0);
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), NONE);
}
END_TEST

START_TEST(setting_what_is_there_already_changes_nothing) {
    uint64_t address = virtual_mapped(&world, 0, 2 * MIB);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 1, ON_DEVICE), ACL_SUCCESS);
    struct hash128 before = store_hash(world.store);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 1, ON_DEVICE), ACL_SUCCESS);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 0, ON_DEVICE), ACL_SUCCESS);
    ck_assert(hash128_equal(before, store_hash(world.store)));
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), READ_WRITE);
}
END_TEST

START_TEST(nulls_are_for_the_runtime_to_refuse) {
    uint64_t address = virtual_mapped(&world, 0, 2 * MIB);
    const uint64_t desc[] = { READ_WRITE, 1, ON_DEVICE };
    const uint64_t no_address[16] = { 0, 2 * MIB, 1 }, no_count[16] = { address, 2 * MIB, 0 };
    const uint64_t good[16] = { address, 2 * MIB, 1 }, longer[16] = { address, 2 * MIB, 2 };
    ck_assert_int_eq(virtual_list_refusal(&world, 0, SET, no_address, desc, WIDTH),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_list_refusal(&world, 0, SET, no_count, desc, WIDTH),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_list_refusal(&world, 0, SET, longer, desc, WIDTH),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(world_call_values(&world, 0, SET, good, desc, WIDTH, 1 << 2),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(world_call_values(&world, 0, SET, good, desc, WIDTH, 0), ACL_SUCCESS);
}
END_TEST

START_TEST(an_entry_is_checked_flags_first_then_location_then_mapping) {
    ck_assert_int_eq(refusal(1, 1, (struct desc){ NONE, 9, 9 }), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(refusal(1, 1, (struct desc){ READ, 9, 9 }), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(refusal(1, 1, (struct desc){ 2, 0, ON_DEVICE }), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(refusal(1, 1, (struct desc){ 7, 0, ON_DEVICE }), ACL_ERROR_RT_PARAM_INVALID);
    static const uint64_t locations[] = { UNREGISTERED, MANAGED, ON_NODE, 5 };
    for (int place = 0; place < 4; place++) {
        ck_assert_int_eq(refusal(1, 1, (struct desc){ READ_WRITE, 0, locations[place] }),
                         ACL_ERROR_RT_PARAM_INVALID);
    }
    ck_assert_int_eq(refusal(1, 1, (struct desc){ READ_WRITE, 1, ON_HOST }),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(refusal(1, 1, (struct desc){ READ_WRITE, 4, ON_DEVICE }),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(refusal(1, 1, (struct desc){ READ_WRITE, UINT64_MAX, ON_DEVICE }),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(refusal(1, 1, (struct desc){ READ_WRITE, 3, ON_DEVICE }),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
END_TEST

START_TEST(range_must_equal_that_of_one_map) {
    const struct desc desc = { READ_WRITE, 1, ON_DEVICE };
    uint64_t address = virtual_reserve(&world, 0, 8 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(refusal(address, 4 * MIB, desc), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address, 4 * MIB, 0, handle), 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address + 4 * MIB, 4 * MIB, 0, handle),
                     0);
    ck_assert_int_eq(refusal(address, 2 * MIB, desc), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(refusal(address, 8 * MIB, desc), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(refusal(address, 0, desc), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(refusal(address + 2 * MIB, 4 * MIB, desc), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(set(address + 4 * MIB, 4 * MIB, READ_WRITE, 1, ON_DEVICE), ACL_SUCCESS);
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), NONE);
    ck_assert_int_eq(set(address, 4 * MIB, READ_WRITE, 1, ON_DEVICE), ACL_SUCCESS);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 1, ON_DEVICE),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
END_TEST

START_TEST(entries_before_one_that_fails_stay) {
    uint64_t address = virtual_mapped(&world, 0, 2 * MIB);
    const struct desc desc[] = { { READ_WRITE, 1, ON_DEVICE },
                                 { READ, 2, ON_DEVICE },
                                 { READ_WRITE, 3, ON_DEVICE } };
    ck_assert_int_eq(set_many(address, 2 * MIB, desc, 3), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_CALL].base_ns);
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 2, ON_DEVICE), NONE);
    ck_assert_uint_eq(get(address, 3, ON_DEVICE), NONE);
}
END_TEST

START_TEST(each_location_is_charged) {
    const struct cost *cost = &world.product->cost[COST_SET_ACCESS];
    uint64_t address = virtual_mapped(&world, 0, 4 * MIB);
    const struct desc desc[] = { { READ_WRITE, 1, ON_DEVICE },
                                 { READ_WRITE, 2, ON_DEVICE },
                                 { READ_WRITE, 0, ON_DEVICE } };
    ck_assert_int_eq(set_many(address, 4 * MIB, desc, 3), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.cost_ns, 3 * (cost->base_ns + 2 * cost->page_ns[PAGE_HUGE]));
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 2, ON_DEVICE), READ_WRITE);
}
END_TEST

START_TEST(the_host_reaches_its_own_memory_only) {
    uint64_t device_memory = virtual_mapped(&world, 0, 2 * MIB);
    uint64_t host_memory = map_host();
    uint64_t imported = map_import(ON_HOST);
    const struct desc host = { READ_WRITE, 0, ON_HOST };
    ck_assert_int_eq(refusal(device_memory, 2 * MIB, host), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(refusal(imported, 2 * MIB, host), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(set(host_memory, 2 * MIB, READ_WRITE, 0, ON_HOST), ACL_SUCCESS);
    ck_assert_uint_eq(get(host_memory, 0, ON_HOST), READ_WRITE);
    ck_assert_uint_eq(get(device_memory, 0, ON_HOST), NONE);
}
END_TEST

START_TEST(devices_reach_host_memory_over_a_link_of_the_product) {
    uint64_t address = map_host();
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), NONE);
    ck_assert_int_eq(refusal(address, 2 * MIB, (struct desc){ READ_WRITE, 0, ON_DEVICE }),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    world.product->device_reaches_host = true;
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 0, ON_DEVICE), ACL_SUCCESS);
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), READ_WRITE);
}
END_TEST

START_TEST(the_owner_of_an_import_is_the_device_it_names) {
    uint64_t address = map_import(ON_DEVICE);
    ck_assert_uint_eq(get(address, 2, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), NONE);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 2, ON_DEVICE), ACL_SUCCESS);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 0, ON_DEVICE), ACL_SUCCESS);
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), READ_WRITE);
}
END_TEST

START_TEST(a_map_without_access_is_opened_by_setting_it) {
    uint64_t address = virtual_mapped(&world, 0, 2 * MIB);
    uint32_t slot = 0;
    ck_assert(mapping_find(&world.machine, (struct process_id){ 0 }, address, &slot));
    ((struct mapping *)table_edit(world.machine.mapping, 0, slot))->no_access = 1;
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), NONE);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 0, ON_DEVICE), ACL_SUCCESS);
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), READ_WRITE);
}
END_TEST

START_TEST(any_address_inside_a_mapping_tells_its_access) {
    uint64_t address = virtual_mapped(&world, 0, 4 * MIB);
    ck_assert_uint_eq(get(address + 3 * MIB + 5, 0, ON_DEVICE), READ_WRITE);
    ck_assert_int_eq(virtual_refusal(&world, 0, GET, address + 4 * MIB, 0, ON_DEVICE),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(virtual_refusal(&world, 1, GET, address, 0, ON_DEVICE),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
END_TEST

START_TEST(get_checks_nulls_then_the_location_then_the_mapping) {
    const uint64_t value[16] = { 1, 0, 9 };
    ck_assert_int_eq(virtual_refusal(&world, 0, GET, 0, 0, 9), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GET, value, 1 << 1),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GET, value, 1 << 2),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal(&world, 0, GET, 1, 0, ON_NODE), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, GET, 1, 0, UNREGISTERED),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, GET, 1, 4, ON_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, GET, 1, 0, ON_DEVICE),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_uint_eq(get(map_host(), 7, ON_HOST), READ_WRITE);
}
END_TEST

START_TEST(a_device_is_numbered_as_the_product_says) {
    world_prepare(&world);
    world.site.container_count = 1;
    world.container[0] = (struct site_container){ 0, 0, 2, false };
    world.visible[0] = 3;
    world.visible[1] = 1;
    world.process[0].container = 0;
    world_start(&world);
    uint64_t address = virtual_mapped(&world, 0, 2 * MIB); /* on device 3, number 0 here */
    ck_assert_uint_eq(get(address, 3, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), NONE);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 0, ON_DEVICE), ACL_SUCCESS);
    world.product->set_access_numbering = 1;
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), NONE);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 2, ON_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(set(address, 2 * MIB, READ_WRITE, 1, ON_DEVICE), ACL_SUCCESS);
    world.product->set_access_numbering = 0;
    ck_assert_uint_eq(get(address, 1, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 0, ON_DEVICE), READ_WRITE);
    ck_assert_uint_eq(get(address, 2, ON_DEVICE), NONE);
    virtual_fini(&world);
}
END_TEST

Suite *test_acl_access(void);
Suite *test_acl_access(void) {
    Suite *suite = suite_create("acl_access");
    TCase *access = tcase_create("access");
    tcase_add_checked_fixture(access, setup, teardown);
    tcase_add_test(access, another_device_gets_access_until_the_unmap);
    tcase_add_test(access, setting_what_is_there_already_changes_nothing);
    tcase_add_test(access, nulls_are_for_the_runtime_to_refuse);
    tcase_add_test(access, an_entry_is_checked_flags_first_then_location_then_mapping);
    tcase_add_test(access, range_must_equal_that_of_one_map);
    tcase_add_test(access, entries_before_one_that_fails_stay);
    tcase_add_test(access, each_location_is_charged);
    tcase_add_test(access, the_host_reaches_its_own_memory_only);
    tcase_add_test(access, devices_reach_host_memory_over_a_link_of_the_product);
    tcase_add_test(access, the_owner_of_an_import_is_the_device_it_names);
    tcase_add_test(access, a_map_without_access_is_opened_by_setting_it);
    tcase_add_test(access, any_address_inside_a_mapping_tells_its_access);
    tcase_add_test(access, get_checks_nulls_then_the_location_then_the_mapping);
    suite_add_tcase(suite, access);

    TCase *worlds = tcase_create("other worlds");
    tcase_add_test(worlds, a_device_is_numbered_as_the_product_says);
    suite_add_tcase(suite, worlds);
    return suite;
}
