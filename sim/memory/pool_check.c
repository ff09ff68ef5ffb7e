/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>

#include "base/host.h"
#include "memory/pool.h"
#include "memory/pool_record.h"

/* Says which ids the frames of a pool should have in its map; false when two claim one. */
static bool claim(uint32_t *ids, uint32_t frames, struct range range) {
    for (uint64_t frame = range.start; frame < range.start + range.size; frame++) {
        if (frame >= frames || ids[frame] != 0) {
            return false;
        }
        ids[frame] = range.id;
    }
    return true;
}

static bool claim_of_holder(const struct pools *pools, uint32_t holder, uint32_t *ids,
                            uint32_t frames) {
    bool is_true = true;
    for (uint32_t slot = table_next(pools->place, holder, 0); slot != SLOT_NONE;
         slot = table_next(pools->place, holder, slot + 1)) {
        const struct place_record *place = table_get(pools->place, holder, slot);
        struct range range = { place->frame, 1, pool_range_id(holder) };
        is_true = is_true && table_has(pools->frame, holder, slot) && claim(ids, frames, range);
    }
    for (uint32_t slot = table_next(pools->extent, holder, 0); slot != SLOT_NONE;
         slot = table_next(pools->extent, holder, slot + 1)) {
        const struct extent_record *extent = table_get(pools->extent, holder, slot);
        struct range range = { extent->first, extent->count, pool_range_id(holder) };
        is_true = is_true && claim(ids, frames, range);
    }
    return is_true;
}

/* Whether a map has just the ids that are claimed, and the totals that follow from them. */
static bool map_is(const struct range_map *map, uint32_t pool, const uint32_t *ids,
                   uint32_t frames) {
    struct range_totals totals = range_totals(map, pool);
    uint64_t free = 0, coarse_free = 0, run = 0;
    struct range range = { 0 };
    for (uint32_t frame = 0; frame < frames; frame++) {
        bool is_inside = frame > 0 && frame < range.start + range.size;
        if (!is_inside && !range_at(map, pool, frame, &range)) {
            return false;
        }
        if (range.id != ids[frame]) {
            return false;
        }
        run = frame % FRAMES_PER_GIANT == 0 ? 0 : run;
        run += ids[frame] == 0;
        free += ids[frame] == 0;
        coarse_free += run == FRAMES_PER_GIANT;
    }
    return totals.free == free && totals.coarse_free == coarse_free;
}

static bool map_is_true(const struct pools *pools, uint32_t pool) {
    const struct pool_record *record = table_get(pools->pool, pool, 0);
    uint32_t *ids = host_zeroed(record->frames, sizeof *ids);
    bool is_true = true;
    for (uint32_t holder = table_next_owner(pools->holder, 0); holder != OWNER_NONE;
         holder = table_next_owner(pools->holder, holder + 1)) {
        const struct holder_record *held = table_find(pools->holder, holder, 0);
        if (held != NULL && held->pool == pool) {
            is_true = is_true && claim_of_holder(pools, holder, ids, record->frames);
        }
    }
    is_true = is_true && map_is(&pools->map, pool, ids, record->frames);
    free(ids);
    return is_true;
}

static uint64_t open_at(const struct pools *pools, uint32_t holder, uint32_t word) {
    const struct open_record *record = table_get(pools->open, holder, word / OPEN_WORDS);
    return record->word[word % OPEN_WORDS];
}

/* Whether the words above the leaves are what the leaves say. */
static bool upper_is_true(const struct pools *pools, uint32_t holder, uint32_t middles) {
    uint64_t top[OPEN_TOPS] = { 0 };
    for (uint32_t middle = 0; middle < middles; middle++) {
        uint64_t leaves = 0;
        for (uint32_t leaf = 0; leaf < 64; leaf++) {
            bool is_open = open_at(pools, holder, pool_open_leaf(middle * 64 + leaf)) != 0;
            leaves |= (uint64_t)is_open << leaf;
        }
        if (open_at(pools, holder, pool_open_middle(middle)) != leaves) {
            return false;
        }
        top[middle / 64] |= (uint64_t)(leaves != 0) << (middle % 64);
    }
    for (uint32_t word = 0; word < OPEN_TOPS; word++) {
        if (open_at(pools, holder, word) != top[word]) {
            return false;
        }
    }
    return true;
}

/* How many middles there may be, by what was written and by what the frames need. */
static uint32_t count_middles(const struct pools *pools, uint32_t holder) {
    const struct table_part *open = table_part(pools->open, holder);
    const struct table_part *frames = table_part(pools->frame, holder);
    uint32_t count = open == NULL ? 0 : open->capacity * OPEN_WORDS / OPEN_GROUP + 1;
    uint32_t needs = frames == NULL ? 0 : frames->capacity * FRAME_WORDS / 64 / 64 + 1;
    count = count > needs ? count : needs;
    return count < OPEN_TOPS * 64 ? count : OPEN_TOPS * 64;
}

static bool open_is_true(const struct pools *pools, uint32_t holder) {
    uint32_t middles = count_middles(pools, holder);
    uint64_t bits = 0;
    for (uint32_t number = 0; number < middles * 64 * 64; number++) {
        const struct frame_record *frame = table_find(pools->frame, holder, number / FRAME_WORDS);
        bool is_open = frame != NULL && frame->used[number % FRAME_WORDS] != UINT64_MAX;
        bits = number % 64 == 0 ? 0 : bits;
        bits |= (uint64_t)is_open << (number % 64);
        if (number % 64 == 63 && open_at(pools, holder, pool_open_leaf(number / 64)) != bits) {
            return false;
        }
    }
    return upper_is_true(pools, holder, middles);
}

bool pool_index_is_true(const struct pools *pools) {
    for (uint32_t pool = table_next_owner(pools->pool, 0); pool != OWNER_NONE;
         pool = table_next_owner(pools->pool, pool + 1)) {
        if (table_has(pools->pool, pool, 0) && !map_is_true(pools, pool)) {
            return false;
        }
    }
    for (uint32_t holder = table_next_owner(pools->holder, 0); holder != OWNER_NONE;
         holder = table_next_owner(pools->holder, holder + 1)) {
        if (table_has(pools->holder, holder, 0) && !open_is_true(pools, holder)) {
            return false;
        }
    }
    return true;
}
