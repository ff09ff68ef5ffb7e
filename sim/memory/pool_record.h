/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records behind pools; only pool*.c write them.
 *
 * A cut frame is known by a slot of its holder. A part of a block is the pages that it has in one
 * cut frame: the slot << 9 | pages - 1. Parts stand in the order in which they were taken, and all
 * are full but the last.
 */
#ifndef MEMORY_POOL_RECORD_H
#define MEMORY_POOL_RECORD_H

#include <assert.h>
#include <stdint.h>

#include "memory/page.h"
#include "memory/pool.h"

enum {
    FRAMES_EACH = 32, /* cut frames in a record */
    PART_BITS = 9,    /* of a part: its pages, less one */
    PART_ENTRIES = 15,
};

/*
 * Which of a holder's cut frames have a free page, lowest first in three steps: a leaf has a bit
 * for each of 64 frames, a middle a bit for each of its 64 leaves that is not 0, the top a bit for
 * each middle that is not 0. The top comes first, then each middle and its leaves, so that a small
 * holder has one record.
 */
enum {
    OPEN_WORDS = 8, /* in a record */
    OPEN_GROUP = 1 + 64,
    OPEN_MIDDLES = POOL_FRAMES / 64 / 64,
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
    uint16_t used[FRAMES_EACH]; /* pages; 0 in a frame that is not cut */
};

struct open_record {
    uint64_t word[OPEN_WORDS];
};

struct part_record {
    uint32_t next; /* record of the chain, plus 1; 0 at its end */
    uint32_t part[PART_ENTRIES];
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
static_assert(sizeof(struct part_record) == 64, "one cache line");
static_assert(OPEN_MIDDLES <= 64, "the top is one word");
static_assert((uint64_t)POOL_FRAMES << PART_BITS <= (uint64_t)1 << 32, "a part fits");
static_assert(PAGES_PER_FRAME == 1 << PART_BITS, "a part has one page to all of a frame");

/* Where the words of open frames are; the top is word 0. */
static inline uint32_t pool_open_middle(uint32_t middle) {
    return 1 + middle * OPEN_GROUP;
}

static inline uint32_t pool_open_leaf(uint32_t leaf) {
    return pool_open_middle(leaf / 64) + 1 + leaf % 64;
}

static inline uint32_t pool_part(uint32_t slot, uint32_t pages) {
    return slot << PART_BITS | (pages - 1);
}

static inline uint32_t pool_part_slot(uint32_t part) {
    return part >> PART_BITS;
}

static inline uint32_t pool_part_pages(uint32_t part) {
    return (part & (PAGES_PER_FRAME - 1)) + 1;
}

/* What the map of a pool says of the frames that a holder has. */
static inline uint32_t pool_range_id(uint32_t holder) {
    return holder + 1;
}

#endif
