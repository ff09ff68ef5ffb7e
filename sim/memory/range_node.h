/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a range tree as records of a table: the root is the first of an owner, and nodes
 * refer to each other.
 */
#ifndef MEMORY_RANGE_NODE_H
#define MEMORY_RANGE_NODE_H

#include <assert.h>
#include <stdint.h>

#include "base/must.h"
#include "memory/range_leaf.h"
#include "store/table.h"

enum {
    RANGE_ROOT = 0,        /* slot of the root record */
    RANGE_PLACE_BITS = 27, /* of a reference to a node: below the number of its chunk */
};

struct range_root {
    uint64_t start;
    uint64_t end;
    uint64_t free;
    uint64_t coarse_free;
    uint64_t ranges;
    struct range_room room;
    uint32_t top;    /* reference to the topmost node */
    uint32_t height; /* levels above the leaves */
    uint64_t unused[57];
};
static_assert(sizeof(struct range_root) == RANGE_RECORD_SIZE, "a record has no padding");

/*
 * A node refers to another by its chunk in the table and its place there, not by its slot: to find
 * the chunk of a slot takes a third of the time that a step down the tree takes.
 */
static inline uint32_t range_node_refer(uint32_t slot) {
    uint32_t chunk = table_chunk_of(slot);
    uint32_t place = slot - table_chunk_start(chunk);
    must(place >> RANGE_PLACE_BITS == 0);
    return chunk << RANGE_PLACE_BITS | place;
}

static inline uint32_t range_node_place(uint32_t node) {
    return node & (((uint32_t)1 << RANGE_PLACE_BITS) - 1);
}

static inline uint32_t range_node_slot(uint32_t node) {
    return table_chunk_start(node >> RANGE_PLACE_BITS) + range_node_place(node);
}

#endif
