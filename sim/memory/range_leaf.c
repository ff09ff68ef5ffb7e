/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/range_leaf.h"

#include <string.h>

#include "base/must.h"

static uint32_t bits_below(uint32_t count) {
    return ((uint32_t)1 << count) - 1;
}

/* Forgets what lies behind the end. */
static void clear_behind(struct range_leaf *leaf) {
    for (uint32_t at = leaf->count + 1; at <= RANGE_LEAF_ENTRIES; at++) {
        leaf->start[at] = UINT64_MAX;
    }
    for (uint32_t at = leaf->count; at < RANGE_LEAF_ENTRIES; at++) {
        leaf->id[at] = 0;
    }
}

void range_leaf_init(struct range_leaf *leaf, uint64_t start, uint64_t end) {
    leaf->count = 1;
    leaf->free = 1;
    leaf->start[0] = start;
    leaf->start[1] = end;
    clear_behind(leaf);
}

/* Word by word: memmove() takes longer for so few, of which it cannot foresee how many. */
void range_leaf_insert(struct range_leaf *leaf, uint32_t at, uint32_t count) {
    uint32_t from = leaf->count;
    must(at <= from && from + count <= RANGE_LEAF_ENTRIES);
    leaf->start[from + count] = leaf->start[from];
    while (from-- > at) {
        leaf->start[from + count] = leaf->start[from];
        leaf->id[from + count] = leaf->id[from];
    }
    leaf->free = (leaf->free & bits_below(at)) | leaf->free >> at << (at + count);
    leaf->count += count;
}

void range_leaf_remove(struct range_leaf *leaf, uint32_t at, uint32_t count) {
    must(at + count <= leaf->count);
    uint32_t had = leaf->count;
    leaf->count -= count;
    leaf->free = (leaf->free & bits_below(at)) | leaf->free >> (at + count) << at;
    for (; at < leaf->count; at++) {
        leaf->start[at] = leaf->start[at + count];
        leaf->id[at] = leaf->id[at + count];
    }
    leaf->start[at] = leaf->start[had];
    for (; at < had; at++) {
        leaf->start[at + 1] = UINT64_MAX;
        leaf->id[at] = 0;
    }
}

void range_leaf_split(struct range_leaf *leaf, uint32_t at, struct range_leaf *right) {
    must(at > 0 && at < leaf->count);
    right->count = leaf->count - at;
    right->free = leaf->free >> at;
    memcpy(right->start, leaf->start + at, (right->count + 1) * sizeof leaf->start[0]);
    memcpy(right->id, leaf->id + at, right->count * sizeof leaf->id[0]);
    clear_behind(right);
    leaf->count = at;
    leaf->free &= bits_below(at);
    clear_behind(leaf);
}

void range_leaf_append(struct range_leaf *leaf, const struct range_leaf *right) {
    must(leaf->count + right->count <= RANGE_LEAF_ENTRIES);
    memcpy(leaf->start + leaf->count, right->start, (right->count + 1) * sizeof leaf->start[0]);
    memcpy(leaf->id + leaf->count, right->id, right->count * sizeof leaf->id[0]);
    leaf->free |= right->free << leaf->count;
    leaf->count += right->count;
}

struct range_room range_leaf_room(const struct range_leaf *leaf) {
    struct range_room room = { 0, 0 };
    for (uint32_t free = leaf->free; free != 0; free &= free - 1) {
        uint32_t at = bits_lowest(free);
        room = range_room_max(room, range_room_of(leaf->start[at], leaf->start[at + 1]));
    }
    return room;
}

struct range_totals range_leaf_totals(const struct range_leaf *leaf) {
    struct range_room room = range_leaf_room(leaf);
    struct range_totals totals = {
        .free_largest = room.run,
        .coarse_largest = room.aligned / RANGE_COARSE,
        .ranges = leaf->count - bits_count(leaf->free),
    };
    for (uint32_t free = leaf->free; free != 0; free &= free - 1) {
        uint32_t at = bits_lowest(free);
        totals.free += leaf->start[at + 1] - leaf->start[at];
        totals.coarse_free += range_coarse_between(leaf->start[at], leaf->start[at + 1]);
    }
    return totals;
}
