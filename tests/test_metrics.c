/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/metrics.h"

#include <check.h>

#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "tests/random_calls.h"

/* What the tables hold, walked: of one pool. */
static struct metrics_bytes walk_pool(const struct machine *machine, uint32_t pool) {
    struct metrics_bytes bytes = { 0, 0, 0, 0 };
    for (uint32_t owner = 0; owner < WORLD_PROCESSES; owner++) {
        struct process_id process = { owner };
        uint32_t slot = table_next(machine->block, owner, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->block, owner, slot + 1)) {
            const struct block *block = block_get(machine, process, slot);
            uint32_t device = process_presence(machine, process, block->presence)->device;
            bool is_here = machine_pool(device, block->medium) == pool;
            bytes.requested += is_here ? block->requested : 0;
            bytes.consumed += is_here ? block_bytes(block) : 0;
        }
        slot = table_next(machine->allocation, owner, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->allocation, owner, slot + 1)) {
            const struct allocation *at =
                handle_allocation(machine, (struct object_id){ owner, slot });
            bool is_here =
                at->device != LOCATION_HOST && machine_pool(at->device, at->medium) == pool;
            bytes.requested += is_here ? at->size : 0;
            bytes.consumed += is_here ? at->size : 0;
        }
    }
    return bytes;
}

/* The free ranges of a process's addresses for reservations, walked. */
static struct metrics_space walk_space(const struct machine *machine, uint32_t process) {
    const struct product *product = machine->site->server[0].product;
    struct range_window window = { product->reserve_from, product->reserve_to };
    struct metrics_space space = { 0, 0, 0 };
    struct range range;
    uint64_t from = window.from / PAGE_NORMAL_BYTES;
    while (from < window.to / PAGE_NORMAL_BYTES) {
        ck_assert(range_at(&machine->space.regions, process, from, &range));
        uint64_t end = range.start + range.size;
        uint64_t to = end < window.to / PAGE_NORMAL_BYTES ? end : window.to / PAGE_NORMAL_BYTES;
        uint64_t bytes = (to - from) * PAGE_NORMAL_BYTES;
        space.used += range.id != 0 ? bytes : 0;
        space.free += range.id == 0 ? bytes : 0;
        if (range.id == 0 && bytes > space.free_largest) {
            space.free_largest = bytes;
        }
        from = to;
    }
    return space;
}

static void check_pools(const struct world *world, const struct metrics *metrics) {
    for (uint32_t device = 0; device < world->site.device_count; device++) {
        struct metrics_pool is;
        ck_assert(metrics_pool(metrics, device, MEDIUM_MAIN, &is));
        struct metrics_bytes should = walk_pool(&world->machine, machine_pool(device, MEDIUM_MAIN));
        ck_assert_uint_eq(is.bytes.requested, should.requested);
        ck_assert_uint_eq(is.bytes.consumed, should.consumed);
        ck_assert_uint_ge(is.bytes.reserved, is.bytes.consumed);
        ck_assert_uint_eq(is.bytes.consumed + is.bytes.free, 62432 * MIB);
        ck_assert_uint_eq(is.unusable[PAGE_NORMAL], 0);
        ck_assert_uint_eq(is.unusable[PAGE_HUGE], is.bytes.reserved - is.bytes.consumed);
    }
}

static void check_spaces(const struct world *world, const struct metrics *metrics) {
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        if (process_get(&world->machine, (struct process_id){ process })->life == PROCESS_RUNNING) {
            struct metrics_space is = metrics_space(metrics, process);
            struct metrics_space should = walk_space(&world->machine, process);
            ck_assert_uint_eq(is.used, should.used);
            ck_assert_uint_eq(is.free, should.free);
            ck_assert_uint_eq(is.free_largest, should.free_largest);
        }
    }
}

START_TEST(figures_are_what_the_tables_hold) {
    struct world world;
    struct metrics metrics;
    world_init(&world);
    metrics_open(&metrics, &world.machine);
    struct random_calls calls = random_calls((uint64_t)_i + 7);
    for (uint32_t round = 0; round < 40; round++) {
        random_call_many(&calls, &world, WORLD_PROCESSES, 50);
        check_pools(&world, &metrics);
        check_spaces(&world, &metrics);
    }
    ck_assert_uint_gt(metrics.changes, 100);
    process_end(&world.machine, (struct process_id){ 1 }, PROCESS_KILLED);
    check_pools(&world, &metrics);
    check_spaces(&world, &metrics);
    ck_assert_uint_eq(metrics.process[1].addresses, 0);
    metrics_close(&metrics);
    world_fini(&world);
}
END_TEST

START_TEST(what_was_made_before_counts_too) {
    struct world world;
    struct metrics metrics;
    struct random_calls calls = random_calls(5);
    world_init(&world);
    random_call_many(&calls, &world, WORLD_PROCESSES, 1000);
    metrics_open(&metrics, &world.machine);
    ck_assert_uint_eq(metrics.changes, 0);
    check_pools(&world, &metrics);
    check_spaces(&world, &metrics);
    random_call_many(&calls, &world, WORLD_PROCESSES, 1000);
    check_pools(&world, &metrics);
    check_spaces(&world, &metrics);
    metrics_close(&metrics);
    world_fini(&world);
}
END_TEST

START_TEST(a_small_block_wastes_its_page_and_the_frame_that_is_cut_for_it) {
    struct world world;
    struct metrics metrics;
    struct metrics_pool pool;
    world_init(&world);
    metrics_open(&metrics, &world.machine);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMalloc", 1024, 2), 0);
    ck_assert(metrics_pool(&metrics, 0, MEDIUM_MAIN, &pool));
    ck_assert_uint_eq(pool.bytes.requested, 1024);
    ck_assert_uint_eq(pool.bytes.consumed, 4096);
    ck_assert_uint_eq(pool.bytes.reserved, 2 * MIB);
    ck_assert_uint_eq(pool.bytes.free, 62432 * MIB - 4096);
    ck_assert_uint_eq(metrics_internal(pool.bytes.requested, pool.bytes.consumed), 750000);
    ck_assert_uint_eq(pool.unusable[PAGE_NORMAL], 0);
    ck_assert_uint_eq(pool.unusable[PAGE_HUGE], 2 * MIB - 4096);
    ck_assert(!metrics_pool(&metrics, 0, MEDIUM_DDR, &pool));
    metrics_close(&metrics);
    world_fini(&world);
}
END_TEST

START_TEST(a_share_of_the_class_limits_what_it_can_use) {
    struct world world;
    struct metrics metrics;
    struct metrics_pool pool;
    world_prepare(&world);
    world.product->limit_huge = 2 * GIB;
    world_start(&world);
    metrics_open(&metrics, &world.machine);
    ck_assert(metrics_pool(&metrics, 0, MEDIUM_MAIN, &pool));
    ck_assert_uint_eq(pool.unusable[PAGE_HUGE], 62432 * MIB - 2 * GIB);
    ck_assert_uint_eq(pool.unusable[PAGE_GIANT], 62432 * MIB % GIB);
    metrics_close(&metrics);
    world_fini(&world);
}
END_TEST

START_TEST(a_hole_between_reservations_is_not_the_largest_range) {
    struct world world;
    struct metrics metrics;
    uint64_t start[3];
    world_init(&world);
    metrics_open(&metrics, &world.machine);
    struct metrics_space before = metrics_space(&metrics, 0);
    for (int place = 0; place < 3; place++) {
        ck_assert_int_eq(world_call(&world, 0, "aclrtReserveMemAddress", 2 * MIB), 0);
        start[place] = world.result.out[0];
    }
    ck_assert_int_eq(world_call(&world, 0, "aclrtReleaseMemAddress", start[1]), 0);
    struct metrics_space space = metrics_space(&metrics, 0);
    ck_assert_uint_eq(before.used, 0);
    ck_assert_uint_eq(space.used, 4 * MIB);
    ck_assert_uint_eq(space.free, before.free - 4 * MIB);
    ck_assert_uint_eq(space.free_largest, before.free - 6 * MIB);
    metrics_close(&metrics);
    world_fini(&world);
}
END_TEST

START_TEST(fractions_are_millionths_rounded_down) {
    ck_assert_uint_eq(metrics_part(0, 0), 0);
    ck_assert_uint_eq(metrics_part(1, 3), 333333);
    ck_assert_uint_eq(metrics_part(5, 5), METRICS_WHOLE);
    ck_assert_uint_eq(metrics_part(UINT64_MAX / 2, UINT64_MAX), 499999);
    ck_assert_uint_eq(metrics_internal(0, 0), 0);
    ck_assert_uint_eq(metrics_internal(3, 4), 250000);
    ck_assert_uint_eq(metrics_external(100, 25), 750000);
}
END_TEST

Suite *test_metrics(void);
Suite *test_metrics(void) {
    Suite *suite = suite_create("metrics");
    TCase *tests = tcase_create("metrics");
    tcase_add_loop_test(tests, figures_are_what_the_tables_hold, 0, 3);
    tcase_add_test(tests, what_was_made_before_counts_too);
    tcase_add_test(tests, a_small_block_wastes_its_page_and_the_frame_that_is_cut_for_it);
    tcase_add_test(tests, a_share_of_the_class_limits_what_it_can_use);
    tcase_add_test(tests, a_hole_between_reservations_is_not_the_largest_range);
    tcase_add_test(tests, fractions_are_millionths_rounded_down);
    suite_add_tcase(suite, tests);
    return suite;
}
