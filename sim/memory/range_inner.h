/* SPDX-License-Identifier: Apache-2.0 */
/* An inner node of a range tree: its children in order, where each starts and the room it has. */
#ifndef MEMORY_RANGE_INNER_H
#define MEMORY_RANGE_INNER_H

#include <assert.h>
#include <stdint.h>

#include "base/lanes.h"
#include "memory/range_leaf.h"

enum {
    RANGE_INNER_CHILDREN = LANES,
    RANGE_INNER_LOW = 8,
    RANGE_INNER_MERGED = 16,
};

struct range_inner {
    uint64_t start[RANGE_INNER_CHILDREN + 1]; /* behind the last: UINT64_MAX */
    uint32_t run[RANGE_INNER_CHILDREN];       /* room; behind the last: 0 */
    uint32_t aligned[RANGE_INNER_CHILDREN];
    uint32_t child[RANGE_INNER_CHILDREN];
    uint32_t count;
    uint32_t unused[5];
};
static_assert(sizeof(struct range_inner) == RANGE_RECORD_SIZE, "a record has no padding");

/* The child that holds a unit of the node. */
static inline uint32_t range_inner_search(const struct range_inner *inner, uint64_t unit) {
    const uint64_t *start = inner->start;
    uint32_t first = ((uint32_t)(start[5] <= unit) + (start[10] <= unit) + (start[15] <= unit) +
                      (start[20] <= unit)) *
                     5;
    start += first;
    return first + (start[1] <= unit) + (start[2] <= unit) + (start[3] <= unit) +
           (start[4] <= unit);
}

static inline struct range_room range_inner_room_at(const struct range_inner *inner, uint32_t at) {
    return (struct range_room){ inner->run[at], inner->aligned[at] };
}

static inline void range_inner_set_room(struct range_inner *inner, uint32_t at,
                                        struct range_room room) {
    inner->run[at] = room.run;
    inner->aligned[at] = room.aligned;
}

/* The children with so much room, one bit each; room for nothing is not asked. */
static inline uint32_t range_inner_fitting(const struct range_inner *inner,
                                           struct range_room room) {
    return room.aligned == 0 ? lanes_at_least(inner->run, room.run)
                             : lanes_at_least(inner->aligned, room.aligned);
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
