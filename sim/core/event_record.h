/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records behind an event queue; for its own sources only. Records never move, so the queue
 * keeps the place of each table's records: table_edit() is called only while the store saves what
 * is edited, because to find the place anew would cost more than the rest of a push.
 */
#ifndef CORE_EVENT_RECORD_H
#define CORE_EVENT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "core/event.h"

enum {
    EVENT_FRONT_SIZE = 32,
    EVENT_CHUNK_SIZE = 15,
    EVENT_DIGIT_BITS = 4, /* of a time */
    EVENT_DIGITS = 1 << EVENT_DIGIT_BITS,
    EVENT_BUCKETS = EVENT_DIGITS * 64 / EVENT_DIGIT_BITS,
    EVENT_NO_CHUNK = 0, /* always full: ends the free list, and is the tail of an empty bucket */
};

/* Slots of the head table. All lie in its first chunk, so the tails are one array. */
enum {
    EVENT_HEAD_SLOT,
    EVENT_FRONT_SLOT,
    EVENT_TAILS_SLOT,
    EVENT_HEAD_SLOTS = TABLE_FIRST_CHUNK,
};

/*
 * The events before the limit lie in the front, sorted; all others lie in buckets, by the highest
 * digit in which their time differs from `last`, and by its value there.
 */
struct event_head {
    uint64_t now_ns;
    uint64_t limit_ns; /* not before now */
    uint64_t last_ns;  /* not after now */
    uint64_t count;
    uint32_t front_next; /* the front's events are those from here to its end */
    uint32_t front_end;
    uint32_t free;       /* the first free chunk */
    uint32_t is_peeked;  /* whether `peeked` is known */
    struct event peeked; /* the first event of all buckets */
    uint64_t width_ns;   /* of time that is drawn from a bucket at once */
    uint64_t used_words; /* which of the next words are not zero */
    uint64_t used[EVENT_BUCKETS / 64];
    uint64_t reserved[50];
};

struct event_front {
    struct event events[EVENT_FRONT_SIZE];
};

/* The events of a bucket lie in a ring of chunks, all full but the last one. */
struct event_chunk {
    uint32_t next;
    uint32_t count;
    uint64_t number; /* counts up along a bucket */
    struct event events[EVENT_CHUNK_SIZE];
};

_Static_assert(sizeof(struct event_head) == TABLE_RECORD_SIZE, "the head has no padding");
_Static_assert(sizeof(struct event_front) == TABLE_RECORD_SIZE, "the front is a record");
_Static_assert(sizeof(struct event_chunk) == 256, "a chunk has no padding");
_Static_assert((EVENT_HEAD_SLOTS - EVENT_TAILS_SLOT) * TABLE_RECORD_SIZE ==
                   EVENT_BUCKETS * sizeof(uint32_t),
               "the tails are the other records of the head table");

static inline bool event_is_saving(const struct event_queue *queue) {
    return *queue->head->epoch != 0;
}

/* Where a record of the head table lies. */
static inline void *event_head_place(const struct event_queue *queue, uint32_t slot) {
    return queue->head_part->chunk[0] + slot * TABLE_RECORD_SIZE;
}

static inline struct event_head *event_edit_head(struct event_queue *queue) {
    return event_is_saving(queue) ? table_edit(queue->head, 0, EVENT_HEAD_SLOT)
                                  : event_head_place(queue, EVENT_HEAD_SLOT);
}

static inline struct event_front *event_edit_front(struct event_queue *queue) {
    return event_is_saving(queue) ? table_edit(queue->head, 0, EVENT_FRONT_SLOT)
                                  : event_head_place(queue, EVENT_FRONT_SLOT);
}

static inline void *event_chunk_place(const struct event_queue *queue, uint32_t slot) {
    return table_part_place(queue->chunk_part, slot, sizeof(struct event_chunk));
}

static inline const struct event_chunk *event_get_chunk(const struct event_queue *queue,
                                                        uint32_t slot) {
    return event_chunk_place(queue, slot);
}

static inline struct event_chunk *event_edit_chunk(struct event_queue *queue, uint32_t slot) {
    return event_is_saving(queue) ? table_edit(queue->chunk, 0, slot)
                                  : event_chunk_place(queue, slot);
}

/* The last chunk of a bucket. */
static inline uint32_t event_get_tail(const struct event_queue *queue, uint32_t bucket) {
    const uint32_t *tails = event_head_place(queue, EVENT_TAILS_SLOT);
    return tails[bucket];
}

static inline uint32_t event_bucket_of(uint64_t last_ns, uint64_t time_ns) {
    uint32_t level = bits_highest((last_ns ^ time_ns) | 1) / EVENT_DIGIT_BITS;
    uint64_t digit = time_ns >> (level * EVENT_DIGIT_BITS) & (EVENT_DIGITS - 1);
    return level * EVENT_DIGITS + (uint32_t)digit;
}

#endif
