/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buckets of an event queue; for its own sources only. Buckets are in the order of time; the
 * events of one are in the order of insertion, and those of a bucket below EVENT_DIGITS are all at
 * the same time. The head is the queue's, open for writing.
 */
#ifndef CORE_EVENT_BUCKET_H
#define CORE_EVENT_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/event_record.h"

enum {
    EVENT_SPLIT_CHUNKS = 6, /* the largest bucket that is split */
    EVENT_PADDING = 3,      /* room behind the early half */
};

/* The events of a bucket before some time, and the others. */
struct event_halves {
    struct event early[EVENT_SPLIT_CHUNKS * EVENT_CHUNK_SIZE + EVENT_PADDING];
    struct event late[EVENT_SPLIT_CHUNKS * EVENT_CHUNK_SIZE];
    uint32_t early_count;
    uint32_t late_count;
};

bool event_bucket_is_empty(const struct event_queue *queue, uint32_t bucket);

/* The chunks of a bucket, which is not empty. */
uint64_t event_bucket_size(const struct event_queue *queue, uint32_t bucket);

/* The first bucket that is not empty; there is one. */
uint32_t event_bucket_first(const struct event_head *head);

/* The earliest time of a bucket, and the first one after it, or the last one that there is. */
uint64_t event_bucket_start(const struct event_head *head, uint32_t bucket);
uint64_t event_bucket_end(const struct event_head *head, uint32_t bucket);

/* The sum, or the last time that there is. */
uint64_t event_time_after(uint64_t time_ns, uint64_t delay_ns);

/* Adds an event to the bucket of its time. */
void event_bucket_add(struct event_queue *queue, struct event_head *head, struct event event);

/* Removes the first chunk of a bucket; returns how many events were copied from it. */
uint32_t event_bucket_take(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                           struct event events[EVENT_CHUNK_SIZE]);

/* Sorts the first bucket into lower ones, and moves `last` to its time. */
void event_bucket_spread(struct event_queue *queue, struct event_head *head, uint32_t bucket);

/* Copies the events; event_bucket_keep_late() then removes the early half. */
void event_bucket_split(const struct event_queue *queue, uint32_t bucket, uint64_t limit_ns,
                        struct event_halves *halves);
void event_bucket_keep_late(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                            const struct event_halves *halves);

/* The earliest event, of equal ones that which came first. */
struct event event_bucket_find_first(const struct event_queue *queue, uint32_t bucket);

void event_bucket_sweep(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                        bool (*keep)(struct event event, void *context), void *context);

#endif
