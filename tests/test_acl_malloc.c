/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "acl/acl_error.h"
#include "machine/block.h"
#include "machine/mapping.h"
#include "tests/world.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { A, B };
enum { HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY, HUGE1G_ONLY = 6, HUGE1G_ONLY_P2P = 7 };

static const char *const allocations[] = { "aclrtMalloc", "aclrtMallocAlign32" };

/* What a device has given to a page class, in frames. */
static uint32_t frames_used(const struct world *world, enum page_class page) {
    return pool_usage(&world->machine.pools, machine_pool(0, MEDIUM_MAIN)).frames_used[page];
}

static void start_with(struct world *world, uint64_t usable) {
    world_prepare(world);
    world->product->usable = usable;
    world_start(world);
}

/* The address; the call must succeed. */
static uint64_t take(struct world *world, const char *name, uint64_t size, uint64_t policy) {
    ck_assert_int_eq(world_call(world, A, name, size, policy), ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

static int32_t give(struct world *world, uint64_t address) {
    return world_call(world, A, "aclrtFree", address);
}

static const struct block *block_at(const struct world *world, uint64_t address) {
    struct process_id process = { A };
    uint32_t slot = 0;
    ck_assert(block_find(&world->machine, process, address, &slot));
    return block_get(&world->machine, process, slot);
}

/* The call is refused with a code and changes no state. */
static void refuse(struct world *world, int32_t code, const char *name, uint64_t first,
                   uint64_t second) {
    struct hash128 before = store_hash_afresh(world->store);
    ck_assert_int_eq(world_call(world, A, name, first, second), code);
    ck_assert_uint_eq(world->result.out_count, 0);
    struct hash128 after = store_hash_afresh(world->store);
    ck_assert_uint_eq(before.low, after.low);
    ck_assert_uint_eq(before.high, after.high);
}

START_TEST(a_null_output_is_refused) {
    struct world world;
    const uint64_t value[16] = { MIB, HUGE_FIRST };
    world_init(&world);
    ck_assert_int_eq(world_call_values(&world, A, allocations[_i], value, NULL, 0, 1), 100000);
    world_fini(&world);
}
END_TEST

START_TEST(a_size_of_0_or_one_that_overflows_is_refused) {
    struct world world;
    world_init(&world);
    refuse(&world, 100000, allocations[_i], 0, HUGE_FIRST);
    refuse(&world, 100000, allocations[_i], 0, 8);
    refuse(&world, 100000, allocations[_i], UINT64_MAX, HUGE_FIRST);
    refuse(&world, 100000, allocations[_i], UINT64_MAX, HUGE1G_ONLY);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_size_that_just_does_not_overflow_is_too_large) {
    struct world world;
    world_init(&world);
    refuse(&world, 207001, "aclrtMallocAlign32", UINT64_MAX - 40, HUGE_FIRST);
    refuse(&world, 100000, "aclrtMalloc", UINT64_MAX - 40, HUGE_FIRST);
    refuse(&world, 207001, "aclrtMalloc", UINT64_MAX - 40, HUGE1G_ONLY);
    refuse(&world, 207001, "aclrtMalloc", UINT64_MAX - 63, NORMAL_ONLY);
    refuse(&world, 207001, "aclrtMalloc", UINT64_MAX / 2, 8);
    world_fini(&world);
}
END_TEST

START_TEST(checks_come_in_order) {
    struct world world;
    world_prepare(&world);
    world.process[A].device = SITE_NO_DEVICE;
    world.product->giant_policy = false;
    world_start(&world);
    refuse(&world, 100000, allocations[_i], 0, HUGE1G_ONLY);
    refuse(&world, 100000, allocations[_i], UINT64_MAX, HUGE1G_ONLY);
    refuse(&world, 107002, allocations[_i], TIB, HUGE1G_ONLY);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    refuse(&world, 207000, allocations[_i], TIB, HUGE1G_ONLY);
    refuse(&world, 207001, allocations[_i], TIB, HUGE_ONLY);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    refuse(&world, 107002, allocations[_i], 1, HUGE_FIRST);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 0);
    refuse(&world, 100001, allocations[_i], 0, HUGE_FIRST);
    world_fini(&world);
}
END_TEST

START_TEST(pages_that_a_product_lacks_are_refused) {
    struct world world;
    world_prepare(&world);
    world.product->p2p_pages = false;
    world.product->giant_policy = false;
    world.product->giant_p2p_policy = false;
    world_start(&world);
    for (uint64_t policy = 3; policy <= 7; policy++) {
        refuse(&world, 207000, allocations[_i], MIB, policy);
    }
    world_fini(&world);
}
END_TEST

struct taken {
    uint64_t size, policy, align32, malloc; /* bytes of the device */
};

static const struct taken takes[] = {
    { 1, HUGE_FIRST, 4096, 4096 },
    { 4064, NORMAL_ONLY, 4096, 4096 },
    { 4065, NORMAL_ONLY, 4096, 8192 },
    { 4096, NORMAL_ONLY, 4096, 8192 },
    { 4097, NORMAL_ONLY, 8192, 8192 },
    { 1024, HUGE_ONLY, 2 * MIB, 2 * MIB },
    { 1048544, HUGE_FIRST, MIB, MIB },
    { 1048545, HUGE_FIRST, MIB, 2 * MIB },
    { 1048576, HUGE_FIRST, MIB, 2 * MIB },
    { 1048577, HUGE_FIRST, 2 * MIB, 2 * MIB },
    { 2097120, HUGE_ONLY, 2 * MIB, 2 * MIB },
    { 2097152, HUGE_ONLY, 2 * MIB, 4 * MIB },
    { 2097152, NORMAL_ONLY, 2 * MIB, 2 * MIB + 4096 },
    { 2097152, HUGE_FIRST, 2 * MIB, 4 * MIB },
    { 2097152, 3, 2 * MIB, 4 * MIB },
    { 1, 4, 2 * MIB, 2 * MIB },
    { 1, 5, 4096, 4096 },
    { 1, HUGE1G_ONLY, GIB, GIB },
    { GIB, HUGE1G_ONLY, GIB, GIB },
    { GIB + 1, HUGE1G_ONLY_P2P, 2 * GIB, 2 * GIB },
    { 1900000000, HUGE1G_ONLY, 2 * GIB, 2 * GIB },
    { 2097151, 8, 2 * MIB, 2 * MIB + 4096 },
    { 2097152, 8, 2 * MIB, 4 * MIB },
    { 2097152, 0xFFFF, 2 * MIB, 4 * MIB },
};

START_TEST(a_block_takes_whole_pages_and_gives_them_back) {
    const struct taken *at = &takes[_i];
    struct world world;
    world_init(&world);
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t aligned = take(&world, "aclrtMallocAlign32", at->size, at->policy);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), at->align32);
    ck_assert_uint_eq(block_at(&world, aligned)->requested, at->size);
    ck_assert_int_eq(give(&world, aligned), 0);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    uint64_t plain = take(&world, "aclrtMalloc", at->size, at->policy);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), at->malloc);
    ck_assert_uint_eq(block_bytes(block_at(&world, plain)), at->malloc);
    ck_assert_int_eq(give(&world, plain), 0);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    world_fini(&world);
}
END_TEST

START_TEST(a_later_edition_adds_nothing_on_some_products) {
    struct world world;
    world_prepare(&world);
    world.product->malloc_extra = 0;
    world_start(&world);
    uint64_t before = world_free_bytes(&world, 0);
    take(&world, "aclrtMalloc", 2 * MIB, HUGE_ONLY);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 2 * MIB);
    refuse(&world, 207001, "aclrtMalloc", UINT64_MAX - 40, HUGE_ONLY);
    world_fini(&world);
}
END_TEST

struct classed {
    uint64_t policy, size;
    enum page_class page;
    bool p2p;
};

static const struct classed classes[] = {
    { HUGE_FIRST, MIB - 32, PAGE_NORMAL, false },
    { HUGE_FIRST, 2 * MIB, PAGE_HUGE, false },
    { HUGE_ONLY, 1, PAGE_HUGE, false },
    { NORMAL_ONLY, 2 * MIB, PAGE_NORMAL, false },
    { 3, MIB - 32, PAGE_NORMAL, true },
    { 3, 2 * MIB, PAGE_HUGE, true },
    { 4, 1, PAGE_HUGE, true },
    { 5, 2 * MIB, PAGE_NORMAL, true },
    { HUGE1G_ONLY, 1, PAGE_GIANT, false },
    { HUGE1G_ONLY_P2P, 1, PAGE_GIANT, true },
    { 0x100, 2 * MIB, PAGE_HUGE, false },
    { 0x1000, MIB - 32, PAGE_NORMAL, false },
    { 0x100000, 2 * MIB, PAGE_HUGE, false },
    { 0x101, 1, PAGE_HUGE, false },
    { 0x1002, 2 * MIB, PAGE_NORMAL, false },
    { 8, 2 * MIB - 1, PAGE_NORMAL, false },
    { 8, 2 * MIB, PAGE_HUGE, false },
    { 0x1103, 2 * MIB, PAGE_HUGE, false },
};

START_TEST(a_policy_says_which_pages_of_the_pool_are_used) {
    const struct classed *at = &classes[_i];
    struct world world;
    world_init(&world);
    uint64_t address = take(&world, "aclrtMalloc", at->size, at->policy);
    for (int page = 0; page < PAGE_CLASSES; page++) {
        ck_assert_int_eq(frames_used(&world, (enum page_class)page) > 0, page == (int)at->page);
    }
    const struct block *block = block_at(&world, address);
    ck_assert_uint_eq(block->pages.page_class, at->page);
    ck_assert_uint_eq(block->flags, at->p2p ? BLOCK_P2P : 0);
    ck_assert_uint_eq(address % page_bytes(at->page), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_block_remembers_its_maker) {
    struct world world;
    world_init(&world);
    uint32_t row = 0;
    ck_assert(acl_row_find("acl.rt.malloc", &row));
    struct acl_record record = { .row = (uint16_t)row, .step = 7, .tag = 9, .arg = { 100 } };
    acl_call(world.acl, &record, &world.result);
    ck_assert_int_eq(world.result.code, 0);
    const struct block *block = block_at(&world, world.result.out[0]);
    ck_assert_uint_eq(block->tag, 9);
    ck_assert_uint_eq(block->made.step, 7);
    ck_assert_uint_eq(block->kind, BLOCK_PLAIN);
    ck_assert_uint_eq(block->medium, MEDIUM_MAIN);
    world_fini(&world);
}
END_TEST

START_TEST(a_shortage_of_the_page_class_is_out_of_memory) {
    static const uint64_t policies[] = { HUGE_FIRST, HUGE_ONLY,   NORMAL_ONLY,     3, 4,
                                         5,          HUGE1G_ONLY, HUGE1G_ONLY_P2P, 8, 0x101 };
    struct world world;
    start_with(&world, 64 * MIB);
    for (size_t place = 0; place < COUNT(policies); place++) {
        refuse(&world, 207001, "aclrtMalloc", 64 * MIB, policies[place]);
        refuse(&world, 207001, "aclrtMallocAlign32", 64 * MIB + 1, policies[place]);
    }
    take(&world, "aclrtMallocAlign32", 64 * MIB, HUGE_ONLY);
    refuse(&world, 207001, "aclrtMallocAlign32", 1, NORMAL_ONLY);
    refuse(&world, 207001, "aclrtMallocAlign32", 1, HUGE_FIRST);
    world_fini(&world);
}
END_TEST

/* The class of huge pages is used up, while bytes are free. */
START_TEST(huge_first_falls_back_to_normal_pages) {
    static const uint64_t falls[] = { HUGE_FIRST, 3, 0x100, 0x100000 };
    static const uint64_t fails[] = { HUGE_ONLY, 4, 0x101, 8 };
    struct world world;
    world_prepare(&world);
    world.product->usable = 64 * MIB;
    world.product->limit_huge = 4 * MIB;
    world_start(&world);
    take(&world, "aclrtMallocAlign32", 4 * MIB, HUGE_FIRST);
    ck_assert_uint_eq(frames_used(&world, PAGE_HUGE), 2);
    for (size_t place = 0; place < COUNT(fails); place++) {
        refuse(&world, 207001, allocations[_i], 4 * MIB, fails[place]);
    }
    for (size_t place = 0; place < COUNT(falls); place++) {
        uint64_t address = take(&world, allocations[_i], 4 * MIB, falls[place]);
        ck_assert_uint_eq(block_at(&world, address)->pages.page_class, PAGE_NORMAL);
        ck_assert_uint_eq(frames_used(&world, PAGE_HUGE), 2);
    }
    ck_assert_uint_ge(frames_used(&world, PAGE_NORMAL), 8);
    world_fini(&world);
}
END_TEST

START_TEST(it_falls_back_to_pages_of_a_frame_that_is_cut_already) {
    struct world world;
    start_with(&world, 4 * MIB);
    take(&world, "aclrtMallocAlign32", 4096, NORMAL_ONLY);
    take(&world, "aclrtMallocAlign32", 2 * MIB, HUGE_ONLY);
    refuse(&world, 207001, "aclrtMallocAlign32", 2 * MIB - 4096, HUGE_ONLY);
    uint64_t address = take(&world, "aclrtMallocAlign32", 2 * MIB - 4096, HUGE_FIRST);
    ck_assert_uint_eq(block_at(&world, address)->pages.page_class, PAGE_NORMAL);
    ck_assert_uint_eq(world_free_bytes(&world, 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(small_sizes_have_no_huge_pages_to_fall_back_to) {
    struct world world;
    world_prepare(&world);
    world.product->usable = 64 * MIB;
    world.product->limit_normal = 2 * MIB;
    world_start(&world);
    take(&world, "aclrtMallocAlign32", 2 * MIB, NORMAL_ONLY);
    refuse(&world, 207001, "aclrtMallocAlign32", 4096, HUGE_FIRST);
    take(&world, "aclrtMallocAlign32", 4096, HUGE_ONLY);
    world_fini(&world);
}
END_TEST

START_TEST(a_giant_page_must_be_whole) {
    struct world world;
    start_with(&world, 2 * GIB);
    for (int page = 0; page < 600; page++) {
        take(&world, "aclrtMallocAlign32", 2 * MIB, HUGE_ONLY);
    }
    refuse(&world, 207001, "aclrtMalloc", GIB, HUGE1G_ONLY);
    ck_assert_uint_gt(world_free_bytes(&world, 0), 800 * MIB);
    world_fini(&world);
}
END_TEST

START_TEST(no_room_for_addresses_is_out_of_memory) {
    struct world world;
    world_prepare(&world);
    world.product->plain_to = world.product->plain_from + 8 * MIB;
    world_start(&world);
    refuse(&world, 207001, "aclrtMalloc", 8 * MIB, HUGE_ONLY);
    take(&world, "aclrtMallocAlign32", 6 * MIB, HUGE_ONLY);
    refuse(&world, 207001, "aclrtMallocAlign32", 4 * MIB, HUGE_FIRST);
    take(&world, "aclrtMallocAlign32", 2 * MIB, HUGE_FIRST);
    world_fini(&world);
}
END_TEST

START_TEST(blocks_are_on_the_current_device) {
    struct world world;
    world_init(&world);
    uint64_t first = world_free_bytes(&world, 0);
    uint64_t second = world_free_bytes(&world, 1);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    uint64_t there = take(&world, "aclrtMalloc", MIB, HUGE_ONLY);
    ck_assert_uint_eq(world_free_bytes(&world, 0), first);
    ck_assert_uint_eq(world_free_bytes(&world, 1), second - 2 * MIB);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    uint64_t here = take(&world, "aclrtMalloc", MIB, HUGE_ONLY);
    ck_assert_uint_ne(here, there);
    ck_assert_int_eq(give(&world, there), 0);
    ck_assert_uint_eq(world_free_bytes(&world, 1), second);
    world_fini(&world);
}
END_TEST

START_TEST(free_of_null_is_refused) {
    struct world world;
    world_init(&world);
    refuse(&world, 100000, "aclrtFree", 0, 0);
    world_fini(&world);
}
END_TEST

START_TEST(free_of_what_is_no_start_of_a_live_block_is_refused) {
    struct world world;
    world_init(&world);
    uint64_t block = take(&world, "aclrtMalloc", 4 * MIB, HUGE_FIRST);
    refuse(&world, 107000, "aclrtFree", block + 64, 0);
    refuse(&world, 107000, "aclrtFree", block + 2 * MIB, 0);
    refuse(&world, 107000, "aclrtFree", block - 1, 0);
    refuse(&world, 107000, "aclrtFree", block + 64 * MIB, 0);
    refuse(&world, 107000, "aclrtFree", UINT64_MAX, 0);
    ck_assert_int_eq(give(&world, block), 0);
    refuse(&world, 107000, "aclrtFree", block, 0);
    world_fini(&world);
}
END_TEST

START_TEST(free_of_other_sorts_of_memory_is_refused) {
    struct world world;
    struct process_id process = { A };
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 4096), 0);
    refuse(&world, 107000, "aclrtFree", world.result.out[0], 0);
    ck_assert_int_eq(world_call(&world, A, "acldvppMalloc", 4096), 0);
    refuse(&world, 107000, "aclrtFree", world.result.out[0], 0);
    ck_assert_int_eq(world_call(&world, A, "hi_mpi_dvpp_malloc", 0, 4096), 0);
    refuse(&world, 107000, "aclrtFree", world.result.out[0], 0);
    uint64_t reserved = world.product->reserve_from;
    mapping_reserve(&world.machine, process, reserved, 4 * MIB);
    refuse(&world, 107000, "aclrtFree", reserved, 0);
    world_fini(&world);
}
END_TEST

START_TEST(free_of_another_process_s_block_is_refused) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, B, "aclrtMalloc", 4096, NORMAL_ONLY), 0);
    refuse(&world, 107000, "aclrtFree", world.result.out[0], 0);
    world_fini(&world);
}
END_TEST

START_TEST(free_needs_no_current_device) {
    struct world world;
    world_prepare(&world);
    world.process[A].thread_count = 2;
    world.process[B].thread_first = 2;
    world.process[B].device = SITE_NO_DEVICE;
    world.thread[1].process = A;
    world.thread[2].process = B;
    world.site.process_count = 2;
    world.site.thread_count = 3;
    world_start(&world);
    uint64_t block = take(&world, "aclrtMalloc", 4096, NORMAL_ONLY);
    ck_assert_int_eq(world_call(&world, 1, "aclrtMalloc", 4096, NORMAL_ONLY), 107002);
    ck_assert_int_eq(world_call(&world, 1, "aclrtFree", block), 0);
    ck_assert_int_eq(world_call(&world, 2, "aclrtFree", block), 107000);
    world_fini(&world);
}
END_TEST

START_TEST(a_call_costs_a_base_and_so_much_for_each_page) {
    struct world world;
    world_init(&world);
    const struct cost *malloc_cost = &world.product->cost[COST_MALLOC];
    const struct cost *free_cost = &world.product->cost[COST_FREE];
    static const uint64_t sizes[PAGE_CLASSES] = { 10000, 5 * MIB, 3 * GIB };
    static const uint64_t policies[PAGE_CLASSES] = { NORMAL_ONLY, HUGE_ONLY, HUGE1G_ONLY };
    for (int page = 0; page < PAGE_CLASSES; page++) {
        uint64_t block = take(&world, "aclrtMallocAlign32", sizes[page], policies[page]);
        ck_assert_uint_eq(world.result.cost_ns,
                          malloc_cost->base_ns + 3 * malloc_cost->page_ns[page]);
        ck_assert_int_eq(give(&world, block), 0);
        ck_assert_uint_eq(world.result.cost_ns, free_cost->base_ns + 3 * free_cost->page_ns[page]);
    }
    refuse(&world, 207001, "aclrtMalloc", TIB, HUGE_ONLY);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_CALL].base_ns);
    refuse(&world, 107000, "aclrtFree", MIB, 0);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_CALL].base_ns);
    world_fini(&world);
}
END_TEST

START_TEST(the_end_of_a_process_gives_its_blocks_back) {
    struct world world;
    world_init(&world);
    uint64_t before = world_free_bytes(&world, 0);
    take(&world, "aclrtMalloc", 5 * MIB, HUGE_FIRST);
    take(&world, "aclrtMalloc", 5 * KIB, NORMAL_ONLY);
    process_end(&world.machine, (struct process_id){ A }, PROCESS_KILLED);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    world_fini(&world);
}
END_TEST

Suite *test_acl_malloc(void);

Suite *test_acl_malloc(void) {
    Suite *suite = suite_create("acl_malloc");
    TCase *tests = tcase_create("acl_malloc");
    tcase_add_loop_test(tests, a_null_output_is_refused, 0, 2);
    tcase_add_loop_test(tests, a_size_of_0_or_one_that_overflows_is_refused, 0, 2);
    tcase_add_test(tests, a_size_that_just_does_not_overflow_is_too_large);
    tcase_add_loop_test(tests, checks_come_in_order, 0, 2);
    tcase_add_loop_test(tests, pages_that_a_product_lacks_are_refused, 0, 2);
    tcase_add_loop_test(tests, a_block_takes_whole_pages_and_gives_them_back, 0, (int)COUNT(takes));
    tcase_add_test(tests, a_later_edition_adds_nothing_on_some_products);
    tcase_add_loop_test(tests, a_policy_says_which_pages_of_the_pool_are_used, 0,
                        (int)COUNT(classes));
    tcase_add_test(tests, a_block_remembers_its_maker);
    tcase_add_test(tests, a_shortage_of_the_page_class_is_out_of_memory);
    tcase_add_loop_test(tests, huge_first_falls_back_to_normal_pages, 0, 2);
    tcase_add_test(tests, it_falls_back_to_pages_of_a_frame_that_is_cut_already);
    tcase_add_test(tests, small_sizes_have_no_huge_pages_to_fall_back_to);
    tcase_add_test(tests, a_giant_page_must_be_whole);
    tcase_add_test(tests, no_room_for_addresses_is_out_of_memory);
    tcase_add_test(tests, blocks_are_on_the_current_device);
    tcase_add_test(tests, free_of_null_is_refused);
    tcase_add_test(tests, free_of_what_is_no_start_of_a_live_block_is_refused);
    tcase_add_test(tests, free_of_other_sorts_of_memory_is_refused);
    tcase_add_test(tests, free_of_another_process_s_block_is_refused);
    tcase_add_test(tests, free_needs_no_current_device);
    tcase_add_test(tests, a_call_costs_a_base_and_so_much_for_each_page);
    tcase_add_test(tests, the_end_of_a_process_gives_its_blocks_back);
    suite_add_tcase(suite, tests);
    return suite;
}
