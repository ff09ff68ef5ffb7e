/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/range_inner.h"

#include <string.h>

#include "base/must.h"

/* Copies children to a place that is free, within a node or between two. */
static void move(struct range_inner *to, uint32_t at, const struct range_inner *from,
                 uint32_t first, uint32_t count) {
    memmove(to->start + at, from->start + first, count * sizeof to->start[0]);
    memmove(to->run + at, from->run + first, count * sizeof to->run[0]);
    memmove(to->child + at, from->child + first, count * sizeof to->child[0]);
    memmove(to->aligned + at, from->aligned + first, count * sizeof to->aligned[0]);
}

static void set_count(struct range_inner *inner, uint32_t count) {
    inner->count = count;
    for (uint32_t at = count; at < RANGE_INNER_CHILDREN; at++) {
        inner->start[at] = UINT64_MAX;
        inner->run[at] = 0;
        inner->aligned[at] = 0;
        inner->child[at] = 0;
    }
    inner->start[RANGE_INNER_CHILDREN] = UINT64_MAX;
}

void range_inner_init(struct range_inner *inner) {
    set_count(inner, 0);
}

void range_inner_insert(struct range_inner *inner, uint32_t at) {
    must(at <= inner->count && inner->count < RANGE_INNER_CHILDREN);
    move(inner, at + 1, inner, at, inner->count - at);
    inner->count++;
}

void range_inner_remove(struct range_inner *inner, uint32_t at) {
    must(at < inner->count);
    move(inner, at, inner, at + 1, inner->count - at - 1);
    set_count(inner, inner->count - 1);
}

void range_inner_split(struct range_inner *inner, uint32_t at, struct range_inner *right) {
    must(at > 0 && at < inner->count);
    move(right, 0, inner, at, inner->count - at);
    set_count(right, inner->count - at);
    set_count(inner, at);
}

void range_inner_append(struct range_inner *inner, const struct range_inner *right) {
    must(inner->count + right->count <= RANGE_INNER_CHILDREN);
    move(inner, inner->count, right, 0, right->count);
    inner->count += right->count;
}

struct range_room range_inner_room(const struct range_inner *inner) {
    struct range_room room = { 0, 0 };
    for (uint32_t at = 0; at < inner->count; at++) {
        room = range_room_max(room, range_inner_room_at(inner, at));
    }
    return room;
}
