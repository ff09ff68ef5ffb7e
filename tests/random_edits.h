/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random edits of records in tables of every sort, for tests of the store. What is edited depends
 * on the seed and on what the store holds, so equal stores stay equal under equal edits.
 */
#ifndef TESTS_RANDOM_EDITS_H
#define TESTS_RANDOM_EDITS_H

#include <stdint.h>

#include "store/store.h"

enum { RANDOM_EDITS_TYPES = 9, RANDOM_EDITS_SHAPES = 4 };

extern const struct table_type random_edits_types[RANDOM_EDITS_TYPES];

struct random_edits {
    uint64_t seed; /* of the next number; not zero */
    uint32_t owner_first;
    uint32_t owner_step; /* from one owner to the next */
    uint32_t owner_count;
    uint32_t slot_count; /* of one owner in one table */
};

/* Few records that meet often, many slots, many owners, and owners far apart. */
extern const struct random_edits random_edits_shapes[RANDOM_EDITS_SHAPES];

/* The next number, and one below a limit, by Marsaglia's xorshift. */
uint64_t random_edits_next(struct random_edits *edits);
uint32_t random_edits_below(struct random_edits *edits, uint32_t limit);

/* A store with an empty table of each type; caller owns, store_free(). */
struct store *random_edits_store_new(void);

/* Fills a record with numbers, or changes one of its bytes. */
void random_edits_fill(struct random_edits *edits, void *record, uint32_t size);

/* Adds, edits and removes records. */
void random_edits_apply(struct random_edits *edits, struct store *store, int count);

/* Asserts that two stores agree in every byte of every sort, and in what the store says of them. */
void random_edits_check_same(const struct random_edits *edits, struct store *left,
                             struct store *right);

/* Asserts that the incremental hash, which this switches on, is the hash of all records. */
void random_edits_check_hash(struct store *store);

#endif
