/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/range_leaf.h"

#include <string.h>

#include "base/must.h"

static uint64_t bits_below(uint32_t count) {
    return ((uint64_t)1 << count) - 1;
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

void range_leaf_insert(struct range_leaf *leaf, uint32_t at, uint32_t count) {
    uint32_t behind = leaf->count - at;
    must(at <= leaf->count && leaf->count + count <= RANGE_LEAF_ENTRIES);
    memmove(leaf->start + at + count, leaf->start + at, (behind + 1) * sizeof leaf->start[0]);
    memmove(leaf->id + at + count, leaf->id + at, behind * sizeof leaf->id[0]);
    leaf->free = (leaf->free & bits_below(at)) | leaf->free >> at << (at + count);
    leaf->count += count;
}

void range_leaf_remove(struct range_leaf *leaf, uint32_t at, uint32_t count) {
    must(at + count <= leaf->count);
    uint32_t behind = leaf->count - at - count;
    memmove(leaf->start + at, leaf->start + at + count, (behind + 1) * sizeof leaf->start[0]);
    memmove(leaf->id + at, leaf->id + at + count, behind * sizeof leaf->id[0]);
    leaf->free = (leaf->free & bits_below(at)) | leaf->free >> (at + count) << at;
    leaf->count -= count;
    for (uint32_t gone = leaf->count; gone < leaf->count + count; gone++) {
        leaf->start[gone + 1] = UINT64_MAX;
        leaf->id[gone] = 0;
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
    for (uint64_t free = leaf->free; free != 0; free &= free - 1) {
        uint32_t at = bits_lowest(free);
        room = range_room_max(room, range_room_of(leaf->start[at], leaf->start[at + 1]));
    }
    return room;
}

struct range_totals range_leaf_totals(const struct range_leaf *leaf) {
    struct range_totals totals = { .ranges = leaf->count - bits_count(leaf->free) };
    for (uint64_t free = leaf->free; free != 0; free &= free - 1) {
        uint32_t at = bits_lowest(free);
        uint64_t start = leaf->start[at], end = leaf->start[at + 1];
        uint64_t coarse = range_coarse_between(start, end);
        totals.free += end - start;
        totals.coarse_free += coarse;
        if (totals.free_largest < end - start) {
            totals.free_largest = end - start;
        }
        if (totals.coarse_largest < coarse) {
            totals.coarse_largest = coarse;
        }
    }
    return totals;
}
