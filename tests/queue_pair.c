/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/queue_pair.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"

void queue_pair_init(struct queue_pair *pair) {
    memset(pair, 0, sizeof *pair);
    pair->store = store_new();
    pair->queue = event_queue_bind(pair->store);
    pair->model = host_zeroed(QUEUE_PAIR_ROOM, sizeof *pair->model);
    pair->random = UINT64_C(88172645463325252);
}

void queue_pair_fini(struct queue_pair *pair) {
    store_free(pair->store);
    free(pair->model);
}

uint64_t queue_pair_draw(struct queue_pair *pair, uint64_t end) {
    pair->random ^= pair->random << 13;
    pair->random ^= pair->random >> 7;
    pair->random ^= pair->random << 17;
    return pair->random % end;
}

void queue_pair_push(struct queue_pair *pair, uint64_t time_ns) {
    struct event event = { time_ns, pair->pushed++ };
    if (pair->end == QUEUE_PAIR_ROOM) {
        pair->end -= pair->first;
        memmove(pair->model, pair->model + pair->first, pair->end * sizeof event);
        pair->first = 0;
    }
    uint32_t low = pair->first, high = pair->end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pair->model[middle].time_ns <= time_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    memmove(pair->model + low + 1, pair->model + low, (pair->end++ - low) * sizeof event);
    pair->model[low] = event;
    event_push(&pair->queue, event);
}

void queue_pair_pop(struct queue_pair *pair) {
    struct event event = { 0, 0 };
    bool is_there = event_pop(&pair->queue, &event);
    if (is_there != (pair->first < pair->end)) {
        ck_abort_msg("%s event too %s", is_there ? "one" : "no", is_there ? "much" : "early");
    }
    if (is_there) {
        struct event expected = pair->model[pair->first++];
        if (event.time_ns != expected.time_ns || event.what != expected.what) {
            ck_abort_msg("event %llu came before event %llu", (unsigned long long)event.what,
                         (unsigned long long)expected.what);
        }
        ck_assert_uint_eq(event_now(&pair->queue), event.time_ns);
    }
}

void queue_pair_peek(struct queue_pair *pair) {
    struct event event = { 0, 0 };
    uint64_t now_ns = event_now(&pair->queue);
    ck_assert(event_peek(&pair->queue, &event) == (pair->first < pair->end));
    if (pair->first < pair->end && event.what != pair->model[pair->first].what) {
        ck_abort_msg("event %llu was seen before event %llu", (unsigned long long)event.what,
                     (unsigned long long)pair->model[pair->first].what);
    }
    ck_assert_uint_eq(event_now(&pair->queue), now_ns);
}

void queue_pair_pop_all(struct queue_pair *pair) {
    while (pair->first < pair->end) {
        queue_pair_pop(pair);
    }
    queue_pair_pop(pair);
    ck_assert_uint_eq(event_count(&pair->queue), 0);
}

static bool is_kept(struct event event, void *context) {
    uint32_t *asked = context;
    ++*asked;
    return event.what % 3 == 0;
}

void queue_pair_sweep(struct queue_pair *pair) {
    uint32_t asked = 0;
    event_sweep(&pair->queue, is_kept, &asked);
    ck_assert_uint_eq(asked, pair->end - pair->first);
    uint32_t kept = pair->first;
    for (uint32_t index = pair->first; index < pair->end; index++) {
        if (pair->model[index].what % 3 == 0) {
            pair->model[kept++] = pair->model[index];
        }
    }
    pair->end = kept;
    ck_assert_uint_eq(event_count(&pair->queue), kept - pair->first);
}
