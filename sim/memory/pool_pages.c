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

/* A frame has a free page from now on. */
static inline void open_frame(struct pools *pools, uint32_t holder, uint32_t slot) {
    uint32_t leaf = slot / 64, middle = leaf / 64;
    uint64_t *frames = open_edit(pools, holder, pool_open_leaf(leaf));
    bool was_closed = *frames == 0;
    *frames |= (uint64_t)1 << (slot % 64);
    if (was_closed) {
        *open_edit(pools, holder, pool_open_middle(middle)) |= (uint64_t)1 << (leaf % 64);
        *open_edit(pools, holder, 0) |= (uint64_t)1 << middle;
    }
}

/* Frames of a leaf that had a free page are full, or no longer cut. */
static void close_frames(struct pools *pools, uint32_t holder, uint32_t leaf, uint64_t closed) {
    uint32_t middle = leaf / 64;
    uint64_t *frames = open_edit(pools, holder, pool_open_leaf(leaf));
    *frames &= ~closed;
    if (*frames == 0) {
        uint64_t *leaves = open_edit(pools, holder, pool_open_middle(middle));
        *leaves &= ~((uint64_t)1 << (leaf % 64));
        if (*leaves == 0) {
            *open_edit(pools, holder, 0) &= ~((uint64_t)1 << middle);
        }
    }
}

/* The lowest leaf that is not 0; false when no page is free. */
static inline bool find_leaf(const struct pools *pools, uint32_t holder, uint32_t *leaf) {
    uint64_t middles = open_get(pools, holder, 0);
    if (middles == 0) {
        return false;
    }
    uint32_t middle = bits_lowest(middles);
    *leaf = middle * 64 + bits_lowest(open_get(pools, holder, pool_open_middle(middle)));
    return true;
}

/* As table_edit(), with the owner looked up once: this stands in the innermost loops. */
static inline uint16_t *edit_used(struct pools *pools, struct table_part *frames, uint32_t holder,
                                  uint32_t slot) {
    uint32_t number = slot / FRAMES_EACH;
    if (*pools->frame->epoch != 0) {
        table_save(pools->frame, frames, holder, number);
    }
    struct frame_record *record = (struct frame_record *)table_place(pools->frame, frames, number);
    return &record->used[slot % FRAMES_EACH];
}

/* Pages that are being taken. */
struct taking {
    struct pools *pools;
    struct table_part *frames;
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

/* Takes what is wanted from a frame with free pages; whether it has some left. */
static inline bool take_part(struct taking *taking, uint32_t slot) {
    uint16_t *used = edit_used(taking->pools, taking->frames, taking->holder, slot);
    uint32_t free = (uint32_t)PAGES_PER_FRAME - *used;
    uint32_t count = free < taking->left ? free : taking->left;
    if (taking->part == taking->part_end) {
        add_record(taking);
    }
    *taking->part++ = pool_part(slot, count);
    *used = (uint16_t)(*used + count);
    taking->left -= count;
    return count < free;
}

static void take_open(struct taking *taking) {
    uint32_t leaf = 0;
    while (taking->left > 0 && find_leaf(taking->pools, taking->holder, &leaf)) {
        uint64_t frames = open_get(taking->pools, taking->holder, pool_open_leaf(leaf));
        uint64_t open = frames;
        while (open != 0 && taking->left > 0) {
            if (!take_part(taking, leaf * 64 + bits_lowest(open))) {
                open &= open - 1;
            }
        }
        if (open != frames) {
            close_frames(taking->pools, taking->holder, leaf, frames & ~open);
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
        taking->frames = table_part(pools->frame, taking->holder);
        if (take_part(taking, slot)) {
            open_frame(pools, taking->holder, slot);
        }
        range.start++;
        range.size--;
    }
}

void pool_pages_take(struct pools *pools, uint32_t holder, uint32_t frames, struct pages *pages) {
    struct taking taking = {
        .pools = pools,
        .frames = table_part(pools->frame, holder),
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

static void uncut_frame(struct pools *pools, uint32_t holder, uint32_t slot) {
    const struct holder_record *held = table_get(pools->holder, holder, 0);
    const struct place_record *place = table_get(pools->place, holder, slot);
    range_give_part(&pools->map, held->pool, place->frame, 1);
    table_remove(pools->place, holder, slot);
    if (is_uncut(table_get(pools->frame, holder, slot / FRAMES_EACH))) {
        table_remove(pools->frame, holder, slot / FRAMES_EACH);
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

static void give_frame(struct giving *giving, uint32_t slot) {
    close_frames(giving->pools, giving->holder, slot / 64, (uint64_t)1 << (slot % 64));
    uncut_frame(giving->pools, giving->holder, slot);
    giving->frames_back++;
}

static inline void give_part(struct giving *giving, uint32_t part) {
    uint32_t slot = pool_part_slot(part), count = pool_part_pages(part);
    uint16_t *used = edit_used(giving->pools, giving->frames, giving->holder, slot);
    must(*used >= count);
    *used = (uint16_t)(*used - count);
    giving->left -= count;
    open_frame(giving->pools, giving->holder, slot);
    if (*used == 0) {
        give_frame(giving, slot);
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
