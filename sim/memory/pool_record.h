/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records behind pools; only pool*.c write them.
 *
 * Page p of the cut frame at slot s of its holder is number s * PAGES_PER_FRAME + p. A run is
 * pages that follow each other within one word of a frame: number of the first << 6 | length - 1.
 */
#ifndef MEMORY_POOL_RECORD_H
#define MEMORY_POOL_RECORD_H

#include <assert.h>
#include <stdint.h>

#include "memory/page.h"
#include "memory/pool.h"

enum {
    FRAME_WORDS = PAGES_PER_FRAME / 64,
    RUN_ENTRIES = 15,
};

/*
 * Which words of a holder's cut frames have a free page, lowest first in three steps: a leaf has a
 * bit for each word of 8 frames, a middle a bit for each of its 64 leaves that is not 0, a top a
 * bit for each middle that is not 0. Tops come first, then each middle and its leaves, so that a
 * small holder has few records.
 */
enum {
    OPEN_WORDS = 8, /* in a record */
    OPEN_TOPS = POOL_FRAMES * FRAME_WORDS / 64 / 64 / 64,
    OPEN_GROUP = OPEN_WORDS + 64, /* words of a middle and its leaves */
};

struct pool_record {
    uint32_t frames;
    uint32_t frames_free;
    uint32_t frames_used[PAGE_CLASSES];
    uint32_t limit[PAGE_CLASSES];
    uint64_t pages_used; /* of cut frames */
};

struct holder_record {
    uint32_t pool;
    uint32_t frames_cut;
    uint32_t frames_whole; /* huge and giant pages */
    uint32_t unused;
    uint64_t pages_used; /* of cut frames */
};

struct frame_record {
    uint64_t used[FRAME_WORDS];
};

struct open_record {
    uint64_t word[OPEN_WORDS];
};

struct run_record {
    uint32_t next;               /* record of the chain, plus 1; 0 at its end */
    uint32_t entry[RUN_ENTRIES]; /* full but in the last record, which the count of pages ends */
};

struct place_record {
    uint32_t frame; /* of the pool */
    uint32_t unused;
};

struct extent_record {
    uint32_t next; /* record of the chain, plus 1; 0 at its end */
    uint32_t whose;
    uint32_t first; /* frame of the pool */
    uint32_t count;
};

static_assert(sizeof(struct pool_record) == 40, "no padding");
static_assert(sizeof(struct holder_record) == 24, "no padding");
static_assert(sizeof(struct frame_record) == 64, "one cache line");
static_assert(sizeof(struct open_record) == 64, "one cache line");
static_assert(sizeof(struct run_record) == 64, "one cache line");
static_assert(OPEN_TOPS <= OPEN_WORDS, "tops are one record");
static_assert((uint64_t)POOL_FRAMES * PAGES_PER_FRAME << 6 <= (uint64_t)1 << 32, "a run fits");

/* Where the words of open frames are. */
static inline uint32_t pool_open_middle(uint32_t middle) {
    return OPEN_WORDS + middle * OPEN_GROUP;
}

static inline uint32_t pool_open_leaf(uint32_t leaf) {
    return pool_open_middle(leaf / 64) + OPEN_WORDS + leaf % 64;
}

/* What the map of a pool says of the frames that a holder has. */
static inline uint32_t pool_range_id(uint32_t holder) {
    return holder + 1;
}

#endif
