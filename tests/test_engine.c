/* SPDX-License-Identifier: Apache-2.0 */
#include "core/engine.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "tests/engine_world.h"

enum { SEED = 42, SLOTS = 6 };

/* Does something at random to actions of all kinds: the next turn of the one performed, and two
 * changes of others. Few times and few slots make all that is rare happen often. */
static void stir(struct engine_world *world, struct action action) {
    struct random_stream stream = random_stream(world->store, SEED, "stir");
    uint64_t now_ns = engine_now(&world->engine);

    engine_ready(&world->engine, action, now_ns + random_below(&stream, 5));
    for (int change = 0; change < 2; change++) {
        struct action other = {
            .kind = (uint8_t)random_below(&stream, ACTION_KINDS),
            .owner = (uint32_t)random_below(&stream, 2),
            .slot = (uint32_t)random_below(&stream, 3),
        };
        uint64_t due_ns = now_ns + random_below(&stream, 5);
        if (random_below(&stream, 3) == 0) {
            engine_withdraw(&world->engine, other);
        } else {
            engine_ready(&world->engine, other, due_ns);
        }
    }
}

static struct engine_world *stirred_new(void) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    world->then = stir;
    engine_world_ready(world, 0, 0);
    engine_world_run(world, 100);
    text_clear(&world->trace);
    return world;
}

START_TEST(actions_run_in_the_order_of_time) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 30);
    engine_world_ready(world, 1, 10);
    engine_world_ready(world, 2, 20);
    engine_world_check(world, "1@10 2@20 0@30 ");
}
END_TEST

START_TEST(equal_times_run_in_the_order_of_insertion) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 2, 10);
    engine_world_ready(world, 0, 10);
    engine_ready(&world->engine, action_work(1, 0), 10);
    engine_world_ready(world, 1, 10);
    engine_world_check(world, "2@10 0@10 work:1:0@10 1@10 ");
}
END_TEST

static void repeat_twice(struct engine_world *world, struct action action) {
    if (engine_now(&world->engine) < 20) {
        engine_ready(&world->engine, action, engine_now(&world->engine) + 10);
    }
}

START_TEST(an_action_can_make_itself_ready_again) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    world->then = repeat_twice;
    engine_world_ready(world, 0, 0);
    engine_world_ready(world, 1, 5);
    engine_world_check(world, "0@0 1@5 0@10 1@15 0@20 1@25 ");
}
END_TEST

START_TEST(an_action_is_no_longer_ready_once_performed) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    ck_assert(engine_is_ready(&world->engine, action_step(0)));
    ck_assert_uint_eq(engine_due(&world->engine, action_step(0)), 10);
    ck_assert(engine_run(&world->engine));
    ck_assert(!engine_is_ready(&world->engine, action_step(0)));
    engine_world_free(world);
}
END_TEST

START_TEST(without_actions_nothing_runs_and_the_clock_stands) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_run(world, 1);
    ck_assert(!engine_run(&world->engine));
    ck_assert_uint_eq(engine_now(&world->engine), 10);
    engine_world_free(world);
}
END_TEST

START_TEST(an_action_that_is_put_off_runs_later) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 20);
    engine_world_ready(world, 0, 30);
    engine_world_check(world, "1@20 0@30 ");
}
END_TEST

START_TEST(an_action_that_is_brought_forward_runs_earlier) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 30);
    engine_world_ready(world, 1, 20);
    engine_world_ready(world, 0, 10);
    engine_world_check(world, "0@10 1@20 ");
}
END_TEST

START_TEST(the_same_due_time_again_keeps_the_place) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 10);
    engine_world_ready(world, 0, 10);
    engine_world_check(world, "0@10 1@10 ");
}
END_TEST

START_TEST(an_action_put_off_and_back_goes_behind_its_equals) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 10);
    engine_world_ready(world, 0, 20);
    engine_world_ready(world, 0, 10);
    engine_world_check(world, "1@10 0@10 ");
}
END_TEST

START_TEST(an_action_withdrawn_and_back_goes_behind_its_equals) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 10);
    engine_withdraw(&world->engine, action_step(0));
    engine_world_ready(world, 0, 10);
    engine_world_check(world, "1@10 0@10 ");
}
END_TEST

START_TEST(a_due_time_given_up_does_not_serve_the_next_turn) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 10);
    engine_world_ready(world, 0, 5);
    engine_world_run(world, 1);
    engine_world_ready(world, 0, 10);
    engine_world_check(world, "0@5 1@10 0@10 ");
}
END_TEST

START_TEST(a_withdrawn_action_does_not_run) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 20);
    engine_withdraw(&world->engine, action_step(0));
    engine_world_check(world, "1@20 ");
}
END_TEST

START_TEST(withdrawing_what_is_not_ready_changes_nothing) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 1, 20);
    engine_withdraw(&world->engine, action_step(0));
    engine_world_check(world, "1@20 ");
}
END_TEST

START_TEST(a_withdrawn_future_does_not_move_the_clock) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 100);
    engine_world_ready(world, 1, 300);
    engine_world_run(world, 1);
    engine_withdraw(&world->engine, action_step(1));
    ck_assert(!engine_run(&world->engine));
    engine_world_ready(world, 2, 200);
    engine_world_check(world, "0@100 2@200 ");
}
END_TEST

START_TEST(an_action_performed_out_of_turn_does_not_run_again) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 10);
    engine_world_ready(world, 1, 20);
    engine_run_action(&world->engine, action_step(1));
    engine_world_check(world, "1@0 0@10 ");
}
END_TEST

START_TEST(large_numbers_of_owner_and_slot_are_kept) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_ready(&world->engine, action_work(300000, 70000), 10);
    engine_ready(&world->engine, (struct action){ ACTION_LINK, 70000, 300000 }, 30);
    engine_ready(&world->engine, (struct action){ ACTION_LINK, 70000, 300000 }, 20);
    engine_world_check(world, "work:300000:70000@10 link:70000:300000@20 ");
}
END_TEST

START_TEST(memory_is_flat_while_actions_are_put_off) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    uint64_t bytes = 0;

    for (uint32_t round = 0; round < 1000000; round++) {
        engine_world_ready(world, round % 3, 1000 + round);
        if (round == 1000) {
            bytes = store_bytes(world->store);
        }
    }
    ck_assert_uint_le(store_bytes(world->store), 2 * bytes);
    engine_world_check(world, "1@1000997 2@1000998 0@1000999 ");
}
END_TEST

START_TEST(memory_is_flat_while_actions_are_withdrawn) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    uint64_t bytes = 0;

    for (uint32_t round = 0; round < 100000; round++) {
        engine_world_ready(world, 0, round + 1000);
        engine_withdraw(&world->engine, action_step(0));
        if (round == 1000) {
            bytes = store_bytes(world->store);
        }
    }
    ck_assert_uint_le(store_bytes(world->store), 2 * bytes);
    engine_world_free(world);
}
END_TEST

START_TEST(memory_is_flat_while_actions_come_and_go) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    uint64_t bytes = 0;

    for (uint32_t round = 0; round < 100000; round++) {
        engine_world_ready(world, 1, round + 1);
        engine_world_ready(world, 1, round);
        engine_world_run(world, 1);
        text_clear(&world->trace);
        if (round == 1000) {
            bytes = store_bytes(world->store);
        }
    }
    ck_assert_uint_le(store_bytes(world->store), 2 * bytes);
    engine_world_free(world);
}
END_TEST

START_TEST(what_waited_while_time_passed_runs_at_the_later_time) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_world_ready(world, 0, 50);
    engine_pass(&world->engine, 100);
    ck_assert_uint_eq(engine_now(&world->engine), 100);
    engine_world_ready(world, 1, 100);
    engine_world_check(world, "0@100 1@100 ");
}
END_TEST

/* What is ready, as a list that is searched: the model that the engine is compared with. */
struct model {
    bool is_ready[SLOTS];
    uint64_t due_ns[SLOTS];
    uint64_t insertion[SLOTS];
    uint64_t insertions;
    uint64_t now_ns;
};

static void model_ready(struct model *model, uint32_t slot, uint64_t due_ns) {
    if (!model->is_ready[slot] || model->due_ns[slot] != due_ns) {
        model->is_ready[slot] = true;
        model->due_ns[slot] = due_ns;
        model->insertion[slot] = model->insertions++;
    }
}

static void model_run(struct model *model, struct text *trace) {
    uint32_t best = SLOTS;

    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        if (model->is_ready[slot] && (best == SLOTS || model->due_ns[slot] < model->due_ns[best] ||
                                      (model->due_ns[slot] == model->due_ns[best] &&
                                       model->insertion[slot] < model->insertion[best]))) {
            best = slot;
        }
    }
    if (best < SLOTS) {
        uint64_t due_ns = model->due_ns[best];
        model->now_ns = due_ns > model->now_ns ? due_ns : model->now_ns;
        model->is_ready[best] = false;
        text_printf(trace, "%u@%" PRIu64 " ", best, model->now_ns);
    }
}

START_TEST(the_clock_policy_agrees_with_a_searched_list) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "operations");
    struct model model = { 0 };
    struct text expected = { 0 };

    for (int operation = 0; operation < 20000; operation++) {
        uint32_t slot = (uint32_t)random_below(&stream, SLOTS);
        uint64_t later_ns = random_below(&stream, 4);
        uint64_t kind = random_below(&stream, 100);
        if (kind < 60) {
            engine_world_ready(world, slot, model.now_ns + later_ns);
            model_ready(&model, slot, model.now_ns + later_ns);
        } else if (kind < 75) {
            engine_withdraw(&world->engine, action_step(slot));
            model.is_ready[slot] = false;
        } else if (kind < 98) {
            engine_world_run(world, 1);
            model_run(&model, &expected);
        } else {
            engine_pass(&world->engine, later_ns);
            model.now_ns += later_ns;
        }
    }
    ck_assert_str_eq(text_get(&world->trace), text_get(&expected));
    text_fini(&expected);
    store_free(store);
    engine_world_free(world);
}
END_TEST

START_TEST(after_a_rollback_the_same_sequence_follows) {
    struct engine_world *world = stirred_new();
    struct engine_world *before = engine_world_copy(world);

    struct store_mark mark = store_mark(world->store);
    engine_world_run(world, 500);
    char *first = text_steal(&world->trace);
    store_rollback(world->store, &mark);
    ck_assert(store_same(world->store, before->store));
    engine_world_run(world, 500);
    ck_assert_str_eq(text_get(&world->trace), first);
    free(first);
    engine_world_free(before);
    engine_world_free(world);
}
END_TEST

START_TEST(a_copy_continues_with_the_same_sequence) {
    struct engine_world *world = stirred_new();
    struct engine_world *copy = engine_world_copy(world);

    engine_world_run(world, 500);
    engine_world_run(copy, 500);
    ck_assert_str_eq(text_get(&copy->trace), text_get(&world->trace));
    ck_assert(store_same(copy->store, world->store));
    engine_world_free(copy);
    engine_world_free(world);
}
END_TEST

START_TEST(a_rebuilt_queue_continues_like_the_kept_one) {
    struct engine_world *world = stirred_new();
    struct engine_world *rebuilt = engine_world_copy(world);

    for (int round = 0; round < 100; round++) {
        engine_rebuild(&rebuilt->engine);
        ck_assert(store_same(rebuilt->store, world->store));
        engine_world_run(world, 5);
        engine_world_run(rebuilt, 5);
    }
    ck_assert_str_eq(text_get(&rebuilt->trace), text_get(&world->trace));
    engine_world_free(rebuilt);
    engine_world_free(world);
}
END_TEST

START_TEST(a_due_time_in_the_past_is_our_bug) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_pass(&world->engine, 10);
    engine_world_ready(world, 0, 9);
}
END_TEST

START_TEST(performing_what_is_not_ready_is_our_bug) {
    struct engine_world *world = engine_world_new(ENGINE_FREE);

    engine_run_action(&world->engine, action_step(0));
}
END_TEST

START_TEST(an_owner_too_large_is_our_bug) {
    struct engine_world *world = engine_world_new(ENGINE_CLOCK);

    engine_ready(&world->engine, action_work(ENGINE_OWNERS, 0), 0);
}
END_TEST

Suite *test_engine(void);

Suite *test_engine(void) {
    Suite *suite = suite_create("engine");
    TCase *tests = tcase_create("engine");

    tcase_add_test(tests, actions_run_in_the_order_of_time);
    tcase_add_test(tests, equal_times_run_in_the_order_of_insertion);
    tcase_add_test(tests, an_action_can_make_itself_ready_again);
    tcase_add_test(tests, an_action_is_no_longer_ready_once_performed);
    tcase_add_test(tests, without_actions_nothing_runs_and_the_clock_stands);
    tcase_add_test(tests, an_action_that_is_put_off_runs_later);
    tcase_add_test(tests, an_action_that_is_brought_forward_runs_earlier);
    tcase_add_test(tests, the_same_due_time_again_keeps_the_place);
    tcase_add_test(tests, an_action_put_off_and_back_goes_behind_its_equals);
    tcase_add_test(tests, an_action_withdrawn_and_back_goes_behind_its_equals);
    tcase_add_test(tests, a_due_time_given_up_does_not_serve_the_next_turn);
    tcase_add_test(tests, a_withdrawn_action_does_not_run);
    tcase_add_test(tests, withdrawing_what_is_not_ready_changes_nothing);
    tcase_add_test(tests, a_withdrawn_future_does_not_move_the_clock);
    tcase_add_test(tests, an_action_performed_out_of_turn_does_not_run_again);
    tcase_add_test(tests, large_numbers_of_owner_and_slot_are_kept);
    tcase_add_test(tests, memory_is_flat_while_actions_are_put_off);
    tcase_add_test(tests, memory_is_flat_while_actions_are_withdrawn);
    tcase_add_test(tests, memory_is_flat_while_actions_come_and_go);
    tcase_add_test(tests, what_waited_while_time_passed_runs_at_the_later_time);
    tcase_add_test(tests, the_clock_policy_agrees_with_a_searched_list);
    tcase_add_test(tests, after_a_rollback_the_same_sequence_follows);
    tcase_add_test(tests, a_copy_continues_with_the_same_sequence);
    tcase_add_test(tests, a_rebuilt_queue_continues_like_the_kept_one);
    tcase_add_test_raise_signal(tests, a_due_time_in_the_past_is_our_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, performing_what_is_not_ready_is_our_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, an_owner_too_large_is_our_bug, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
