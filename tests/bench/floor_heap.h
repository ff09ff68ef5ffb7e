/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor that the event queue is measured against: a bare implicit 4-ary heap of 16-byte
 * entries, ordered by a time in floating point, then by a sequence number above a 24-bit id.
 */
#ifndef FLOOR_HEAP_H
#define FLOOR_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct floor_event {
    double time;
    uint64_t key; /* sequence number << 24 | id */
};

struct floor_heap {
    struct floor_event *events; /* the caller's room for all that will be pending */
    uint64_t count;
    uint64_t sequence;
};

static inline bool floor_is_before(struct floor_event left, struct floor_event right) {
    return left.time < right.time || (left.time == right.time && left.key < right.key);
}

/* Puts an event in the place of the first one. */
static inline void floor_replace(struct floor_heap *heap, struct floor_event event) {
    struct floor_event *events = heap->events;
    uint64_t place = 0;
    uint64_t child;
    while ((child = 4 * place + 1) < heap->count) {
        uint64_t least = child;
        uint64_t end = child + 4 < heap->count ? child + 4 : heap->count;
        for (uint64_t other = child + 1; other < end; other++) {
            if (floor_is_before(events[other], events[least])) {
                least = other;
            }
        }
        if (!floor_is_before(events[least], event)) {
            break;
        }
        events[place] = events[least];
        place = least;
    }
    events[place] = event;
}

static inline void floor_push(struct floor_heap *heap, struct floor_event event) {
    struct floor_event *events = heap->events;
    uint64_t place = heap->count++;
    while (place > 0 && floor_is_before(event, events[(place - 1) / 4])) {
        events[place] = events[(place - 1) / 4];
        place = (place - 1) / 4;
    }
    events[place] = event;
}

static inline struct floor_event floor_pop(struct floor_heap *heap) {
    struct floor_event first = heap->events[0];
    struct floor_event last = heap->events[--heap->count];
    if (heap->count > 0) {
        floor_replace(heap, last);
    }
    return first;
}

static inline struct floor_event floor_event_at(struct floor_heap *heap, double time, uint64_t id) {
    return (struct floor_event){ time, heap->sequence++ << 24 | id };
}

#endif
