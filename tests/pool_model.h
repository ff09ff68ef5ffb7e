/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools as plain arrays, page by page and frame by frame, for tests of memory/pool.h. A model does
 * with its arrays what the rules say, does the same with real pools, and asserts that they agree.
 */
#ifndef TESTS_POOL_MODEL_H
#define TESTS_POOL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/pool.h"
#include "tests/random_edits.h"

enum {
    MODEL_POOLS = 2,
    MODEL_HOLDERS = 4, /* holder h is on pool h % 2 */
    MODEL_FRAMES = 1100,
    MODEL_BLOCKS = 300,
};

/* Pages that live together, as the pools and as the rules say. */
struct model_block {
    uint32_t holder;
    uint32_t extents;
    struct pages pages;
    uint32_t *number; /* of normal pages; of frames of the pool for others */
};

struct model_holder {
    bool is_cut[MODEL_FRAMES];
    uint32_t place[MODEL_FRAMES];
    bool used[MODEL_FRAMES][PAGES_PER_FRAME];
    uint32_t whole; /* frames of huge and giant pages */
};

struct model_pool {
    struct pool_size size;
    uint32_t holder[MODEL_FRAMES]; /* plus 1; 0 for a free frame */
    uint32_t used[PAGE_CLASSES];   /* frames */
};

struct model {
    struct store *store;
    struct pools pools;
    struct model_pool pool[MODEL_POOLS];
    struct model_holder holder[MODEL_HOLDERS];
    struct model_block block[MODEL_BLOCKS];
    uint32_t block_count;
    uint32_t answers[POOL_SCATTERED + 1]; /* how often each was given */
    uint32_t wrong;                       /* pages and frames that are not where they belong */
};

/* Two pools of one size, and holders on them; caller owns, model_free(). */
struct model *model_new(struct pool_size size, bool places_are_state);
void model_free(struct model *model);

/* Takes pages as a new block, or not, and asserts that the answer and every page are right. */
enum pool_answer model_take(struct model *model, uint32_t holder, enum page_class page,
                            uint64_t count);
void model_give(struct model *model, uint32_t block);

/* Takes at random, at most so many of each class, and gives when that fails. */
void model_change(struct model *model, struct random_edits *random, const uint32_t most[]);

/* Asserts that all counts are right. */
void model_check_counts(const struct model *model);

#endif
