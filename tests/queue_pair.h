/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event queue beside a plain reference, for tests: pending events sorted by (time, insertion).
 * Whatever is done to both must show the same; a test fails where it does not.
 */
#ifndef TESTS_QUEUE_PAIR_H
#define TESTS_QUEUE_PAIR_H

#include <stdint.h>

#include "core/event.h"
#include "store/store.h"

enum { QUEUE_PAIR_ROOM = 1 << 14 };

struct queue_pair {
    struct store *store;
    struct event_queue queue;
    struct event *model; /* from first to end */
    uint32_t first;
    uint32_t end;
    uint64_t pushed;
    uint64_t random;
};

void queue_pair_init(struct queue_pair *pair);
void queue_pair_fini(struct queue_pair *pair);

/* A random number, the same in every run. */
uint64_t queue_pair_draw(struct queue_pair *pair, uint64_t end);

/* Pushes an event that is named by how many came before it. */
void queue_pair_push(struct queue_pair *pair, uint64_t time_ns);

void queue_pair_pop(struct queue_pair *pair);
void queue_pair_peek(struct queue_pair *pair);

/* Drops two events of three. */
void queue_pair_sweep(struct queue_pair *pair);

/* Pops until both are empty. */
void queue_pair_pop_all(struct queue_pair *pair);

#endif
