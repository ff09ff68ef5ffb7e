/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A leaf of a range tree: neighbouring ranges of a line, in order. Only starts are stored; a range
 * ends where the next one starts, and behind the last one stands the end of the leaf.
 */
#ifndef MEMORY_RANGE_LEAF_H
#define MEMORY_RANGE_LEAF_H

#include <assert.h>
#include <stdint.h>

#include "base/bits.h"
#include "memory/range.h"

enum {
    RANGE_RECORD_SIZE = 512, /* of a root, a leaf and an inner node: they share one table */
    RANGE_LEAF_ENTRIES = 40,
    RANGE_LEAF_LOW = 14,    /* a leaf of at most so many looks for one to merge with */
    RANGE_LEAF_MERGED = 30, /* entries in a merged leaf, at most */
};

struct range_leaf {
    uint64_t free; /* one bit an entry */
    uint32_t count;
    uint32_t unused[3];
    uint64_t start[RANGE_LEAF_ENTRIES + 1]; /* behind the end: UINT64_MAX */
    uint32_t id[RANGE_LEAF_ENTRIES];        /* behind the last: 0 */
};
static_assert(sizeof(struct range_leaf) == RANGE_RECORD_SIZE, "a record has no padding");

/*
 * The best free runs of a part of a line. A run that begins between two coarse units counts as
 * aligned from the next one on. More than RANGE_ROOM_MOST counts as that: to find a place it does
 * not matter, because whoever is promising is looked at.
 */
struct range_room {
    uint32_t run;
    uint32_t aligned;
};
#define RANGE_ROOM_MOST ((uint32_t)INT32_MAX)

static inline uint32_t range_room_most(uint64_t units) {
    return units < RANGE_ROOM_MOST ? (uint32_t)units : RANGE_ROOM_MOST;
}

static inline uint64_t range_coarse_up(uint64_t unit) {
    return (unit + RANGE_COARSE - 1) / RANGE_COARSE;
}

/* Coarse units that lie whole in a run. */
static inline uint64_t range_coarse_between(uint64_t start, uint64_t end) {
    uint64_t first = range_coarse_up(start);
    uint64_t last = end / RANGE_COARSE;
    return last > first ? last - first : 0;
}

/* Units of a run from its first coarse unit on. */
static inline uint64_t range_aligned_between(uint64_t start, uint64_t end) {
    uint64_t first = range_coarse_up(start) * RANGE_COARSE;
    return end > first ? end - first : 0;
}

static inline struct range_room range_room_of(uint64_t start, uint64_t end) {
    return (struct range_room){
        range_room_most(end - start),
        range_room_most(range_aligned_between(start, end)),
    };
}

static inline struct range_room range_room_max(struct range_room left, struct range_room right) {
    return (struct range_room){
        left.run > right.run ? left.run : right.run,
        left.aligned > right.aligned ? left.aligned : right.aligned,
    };
}

/* The entry that holds a unit of the leaf. Two steps of few comparisons, and no branch. */
static inline uint32_t range_leaf_search(const struct range_leaf *leaf, uint64_t unit) {
    const uint64_t *start = leaf->start;
    uint32_t left = (uint32_t)(start[5] <= unit) + (start[10] <= unit) + (start[15] <= unit);
    uint32_t right = (uint32_t)(start[25] <= unit) + (start[30] <= unit) + (start[35] <= unit);
    uint32_t first = (left + right + (start[20] <= unit)) * 5;
    start += first;
    return first + (start[1] <= unit) + (start[2] <= unit) + (start[3] <= unit) +
           (start[4] <= unit);
}

/* Tells the processor that all of a leaf will be wanted: it is likely to be far from the cache. */
static inline void range_leaf_prefetch(const struct range_leaf *leaf) {
    for (uint32_t line = 0; line < RANGE_RECORD_SIZE; line += 64) {
        __builtin_prefetch((const unsigned char *)leaf + line);
    }
}

static inline uint64_t range_leaf_end(const struct range_leaf *leaf) {
    return leaf->start[leaf->count];
}

void range_leaf_init(struct range_leaf *leaf, uint64_t start, uint64_t end); /* one free range */

/* Opens or closes a gap of entries; those of a new gap are in use and have no id yet. */
void range_leaf_insert(struct range_leaf *leaf, uint32_t at, uint32_t count);
void range_leaf_remove(struct range_leaf *leaf, uint32_t at, uint32_t count);

/* Moves the entries from one on to a leaf that is empty; appends those of the next leaf. */
void range_leaf_split(struct range_leaf *leaf, uint32_t at, struct range_leaf *right);
void range_leaf_append(struct range_leaf *leaf, const struct range_leaf *right);

struct range_room range_leaf_room(const struct range_leaf *leaf);
struct range_totals range_leaf_totals(const struct range_leaf *leaf);

#endif
