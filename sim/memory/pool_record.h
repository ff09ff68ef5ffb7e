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
    FRAMES_EACH = 30, /* cut frames in a record */
    PART_BITS = 9,    /* of a part: its pages, less one */
    PART_ENTRIES = 15,
};

/*
 * Which of a holder's cut frames have a free page, lowest first in three steps: a record of frames
 * says which of its own do, a middle has a bit for each of 64 records where some do, a top a bit
 * for each middle that is not 0. Tops come first, so that a small holder has one record of these.
 */
enum {
    OPEN_WORDS = 8, /* in a record */
    OPEN_TOPS = 2,
    FRAME_RECORDS = (POOL_FRAMES + FRAMES_EACH - 1) / FRAMES_EACH,
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
    uint32_t open;              /* a bit for each frame that is cut and has a free page */
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
static_assert(FRAME_RECORDS <= OPEN_TOPS * 64 * 64, "there are enough tops");
static_assert((uint64_t)POOL_FRAMES << PART_BITS <= (uint64_t)1 << 32, "a part fits");
static_assert(PAGES_PER_FRAME == 1 << PART_BITS, "a part has one page to all of a frame");

/* Where the words of open frames are. */
static inline uint32_t pool_open_top(uint32_t middle) {
    return middle / 64;
}

static inline uint32_t pool_open_middle(uint32_t middle) {
    return OPEN_TOPS + middle;
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
