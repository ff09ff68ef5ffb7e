/* SPDX-License-Identifier: Apache-2.0 */
/* Cached memory, and frees that wait for the device. */
#include <check.h>

#include "machine/block.h"
#include "tests/streaming.h"

enum { A };

static int32_t take(struct world *world, uint64_t size, uint64_t policy) {
    return world_call(world, A, "aclrtMallocCached", size, policy);
}

/* malloc-and-friends 6.3 and 19 row 9 */
START_TEST(cached_memory_is_sized_like_that_of_malloc) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(take(&world, 4064, 2), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMemGetAddressRange", world.result.out[0]), 0);
    ck_assert_uint_eq(world.result.out[1], 4096);
    ck_assert_int_eq(take(&world, 4065, 2), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMemGetAddressRange", world.result.out[0]), 0);
    ck_assert_uint_eq(world.result.out[1], 8192);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", world.result.out[0]), 0);
    world_fini(&world);
}
END_TEST

START_TEST(cached_memory_has_four_policies) {
    static const struct {
        uint64_t policy;
        int32_t code;
    } cases[] = {
        { 0, 0 },      { 1, 0 },      { 2, 0 },          { 3, 207000 },      { 4, 207000 },
        { 5, 207000 }, { 7, 207000 }, { 0x100, 207000 }, { 0x1000, 207000 }, { 0x100000, 207000 },
        { 8, 0 },      { 0xFFFF, 0 }
    };
    struct world world;
    world_init(&world);
    for (size_t place = 0; place < sizeof cases / sizeof *cases; place++) {
        ck_assert_int_eq(take(&world, 1000, cases[place].policy), cases[place].code);
    }
    ck_assert_int_eq(take(&world, 0, 0), 100000);
    ck_assert_int_eq(take(&world, UINT64_MAX, 0), 100000);
    world_fini(&world);
}
END_TEST

/* malloc-and-friends 6.4 */
START_TEST(a_cache_is_flushed_and_dropped_without_effect) {
    static const char *const calls[] = { "aclrtMemFlush", "aclrtMemInvalidate" };
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    struct hash128 before = store_hash_afresh(world.store);
    for (size_t place = 0; place < 2; place++) {
        ck_assert_int_eq(world_call(&world, A, calls[place], block, 4096), 0);
        ck_assert_int_eq(world_call(&world, A, calls[place], 0, 4096), 100000);
        ck_assert_int_eq(world_call(&world, A, calls[place], block, 0), 100000);
    }
    ck_assert_uint_eq(store_hash_afresh(world.store).low, before.low);
    world_fini(&world);
}
END_TEST

/* malloc-and-friends 6.6 */
START_TEST(a_free_with_sync_waits_for_all_streams) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t stream = streaming_stream(&world, A);
    struct process_id process = { A };
    uint32_t slot = 0;
    ck_assert_int_eq(world_call(&world, A, "aclrtMemsetAsync", block, 4096, 0, 4096, stream), 0);
    world_call(&world, A, "aclrtFreeWithDevSync", block);
    ck_assert(streaming_waits(&world));
    ck_assert(block_find(&world.machine, process, block, &slot));
    streaming_run(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeWithDevSync", block), 0);
    ck_assert(!block_find(&world.machine, process, block, &slot));
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeWithDevSync", block), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeWithDevSync", 0), 100000);
    world_fini(&world);
}
END_TEST

START_TEST(a_fault_of_the_work_is_told_instead_of_a_free) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t gone = streaming_block(&world, A, 4096);
    uint64_t stream = streaming_stream(&world, A);
    struct process_id process = { A };
    uint32_t slot = 0;
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", gone), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMemsetAsync", gone, 4096, 0, 4096, stream), 0);
    streaming_run(&world);
    ck_assert_int_ne(world_call(&world, A, "aclrtFreeWithDevSync", block), 0);
    ck_assert(block_find(&world.machine, process, block, &slot));
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeWithDevSync", block), 0);
    world_fini(&world);
}
END_TEST

START_TEST(host_memory_is_freed_with_sync_too) {
    struct world world;
    world_init(&world);
    uint64_t host = streaming_host_block(&world, A, 4096);
    uint64_t block = streaming_block(&world, A, 4096);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeHostWithDevSync", block), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeHostWithDevSync", host), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeHostWithDevSync", host), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeHostWithDevSync", 0), 100000);
    world_fini(&world);
}
END_TEST

Suite *test_acl_cached(void);

Suite *test_acl_cached(void) {
    Suite *suite = suite_create("acl_cached");
    TCase *tests = tcase_create("acl_cached");
    tcase_add_test(tests, cached_memory_is_sized_like_that_of_malloc);
    tcase_add_test(tests, cached_memory_has_four_policies);
    tcase_add_test(tests, a_cache_is_flushed_and_dropped_without_effect);
    tcase_add_test(tests, a_free_with_sync_waits_for_all_streams);
    tcase_add_test(tests, a_fault_of_the_work_is_told_instead_of_a_free);
    tcase_add_test(tests, host_memory_is_freed_with_sync_too);
    suite_add_tcase(suite, tests);
    return suite;
}
