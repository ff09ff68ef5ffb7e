/* SPDX-License-Identifier: Apache-2.0 */
#include "core/event.h"

#include <string.h>

#include "base/must.h"
#include "core/event_bucket.h"
#include "core/event_record.h"

/*
 * When the front is empty, small buckets are sorted into it, from a larger one the earliest events
 * are drawn, and the largest are first spread over lower buckets.
 */
enum {
    FRONT_FILL = 16, /* events up to which several buckets are taken at once */
    FRONT_DRAW = 24, /* the most that is drawn, which leaves room for pushes */
};

static const struct table_type head_type = {
    .name = "event_head",
    .record_size = TABLE_RECORD_SIZE,
    .sort = TABLE_INDEX,
};
static const struct table_type chunk_type = {
    .name = "event_chunk",
    .record_size = sizeof(struct event_chunk),
    .sort = TABLE_INDEX,
};

struct event_queue event_queue_bind(struct store *store) {
    struct event_queue queue = {
        .head = store_table(store, &head_type),
        .chunk = store_table(store, &chunk_type),
    };
    if (!table_has(queue.head, 0, EVENT_HEAD_SLOT)) {
        for (uint32_t slot = 0; slot < EVENT_HEAD_SLOTS; slot++) {
            table_add_at(queue.head, 0, slot);
        }
        table_add_at(queue.chunk, 0, EVENT_NO_CHUNK);
        struct event_head *head = table_edit(queue.head, 0, EVENT_HEAD_SLOT);
        head->limit_ns = UINT64_MAX;
        struct event_chunk *none = table_edit(queue.chunk, 0, EVENT_NO_CHUNK);
        none->count = EVENT_CHUNK_SIZE;
    }
    queue.head_part = table_part(queue.head, 0);
    queue.chunk_part = table_part(queue.chunk, 0);
    return queue;
}

static const struct event_head *get_head(const struct event_queue *queue) {
    return event_head_place(queue, EVENT_HEAD_SLOT);
}

uint64_t event_now(const struct event_queue *queue) {
    return get_head(queue)->now_ns;
}

uint64_t event_count(const struct event_queue *queue) {
    return get_head(queue)->count;
}

/* Inserts behind all events that are not later. */
static void insert(struct event *events, uint32_t start, uint32_t end, struct event event) {
    uint32_t place = end;
    for (; place > start && events[place - 1].time_ns > event.time_ns; place--) {
        events[place] = events[place - 1];
    }
    events[place] = event;
}

/*
 * Sorts by counting for each event those that go before it, four events at a time: more comparisons
 * than other ways, but none is a branch to be guessed wrong. Both arrays need padding.
 */
static void sort(struct event *to, struct event *from, uint32_t count) {
    for (uint32_t index = count; index < count + EVENT_PADDING; index++) {
        from[index] = (struct event){ UINT64_MAX, 0 };
    }
    for (uint32_t index = 0; index < count; index += 4) {
        const struct event *four = from + index;
        uint64_t a = four[0].time_ns, b = four[1].time_ns;
        uint64_t c = four[2].time_ns, d = four[3].time_ns;
        uint32_t before_a = 0u + (b < a) + (c < a) + (d < a);
        uint32_t before_b = 0u + (a <= b) + (c < b) + (d < b);
        uint32_t before_c = 0u + (a <= c) + (b <= c) + (d < c);
        uint32_t before_d = 0u + (a <= d) + (b <= d) + (c <= d);
        for (uint32_t other = 0; other < index; other++) {
            uint64_t time_ns = from[other].time_ns;
            before_a += time_ns <= a;
            before_b += time_ns <= b;
            before_c += time_ns <= c;
            before_d += time_ns <= d;
        }
        for (uint32_t other = index + 4; other < count; other++) {
            uint64_t time_ns = from[other].time_ns;
            before_a += time_ns < a;
            before_b += time_ns < b;
            before_c += time_ns < c;
            before_d += time_ns < d;
        }
        to[before_a] = four[0];
        to[before_b] = four[1];
        to[before_c] = four[2];
        to[before_d] = four[3];
    }
}

/* Makes room in a full front: moves the events down, or the later half of many to the buckets. */
static void make_room(struct event_queue *queue, struct event_head *head,
                      struct event_front *front) {
    uint32_t count = head->front_end - head->front_next;
    memmove(front->events, front->events + head->front_next, count * sizeof(struct event));
    head->front_next = 0;
    head->front_end = count;
    if (count <= FRONT_DRAW) {
        return;
    }

    /* Equal times stay together, so that later pushes find all of them in the buckets. */
    uint32_t kept = count / 2;
    head->limit_ns = front->events[kept].time_ns;
    while (kept > 0 && front->events[kept - 1].time_ns == head->limit_ns) {
        kept--;
    }
    if (head->used_words == 0) {
        head->last_ns = head->now_ns;
    }
    head->is_peeked = false;
    head->front_end = kept;
    for (uint32_t index = kept; index < count; index++) {
        event_bucket_add(queue, head, front->events[index]);
    }
}

/* While all buckets are empty, even the very last time belongs in the front. */
static bool is_for_front(const struct event_head *head, struct event event) {
    return event.time_ns < head->limit_ns || head->used_words == 0;
}

static void push_slowly(struct event_queue *queue, struct event event) {
    struct event_head *head = event_edit_head(queue);
    must(event.time_ns >= head->now_ns);
    head->count++;
    if (is_for_front(head, event) && head->front_end == EVENT_FRONT_SIZE) {
        make_room(queue, head, event_edit_front(queue));
    }
    if (is_for_front(head, event)) {
        insert(event_edit_front(queue)->events, head->front_next, head->front_end++, event);
        return;
    }
    event_bucket_add(queue, head, event);
    if (head->is_peeked && event.time_ns < head->peeked.time_ns) {
        head->peeked = event;
    }
}

/* Does by itself what is most frequent, which needs neither the front nor a new chunk. */
void event_push(struct event_queue *queue, struct event event) {
    struct event_head *head = event_head_place(queue, EVENT_HEAD_SLOT);
    if (event.time_ns < head->limit_ns || head->is_peeked || event_is_saving(queue)) {
        push_slowly(queue, event);
        return;
    }
    uint32_t bucket = event_bucket_of(head->last_ns, event.time_ns);
    struct event_chunk *chunk = event_chunk_place(queue, event_get_tail(queue, bucket));
    if (chunk->count == EVENT_CHUNK_SIZE) {
        push_slowly(queue, event);
        return;
    }
    head->count++;
    chunk->events[chunk->count++] = event;
}

/* Sorts the first chunk of a bucket into the front, whose events are all earlier. */
static void take_chunk(struct event_queue *queue, struct event_head *head, uint32_t bucket) {
    struct event_front *front = event_edit_front(queue);
    struct event events[EVENT_CHUNK_SIZE + EVENT_PADDING];
    uint32_t count = event_bucket_take(queue, head, bucket, events);
    sort(front->events + head->front_end, events, count);
    head->front_end += count;
}

/*
 * Puts back what is too much for the front. A part of equal times may stay in the front only when
 * the clock is about to show that time: then nothing can push them back, behind the others.
 */
static void trim(struct event_queue *queue, struct event_head *head, struct event_halves *halves,
                 bool is_popping) {
    for (uint32_t index = 1; index < halves->early_count; index++) {
        insert(halves->early, 0, index, halves->early[index]);
    }
    uint32_t kept = FRONT_DRAW;
    head->limit_ns = halves->early[kept].time_ns;
    while (kept > 0 && halves->early[kept - 1].time_ns == head->limit_ns) {
        kept--;
    }
    if (kept == 0 && is_popping) {
        kept = FRONT_DRAW;
    }
    for (uint32_t index = kept; index < halves->early_count; index++) {
        event_bucket_add(queue, head, halves->early[index]);
    }
    halves->early_count = kept;
}

/* Adapts the width of the next draw to how many events this one has brought. */
static void adapt_width(struct event_head *head, uint32_t drawn) {
    if (drawn < FRONT_DRAW / 2) {
        head->width_ns = event_time_after(head->width_ns, head->width_ns / 2 + 1);
    } else if (drawn > FRONT_DRAW) {
        head->width_ns /= 2;
    } else if (drawn > FRONT_DRAW * 5 / 6) {
        head->width_ns -= head->width_ns / 8;
    }
}

/* Moves the earliest events of the first bucket to the empty front. */
static void draw(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                 bool is_popping) {
    struct event_halves halves;
    uint64_t end_ns = event_bucket_end(head, bucket);
    uint64_t start_ns = event_bucket_start(head, bucket);
    start_ns = start_ns > head->limit_ns ? start_ns : head->limit_ns;
    head->limit_ns = event_time_after(start_ns, head->width_ns);
    event_bucket_split(queue, bucket, head->limit_ns, &halves);
    if (halves.early_count == 0) {
        start_ns = event_bucket_find_first(queue, bucket).time_ns;
        head->width_ns = event_time_after(head->width_ns, head->width_ns + 1);
        head->limit_ns = event_time_after(start_ns, head->width_ns);
        event_bucket_split(queue, bucket, head->limit_ns, &halves);
    }
    if (halves.early_count == 0) {
        /* All are at the very last time, which no limit is after. */
        if (is_popping) {
            take_chunk(queue, head, bucket);
        }
        return;
    }

    event_bucket_keep_late(queue, head, bucket, &halves);
    adapt_width(head, halves.early_count);
    if (halves.early_count > FRONT_DRAW) {
        trim(queue, head, &halves, is_popping);
    }
    sort(event_edit_front(queue)->events, halves.early, halves.early_count);
    head->front_end = halves.early_count;
    if (event_bucket_is_empty(queue, bucket)) {
        head->limit_ns = end_ns;
    }
}

/* Moves events from a bucket of several chunks; true when a lower bucket comes first now. */
static bool open_bucket(struct event_queue *queue, struct event_head *head, uint32_t bucket,
                        bool is_popping) {
    if (bucket < EVENT_DIGITS) {
        if (is_popping) {
            head->limit_ns = event_bucket_start(head, bucket);
            take_chunk(queue, head, bucket);
        }
        return false;
    }
    if (event_bucket_size(queue, bucket) <= EVENT_SPLIT_CHUNKS) {
        draw(queue, head, bucket, is_popping);
        return false;
    }
    if (is_popping) {
        event_bucket_spread(queue, head, bucket);
    }
    return is_popping;
}

/*
 * Fills the empty front, if a peek can: pushes before what it sees stay legal, so it must neither
 * move `last` nor part equal times.
 */
static void refill(struct event_queue *queue, struct event_head *head, bool is_popping) {
    uint32_t bucket = 0;
    head->front_next = 0;
    head->front_end = 0;
    head->is_peeked = false;
    while (head->used_words != 0) {
        bucket = event_bucket_first(head);
        const struct event_chunk *last = event_get_chunk(queue, event_get_tail(queue, bucket));
        bool is_single = event_bucket_size(queue, bucket) == 1;
        if (head->front_end > 0 && (!is_single || head->front_end + last->count > FRONT_FILL)) {
            break;
        }
        if (is_single) {
            take_chunk(queue, head, bucket);
            head->limit_ns = event_bucket_end(head, bucket);
        } else if (!open_bucket(queue, head, bucket, is_popping)) {
            break;
        }
    }
    if (head->used_words == 0) {
        head->limit_ns = UINT64_MAX;
    }
}

static bool pop_slowly(struct event_queue *queue, struct event *event) {
    struct event_head *head = event_edit_head(queue);
    const struct event_front *front = event_head_place(queue, EVENT_FRONT_SLOT);
    if (head->count == 0) {
        return false;
    }
    if (head->front_next == head->front_end) {
        refill(queue, head, true);
        uint64_t first_ns = front->events[0].time_ns;
        /* The closer `last` follows the clock, the lower is the bucket that a push finds. */
        if (event_bucket_is_empty(queue, event_bucket_of(head->last_ns, first_ns))) {
            head->last_ns = first_ns;
        }
    }
    const struct event *first = &front->events[head->front_next++];
    head->now_ns = first->time_ns;
    head->count--;
    *event = *first;
    return true;
}

bool event_pop(struct event_queue *queue, struct event *event) {
    struct event_head *head = event_head_place(queue, EVENT_HEAD_SLOT);
    if (head->front_next == head->front_end || event_is_saving(queue)) {
        return pop_slowly(queue, event);
    }
    const struct event_front *front = event_head_place(queue, EVENT_FRONT_SLOT);
    const struct event *first = &front->events[head->front_next++];
    head->now_ns = first->time_ns;
    head->count--;
    *event = *first;
    return true;
}

bool event_peek(struct event_queue *queue, struct event *event) {
    const struct event_head *known = get_head(queue);
    const struct event_front *front = event_head_place(queue, EVENT_FRONT_SLOT);
    if (known->count == 0) {
        return false;
    }
    if (known->front_next == known->front_end && !known->is_peeked) {
        struct event_head *head = event_edit_head(queue);
        refill(queue, head, false);
        if (head->front_next == head->front_end) {
            head->peeked = event_bucket_find_first(queue, event_bucket_first(head));
            head->is_peeked = true;
        }
    }
    *event =
        known->front_next < known->front_end ? front->events[known->front_next] : known->peeked;
    return true;
}

void event_sweep(struct event_queue *queue, bool (*keep)(struct event event, void *context),
                 void *context) {
    struct event_head *head = event_edit_head(queue);
    struct event_front *front = event_edit_front(queue);
    uint32_t kept = head->front_next;
    for (uint32_t index = head->front_next; index < head->front_end; index++) {
        if (keep(front->events[index], context)) {
            front->events[kept++] = front->events[index];
        } else {
            head->count--;
        }
    }
    head->front_end = kept;
    head->is_peeked = false;
    for (uint32_t bucket = 0; bucket < EVENT_BUCKETS; bucket++) {
        if (!event_bucket_is_empty(queue, bucket)) {
            event_bucket_sweep(queue, head, bucket, keep, context);
        }
    }
}
