/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads made and will release when it has lived its time: for each thread in the order of
 * due times, then of making. All of it lies in the store; a step costs the logarithm of how much is
 * pending. It knows neither calls nor the clock.
 */
#ifndef SCENARIO_LIFETIME_H
#define SCENARIO_LIFETIME_H

#include "store/store.h"

/* What lives. State; owner: the thread. */
struct lifetime {
    uint64_t value; /* address or handle */
    uint64_t order; /* of making, by thread; given by lifetime_begin() */
    uint32_t step;  /* that made it, of the scenario's steps */
    uint32_t unused;
};

struct lifetimes {
    struct table *life;
    struct table *due;   /* when each ends: a note */
    struct table *order; /* how many a thread began: state */
    struct table *heap;  /* slots of lives, the first due on top: an index */
};

struct lifetimes lifetime_bind(struct store *store);

void lifetime_begin(struct lifetimes *lifetimes, uint32_t thread, struct lifetime life,
                    uint64_t due_ns);

/* How many of a thread wait for their end; when the first of them does. */
uint32_t lifetime_count(const struct lifetimes *lifetimes, uint32_t thread);
uint64_t lifetime_due(const struct lifetimes *lifetimes, uint32_t thread);

/* Takes the first one due out of those that wait; what it is stays known until it has ended. */
uint32_t lifetime_take(struct lifetimes *lifetimes, uint32_t thread);
const struct lifetime *lifetime_get(const struct lifetimes *lifetimes, uint32_t thread,
                                    uint32_t slot);
void lifetime_end(struct lifetimes *lifetimes, uint32_t thread, uint32_t slot);

/* Drops all of a thread. */
void lifetime_forget(struct lifetimes *lifetimes, uint32_t thread);

#endif
