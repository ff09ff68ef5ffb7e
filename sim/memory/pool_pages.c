/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pool_pages.h"

#include <stddef.h>

#include "base/bits.h"
#include "base/must.h"
#include "memory/pool_record.h"

static const uint64_t FULL = UINT64_MAX;
static const uint64_t FRAME_FREE = ((uint64_t)1 << FRAME_WORDS) - 1; /* a bit for each word */

static uint64_t open_get(const struct pools *pools, uint32_t holder, uint32_t word) {
    const struct open_record *record = table_get(pools->open, holder, word / OPEN_WORDS);
    return record->word[word % OPEN_WORDS];
}

static uint64_t *open_edit(struct pools *pools, uint32_t holder, uint32_t word) {
    struct open_record *record = table_edit(pools->open, holder, word / OPEN_WORDS);
    return &record->word[word % OPEN_WORDS];
}

/* A leaf that was 0 no longer is. */
static void open_raise(struct pools *pools, uint32_t holder, uint32_t leaf) {
    uint64_t *middle = open_edit(pools, holder, pool_open_middle(leaf / 64));
    *middle |= (uint64_t)1 << (leaf % 64);
    uint64_t *top = open_edit(pools, holder, leaf / 64 / 64);
    *top |= (uint64_t)1 << (leaf / 64 % 64);
}

/* The leaves of a middle that are not 0 become these. */
static void open_lower(struct pools *pools, uint32_t holder, uint32_t middle, uint64_t leaves) {
    *open_edit(pools, holder, pool_open_middle(middle)) = leaves;
    if (leaves == 0) {
        uint64_t *top = open_edit(pools, holder, middle / 64);
        *top &= ~((uint64_t)1 << (middle % 64));
    }
}

/* Words of frames have free pages; all of them lie in one leaf. */
static inline void open_words(struct pools *pools, uint32_t holder, uint32_t first,
                              uint64_t words) {
    uint64_t *leaf = open_edit(pools, holder, pool_open_leaf(first / 64));
    bool was_closed = *leaf == 0;
    *leaf |= words << (first % 64);
    if (was_closed && words != 0) {
        open_raise(pools, holder, first / 64);
    }
}

/* The lowest middle that is not 0; false when no page is free. */
static bool find_middle(const struct pools *pools, uint32_t holder, uint32_t *middle) {
    for (uint32_t word = 0; word < OPEN_TOPS; word++) {
        uint64_t top = open_get(pools, holder, word);
        if (top != 0) {
            *middle = word * 64 + bits_lowest(top);
            return true;
        }
    }
    return false;
}

/* As table_edit(), with the owner looked up once: this stands in the innermost loops. */
static inline struct frame_record *edit_frame(struct pools *pools, struct table_part *part,
                                              uint32_t holder, uint32_t slot) {
    if (*pools->frame->epoch != 0) {
        table_save(pools->frame, part, holder, slot);
    }
    return (struct frame_record *)table_place(pools->frame, part, slot);
}

static inline uint64_t run_mask(uint32_t first, uint32_t length) {
    return FULL >> (64 - length) << first;
}

/* How many of the lowest bits are set. */
static inline uint32_t run_length(uint64_t bits) {
    return bits == FULL ? 64 : bits_lowest(~bits);
}

/* Pages that are being taken. */
struct taking {
    struct pools *pools;
    struct table_part *frames;
    uint32_t holder;
    uint32_t left; /* pages */
    uint32_t *run; /* where the next run goes */
    uint32_t *run_end;
    uint32_t *link; /* where the next record of the chain is named */
};

static void add_record(struct taking *taking) {
    struct table *table = taking->pools->run;
    uint32_t slot = table_add(table, taking->holder);
    struct run_record *record = table_edit(table, taking->holder, slot);
    *taking->link = slot + 1;
    taking->link = &record->next;
    taking->run = record->entry;
    taking->run_end = record->entry + RUN_ENTRIES;
}

static inline void add_run(struct taking *taking, uint32_t first, uint32_t length) {
    if (taking->run == taking->run_end) {
        add_record(taking);
    }
    *taking->run++ = first << 6 | (length - 1);
}

/* Takes the lowest free pages of a word of a frame; false when some are left. */
static inline bool take_word(struct taking *taking, uint32_t number) {
    struct frame_record *frame =
        edit_frame(taking->pools, taking->frames, taking->holder, number / FRAME_WORDS);
    uint64_t *used = &frame->used[number % FRAME_WORDS];
    uint64_t free = ~*used;
    uint32_t left = taking->left;
    do {
        uint64_t lowest = free & (0 - free);
        uint64_t rest = free & (free + lowest); /* the carry goes through the lowest run */
        uint32_t first = bits_lowest(free);
        uint32_t length = run_length(free >> first);
        if (length > left) {
            length = left;
            rest = free & ~run_mask(first, length);
        }
        add_run(taking, number * 64 + first, length);
        left -= length;
        free = rest;
    } while (free != 0 && left > 0);
    taking->left = left;
    *used = ~free;
    return free == 0;
}

/* Takes the lowest free pages of some words, of which it returns those that have more. */
static inline uint64_t take_words(struct taking *taking, uint32_t first, uint64_t words) {
    while (words != 0 && taking->left > 0) {
        if (take_word(taking, first + bits_lowest(words))) {
            words &= words - 1;
        }
    }
    return words;
}

static void take_open(struct taking *taking) {
    struct pools *pools = taking->pools;
    uint32_t holder = taking->holder;
    uint32_t middle = 0;
    while (taking->left > 0 && find_middle(pools, holder, &middle)) {
        uint64_t leaves = open_get(pools, holder, pool_open_middle(middle));
        while (leaves != 0 && taking->left > 0) {
            uint32_t leaf = middle * 64 + bits_lowest(leaves);
            uint64_t *words = open_edit(pools, holder, pool_open_leaf(leaf));
            *words = take_words(taking, leaf * 64, *words);
            if (*words == 0) {
                leaves &= leaves - 1;
            }
        }
        open_lower(pools, holder, middle, leaves);
    }
}

static uint32_t cut_frame(struct pools *pools, uint32_t holder, uint64_t frame) {
    uint32_t slot = table_add(pools->frame, holder);
    table_add_at(pools->place, holder, slot);
    struct place_record *place = table_edit(pools->place, holder, slot);
    place->frame = (uint32_t)frame;
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
        uint32_t first = slot * FRAME_WORDS;
        uint64_t words = take_words(taking, first, FRAME_FREE);
        open_words(pools, taking->holder, first, words);
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
        .run = &pages->run,
        .run_end = &pages->run + 1,
        .link = &pages->runs,
    };
    take_open(&taking);
    take_new(&taking, frames);
    must(taking.left == 0);
}

/* Pages that are being given back. */
struct giving {
    struct pools *pools;
    struct table_part *frames;
    uint32_t holder;
    uint32_t frames_back; /* that no longer are cut */
};

static void close_frame(struct pools *pools, uint32_t holder, uint32_t slot) {
    uint32_t leaf = slot * FRAME_WORDS / 64;
    uint32_t middle = leaf / 64;
    uint64_t *words = open_edit(pools, holder, pool_open_leaf(leaf));
    bool was_open = *words != 0;
    *words &= ~(FRAME_FREE << (slot * FRAME_WORDS % 64));
    if (was_open && *words == 0) {
        uint64_t leaves = open_get(pools, holder, pool_open_middle(middle));
        open_lower(pools, holder, middle, leaves & ~((uint64_t)1 << (leaf % 64)));
    }
}

static void uncut_frame(struct giving *giving, uint32_t slot) {
    struct pools *pools = giving->pools;
    const struct holder_record *holder = table_get(pools->holder, giving->holder, 0);
    const struct place_record *place = table_get(pools->place, giving->holder, slot);
    range_give_part(&pools->map, holder->pool, place->frame, 1);
    table_remove(pools->place, giving->holder, slot);
    table_remove(pools->frame, giving->holder, slot);
    close_frame(pools, giving->holder, slot);
    giving->frames_back++;
}

static bool is_unused(const struct frame_record *frame) {
    uint64_t used = 0;
    for (uint32_t word = 0; word < FRAME_WORDS; word++) {
        used |= frame->used[word];
    }
    return used == 0;
}

/* Returns how many pages it gave back. */
static inline uint32_t give_run(struct giving *giving, uint32_t run) {
    uint32_t number = run >> 6;
    uint32_t length = run % 64 + 1;
    uint32_t slot = number / PAGES_PER_FRAME;
    struct frame_record *frame = edit_frame(giving->pools, giving->frames, giving->holder, slot);
    uint64_t *used = &frame->used[number / 64 % FRAME_WORDS];
    uint64_t mask = run_mask(number % 64, length);
    must((*used & mask) == mask);
    *used &= ~mask;
    if (*used == 0 && is_unused(frame)) {
        uncut_frame(giving, slot);
    } else {
        open_words(giving->pools, giving->holder, number / 64, 1);
    }
    return length;
}

/* Records of many blocks are far from the cache, and a chain cannot be read in parallel. */
static inline void fetch_record(const struct pools *pools, uint32_t holder, uint32_t next) {
    if (next != 0) {
        __builtin_prefetch(table_get(pools->run, holder, next - 1));
    }
}

uint32_t pool_pages_give(struct pools *pools, uint32_t holder, const struct pages *pages) {
    struct giving giving = {
        .pools = pools,
        .frames = table_part(pools->frame, holder),
        .holder = holder,
    };
    uint32_t left = pages->count;
    fetch_record(pools, holder, pages->runs);
    if (left > 0) {
        left -= give_run(&giving, pages->run);
    }
    for (uint32_t next = pages->runs; next != 0;) {
        uint32_t slot = next - 1;
        const struct run_record *record = table_get(pools->run, holder, slot);
        next = record->next;
        fetch_record(pools, holder, next);
        for (uint32_t entry = 0; entry < RUN_ENTRIES && left > 0; entry++) {
            left -= give_run(&giving, record->entry[entry]);
        }
        table_remove(pools->run, holder, slot);
    }
    must(left == 0);
    return giving.frames_back;
}
