/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Named streams of random numbers, derived from the seed of the run: a new consumer takes a stream
 * of its own and shifts nobody's draws. A stream is the 24 bytes of GSL's taus2, kept as state in
 * the store and lent to a gsl_rng for the time of one draw. Draws are integers.
 */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include <stdint.h>

#include "store/store.h"

struct random_stream {
    struct table *table;
    uint32_t owner;
    uint32_t slot;
};

/* The stream of a name, started from the seed when the store has none of that name yet. */
struct random_stream random_stream(struct store *store, uint64_t seed, const char *name);

/* A number from which a stream starts, made of a seed and a name: all bits of both tell. */
uint64_t random_start(uint64_t seed, const char *name);

/* The table of all streams. A caller that numbers its own, owner above 0, keeps it and searches
 * nothing: one that is not there starts from a number. */
struct table *random_table(struct store *store);
struct random_stream random_stream_at(struct table *table, uint32_t owner, uint32_t slot,
                                      uint64_t start);

uint32_t random_draw(struct random_stream *stream); /* 32 random bits */

/* Uniform below a limit, which is not 0: no value is favoured. */
uint64_t random_below(struct random_stream *stream, uint64_t limit);

#endif
