/* SPDX-License-Identifier: Apache-2.0 */
#include "core/event.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "store/store.h"
#include "tests/queue_pair.h"

/* The time after a delay, or the last one. */
static uint64_t after(uint64_t time_ns, uint64_t delay_ns) {
    return delay_ns < UINT64_MAX - time_ns ? time_ns + delay_ns : UINT64_MAX;
}

/* Grows to some pending events, holds that for a while, and shrinks to none. */
struct shape {
    const char *name;
    uint32_t pending;
    uint32_t steps;
    uint64_t delays; /* a delay is below it ... */
    uint64_t unit;   /* ... and is multiplied by this */
    bool peeks;
};

static const struct shape shapes[] = {
    { "one", 1, 1000, 100, 1, false },
    { "a few at equal times", 12, 20000, 3, 1, false },
    { "a few, seen before", 12, 20000, 5, 7, true },
    { "as many as the front holds", 33, 50000, 1000, 1, false },
    { "a hundred", 100, 100000, 1000000000, 1, false },
    { "a hundred, seen before", 100, 50000, 1000000000, 1, true },
    { "a hundred at equal times", 100, 100000, 4, 1, false },
    { "all at one time", 3000, 30000, 1, 1, false },
    { "at one time, seen before", 3000, 30000, 1, 1, true },
    { "many", 4000, 100000, 1000000, 1000, false },
    { "many, seen before", 4000, 50000, 1000000, 1000, true },
    { "many at equal times", 4000, 100000, 40, 1, false },
    { "many at equal times, seen before", 4000, 50000, 40, 1, true },
    { "many at equal times far apart", 4000, 100000, 5, UINT64_C(1) << 40, false },
    { "to the end of time", 4000, 20000, 64, UINT64_C(1) << 50, false },
    { "to the end of time, seen before", 500, 10000, 64, UINT64_C(1) << 50, true },
};

/* A delay of the shape, or rarely one of quite another size. */
static uint64_t draw_delay(struct queue_pair *pair, const struct shape *shape) {
    if (queue_pair_draw(pair, 200) == 0) {
        return queue_pair_draw(pair, 2) == 0 ? 0 : shape->delays * shape->unit;
    }
    return queue_pair_draw(pair, shape->delays) * shape->unit;
}

static void push_one(struct queue_pair *pair, const struct shape *shape) {
    queue_pair_push(pair, after(event_now(&pair->queue), draw_delay(pair, shape)));
}

START_TEST(events_come_by_time_then_by_insertion) {
    const struct shape *shape = &shapes[_i];
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < shape->pending; step++) {
        push_one(&pair, shape);
    }
    for (uint32_t step = 0; step < shape->steps; step++) {
        if (shape->peeks && queue_pair_draw(&pair, 3) == 0) {
            queue_pair_peek(&pair);
        }
        if (pair.end - pair.first > shape->pending || queue_pair_draw(&pair, 2) == 0) {
            queue_pair_pop(&pair);
        } else {
            push_one(&pair, shape);
        }
    }
    ck_assert_uint_eq(event_count(&pair.queue), pair.end - pair.first);
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

START_TEST(an_empty_queue_has_no_next_event) {
    struct store *store = store_new();
    struct event_queue queue = event_queue_bind(store);
    struct event event = { 7, 8 };

    ck_assert(!event_pop(&queue, &event));
    ck_assert(!event_peek(&queue, &event));
    ck_assert_uint_eq(event.what, 8);
    ck_assert_uint_eq(event_now(&queue), 0);
    ck_assert_uint_eq(event_count(&queue), 0);
    store_free(store);
}
END_TEST

START_TEST(the_last_time_of_all_keeps_the_order) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < 300; step++) {
        queue_pair_push(&pair, UINT64_MAX - queue_pair_draw(&pair, 3) / 2);
        if (step % 50 == 0) {
            queue_pair_peek(&pair);
        }
        if (step % 10 == 0) {
            queue_pair_push(&pair, step < 200 ? step : UINT64_MAX);
        }
    }
    for (uint32_t step = 0; step < 200; step++) {
        queue_pair_pop(&pair);
    }
    for (uint32_t step = 0; step < 100; step++) {
        queue_pair_push(&pair, UINT64_MAX);
        queue_pair_peek(&pair);
        queue_pair_pop(&pair);
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

START_TEST(a_few_near_the_last_time_of_all_keep_the_order) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < 800; step++) {
        queue_pair_push(&pair, event_now(&pair.queue) + queue_pair_draw(&pair, UINT64_C(1) << 58));
        if (step % 80 == 79) {
            queue_pair_pop_all(&pair);
        }
    }
    for (uint32_t step = 0; step < 80; step++) {
        queue_pair_push(&pair, UINT64_MAX - queue_pair_draw(&pair, UINT64_C(1) << 50));
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

START_TEST(a_push_before_now_is_a_bug) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    queue_pair_push(&pair, 10);
    queue_pair_pop(&pair);
    queue_pair_push(&pair, 9);
}
END_TEST

START_TEST(a_queue_is_found_again_in_its_store) {
    struct store *store = store_new();
    struct event_queue queue = event_queue_bind(store);
    struct event event = { 3, 4 };

    event_push(&queue, event);
    struct event_queue again = event_queue_bind(store);
    ck_assert_uint_eq(event_count(&again), 1);
    ck_assert(event_pop(&again, &event));
    ck_assert_uint_eq(event.what, 4);
    ck_assert_uint_eq(event_count(&queue), 0);
    store_free(store);
}
END_TEST

static const struct shape marked_shapes[] = {
    { "a few", 10, 300, 1000, 1, true },
    { "a hundred", 100, 1000, 100000, 100, true },
    { "many", 3000, 6000, 1000000, 1000, false },
    { "many at equal times", 3000, 6000, 40, 1, true },
};

START_TEST(a_rollback_restores_the_order) {
    const struct shape *shape = &marked_shapes[_i];
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < shape->pending; step++) {
        push_one(&pair, shape);
    }
    for (uint32_t step = 0; step < shape->steps; step++) {
        queue_pair_pop(&pair);
        push_one(&pair, shape);
    }

    uint64_t now_ns = event_now(&pair.queue);
    struct queue_pair saved = pair;
    saved.model = host_zeroed(QUEUE_PAIR_ROOM, sizeof *saved.model);
    memcpy(saved.model, pair.model, pair.end * sizeof *pair.model);
    struct store_mark mark = store_mark(pair.store);
    for (int round = 0; round < 3; round++) {
        for (uint32_t step = 0; step < shape->steps; step++) {
            if (shape->peeks) {
                queue_pair_peek(&pair);
            }
            if (queue_pair_draw(&pair, 2) == 0) {
                queue_pair_pop(&pair);
            } else {
                push_one(&pair, shape);
            }
        }
        store_rollback(pair.store, &mark);
        pair.first = saved.first;
        pair.end = saved.end;
        memcpy(pair.model, saved.model, saved.end * sizeof *saved.model);
        ck_assert_uint_eq(event_now(&pair.queue), now_ns);
        ck_assert_uint_eq(event_count(&pair.queue), pair.end - pair.first);
    }
    store_unmark(pair.store, &mark);
    queue_pair_pop_all(&pair);
    free(saved.model);
    queue_pair_fini(&pair);
}
END_TEST

START_TEST(a_copy_continues_equally) {
    const struct shape *shape = &marked_shapes[_i];
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < shape->pending + 7; step++) {
        push_one(&pair, shape);
        if (step % 9 == 0) {
            queue_pair_pop(&pair);
        }
    }
    struct store *copy = store_copy(pair.store);
    struct event_queue queue = event_queue_bind(copy);
    for (uint32_t step = 0; step < shape->steps; step++) {
        struct event event = { 0, 0 };
        ck_assert(event_pop(&queue, &event));
        ck_assert_uint_eq(event.what, pair.model[pair.first].what);
        queue_pair_pop(&pair);
        push_one(&pair, shape);
        for (uint32_t index = pair.first; index < pair.end; index++) {
            if (pair.model[index].what == pair.pushed - 1) {
                event_push(&queue, pair.model[index]);
                break;
            }
        }
    }
    ck_assert_uint_eq(event_count(&queue), event_count(&pair.queue));
    store_free(copy);
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

START_TEST(memory_is_flat_in_a_steady_state) {
    struct store *store = store_new();
    struct event_queue queue = event_queue_bind(store);
    struct event event = { 0, 0 };
    uint64_t random = 1;
    uint64_t bytes = 0;

    for (uint32_t step = 0; step < 2000; step++) {
        event_push(&queue, (struct event){ step * 1000, step });
    }
    for (uint32_t step = 0; step < 1000000; step++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        event_pop(&queue, &event);
        event.time_ns += random >> 40 >> (random >> 20 & 15);
        event_push(&queue, event);
        if (step == 200000) {
            bytes = store_bytes(store);
        }
    }
    ck_assert_uint_eq(store_bytes(store), bytes);
    ck_assert_uint_lt(bytes, 500000);
    store_free(store);
}
END_TEST

START_TEST(a_sweep_drops_what_is_not_kept) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint64_t round = 0; round < 40; round++) {
        for (uint32_t step = 0; step < 300; step++) {
            queue_pair_push(&pair, event_now(&pair.queue) +
                                       queue_pair_draw(&pair, UINT64_C(100) << round % 20));
        }
        for (uint64_t less = 100 + round * 5; less > 0; less--) {
            queue_pair_pop(&pair);
        }
        queue_pair_peek(&pair);
        queue_pair_sweep(&pair);
        queue_pair_peek(&pair);
        queue_pair_push(&pair, event_now(&pair.queue));
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

static bool is_never_kept(struct event event, void *context) {
    (void)event;
    (void)context;
    return false;
}

START_TEST(swept_chunks_are_used_again) {
    struct queue_pair pair;
    uint64_t bytes = 0;

    queue_pair_init(&pair);
    for (int round = 0; round < 20; round++) {
        for (uint32_t step = 0; step < 5000; step++) {
            event_push(&pair.queue, (struct event){ step % 71 * 1000, step });
        }
        event_sweep(&pair.queue, is_never_kept, NULL);
        ck_assert_uint_eq(event_count(&pair.queue), 0);
        bytes = round == 0 ? store_bytes(pair.store) : bytes;
    }
    ck_assert_uint_eq(store_bytes(pair.store), bytes);
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

Suite *test_event(void);

Suite *test_event(void) {
    Suite *suite = suite_create("event");
    TCase *tests = tcase_create("event");

    tcase_add_loop_test(tests, events_come_by_time_then_by_insertion, 0, COUNT(shapes));
    tcase_add_test(tests, an_empty_queue_has_no_next_event);
    tcase_add_test(tests, the_last_time_of_all_keeps_the_order);
    tcase_add_test(tests, a_few_near_the_last_time_of_all_keep_the_order);
    tcase_add_test_raise_signal(tests, a_push_before_now_is_a_bug, SIGABRT);
    tcase_add_test(tests, a_queue_is_found_again_in_its_store);
    tcase_add_loop_test(tests, a_rollback_restores_the_order, 0, COUNT(marked_shapes));
    tcase_add_loop_test(tests, a_copy_continues_equally, 0, COUNT(marked_shapes));
    tcase_add_test(tests, memory_is_flat_in_a_steady_state);
    tcase_add_test(tests, a_sweep_drops_what_is_not_kept);
    tcase_add_test(tests, swept_chunks_are_used_again);
    suite_add_tcase(suite, tests);
    return suite;
}
