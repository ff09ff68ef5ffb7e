/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "acl/acl_row.h"
#include "machine/block.h"
#include "machine/handle.h"
#include "tests/random_calls.h"
#include "trace/totals.h"

/* What blocks and allocations of all processes take of a device. */
static uint64_t held_on(const struct machine *machine, uint32_t device) {
    uint64_t bytes = 0;
    for (uint32_t owner = 0; owner < WORLD_PROCESSES; owner++) {
        struct process_id process = { owner };
        uint32_t slot = table_next(machine->block, owner, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->block, owner, slot + 1)) {
            const struct block *block = block_get(machine, process, slot);
            bool is_here = process_presence(machine, process, block->presence)->device == device;
            bytes += is_here ? block_bytes(block) : 0;
        }
        slot = table_next(machine->allocation, owner, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->allocation, owner, slot + 1)) {
            const struct allocation *at =
                handle_allocation(machine, (struct object_id){ owner, slot });
            bytes += at->device == device ? at->size : 0;
        }
    }
    return bytes;
}

static void check_levels(const struct world *world, const struct totals *totals) {
    uint64_t processes = 0;
    uint64_t devices = 0;
    for (uint32_t device = 0; device < world->site.device_count; device++) {
        ck_assert_uint_eq(totals->device[device].bytes, held_on(&world->machine, device));
        ck_assert_uint_le(totals->device[device].bytes, totals->device[device].peak);
        devices += totals->device[device].bytes;
    }
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        processes += totals->process[process].device.bytes;
    }
    ck_assert_uint_eq(processes, devices);
}

/* Calls by name and calls by process are the same calls. */
static void check_calls(const struct totals *totals) {
    struct totals_call sum = { 0 };
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        sum.times += totals->call[row].times;
        sum.refused += totals->call[row].refused;
        sum.call_ns += totals->call[row].call_ns;
        sum.queue_ns += totals->call[row].queue_ns;
    }
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        sum.call_ns -= totals->process[process].call_ns;
        sum.queue_ns -= totals->process[process].queue_ns;
    }
    ck_assert_uint_eq(sum.times, totals->calls);
    ck_assert_uint_eq(sum.refused, totals->refused);
    ck_assert_uint_gt(sum.refused, 0);
    ck_assert_uint_eq(sum.call_ns, 0);
    ck_assert_uint_eq(sum.queue_ns, 0);
}

START_TEST(levels_are_what_the_tables_hold) {
    struct world world;
    struct totals totals;
    world_init(&world);
    totals_open(&totals, &world.machine);
    struct random_calls calls = random_calls((uint64_t)_i + 7);
    for (uint32_t round = 0; round < 40; round++) {
        random_call_many(&calls, &world, WORLD_PROCESSES, 50);
        check_levels(&world, &totals);
    }
    process_end(&world.machine, (struct process_id){ 1 }, PROCESS_KILLED);
    check_levels(&world, &totals);
    ck_assert_uint_gt(totals.device[0].peak, 0);
    ck_assert_uint_eq(totals.calls, 40 * 50);
    check_calls(&totals);
    totals_close(&totals);
    world_fini(&world);
}
END_TEST

START_TEST(what_a_process_shared_counts_for_it_until_the_last_user_lets_go) {
    struct world world;
    struct totals totals;
    world_init(&world);
    totals_open(&totals, &world.machine);
    ck_assert_int_eq(world_call(&world, 0, "aclrtMallocPhysical", 2 * MIB, 0, 0, 4, 0, 1), 0);
    uint64_t handle = world.result.out[0];
    ck_assert_int_eq(world_call(&world, 0, "aclrtMemExportToShareableHandle", handle, 0, 1), 0);
    uint64_t share = world.result.out[0];
    ck_assert_int_eq(world_call(&world, 1, "aclrtMemImportFromShareableHandle", share, 0), 0);
    uint64_t imported = world.result.out[0];
    process_end(&world.machine, (struct process_id){ 0 }, PROCESS_KILLED);
    ck_assert_uint_eq(totals.process[0].device.bytes, 2 * MIB);
    ck_assert_uint_eq(totals.process[1].device.bytes, 0);
    ck_assert_int_eq(world_call(&world, 1, "aclrtFreePhysical", imported), 0);
    ck_assert_uint_eq(totals.process[0].device.bytes, 0);
    ck_assert_uint_eq(totals.device[0].peak, 2 * MIB);
    totals_close(&totals);
    world_fini(&world);
}
END_TEST

Suite *test_totals(void);
Suite *test_totals(void) {
    Suite *suite = suite_create("totals");
    TCase *tests = tcase_create("totals");
    tcase_add_loop_test(tests, levels_are_what_the_tables_hold, 0, 3);
    tcase_add_test(tests, what_a_process_shared_counts_for_it_until_the_last_user_lets_go);
    suite_add_tcase(suite, tests);
    return suite;
}
