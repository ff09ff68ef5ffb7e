/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An inner node of a range tree: its children in order, where each starts and the room it has. The
 * aligned run is stored as what it loses against the run, which takes two bytes.
 */
#ifndef MEMORY_RANGE_INNER_H
#define MEMORY_RANGE_INNER_H

#include <assert.h>
#include <stdint.h>

#include "memory/range_leaf.h"

enum {
    RANGE_INNER_CHILDREN = 11,
    RANGE_INNER_LOW = 4,
    RANGE_INNER_MERGED = 8,
};

struct range_inner {
    uint64_t start[RANGE_INNER_CHILDREN + 1]; /* behind the last: UINT64_MAX */
    uint64_t run[RANGE_INNER_CHILDREN];
    uint32_t child[RANGE_INNER_CHILDREN];
    uint16_t lost[RANGE_INNER_CHILDREN];
    uint16_t count;
    uint32_t unused;
};
static_assert(sizeof(struct range_inner) == RANGE_RECORD_SIZE, "a record has no padding");

/* The child that holds a unit of the node. */
static inline uint32_t range_inner_search(const struct range_inner *inner, uint64_t unit) {
    uint32_t low = 0, high = 0;
    for (uint32_t at = 1; at < RANGE_INNER_CHILDREN; at += 2) {
        low += inner->start[at] <= unit;
        high += inner->start[at + 1] <= unit;
    }
    return low + high;
}

static inline struct range_room range_inner_room_at(const struct range_inner *inner, uint32_t at) {
    return (struct range_room){ inner->run[at], inner->run[at] - inner->lost[at] };
}

static inline void range_inner_set_room(struct range_inner *inner, uint32_t at,
                                        struct range_room room) {
    inner->run[at] = room.run;
    inner->lost[at] = (uint16_t)(room.run - room.aligned);
}

/* The children with so much room, one bit each; room for nothing is not asked. */
static inline uint32_t range_inner_fitting(const struct range_inner *inner,
                                           struct range_room room) {
    uint32_t fitting = 0;
    if (room.aligned == 0) {
        for (uint32_t at = 0; at < RANGE_INNER_CHILDREN; at++) {
            fitting |= (uint32_t)(inner->run[at] >= room.run) << at;
        }
        return fitting;
    }
    for (uint32_t at = 0; at < RANGE_INNER_CHILDREN; at++) {
        fitting |= (uint32_t)(inner->run[at] - inner->lost[at] >= room.aligned) << at;
    }
    return fitting;
}

/* Makes place for a child, which is to be filled in, or closes it. */
void range_inner_insert(struct range_inner *inner, uint32_t at);
void range_inner_remove(struct range_inner *inner, uint32_t at);

/* Moves the children from one on to a node that is empty; appends those of the next node. */
void range_inner_split(struct range_inner *inner, uint32_t at, struct range_inner *right);
void range_inner_append(struct range_inner *inner, const struct range_inner *right);

void range_inner_init(struct range_inner *inner);
struct range_room range_inner_room(const struct range_inner *inner);

#endif
