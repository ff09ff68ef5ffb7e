/* SPDX-License-Identifier: Apache-2.0 */
/* The machine is a value: properties over random sequences of calls. */
#include <check.h>
#include <stdlib.h>

#include "machine/audit.h"
#include "tests/random_calls.h"

enum { SEEDS = 8, CALLS = 400, THREADS = 3 };

/* A second world that stands on a copy of the first one's store. */
static void copy_world(struct world *copy, const struct world *world) {
    *copy = *world;
    copy->site.server = copy->server;
    copy->site.container = copy->container;
    copy->site.visible = copy->visible;
    copy->site.process = copy->process;
    copy->site.thread = copy->thread;
    copy->store = store_copy(world->store);
    struct engine engine = engine_bind(copy->store, copy->policy, choice_first(), NULL, NULL);
    copy->machine = machine_bind(copy->store, &copy->site, engine, copy->places_are_state);
    copy->acl = acl_new(&copy->machine, NULL);
}

static void copy_fini(struct world *copy) {
    acl_free(copy->acl);
    store_free(copy->store);
}

static void assert_well(const struct world *world) {
    struct text wrong = { 0 };
    ck_assert_msg(audit_machine(&world->machine, &wrong), "%s", text_get(&wrong));
    text_fini(&wrong);
}

START_TEST(the_rules_hold_after_any_sequence_of_calls) {
    struct world world;
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    world_init(&world);
    for (int round = 0; round < 20; round++) {
        random_call_many(&calls, &world, THREADS, 40);
        assert_well(&world);
    }
    world_fini(&world);
}
END_TEST

START_TEST(ending_every_process_gives_all_memory_back) {
    struct world world;
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    world_init(&world);
    uint64_t free_bytes = world_free_bytes(&world, 0) + world_free_bytes(&world, 1);
    random_call_many(&calls, &world, THREADS, CALLS);
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        process_end(&world.machine, (struct process_id){ process }, PROCESS_EXITED);
        assert_well(&world);
    }
    ck_assert_uint_eq(world_free_bytes(&world, 0) + world_free_bytes(&world, 1), free_bytes);
    world_fini(&world);
}
END_TEST

START_TEST(a_copy_continues_like_the_original) {
    struct world world, copy;
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    world_init(&world);
    random_call_many(&calls, &world, THREADS, CALLS / 2);
    struct random_calls same = calls;
    copy_world(&copy, &world);
    random_call_many(&calls, &world, THREADS, CALLS / 2);
    random_call_many(&same, &copy, THREADS, CALLS / 2);
    ck_assert(store_same(world.store, copy.store));
    copy_fini(&copy);
    world_fini(&world);
}
END_TEST

START_TEST(rolling_back_restores_the_same_world_and_hash) {
    struct world world, copy;
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    world_init(&world);
    random_call_many(&calls, &world, THREADS, CALLS / 2);
    copy_world(&copy, &world);
    struct hash128 before = store_hash(world.store);
    struct store_mark mark = store_mark(world.store);
    random_call_many(&calls, &world, THREADS, CALLS / 2);
    ck_assert(!hash128_equal(store_hash(world.store), before));
    store_rollback(world.store, &mark);
    ck_assert(store_same(world.store, copy.store));
    ck_assert(hash128_equal(store_hash(world.store), before));
    assert_well(&world);
    copy_fini(&copy);
    world_fini(&world);
}
END_TEST

START_TEST(the_kept_hash_equals_one_computed_afresh) {
    struct world world;
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    world_init(&world);
    for (int call = 0; call < CALLS; call++) {
        random_call_many(&calls, &world, THREADS, 1);
        struct hash128 kept = store_hash(world.store);
        if (call % 10 == 0) {
            ck_assert(hash128_equal(kept, store_hash_afresh(world.store)));
        }
    }
    world_fini(&world);
}
END_TEST

START_TEST(flipping_any_byte_of_state_is_seen) {
    struct world world, copy;
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    world_init(&world);
    random_call_many(&calls, &world, THREADS, 60);
    copy_world(&copy, &world);
    struct hash128 hash = store_hash_afresh(world.store);
    const struct table *tables[] = { world.machine.process,     world.machine.handle,
                                     world.machine.allocation,  world.machine.mapping,
                                     world.machine.reservation, world.machine.share,
                                     world.machine.listed,      world.machine.block,
                                     world.machine.pools.frame, world.machine.pools.pool };
    for (size_t table = 0; table < sizeof tables / sizeof *tables; table++) {
        for (uint32_t owner = 0; owner < WORLD_PROCESSES; owner++) {
            uint32_t slot = table_next(tables[table], owner, 0);
            if (slot == SLOT_NONE) {
                continue;
            }
            unsigned char *record =
                (unsigned char *)(uintptr_t)table_get(tables[table], owner, slot);
            for (uint32_t byte = 0; byte < tables[table]->type.record_size; byte++) {
                record[byte] ^= 0x10;
                ck_assert(!store_alike(world.store, copy.store));
                ck_assert(!hash128_equal(store_hash_afresh(world.store), hash));
                record[byte] ^= 0x10;
            }
        }
    }
    ck_assert(store_alike(world.store, copy.store));
    copy_fini(&copy);
    world_fini(&world);
}
END_TEST

/* Processes 0 and 1 each make calls of their own; they touch no share of each other. */
static void independent_calls(struct world *world, uint64_t seed, bool second_first) {
    struct random_calls calls[2] = { random_calls(seed), random_calls(seed + 1000) };
    for (int round = 0; round < 60; round++) {
        for (int turn = 0; turn < 2; turn++) {
            uint32_t thread = (uint32_t)(turn ^ second_first);
            random_call(&calls[thread], world, thread);
        }
    }
}

START_TEST(independent_processes_commute) {
    struct world left, right;
    world_init(&left);
    world_init(&right);
    independent_calls(&left, (uint64_t)_i + 1, false);
    independent_calls(&right, (uint64_t)_i + 1, true);
    ck_assert(store_alike(left.store, right.store));
    ck_assert(hash128_equal(store_hash(left.store), store_hash(right.store)));
    ck_assert(!store_same(left.store, right.store));
    world_fini(&left);
    world_fini(&right);
}
END_TEST

Suite *test_value(void);

Suite *test_value(void) {
    Suite *suite = suite_create("value");
    TCase *tcase = tcase_create("value");
    tcase_add_loop_test(tcase, the_rules_hold_after_any_sequence_of_calls, 0, SEEDS);
    tcase_add_loop_test(tcase, ending_every_process_gives_all_memory_back, 0, SEEDS);
    tcase_add_loop_test(tcase, a_copy_continues_like_the_original, 0, SEEDS);
    tcase_add_loop_test(tcase, rolling_back_restores_the_same_world_and_hash, 0, SEEDS);
    tcase_add_loop_test(tcase, the_kept_hash_equals_one_computed_afresh, 0, SEEDS);
    tcase_add_loop_test(tcase, flipping_any_byte_of_state_is_seen, 0, 2);
    tcase_add_loop_test(tcase, independent_processes_commute, 0, SEEDS);
    suite_add_tcase(suite, tcase);
    return suite;
}
