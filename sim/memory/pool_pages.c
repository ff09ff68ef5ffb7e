/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pool_pages.h"

#include <stddef.h>

#include "base/bits.h"
#include "base/must.h"
#include "memory/pool_record.h"

static inline uint64_t open_get(const struct pools *pools, uint32_t holder, uint32_t word) {
    const struct open_record *record = table_get(pools->open, holder, word / OPEN_WORDS);
    return record->word[word % OPEN_WORDS];
}

static inline uint64_t *open_edit(struct pools *pools, uint32_t holder, uint32_t word) {
    struct open_record *record = table_edit(pools->open, holder, word / OPEN_WORDS);
    return &record->word[word % OPEN_WORDS];
}

/* A record of frames that had no free page has some. */
static void open_record(struct pools *pools, uint32_t holder, uint32_t number) {
    uint32_t middle = number / 64;
    *open_edit(pools, holder, pool_open_middle(middle)) |= (uint64_t)1 << (number % 64);
    *open_edit(pools, holder, pool_open_top(middle)) |= (uint64_t)1 << (middle % 64);
}

/* One that had some has none. */
static void close_record(struct pools *pools, uint32_t holder, uint32_t number) {
    uint32_t middle = number / 64;
    uint64_t *records = open_edit(pools, holder, pool_open_middle(middle));
    *records &= ~((uint64_t)1 << (number % 64));
    if (*records == 0) {
        *open_edit(pools, holder, pool_open_top(middle)) &= ~((uint64_t)1 << (middle % 64));
    }
}

/* The lowest record of frames with a free page; false when no page is free. */
static inline bool find_open(const struct pools *pools, uint32_t holder, uint32_t *number) {
    for (uint32_t top = 0; top < OPEN_TOPS; top++) {
        uint64_t middles = open_get(pools, holder, top);
        if (middles != 0) {
            uint32_t middle = top * 64 + bits_lowest(middles);
            *number = middle * 64 + bits_lowest(open_get(pools, holder, pool_open_middle(middle)));
            return true;
        }
    }
    return false;
}

/* As table_edit(), with the owner looked up once: this stands in the innermost loops. */
static inline struct frame_record *edit_frames(struct pools *pools, struct table_part *part,
                                               uint32_t holder, uint32_t number) {
    if (*pools->frame->epoch != 0) {
        table_save(pools->frame, part, holder, number);
    }
    return (struct frame_record *)table_place(pools->frame, part, number);
}

/* Pages that are being taken. */
struct taking {
    struct pools *pools;
    uint32_t holder;
    uint32_t left;  /* pages */
    uint32_t *part; /* where the next part goes */
    uint32_t *part_end;
    uint32_t *link; /* where the next record of the chain is named */
};

static void add_record(struct taking *taking) {
    struct table *table = taking->pools->part;
    uint32_t slot = table_add(table, taking->holder);
    struct part_record *record = table_edit(table, taking->holder, slot);
    *taking->link = slot + 1;
    taking->link = &record->next;
    taking->part = record->part;
    taking->part_end = record->part + PART_ENTRIES;
}

/* Takes what is wanted from a frame with free pages. */
static inline void take_part(struct taking *taking, struct frame_record *frames, uint32_t first,
                             uint32_t frame) {
    uint32_t free = (uint32_t)PAGES_PER_FRAME - frames->used[frame];
    uint32_t count = free < taking->left ? free : taking->left;
    if (taking->part == taking->part_end) {
        add_record(taking);
    }
    *taking->part++ = pool_part(first + frame, count);
    frames->used[frame] = (uint16_t)(frames->used[frame] + count);
    frames->open &= ~((uint32_t)(count == free) << frame);
    taking->left -= count;
}

static void take_open(struct taking *taking) {
    struct table_part *part = table_part(taking->pools->frame, taking->holder);
    uint32_t number = 0;
    while (taking->left > 0 && find_open(taking->pools, taking->holder, &number)) {
        struct frame_record *frames = edit_frames(taking->pools, part, taking->holder, number);
        do {
            take_part(taking, frames, number * FRAMES_EACH, bits_lowest(frames->open));
        } while (taking->left > 0 && frames->open != 0);
        if (frames->open == 0) {
            close_record(taking->pools, taking->holder, number);
        }
    }
}

static uint32_t cut_frame(struct pools *pools, uint32_t holder, uint64_t frame) {
    uint32_t slot = table_add(pools->place, holder);
    struct place_record *place = table_edit(pools->place, holder, slot);
    place->frame = (uint32_t)frame;
    if (!table_has(pools->frame, holder, slot / FRAMES_EACH)) {
        table_add_at(pools->frame, holder, slot / FRAMES_EACH);
    }
    return slot;
}

static void take_new(struct taking *taking, uint32_t frames) {
    struct pools *pools = taking->pools;
    const struct holder_record *holder = table_get(pools->holder, taking->holder, 0);
    struct range range = { 0 };
    for (; frames > 0; frames--) {
        if (range.size == 0) {
            bool is_free = range_take_lowest(&pools->map, holder->pool, frames,
                                             pool_range_id(taking->holder), &range);
            must(is_free);
        }
        uint32_t slot = cut_frame(pools, taking->holder, range.start);
        uint32_t number = slot / FRAMES_EACH, frame = slot % FRAMES_EACH;
        struct frame_record *record = table_edit(pools->frame, taking->holder, number);
        bool was_closed = record->open == 0;
        record->open |= (uint32_t)1 << frame;
        take_part(taking, record, number * FRAMES_EACH, frame);
        if (was_closed && record->open != 0) {
            open_record(pools, taking->holder, number);
        }
        range.start++;
        range.size--;
    }
}

void pool_pages_take(struct pools *pools, uint32_t holder, uint32_t frames, struct pages *pages) {
    struct taking taking = {
        .pools = pools,
        .holder = holder,
        .left = pages->count,
        .part = pages->part,
        .part_end = pages->part + PAGES_PARTS,
        .link = &pages->parts,
    };
    take_open(&taking);
    take_new(&taking, frames);
    must(taking.left == 0);
}

static bool is_uncut(const struct frame_record *frames) {
    uint32_t used = 0;
    for (uint32_t frame = 0; frame < FRAMES_EACH; frame++) {
        used |= frames->used[frame];
    }
    return used == 0;
}

/* A frame of which no page is used any more goes back to the pool. */
static void uncut_frame(struct pools *pools, uint32_t holder, uint32_t slot) {
    const struct holder_record *held = table_get(pools->holder, holder, 0);
    const struct place_record *place = table_get(pools->place, holder, slot);
    uint32_t number = slot / FRAMES_EACH;
    struct frame_record *frames = table_edit(pools->frame, holder, number);
    range_give_part(&pools->map, held->pool, place->frame, 1);
    table_remove(pools->place, holder, slot);
    frames->open &= ~((uint32_t)1 << slot % FRAMES_EACH);
    if (frames->open == 0) {
        close_record(pools, holder, number);
        if (is_uncut(frames)) {
            table_remove(pools->frame, holder, number);
        }
    }
}

/* Pages that are being given back. */
struct giving {
    struct pools *pools;
    struct table_part *frames;
    uint32_t holder;
    uint32_t left;        /* pages */
    uint32_t frames_back; /* that no longer are cut */
};

static inline void give_part(struct giving *giving, uint32_t part) {
    uint32_t slot = pool_part_slot(part), count = pool_part_pages(part);
    uint32_t number = slot / FRAMES_EACH, frame = slot % FRAMES_EACH;
    struct frame_record *frames =
        edit_frames(giving->pools, giving->frames, giving->holder, number);
    must(frames->used[frame] >= count);
    bool was_closed = frames->open == 0;
    frames->used[frame] = (uint16_t)(frames->used[frame] - count);
    frames->open |= (uint32_t)1 << frame;
    giving->left -= count;
    if (was_closed) {
        open_record(giving->pools, giving->holder, number);
    }
    if (frames->used[frame] == 0) {
        uncut_frame(giving->pools, giving->holder, slot);
        giving->frames_back++;
    }
}

uint32_t pool_pages_give(struct pools *pools, uint32_t holder, const struct pages *pages) {
    struct giving giving = {
        .pools = pools,
        .frames = table_part(pools->frame, holder),
        .holder = holder,
        .left = pages->count,
    };
    for (uint32_t place = 0; place < PAGES_PARTS && giving.left > 0; place++) {
        give_part(&giving, pages->part[place]);
    }
    for (uint32_t next = pages->parts; next != 0;) {
        uint32_t slot = next - 1;
        const struct part_record *record = table_get(pools->part, holder, slot);
        next = record->next;
        for (uint32_t place = 0; place < PART_ENTRIES && giving.left > 0; place++) {
            give_part(&giving, record->part[place]);
        }
        table_remove(pools->part, holder, slot);
    }
    must(giving.left == 0);
    return giving.frames_back;
}
