/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock and the queue of a run: events in the order of time, and of insertion where times are
 * equal. Time never goes back, so a radix heap finds the next event without comparing insertion
 * numbers: the next few events lie sorted, all others by the highest digit in which their time
 * differs from one gone by, in insertion order. All of it lies in the store as an index.
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

struct event {
    uint64_t time_ns;
    uint64_t what; /* the caller's; the queue does not look at it */
};

struct event_queue {
    struct table *head;  /* the clock, the next events, and where each list of chunks ends */
    struct table *chunk; /* the other events, in chunks */
    struct table_part *head_part; /* where the records of both lie, for the queue itself */
    struct table_part *chunk_part;
};

/* Binds to the queue of a store, making an empty one at time 0 when there is none. */
struct event_queue event_queue_bind(struct store *store);

uint64_t event_now(const struct event_queue *queue);
uint64_t event_count(const struct event_queue *queue);

/* Adds an event that is not before now. */
void event_push(struct event_queue *queue, struct event event);

/* Takes the next event and moves the clock to its time; false when there is none. */
bool event_pop(struct event_queue *queue, struct event *event);

/* The next event, left in place; the clock stands still. */
bool event_peek(struct event_queue *queue, struct event *event);

/* Drops every event for which keep() says no, and gives their chunks back. */
void event_sweep(struct event_queue *queue, bool (*keep)(struct event event, void *context),
                 void *context);

#endif
