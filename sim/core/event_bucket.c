/* SPDX-License-Identifier: Apache-2.0 */
#include "core/event_bucket.h"

#include <string.h>

static void set_tail(struct event_queue *queue, uint32_t bucket, uint32_t slot) {
    uint32_t *tails = event_head_place(queue, EVENT_TAILS_SLOT);
    if (event_is_saving(queue)) {
        uint32_t tails_per_record = TABLE_RECORD_SIZE / sizeof *tails;
        table_edit(queue->head, 0, EVENT_TAILS_SLOT + bucket / tails_per_record);
    }
    tails[bucket] = slot;
}

static uint32_t first_chunk(const struct event_queue *queue, uint32_t bucket) {
    return event_get_chunk(queue, event_get_tail(queue, bucket))->next;
}

bool event_bucket_is_empty(const struct event_queue *queue, uint32_t bucket) {
    return event_get_tail(queue, bucket) == EVENT_NO_CHUNK;
}

uint64_t event_bucket_size(const struct event_queue *queue, uint32_t bucket) {
    const struct event_chunk *last = event_get_chunk(queue, event_get_tail(queue, bucket));
    return last->number - event_get_chunk(queue, last->next)->number + 1;
}

uint32_t event_bucket_first(const struct event_head *head) {
    uint32_t word = bits_lowest(head->used_words);
    return word * 64 + bits_lowest(head->used[word]);
}

uint64_t event_bucket_start(const struct event_head *head, uint32_t bucket) {
    uint32_t shift = bucket / EVENT_DIGITS * EVENT_DIGIT_BITS;
    uint64_t above = head->last_ns >> shift & ~(uint64_t)(EVENT_DIGITS - 1);
    return (above | bucket % EVENT_DIGITS) << shift;
}

uint64_t event_time_after(uint64_t time_ns, uint64_t delay_ns) {
    return time_ns < UINT64_MAX - delay_ns ? time_ns + delay_ns : UINT64_MAX;
}

uint64_t event_bucket_end(const struct event_head *head, uint32_t bucket) {
    uint64_t width_ns = (uint64_t)1 << (bucket / EVENT_DIGITS * EVENT_DIGIT_BITS);
    return event_time_after(event_bucket_start(head, bucket), width_ns);
}

static void clear(struct event_queue *queue, struct event_head *head, uint32_t bucket) {
    set_tail(queue, bucket, EVENT_NO_CHUNK);
    head->used[bucket / 64] &= ~((uint64_t)1 << bucket % 64);
    if (head->used[bucket / 64] == 0) {
        head->used_words &= ~((uint64_t)1 << bucket / 64);
    }
}

static void mark_used(struct event_head *head, uint32_t bucket) {
    head->used[bucket / 64] |= (uint64_t)1 << bucket % 64;
    head->used_words |= (uint64_t)1 << bucket / 64;
}

/* Adds an empty chunk at the end of a bucket. */
static struct event_chunk *grow(struct event_queue *queue, struct event_head *head,
                                uint32_t bucket) {
    uint32_t slot = head->free;
    if (slot == EVENT_NO_CHUNK) {
        slot = table_add(queue->chunk, 0);
    } else {
        head->free = event_get_chunk(queue, slot)->next;
    }

    uint32_t tail = event_get_tail(queue, bucket);
    struct event_chunk *chunk = event_edit_chunk(queue, slot);
    chunk->count = 0;
    if (tail == EVENT_NO_CHUNK) {
        chunk->next = slot;
        chunk->number = 0;
        mark_used(head, bucket);
    } else {
        struct event_chunk *before = event_edit_chunk(queue, tail);
        chunk->next = before->next;
        chunk->number = before->number + 1;
        before->next = slot;
    }
    set_tail(queue, bucket, slot);
    return chunk;
}

/* Frees the chunks of a list from one to another. */
static void free_chunks(struct event_queue *queue, struct event_head *head, uint32_t first,
                        uint32_t last) {
    event_edit_chunk(queue, last)->next = head->free;
    head->free = first;
}

static void add(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                struct event event) {
    struct event_chunk *chunk = event_edit_chunk(queue, event_get_tail(queue, bucket));
    if (chunk->count == EVENT_CHUNK_SIZE) {
        chunk = grow(queue, head, bucket);
    }
    chunk->events[chunk->count++] = event;
}

void event_bucket_add(struct event_queue *queue, struct event_head *head, struct event event) {
    add(queue, head, event_bucket_of(head->last_ns, event.time_ns), event);
}

uint32_t event_bucket_take(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                           struct event events[EVENT_CHUNK_SIZE]) {
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t first = first_chunk(queue, bucket);
    const struct event_chunk *chunk = event_get_chunk(queue, first);
    memcpy(events, chunk->events, sizeof chunk->events);
    uint32_t count = chunk->count;
    if (first == tail) {
        clear(queue, head, bucket);
    } else {
        event_edit_chunk(queue, tail)->next = chunk->next;
    }
    free_chunks(queue, head, first, first);
    return count;
}

/* The bits in which the times of a bucket differ; it stops at one of the next lower digit. */
static uint64_t find_difference(const struct event_queue *queue, uint32_t bucket) {
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t slot = first_chunk(queue, bucket);
    uint64_t first_ns = event_get_chunk(queue, slot)->events[0].time_ns;
    uint64_t enough = (uint64_t)1 << (bucket / EVENT_DIGITS - 1) * EVENT_DIGIT_BITS;
    uint64_t difference = 0;
    for (;;) {
        const struct event_chunk *chunk = event_get_chunk(queue, slot);
        for (uint32_t index = 0; index < chunk->count; index++) {
            difference |= chunk->events[index].time_ns ^ first_ns;
        }
        if (slot == tail || difference >= enough) {
            return difference;
        }
        slot = chunk->next;
    }
}

/* A large bucket has left the caches since it was filled. C11 has no word for this either. */
static void prefetch(const struct event_chunk *chunk) {
    const unsigned char *line = (const unsigned char *)chunk;
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    __builtin_prefetch(line + 128);
    __builtin_prefetch(line + 192);
}

/* Spreads a list of chunks over buckets that were empty before. */
static void spread_chunks(struct event_queue *queue, struct event_head *head, uint32_t first,
                          uint32_t tail) {
    struct event_chunk *open[EVENT_BUCKETS]; /* last chunks, so that none is looked up twice */
    for (uint32_t bucket = 0; bucket < EVENT_BUCKETS; bucket++) {
        open[bucket] = event_edit_chunk(queue, EVENT_NO_CHUNK);
    }
    uint64_t last_ns = head->last_ns;
    uint32_t slot = first;
    for (;;) {
        const struct event_chunk *chunk = event_get_chunk(queue, slot);
        uint32_t next = chunk->next;
        prefetch(event_get_chunk(queue, next));
        for (uint32_t index = 0; index < chunk->count; index++) {
            struct event event = chunk->events[index];
            uint32_t bucket = event_bucket_of(last_ns, event.time_ns);
            if (open[bucket]->count == EVENT_CHUNK_SIZE) {
                open[bucket] = grow(queue, head, bucket);
            }
            open[bucket]->events[open[bucket]->count++] = event;
        }
        free_chunks(queue, head, slot, slot);
        if (slot == tail) {
            return;
        }
        slot = next;
    }
}

void event_bucket_spread(struct event_queue *queue, struct event_head *head, uint32_t bucket) {
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t first = first_chunk(queue, bucket);
    uint64_t first_ns = event_get_chunk(queue, first)->events[0].time_ns;
    uint64_t difference = find_difference(queue, bucket);
    uint32_t shift = bits_highest(difference | 1) / EVENT_DIGIT_BITS * EVENT_DIGIT_BITS;
    head->last_ns = first_ns >> shift >> EVENT_DIGIT_BITS << EVENT_DIGIT_BITS << shift;
    clear(queue, head, bucket);
    if (difference > 0) {
        spread_chunks(queue, head, first, tail);
        return;
    }
    uint32_t to = event_bucket_of(head->last_ns, first_ns);
    set_tail(queue, to, tail);
    mark_used(head, to);
}

void event_bucket_split(const struct event_queue *queue, uint32_t bucket, uint64_t limit_ns,
                        struct event_halves *halves) {
    struct event *early = halves->early;
    struct event *late = halves->late;
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t slot = tail;
    do {
        slot = event_get_chunk(queue, slot)->next;
        const struct event_chunk *chunk = event_get_chunk(queue, slot);
        /* Writing to both halves costs less than a branch that is often guessed wrong. */
        for (uint32_t index = 0; index < chunk->count; index++) {
            bool is_early = chunk->events[index].time_ns < limit_ns;
            *early = *late = chunk->events[index];
            early += is_early;
            late += !is_early;
        }
    } while (slot != tail);
    halves->early_count = (uint32_t)(early - halves->early);
    halves->late_count = (uint32_t)(late - halves->late);
}

void event_bucket_keep_late(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                            const struct event_halves *halves) {
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t first = first_chunk(queue, bucket);
    if (halves->late_count == 0) {
        free_chunks(queue, head, first, tail);
        clear(queue, head, bucket);
        return;
    }
    const struct event *late = halves->late;
    uint32_t left = halves->late_count;
    uint32_t slot = first;
    struct event_chunk *chunk = event_edit_chunk(queue, slot);
    for (; left > EVENT_CHUNK_SIZE; left -= EVENT_CHUNK_SIZE, late += EVENT_CHUNK_SIZE) {
        memcpy(chunk->events, late, sizeof chunk->events);
        slot = chunk->next;
        chunk = event_edit_chunk(queue, slot);
    }
    memcpy(chunk->events, late, left * sizeof *late);
    chunk->count = left;
    if (slot != tail) {
        free_chunks(queue, head, chunk->next, tail);
        chunk->next = first;
        set_tail(queue, bucket, slot);
    }
}

struct event event_bucket_find_first(const struct event_queue *queue, uint32_t bucket) {
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t slot = first_chunk(queue, bucket);
    struct event first = event_get_chunk(queue, slot)->events[0];
    for (;;) {
        const struct event_chunk *chunk = event_get_chunk(queue, slot);
        for (uint32_t index = 0; index < chunk->count; index++) {
            if (chunk->events[index].time_ns < first.time_ns) {
                first = chunk->events[index];
            }
        }
        if (slot == tail) {
            return first;
        }
        slot = chunk->next;
    }
}

void event_bucket_sweep(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                        bool (*keep)(struct event event, void *context), void *context) {
    uint32_t tail = event_get_tail(queue, bucket);
    uint32_t slot = first_chunk(queue, bucket);
    clear(queue, head, bucket);
    for (;;) {
        const struct event_chunk *chunk = event_get_chunk(queue, slot);
        uint32_t next = chunk->next;
        for (uint32_t index = 0; index < chunk->count; index++) {
            if (keep(chunk->events[index], context)) {
                add(queue, head, bucket, chunk->events[index]);
            } else {
                head->count--;
            }
        }
        free_chunks(queue, head, slot, slot);
        if (slot == tail) {
            return;
        }
        slot = next;
    }
}
