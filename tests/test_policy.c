/* SPDX-License-Identifier: Apache-2.0 */
/* The free and the schedule policy of the engine; the clock policy is in test_engine.c. */
#include <check.h>

#include "core/engine.h"
#include "tests/engine_world.h"

static uint32_t answer_as_told(void *context, enum choice_kind kind, uint32_t count) {
    const uint32_t *answer = context;

    ck_assert_int_eq(kind, CHOICE_NEXT);
    ck_assert_uint_lt(*answer, count);
    return *answer;
}

/* Actions of all kinds in the order in which they are to be found, made ready in another one. */
static const struct action all[] = {
    { ACTION_STEP, 0, 0 }, { ACTION_STEP, 0, 70 }, { ACTION_WORK, 0, 3 },   { ACTION_WORK, 1, 0 },
    { ACTION_WORK, 2, 1 }, { ACTION_WORK, 2, 2 },  { ACTION_WORK, 130, 0 }, { ACTION_LINK, 0, 0 },
};
enum { ALL = sizeof all / sizeof all[0] };

static struct engine_world *free_world_new(void) {
    struct engine_world *world = engine_world_new(ENGINE_FREE);

    for (int place = 0; place < ALL; place++) {
        engine_ready(&world->engine, all[(place * 3 + 5) % ALL], (uint64_t)(10 + place % 3));
    }
    return world;
}

START_TEST(what_is_ready_is_found_in_the_order_of_kind_owner_slot) {
    struct engine_world *world = free_world_new();
    struct action action = { 0, 0, 0 };
    bool found = engine_next(&world->engine, NULL, &action);

    for (int place = 0; place < ALL; place++) {
        ck_assert(found);
        ck_assert_uint_eq(action.kind, all[place].kind);
        ck_assert_uint_eq(action.owner, all[place].owner);
        ck_assert_uint_eq(action.slot, all[place].slot);
        found = engine_next(&world->engine, &action, &action);
    }
    ck_assert(!found);
    engine_world_free(world);
}
END_TEST

START_TEST(what_is_ready_is_counted_over_all_kinds) {
    struct engine_world *world = free_world_new();

    ck_assert_uint_eq(engine_count(&world->engine), ALL);
    engine_withdraw(&world->engine, all[3]);
    ck_assert_uint_eq(engine_count(&world->engine), ALL - 1);
    engine_world_free(world);
}
END_TEST

START_TEST(every_ready_action_can_be_picked) {
    for (uint32_t answer = 0; answer < ALL; answer++) {
        struct engine_world *world = free_world_new();
        world->engine.choice = (struct choice){ answer_as_told, &answer, choice_bit(CHOICE_NEXT) };
        ck_assert(engine_run(&world->engine));
        for (uint32_t place = 0; place < ALL; place++) {
            ck_assert(engine_is_ready(&world->engine, all[place]) == (place != answer));
        }
        engine_world_free(world);
    }
}
END_TEST

START_TEST(the_first_is_taken_when_nobody_asks_for_the_next) {
    struct engine_world *world = free_world_new();

    engine_world_run(world, ALL);
    ck_assert_str_eq(
        text_get(&world->trace),
        "0@0 70@0 work:0:3@0 work:1:0@0 work:2:1@0 work:2:2@0 work:130:0@0 link:0:0@0 ");
    ck_assert(!engine_run(&world->engine));
    engine_world_free(world);
}
END_TEST

START_TEST(the_clock_stands_still_while_all_is_free) {
    struct engine_world *world = free_world_new();

    engine_pass(&world->engine, 10);
    engine_world_run(world, ALL);
    ck_assert_uint_eq(engine_now(&world->engine), 0);
    engine_world_free(world);
}
END_TEST

START_TEST(what_is_ready_is_state) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    struct engine_world *other = engine_world_new(ENGINE_CLOCK);

    for (int place = 0; place < ALL; place++) {
        if (all[place].kind != ACTION_LINK) {
            engine_ready(&world->engine, all[place], 10);
            ck_assert(!store_alike(world->store, other->store));
            engine_withdraw(&world->engine, all[place]);
            ck_assert(store_alike(world->store, other->store));
        }
    }
    engine_world_free(world);
    engine_world_free(other);
}
END_TEST

START_TEST(when_it_is_due_is_a_note) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    struct engine_world *later = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(later, 0, 20);
    ck_assert(store_alike(world->store, later->store));
    ck_assert(!store_same(world->store, later->store));
    engine_world_free(world);
    engine_world_free(later);
}
END_TEST

START_TEST(the_clock_is_a_note) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    struct engine_world *later = engine_world_new(ENGINE_CLOCK);

    engine_pass(&later->engine, 10);
    ck_assert(store_alike(world->store, later->store));
    ck_assert(!store_same(world->store, later->store));
    engine_world_free(world);
    engine_world_free(later);
}
END_TEST

static void make_next_ready(struct engine_world *world, struct action action) {
    struct action next = { action.kind, action.owner, action.slot + 1 };

    engine_ready(&world->engine, next, engine_now(&world->engine));
}

/* Performs the works of two owners, one after the other. */
static struct engine_world *two_works_new(uint32_t first, uint32_t second) {
    struct engine_world *world = engine_world_new(ENGINE_FREE);

    world->then = make_next_ready;
    engine_ready(&world->engine, action_work(1, 0), 0);
    engine_ready(&world->engine, action_work(2, 0), 0);
    engine_run_action(&world->engine, action_work(first, 0));
    engine_run_action(&world->engine, action_work(second, 0));
    return world;
}

START_TEST(independent_actions_in_either_order_give_the_same_state) {
    struct engine_world *forth = two_works_new(1, 2);
    struct engine_world *back = two_works_new(2, 1);

    ck_assert(store_alike(forth->store, back->store));
    ck_assert(!store_same(forth->store, back->store));
    ck_assert(hash128_equal(store_hash(forth->store), store_hash(back->store)));
    engine_world_free(forth);
    engine_world_free(back);
}
END_TEST

START_TEST(an_action_starts_when_it_is_ready_and_the_one_before_has_started) {
    struct engine_world *world = engine_world_new(ENGINE_SCHEDULE);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 30);
    engine_world_ready(world, 2, 50);
    engine_run_action(&world->engine, action_step(1));
    engine_run_action(&world->engine, action_step(0));
    engine_run_action(&world->engine, action_step(2));
    engine_world_check(world, "1@30 0@30 2@50 ");
}
END_TEST

START_TEST(beyond_a_schedule_the_earliest_is_next) {
    struct engine_world *world = engine_world_new(ENGINE_SCHEDULE);

    engine_world_ready(world, 0, 20);
    engine_world_ready(world, 2, 10);
    engine_world_ready(world, 1, 10);
    engine_world_check(world, "2@10 1@10 0@20 ");
}
END_TEST

START_TEST(advancing_never_moves_the_clock_back) {
    struct engine_world *world = engine_world_new(ENGINE_SCHEDULE);

    engine_advance(&world->engine, 50);
    engine_advance(&world->engine, 20);
    ck_assert_uint_eq(engine_now(&world->engine), 50);
    engine_world_free(world);
}
END_TEST

START_TEST(a_rebuilt_queue_knows_what_another_policy_did) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 5);
    engine_world_ready(world, 2, 7);
    engine_world_ready(world, 2, 8);
    engine_world_bind(world, ENGINE_FREE);
    engine_run_action(&world->engine, action_step(1));
    engine_world_ready(world, 1, 3);
    engine_world_ready(world, 2, 9);
    engine_world_ready(world, 3, 1);
    engine_world_bind(world, ENGINE_CLOCK);
    engine_rebuild(&world->engine);
    engine_world_check(world, "1@0 3@1 1@3 2@9 0@10 ");
}
END_TEST

Suite *test_policy(void);

Suite *test_policy(void) {
    Suite *suite = suite_create("policy");
    TCase *tests = tcase_create("policy");

    tcase_add_test(tests, what_is_ready_is_found_in_the_order_of_kind_owner_slot);
    tcase_add_test(tests, what_is_ready_is_counted_over_all_kinds);
    tcase_add_test(tests, every_ready_action_can_be_picked);
    tcase_add_test(tests, the_first_is_taken_when_nobody_asks_for_the_next);
    tcase_add_test(tests, the_clock_stands_still_while_all_is_free);
    tcase_add_test(tests, what_is_ready_is_state);
    tcase_add_test(tests, when_it_is_due_is_a_note);
    tcase_add_test(tests, the_clock_is_a_note);
    tcase_add_test(tests, independent_actions_in_either_order_give_the_same_state);
    tcase_add_test(tests, an_action_starts_when_it_is_ready_and_the_one_before_has_started);
    tcase_add_test(tests, beyond_a_schedule_the_earliest_is_next);
    tcase_add_test(tests, advancing_never_moves_the_clock_back);
    tcase_add_test(tests, a_rebuilt_queue_knows_what_another_policy_did);
    suite_add_tcase(suite, tests);
    return suite;
}
