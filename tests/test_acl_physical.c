/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMallocPhysical and what belongs to it (spec: VMM 2.1, 4.1 to 4.3, 4.12). */
#include <check.h>

#include "acl/acl_virtual.h"
#include "machine/handle.h"
#include "tests/virtual_calls.h"

#define GRANULARITY "aclrtMemGetAllocationGranularity"
#define CREATE "aclrtMallocPhysical"
#define FREE "aclrtFreePhysical"
#define RETAIN "aclrtMemRetainAllocationHandle"

enum { ATTRIBUTES = 20, OUTPUT_IS_NULL = 1, GIANT_P2P = 17 };

static struct world world;

static void setup(void) {
    world_init(&world);
}

static void teardown(void) {
    virtual_fini(&world);
}

static void give_every_page(struct product *product) {
    product->p2p_pages = true;
    product->giant_attribute = true;
    product->giant_hbm_attribute = true;
    product->giant_p2p_attribute = true;
}

/* What each attribute is on a product that has them all: 0 where it does not exist. */
static const uint64_t on_device[ATTRIBUTES] = {
    [4] = 2 * MIB, [5] = 2 * MIB,  [10] = GIB,     [12] = 2 * MIB, [13] = 2 * MIB,
    [14] = GIB,    [15] = 2 * MIB, [16] = 2 * MIB, [17] = GIB,
};
static const uint64_t on_host[ATTRIBUTES] = {
    [2] = 2 * MIB, [3] = 2 * MIB,  [4] = 2 * MIB,  [5] = 2 * MIB,  [6] = 2 * MIB,
    [7] = 2 * MIB, [12] = 2 * MIB, [13] = 2 * MIB, [15] = 2 * MIB, [16] = 2 * MIB,
};
static const uint64_t giant[ATTRIBUTES] = { [10] = 1, [14] = 1, [17] = 1 };

static int32_t expected_code(uint64_t attribute, uint64_t location) {
    const uint64_t *exists = location == ON_DEVICE ? on_device : on_host;
    if (exists[attribute] != 0) {
        return ACL_SUCCESS;
    }
    return giant[attribute] != 0 ? ACL_ERROR_RT_FEATURE_NOT_SUPPORT : ACL_ERROR_INVALID_PARAM;
}

START_TEST(each_attribute_has_its_granularity_by_location) {
    static const uint64_t locations[] = { ON_DEVICE, ON_HOST, ON_NODE };
    uint64_t location = locations[_i];
    give_every_page(world.product);
    for (uint64_t attribute = 0; attribute < ATTRIBUTES; attribute++) {
        for (uint64_t option = 0; option < 2; option++) {
            int32_t code =
                world_call(&world, 0, GRANULARITY, 0, 0, attribute, 0, location, 0, option);
            ck_assert_int_eq(code, expected_code(attribute, location));
            if (code == ACL_SUCCESS) {
                const uint64_t *unit = location == ON_DEVICE ? on_device : on_host;
                ck_assert_uint_eq(world.result.out[0], unit[attribute]);
            }
        }
    }
}
END_TEST

START_TEST(granularity_checks_in_the_order_of_the_spec) {
    uint64_t prop[16] = { 9, 9, 99, 4, ON_DEVICE, 1, 2 };
    uint32_t no_prop = 1, no_output = 4;
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, 0),
                     ACL_ERROR_INVALID_PARAM);
    prop[2] = 2; /* DDR on a device */
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, 0),
                     ACL_ERROR_INVALID_PARAM);
    prop[2] = GIANT_P2P;
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, no_prop),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, no_output),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, 0),
                     ACL_ERROR_RT_INVALID_DEVICEID);
    prop[3] = 3;
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, 0),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    prop[6] = 1;
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, 0),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    prop[2] = HBM_HUGE;
    ck_assert_int_eq(virtual_refusal_values(&world, 0, GRANULARITY, prop, 0),
                     ACL_ERROR_RT_PARAM_INVALID);
    prop[5] = 0;
    ck_assert_int_eq(world_call_values(&world, 0, GRANULARITY, prop, NULL, 0, 0), ACL_SUCCESS);
}
END_TEST

START_TEST(granularity_refuses_locations_that_hold_no_memory) {
    static const uint64_t locations[] = { UNREGISTERED, MANAGED, 5, 77 };
    for (int place = 0; place < 4; place++) {
        ck_assert_int_eq(
            virtual_refusal(&world, 0, GRANULARITY, 0, 0, MEM_HUGE, 0, locations[place], 0, 0),
            ACL_ERROR_RT_PARAM_INVALID);
    }
    ck_assert_int_eq(virtual_refusal(&world, 0, GRANULARITY, 0, 0, MEM_HUGE, 0, 0, 0, 2),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(virtual_refusal(&world, 0, GRANULARITY, 0, 0, MEM_HUGE, 0, 0, 0, 0xffff),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
END_TEST

static struct acl_attribute attribute_at(uint64_t attribute, uint64_t location) {
    struct acl_attribute found;
    ck_assert(acl_attribute_find(world.product, attribute, location, &found));
    return found;
}

START_TEST(an_attribute_names_page_medium_and_peers) {
    ck_assert_int_eq(attribute_at(HBM_HUGE, ON_HOST).medium, ACL_HBM);
    ck_assert_int_eq(attribute_at(MEM_NORMAL, ON_HOST).medium, ACL_DDR);
    ck_assert_int_eq(attribute_at(MEM_NORMAL, ON_DEVICE).medium, ACL_HBM);
    ck_assert_int_eq(attribute_at(MEM_NORMAL, ON_DEVICE).page, PAGE_NORMAL);
    ck_assert_int_eq(attribute_at(HBM_GIANT, ON_DEVICE).page, PAGE_GIANT);
    ck_assert(attribute_at(P2P_HUGE, ON_DEVICE).p2p);
    ck_assert(attribute_at(GIANT_P2P, ON_DEVICE).p2p);
    ck_assert(!attribute_at(MEM_HUGE, ON_DEVICE).p2p);
    world.product->hbm = false;
    ck_assert_int_eq(attribute_at(HBM_HUGE, ON_DEVICE).medium, ACL_DDR);
    ck_assert_int_eq(attribute_at(P2P_HUGE, ON_DEVICE).medium, ACL_DDR);
    virtual_create(&world, 0, 2 * MIB);
}
END_TEST

START_TEST(each_attribute_takes_whole_pages_where_it_exists) {
    uint64_t location = _i == 0 ? ON_DEVICE : ON_HOST;
    const uint64_t *unit = location == ON_DEVICE ? on_device : on_host;
    give_every_page(world.product);
    for (uint64_t attribute = 0; attribute < ATTRIBUTES; attribute++) {
        uint64_t before = world_free_bytes(&world, 0);
        int32_t code = world_call(&world, 0, CREATE, 2 * MIB, 0, 0, attribute, 0, location, 0, 0);
        ck_assert_int_eq(code, expected_code(attribute, location));
        uint64_t taken = code == ACL_SUCCESS && location == ON_DEVICE ? unit[attribute] : 0;
        ck_assert_uint_eq(before - world_free_bytes(&world, 0), taken);
    }
}
END_TEST

START_TEST(pages_that_a_product_lacks_are_not_supported) {
    static const uint64_t attribute[] = { 14, HBM_GIANT, GIANT_P2P, P2P_HUGE, 15 };
    struct product *product = world.product;
    bool *flag[] = { &product->giant_attribute, &product->giant_hbm_attribute,
                     &product->giant_p2p_attribute, &product->p2p_pages, &product->p2p_pages };
    for (int place = 0; place < 5; place++) {
        give_every_page(product);
        virtual_create_at(&world, 0, GIB, attribute[place], ON_DEVICE, 0);
        *flag[place] = false;
        ck_assert_int_eq(
            virtual_refusal(&world, 0, CREATE, GIB, 0, 0, attribute[place], 0, ON_DEVICE, 0, 0),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
        ck_assert_int_eq(
            virtual_refusal(&world, 0, GRANULARITY, 0, 0, attribute[place], 0, ON_DEVICE, 0, 0),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, 6, 0, ON_HOST, 0, 0),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
END_TEST

START_TEST(what_the_acl_layer_checks_is_100000_whatever_else_is_wrong) {
    /* size, handleType, allocationType, memAttr, id, location, reserve, flags */
    static const uint64_t bad[][16] = {
        { 0, 0, 0, HBM_HUGE, 9, ON_DEVICE, 1, 0 },    { 1, 0, 0, HBM_HUGE, 9, ON_DEVICE, 1, 1 },
        { 1, 2, 0, HBM_HUGE, 9, ON_DEVICE, 1, 0 },    { 1, 0, 1, HBM_HUGE, 9, ON_DEVICE, 1, 0 },
        { 1, 0, 0, HBM_HUGE, 9, UNREGISTERED, 1, 0 }, { 1, 0, 0, HBM_HUGE, 9, MANAGED, 1, 0 },
        { 1, 0, 0, 3, 9, ON_DEVICE, 1, 0 },           { 1, 0, 0, 11, 9, ON_DEVICE, 1, 0 },
        { 1, 0, 0, UINT64_MAX, 9, ON_DEVICE, 1, 0 },
    };
    for (size_t place = 0; place < sizeof bad / sizeof *bad; place++) {
        ck_assert_int_eq(virtual_refusal_values(&world, 0, CREATE, bad[place], 0),
                         ACL_ERROR_INVALID_PARAM);
        ck_assert_uint_eq(world.result.cost_ns, 0);
    }
    static const uint64_t good[16] = { 2 * MIB, 0, 0, HBM_HUGE, 0, ON_DEVICE, 0, 0 };
    ck_assert_int_eq(virtual_refusal_values(&world, 0, CREATE, good, OUTPUT_IS_NULL),
                     ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(virtual_refusal_values(&world, 0, CREATE, good, 1 << 2),
                     ACL_ERROR_INVALID_PARAM);
}
END_TEST

START_TEST(device_comes_before_giant_before_reserve_before_size_before_room) {
    uint64_t size = 100 * GIB + 1;
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, size, 0, 0, GIANT_P2P, 4, ON_DEVICE, 1, 0),
                     ACL_ERROR_RT_INVALID_DEVICEID);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, size, 0, 0, GIANT_P2P, 0, ON_DEVICE, 1, 0),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, size, 0, 0, HBM_HUGE, 0, ON_DEVICE, 1, 0),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, size, 0, 0, HBM_HUGE, 0, ON_DEVICE, 0, 0),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(
        virtual_refusal(&world, 0, CREATE, size - 1, 0, 0, HBM_HUGE, 0, ON_DEVICE, 0, 0),
        ACL_ERROR_RT_MEMORY_ALLOCATION);
}
END_TEST

START_TEST(an_unknown_location_is_for_the_driver_to_refuse) {
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, HBM_HUGE, 9, 5, 0, 0),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, HBM_HUGE, 9, 7, 0, 0),
                     ACL_ERROR_RT_PARAM_INVALID);
}
END_TEST

START_TEST(a_size_off_2_mib_is_refused_unless_the_product_rounds) {
    static const uint64_t sizes[] = { 1, 4 * KIB, 2 * MIB - 1, 3 * MIB, UINT64_MAX };
    for (int place = 0; place < 5; place++) {
        uint64_t size = sizes[place];
        world.product->unaligned_code = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
        ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, size, 0, 0, HBM_HUGE, 0, ON_DEVICE),
                         ACL_ERROR_RT_DRV_INTERNAL_ERROR);
        world.product->unaligned_code = ACL_ERROR_RT_PARAM_INVALID;
        ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, size, 0, 0, HBM_HUGE, 0, ON_DEVICE),
                         ACL_ERROR_RT_PARAM_INVALID);
    }
    world.product->unaligned_rounds = true;
    uint64_t before = world_free_bytes(&world, 0);
    virtual_create(&world, 0, 2 * MIB + 1);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 4 * MIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, UINT64_MAX, 0, 0, HBM_HUGE, 0, ON_DEVICE),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, UINT64_MAX, 0, 0, HBM_HUGE, 0, ON_HOST),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
}
END_TEST

START_TEST(a_giant_size_is_rounded_up_from_2_mib_where_the_product_does) {
    uint64_t before = world_free_bytes(&world, 0);
    virtual_create_at(&world, 0, GIB + 2 * MIB, HBM_GIANT, ON_DEVICE, 0);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 2 * GIB);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, GIB + MIB, 0, 0, HBM_GIANT, 0, ON_DEVICE),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    world.product->giant_rounds = false;
    world.product->unaligned_code = ACL_ERROR_RT_PARAM_INVALID;
    ck_assert_int_eq(
        virtual_refusal(&world, 0, CREATE, GIB + 2 * MIB, 0, 0, HBM_GIANT, 0, ON_DEVICE),
        ACL_ERROR_RT_PARAM_INVALID);
    world.product->unaligned_rounds = true;
    virtual_create_at(&world, 0, 1, HBM_GIANT, ON_DEVICE, 0);
}
END_TEST

START_TEST(a_device_that_is_full_gives_nothing) {
    virtual_create(&world, 0, world_free_bytes(&world, 0));
    ck_assert_uint_eq(world_free_bytes(&world, 0), 0);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, HBM_HUGE, 0, ON_DEVICE),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
    virtual_create_at(&world, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 1);
}
END_TEST

START_TEST(a_device_need_not_be_the_current_one_nor_set) {
    uint64_t before = world_free_bytes(&world, 2);
    uint64_t too_large[] = { before + 2 * MIB, (before / GIB + 1) * GIB };
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, too_large[0], 0, 0, HBM_HUGE, 2, ON_DEVICE),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
    ck_assert_int_eq(
        virtual_refusal(&world, 0, CREATE, too_large[1], 0, 0, HBM_GIANT, 2, ON_DEVICE),
        ACL_ERROR_RT_MEMORY_ALLOCATION);
    uint64_t handle = virtual_create_at(&world, 0, before, HBM_HUGE, ON_DEVICE, 2);
    ck_assert_uint_eq(world_free_bytes(&world, 2), 0);
    ck_assert_uint_eq(virtual_handle(&world, 0, handle)->device, 2);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_uint_eq(world_free_bytes(&world, 2), before);
}
END_TEST

START_TEST(a_new_presence_meets_the_limit_of_its_page_class) {
    struct world other;
    world_prepare(&other);
    other.product->limit_giant = 2 * GIB;
    world_start(&other);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, 3 * GIB, 0, 0, HBM_GIANT, 1, ON_DEVICE),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
    virtual_create_at(&other, 0, 2 * GIB, HBM_GIANT, ON_DEVICE, 1);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, GIB, 0, 0, HBM_GIANT, 1, ON_DEVICE),
                     ACL_ERROR_RT_MEMORY_ALLOCATION);
    virtual_fini(&other);
}
END_TEST

START_TEST(a_new_presence_meets_a_device_without_whole_giant_pages) {
    uint64_t giants = world_free_bytes(&world, 1) / GIB;
    virtual_create_at(&world, 1, 2 * MIB, HBM_HUGE, ON_DEVICE, 1);
    ck_assert_uint_ge(world_free_bytes(&world, 1), giants * GIB);
    ck_assert_int_eq(
        virtual_refusal(&world, 0, CREATE, giants * GIB, 0, 0, HBM_GIANT, 1, ON_DEVICE),
        ACL_ERROR_RT_MEMORY_ALLOCATION);
    virtual_create_at(&world, 0, (giants - 1) * GIB, HBM_GIANT, ON_DEVICE, 1);
}
END_TEST

START_TEST(host_memory_takes_nothing_from_any_device) {
    uint64_t before = world_free_bytes(&world, 0);
    const struct handle *handle =
        virtual_handle(&world, 0, virtual_create_at(&world, 0, 4 * MIB, MEM_NORMAL, ON_HOST, 0));
    const struct allocation *allocation = handle_allocation(&world.machine, handle->allocation);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    ck_assert_uint_eq(allocation->device, LOCATION_HOST);
    ck_assert_uint_eq(allocation->size, 4 * MIB);
    ck_assert_uint_eq(allocation->attribute, MEM_NORMAL);
    ck_assert_uint_eq(allocation->location, ON_HOST);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, MEM_HUGE, 1, ON_HOST, 1),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
END_TEST

START_TEST(a_node_of_the_host_must_be_online) {
    uint64_t value = virtual_create_at(&world, 0, 2 * MIB, P2P_HUGE, ON_NODE, 4);
    const struct handle *handle = virtual_handle(&world, 0, value);
    ck_assert_uint_eq(handle_allocation(&world.machine, handle->allocation)->node, 4);
    world.product->host_nodes = 4;
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, P2P_HUGE, 4, ON_NODE, 1),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, P2P_HUGE, 3, ON_NODE, 1),
                     ACL_ERROR_RT_PARAM_INVALID);
    world.product->host_nodes = 0;
    ck_assert_int_eq(virtual_refusal(&world, 0, CREATE, 2 * MIB, 0, 0, P2P_HUGE, 3, ON_NODE, 0),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
END_TEST

START_TEST(without_a_device_set_the_runtime_still_checks_first) {
    struct world other;
    world_prepare(&other);
    other.process[0].device = SITE_NO_DEVICE;
    world_start(&other);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, 2 * MIB, 0, 0, HBM_HUGE, 4, ON_DEVICE),
                     ACL_ERROR_RT_INVALID_DEVICEID);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, 2 * MIB, 0, 0, GIANT_P2P, 0, ON_NODE),
                     ACL_ERROR_RT_CONTEXT_NULL);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, 2 * MIB, 0, 0, GIANT_P2P, 0, ON_DEVICE),
                     ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, 1, 0, 0, HBM_HUGE, 1, ON_HOST, 1),
                     ACL_ERROR_RT_INVALID_HANDLE);
    ck_assert_int_eq(world_call(&other, 0, GRANULARITY, 0, 0, HBM_HUGE, 3, ON_DEVICE), 0);
    virtual_fini(&other);
}
END_TEST

START_TEST(a_device_is_numbered_as_the_process_sees_it) {
    struct world other;
    world_prepare(&other);
    other.site.container_count = 1;
    other.container[0] = (struct site_container){ 0, 0, 2, false };
    other.visible[0] = 3;
    other.visible[1] = 1;
    other.process[0].container = 0;
    world_start(&other);
    uint64_t handle = virtual_create_at(&other, 0, 2 * MIB, HBM_HUGE, ON_DEVICE, 0);
    ck_assert_uint_eq(virtual_handle(&other, 0, handle)->device, 3);
    ck_assert_int_eq(virtual_refusal(&other, 0, CREATE, 2 * MIB, 0, 0, HBM_HUGE, 2, ON_DEVICE),
                     ACL_ERROR_RT_INVALID_DEVICEID);
    ck_assert_int_eq(virtual_refusal(&other, 0, GRANULARITY, 0, 0, HBM_HUGE, 2, ON_DEVICE),
                     ACL_ERROR_RT_INVALID_DEVICEID);
    virtual_fini(&other);
}
END_TEST

START_TEST(creating_costs_by_the_pages) {
    const struct cost *cost = &world.product->cost[COST_CREATE];
    virtual_create(&world, 0, 6 * MIB);
    ck_assert_uint_eq(world.result.cost_ns, cost->base_ns + 3 * cost->page_ns[PAGE_HUGE]);
    virtual_create_at(&world, 0, 2 * MIB, HBM_GIANT, ON_DEVICE, 0);
    ck_assert_uint_eq(world.result.cost_ns, cost->base_ns + cost->page_ns[PAGE_GIANT]);
    virtual_create_at(&world, 0, 4 * MIB, MEM_NORMAL, ON_HOST, 0);
    ck_assert_uint_eq(world.result.cost_ns, cost->base_ns + 2 * cost->page_ns[PAGE_HUGE]);
}
END_TEST

START_TEST(a_free_handle_gives_the_pages_back_and_is_stale) {
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.cost_ns,
                      world.product->cost[COST_FREE_PHYSICAL].base_ns +
                          2 * world.product->cost[COST_FREE_PHYSICAL].page_ns[PAGE_HUGE]);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    ck_assert_int_eq(virtual_refusal(&world, 0, FREE, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_uint_ne(virtual_create(&world, 0, 4 * MIB), handle);
    ck_assert_int_eq(virtual_refusal(&world, 0, FREE, handle), ACL_ERROR_RT_PARAM_INVALID);
}
END_TEST

START_TEST(a_handle_is_good_in_its_own_process_only) {
    uint64_t handle = virtual_create(&world, 0, 2 * MIB);
    ck_assert_int_eq(virtual_refusal(&world, 1, FREE, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, FREE, 12345), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, FREE, 0), ACL_ERROR_INVALID_PARAM);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
}
END_TEST

START_TEST(each_retain_needs_a_free_of_its_own) {
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t address = virtual_reserve(&world, 0, 2 * MIB);
    uint64_t handle = virtual_create(&world, 0, 2 * MIB);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address, 2 * MIB, 0, handle), 0);
    ck_assert_int_eq(world_call(&world, 0, RETAIN, address), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.out[0], handle);
    ck_assert_uint_eq(virtual_handle(&world, 0, handle)->references, 3);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_FREE_PHYSICAL].base_ns);
    ck_assert_int_eq(world_call(&world, 0, FREE, handle), ACL_SUCCESS);
    ck_assert_int_eq(virtual_refusal(&world, 0, FREE, handle), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_uint_ne(world_free_bytes(&world, 0), before);
    ck_assert_int_eq(world_call(&world, 0, "aclrtUnmapMem", address), ACL_SUCCESS);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
}
END_TEST

START_TEST(retain_wants_the_start_of_a_mapping) {
    uint64_t address = virtual_reserve(&world, 0, 8 * MIB);
    uint64_t handle = virtual_create(&world, 0, 4 * MIB);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMapMem", address, 4 * MIB, 0, handle), 0);
    ck_assert_int_eq(virtual_refusal(&world, 0, RETAIN, address + 2 * MIB),
                     ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    ck_assert_int_eq(virtual_refusal(&world, 0, RETAIN, address + 4 * MIB),
                     ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 1, RETAIN, address), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RETAIN, 4096), ACL_ERROR_RT_PARAM_INVALID);
    ck_assert_int_eq(virtual_refusal(&world, 0, RETAIN, 0), ACL_ERROR_INVALID_PARAM);
    const uint64_t value[16] = { address };
    ck_assert_int_eq(virtual_refusal_values(&world, 0, RETAIN, value, 1 << 1),
                     ACL_ERROR_INVALID_PARAM);
    world.product->retain_handle = false;
    ck_assert_int_eq(virtual_refusal(&world, 0, RETAIN, address), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
END_TEST

START_TEST(a_property_in_a_record_has_as_many_values_as_its_kind) {
    uint32_t row = 0;
    ck_assert(acl_row_find("acl.rt.malloc_physical", &row));
    ck_assert_uint_eq(acl_row_args(acl_row_get(row)), 8);
    ck_assert(acl_row_find("acl.rt.mem_get_allocation_granularity", &row));
    ck_assert_uint_eq(acl_row_args(acl_row_get(row)), 7);
}
END_TEST

Suite *test_acl_physical(void);
Suite *test_acl_physical(void) {
    Suite *suite = suite_create("acl_physical");
    TCase *granularity = tcase_create("granularity");
    tcase_add_checked_fixture(granularity, setup, teardown);
    tcase_add_loop_test(granularity, each_attribute_has_its_granularity_by_location, 0, 3);
    tcase_add_test(granularity, granularity_checks_in_the_order_of_the_spec);
    tcase_add_test(granularity, granularity_refuses_locations_that_hold_no_memory);
    tcase_add_test(granularity, an_attribute_names_page_medium_and_peers);
    tcase_add_test(granularity, a_property_in_a_record_has_as_many_values_as_its_kind);
    suite_add_tcase(suite, granularity);

    TCase *create = tcase_create("create");
    tcase_add_checked_fixture(create, setup, teardown);
    tcase_add_loop_test(create, each_attribute_takes_whole_pages_where_it_exists, 0, 2);
    tcase_add_test(create, pages_that_a_product_lacks_are_not_supported);
    tcase_add_test(create, what_the_acl_layer_checks_is_100000_whatever_else_is_wrong);
    tcase_add_test(create, device_comes_before_giant_before_reserve_before_size_before_room);
    tcase_add_test(create, an_unknown_location_is_for_the_driver_to_refuse);
    tcase_add_test(create, a_size_off_2_mib_is_refused_unless_the_product_rounds);
    tcase_add_test(create, a_giant_size_is_rounded_up_from_2_mib_where_the_product_does);
    tcase_add_test(create, a_device_that_is_full_gives_nothing);
    tcase_add_test(create, a_device_need_not_be_the_current_one_nor_set);
    tcase_add_test(create, a_new_presence_meets_a_device_without_whole_giant_pages);
    tcase_add_test(create, host_memory_takes_nothing_from_any_device);
    tcase_add_test(create, a_node_of_the_host_must_be_online);
    tcase_add_test(create, creating_costs_by_the_pages);
    suite_add_tcase(suite, create);

    TCase *worlds = tcase_create("other worlds");
    tcase_add_test(worlds, a_new_presence_meets_the_limit_of_its_page_class);
    tcase_add_test(worlds, without_a_device_set_the_runtime_still_checks_first);
    tcase_add_test(worlds, a_device_is_numbered_as_the_process_sees_it);
    suite_add_tcase(suite, worlds);

    TCase *release = tcase_create("free and retain");
    tcase_add_checked_fixture(release, setup, teardown);
    tcase_add_test(release, a_free_handle_gives_the_pages_back_and_is_stale);
    tcase_add_test(release, a_handle_is_good_in_its_own_process_only);
    tcase_add_test(release, each_retain_needs_a_free_of_its_own);
    tcase_add_test(release, retain_wants_the_start_of_a_mapping);
    suite_add_tcase(suite, release);
    return suite;
}
