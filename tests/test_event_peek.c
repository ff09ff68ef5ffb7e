/* SPDX-License-Identifier: Apache-2.0 */
#include "core/event.h"

#include <check.h>

#include "tests/queue_pair.h"

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

/* What a peek has prepared must not come behind later pushes at the same last time. */
START_TEST(a_peek_at_the_last_time_of_all_keeps_the_order) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (int step = 0; step < _i; step++) {
        queue_pair_push(&pair, UINT64_MAX);
    }
    queue_pair_peek(&pair);
    for (uint64_t time_ns = 0; time_ns < 100; time_ns++) {
        queue_pair_push(&pair, time_ns % 25 == 0 ? UINT64_MAX : time_ns);
        queue_pair_peek(&pair);
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

/* Pushes the time of now, of the next event, or one between them. */
static void push_before_next(struct queue_pair *pair) {
    uint64_t now_ns = event_now(&pair->queue);
    uint64_t next_ns = pair->model[pair->first].time_ns;
    uint64_t time_ns = now_ns + queue_pair_draw(pair, next_ns - now_ns + 1);
    switch (queue_pair_draw(pair, 4)) {
    case 0:
        queue_pair_push(pair, now_ns);
        break;
    case 1:
        queue_pair_push(pair, next_ns);
        break;
    default:
        queue_pair_push(pair, time_ns);
    }
}

static const uint64_t units[] = { 1, 1000, 50000, 1 << 20 };

START_TEST(pushes_before_what_was_seen_are_legal) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < 20000; step++) {
        uint64_t now_ns = event_now(&pair.queue);
        uint32_t pending = step % 5000 < 2500 ? 150 : 600;
        while (pair.end - pair.first < pending) {
            queue_pair_push(&pair,
                            now_ns + queue_pair_draw(&pair, 1 << 22) / units[_i] * units[_i]);
        }
        queue_pair_peek(&pair);
        uint64_t end = queue_pair_draw(&pair, 100) == 0 ? 60 : 8;
        for (uint64_t more = queue_pair_draw(&pair, 40); more < end; more++) {
            push_before_next(&pair);
            queue_pair_peek(&pair);
        }
        if (step % 500 == 0) {
            queue_pair_sweep(&pair);
            queue_pair_peek(&pair);
        }
        queue_pair_pop(&pair);
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

/* All that the clock has reached is gone, and the next events are too many to be prepared. */
START_TEST(pushes_before_a_far_crowd_are_legal) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint64_t round = 1; round < 150; round++) {
        uint64_t crowd_ns = round << 30;
        for (uint32_t step = 0; step < 200; step++) {
            queue_pair_push(&pair,
                            crowd_ns + queue_pair_draw(&pair, 1 << 20) / units[_i] * units[_i]);
        }
        while (pair.first < pair.end && pair.model[pair.first].time_ns < crowd_ns) {
            queue_pair_pop(&pair);
        }
        for (uint64_t more = queue_pair_draw(&pair, 50); more > 0; more--) {
            queue_pair_peek(&pair);
            push_before_next(&pair);
        }
        for (uint64_t less = queue_pair_draw(&pair, 50); less > 0; less--) {
            queue_pair_peek(&pair);
            queue_pair_pop(&pair);
        }
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

/* Equal times lie both in what a peek has prepared and in what it has not. */
START_TEST(equal_times_keep_their_order_across_a_peek) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < 40; step++) {
        queue_pair_push(&pair, 5000);
    }
    for (uint32_t step = 0; step < 40; step++) {
        queue_pair_push(&pair, 6000 + step % 3);
    }
    queue_pair_peek(&pair);
    for (uint32_t step = 0; step < 40; step++) {
        queue_pair_push(&pair, 5000 - queue_pair_draw(&pair, 2) * 4000);
        queue_pair_peek(&pair);
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

START_TEST(many_equal_times_keep_their_order_across_a_peek) {
    struct queue_pair pair;

    queue_pair_init(&pair);
    for (uint32_t step = 0; step < 300; step++) {
        queue_pair_push(&pair, 5000);
        queue_pair_push(&pair, 5003);
    }
    for (uint32_t step = 0; step < 300; step++) {
        queue_pair_pop(&pair);
    }
    queue_pair_peek(&pair);
    for (uint32_t step = 0; step < 60; step++) {
        queue_pair_push(&pair, 5001);
    }
    queue_pair_pop_all(&pair);
    queue_pair_fini(&pair);
}
END_TEST

Suite *test_event_peek(void);

Suite *test_event_peek(void) {
    Suite *suite = suite_create("event_peek");
    TCase *tests = tcase_create("event_peek");

    tcase_add_loop_test(tests, a_peek_at_the_last_time_of_all_keeps_the_order, 1, 70);
    tcase_add_loop_test(tests, pushes_before_what_was_seen_are_legal, 0, COUNT(units));
    tcase_add_loop_test(tests, pushes_before_a_far_crowd_are_legal, 0, COUNT(units));
    tcase_add_test(tests, equal_times_keep_their_order_across_a_peek);
    tcase_add_test(tests, many_equal_times_keep_their_order_across_a_peek);
    suite_add_tcase(suite, tests);
    return suite;
}
