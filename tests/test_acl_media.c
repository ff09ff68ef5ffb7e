/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "acl/acl_error.h"
#include "machine/block.h"
#include "tests/world.h"

enum { A, B };

/* The two versions: their names, how they take a size, the parameter that is their output. */
struct version {
    const char *malloc;
    const char *free;
    enum block_kind kind;
    uint32_t size;
    uint32_t output;
};

static const struct version versions[] = {
    { "acldvppMalloc", "acldvppFree", BLOCK_MEDIA, 0, 0 },
    { "hi_mpi_dvpp_malloc", "hi_mpi_dvpp_free", BLOCK_MEDIA_V2, 1, 1 },
};

static int32_t call(struct world *world, const struct version *version, uint32_t thread,
                    uint64_t size, uint32_t null_mask) {
    uint64_t value[16] = { 0 };
    value[version->size] = size;
    return world_call_values(world, thread, version->malloc, value, NULL, 0, null_mask);
}

static uint64_t take(struct world *world, const struct version *version, uint64_t size) {
    ck_assert_int_eq(call(world, version, A, size, 0), ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

static uint64_t media_bytes(const struct world *world, uint32_t process) {
    return process_get(&world->machine, (struct process_id){ process })->media_bytes;
}

START_TEST(null_and_sizes_that_cannot_be_are_refused) {
    const struct version *version = &versions[_i];
    struct world world;
    world_init(&world);
    ck_assert_int_eq(call(&world, version, A, 4096, 1U << version->output), 100000);
    ck_assert_int_eq(call(&world, version, A, 0, 0), 100000);
    ck_assert_int_eq(call(&world, version, A, UINT64_MAX, 0), 100000);
    ck_assert_int_eq(call(&world, version, A, UINT64_MAX - 62, 0), 100000);
    ck_assert_int_eq(call(&world, version, A, UINT64_MAX - 63, 0), 207001);
    ck_assert_int_eq(world_call(&world, A, version->free, 0), 100000);
    ck_assert_uint_eq(media_bytes(&world, A), 0);
    world_fini(&world);
}
END_TEST

START_TEST(media_memory_needs_a_current_device) {
    const struct version *version = &versions[_i];
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(call(&world, version, A, 0, 0), 100000);
    ck_assert_int_eq(call(&world, version, A, 4096, 0), 107002);
    ck_assert_int_eq(world_call(&world, A, version->free, 4096), 107000);
    world_fini(&world);
}
END_TEST

START_TEST(media_memory_is_huge_pages_of_the_size_and_32_more) {
    const struct version *version = &versions[_i];
    struct world world;
    world_init(&world);
    uint64_t before = world_free_bytes(&world, 0);
    uint64_t small = take(&world, version, 1);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_MALLOC].base_ns +
                                                world.product->cost[COST_MALLOC].page_ns[1]);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 2 * MIB);
    uint64_t fits = take(&world, version, 2 * MIB - 32);
    uint64_t exact = take(&world, version, 2 * MIB);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 8 * MIB);
    ck_assert_uint_eq(small % 128 + fits % 128 + exact % 128, 0);
    ck_assert_int_eq(world_call(&world, A, version->free, exact), 0);
    ck_assert_uint_eq(world.result.cost_ns, world.product->cost[COST_FREE].base_ns +
                                                2 * world.product->cost[COST_FREE].page_ns[1]);
    ck_assert_int_eq(world_call(&world, A, version->free, small), 0);
    ck_assert_int_eq(world_call(&world, A, version->free, fits), 0);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    world_fini(&world);
}
END_TEST

START_TEST(a_shortage_of_huge_pages_is_out_of_memory) {
    const struct version *version = &versions[_i];
    struct world world;
    world_prepare(&world);
    world.product->limit_huge = 4 * MIB;
    world_start(&world);
    take(&world, version, 1);
    ck_assert_int_eq(call(&world, version, A, 2 * MIB, 0), 207001);
    ck_assert_uint_eq(media_bytes(&world, A), 2 * MIB);
    take(&world, version, 1);
    world_fini(&world);
}
END_TEST

START_TEST(the_quota_is_on_whole_pages_of_a_process) {
    const struct version *version = &versions[_i];
    const struct version *other = &versions[1 - _i];
    struct world world;
    world_prepare(&world);
    world.product->media_quota = 8 * MIB;
    world_start(&world);
    uint64_t block = take(&world, version, 1);
    take(&world, other, 3 * MIB);
    ck_assert_uint_eq(media_bytes(&world, A), 6 * MIB);
    ck_assert_int_eq(call(&world, version, A, 2 * MIB, 0), 207001);
    ck_assert_uint_eq(media_bytes(&world, A), 6 * MIB);
    take(&world, version, 2 * MIB - 32);
    ck_assert_int_eq(call(&world, version, A, 1, 0), 207001);
    ck_assert_int_eq(call(&world, version, B, 1, 0), 0);
    ck_assert_int_eq(world_call(&world, A, version->free, block), 0);
    ck_assert_uint_eq(media_bytes(&world, A), 6 * MIB);
    take(&world, version, 1);
    world_fini(&world);
}
END_TEST

START_TEST(without_a_quota_only_the_device_limits) {
    struct world world;
    world_prepare(&world);
    world.product->media_quota = 0;
    world_start(&world);
    take(&world, &versions[0], 40 * GIB);
    ck_assert_int_eq(call(&world, &versions[0], A, 40 * GIB, 0), 207001);
    world_fini(&world);
}
END_TEST

START_TEST(plain_memory_does_not_count_against_the_quota) {
    struct world world;
    world_prepare(&world);
    world.product->media_quota = 2 * MIB;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", 64 * MIB, 1), 0);
    ck_assert_uint_eq(media_bytes(&world, A), 0);
    take(&world, &versions[0], 1);
    world_fini(&world);
}
END_TEST

START_TEST(what_is_dropped_no_longer_counts) {
    struct world world;
    world_init(&world);
    take(&world, &versions[0], 1);
    take(&world, &versions[1], 5 * MIB);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    take(&world, &versions[0], 1);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_uint_eq(media_bytes(&world, A), 2 * MIB);
    process_end(&world.machine, (struct process_id){ A }, PROCESS_EXITED);
    ck_assert_uint_eq(media_bytes(&world, A), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_free_accepts_memory_of_its_own_allocator_only) {
    const struct version *version = &versions[_i];
    const struct version *other = &versions[1 - _i];
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", 4096, 1), 0);
    uint64_t plain = world.result.out[0];
    ck_assert_int_eq(world_call(&world, A, "aclrtMallocHost", 4096), 0);
    uint64_t host = world.result.out[0];
    uint64_t foreign = take(&world, other, 4096);
    uint64_t own = take(&world, version, 4 * MIB);
    uint64_t wrong[] = { plain, host, foreign, own + 128, own + 2 * MIB, UINT64_MAX };
    uint64_t before = world_free_bytes(&world, 0);
    for (size_t place = 0; place < sizeof wrong / sizeof *wrong; place++) {
        ck_assert_int_eq(world_call(&world, A, version->free, wrong[place]), 107000);
    }
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", own), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFreeHost", own), 107000);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before);
    ck_assert_int_eq(world_call(&world, A, version->free, own), 0);
    ck_assert_int_eq(world_call(&world, A, version->free, own), 107000);
    world_fini(&world);
}
END_TEST

START_TEST(the_extra_is_the_product_s) {
    struct world world;
    world_prepare(&world);
    world.product->media_extra = 0;
    world.product->malloc_extra = 32;
    world_start(&world);
    uint64_t before = world_free_bytes(&world, 0);
    take(&world, &versions[_i], 2 * MIB);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 2 * MIB);
    world_fini(&world);
}
END_TEST

START_TEST(the_device_of_the_second_version_is_ignored) {
    struct world world;
    world_init(&world);
    uint64_t before = world_free_bytes(&world, 0);
    ck_assert_int_eq(world_call(&world, A, "hi_mpi_dvpp_malloc", 99, 4096), 0);
    ck_assert_uint_eq(before - world_free_bytes(&world, 0), 2 * MIB);
    world_fini(&world);
}
END_TEST

START_TEST(failures_of_the_second_version_are_positive_numbers) {
    struct world world;
    world_init(&world);
    ck_assert_int_gt(call(&world, &versions[1], A, 0, 0), 0);
    ck_assert_int_gt(call(&world, &versions[1], A, TIB, 0), 0);
    ck_assert_int_gt(world_call(&world, A, "hi_mpi_dvpp_free", 4096), 0);
    world_fini(&world);
}
END_TEST

Suite *test_acl_media(void);

Suite *test_acl_media(void) {
    Suite *suite = suite_create("acl_media");
    TCase *tests = tcase_create("acl_media");
    tcase_add_loop_test(tests, null_and_sizes_that_cannot_be_are_refused, 0, 2);
    tcase_add_loop_test(tests, media_memory_needs_a_current_device, 0, 2);
    tcase_add_loop_test(tests, media_memory_is_huge_pages_of_the_size_and_32_more, 0, 2);
    tcase_add_loop_test(tests, a_shortage_of_huge_pages_is_out_of_memory, 0, 2);
    tcase_add_loop_test(tests, the_quota_is_on_whole_pages_of_a_process, 0, 2);
    tcase_add_test(tests, without_a_quota_only_the_device_limits);
    tcase_add_test(tests, plain_memory_does_not_count_against_the_quota);
    tcase_add_test(tests, what_is_dropped_no_longer_counts);
    tcase_add_loop_test(tests, a_free_accepts_memory_of_its_own_allocator_only, 0, 2);
    tcase_add_loop_test(tests, the_extra_is_the_product_s, 0, 2);
    tcase_add_test(tests, the_device_of_the_second_version_is_ignored);
    tcase_add_test(tests, failures_of_the_second_version_are_positive_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
