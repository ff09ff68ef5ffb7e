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
        is_true = is_true && claim(ids, frames, range);
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

static uint32_t used_at(const struct pools *pools, uint32_t holder, uint32_t slot) {
    const struct frame_record *frames = table_find(pools->frame, holder, slot / FRAMES_EACH);
    return frames == NULL ? 0 : frames->used[slot % FRAMES_EACH];
}

/* Records of frames that a holder may have, by what was written of either index. */
static uint32_t count_records(const struct pools *pools, uint32_t holder) {
    const struct table_part *frames = table_part(pools->frame, holder);
    const struct table_part *open = table_part(pools->open, holder);
    uint32_t count = frames == NULL ? 0 : frames->capacity;
    uint32_t words = open == NULL ? 0 : open->capacity * OPEN_WORDS * 64;
    count = count > words ? count : words;
    return count < OPEN_TOPS * 64 * 64 ? (count + 63) / 64 * 64 : OPEN_TOPS * 64 * 64;
}

static bool frames_are_true(const struct pools *pools, uint32_t holder, uint32_t number) {
    uint32_t open = 0;
    for (uint32_t frame = 0; frame < FRAMES_EACH; frame++) {
        uint32_t used = used_at(pools, holder, number * FRAMES_EACH + frame);
        open |= (uint32_t)(used > 0 && used < PAGES_PER_FRAME) << frame;
    }
    return ((const struct frame_record *)table_get(pools->frame, holder, number))->open == open;
}

/* Whether the words of open frames are what the counts of used pages say. */
static bool open_is_true(const struct pools *pools, uint32_t holder) {
    uint64_t top[OPEN_TOPS] = { 0 }, records = 0;
    bool is_true = true;
    for (uint32_t number = 0; number < count_records(pools, holder); number++) {
        const struct frame_record *frames = table_get(pools->frame, holder, number);
        records = number % 64 == 0 ? 0 : records;
        records |= (uint64_t)(frames->open != 0) << number % 64;
        is_true = is_true && frames_are_true(pools, holder, number);
        if (number % 64 == 63) {
            uint32_t middle = number / 64;
            is_true = is_true && open_at(pools, holder, pool_open_middle(middle)) == records;
            top[pool_open_top(middle)] |= (uint64_t)(records != 0) << middle % 64;
        }
    }
    for (uint32_t word = 0; word < OPEN_TOPS; word++) {
        is_true = is_true && open_at(pools, holder, word) == top[word];
    }
    return is_true;
}

/* Whether frames with a place are those with used pages, and the counts above are their sums. */
static bool counts_are_true(const struct pools *pools, uint32_t holder) {
    const struct holder_record *held = table_get(pools->holder, holder, 0);
    uint64_t pages = 0, cut = 0;
    for (uint32_t slot = 0; slot < count_records(pools, holder) * FRAMES_EACH; slot++) {
        uint32_t used = used_at(pools, holder, slot);
        if ((used > 0) != table_has(pools->place, holder, slot) || used > PAGES_PER_FRAME) {
            return false;
        }
        pages += used;
        cut += used > 0;
    }
    return pages == held->pages_used && cut == held->frames_cut &&
           cut == table_count(pools->place, holder);
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
        if (table_has(pools->holder, holder, 0) &&
            !(open_is_true(pools, holder) && counts_are_true(pools, holder))) {
            return false;
        }
    }
    return true;
}
