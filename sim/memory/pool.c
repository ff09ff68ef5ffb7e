/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pool.h"

#include <stddef.h>

#include "base/must.h"
#include "memory/pool_frames.h"
#include "memory/pool_pages.h"
#include "memory/pool_record.h"

static struct table *bind(struct store *store, const char *name, uint32_t size,
                          enum table_sort sort) {
    struct table_type type = { .name = name, .record_size = size, .sort = sort };
    type.follows = sort == TABLE_INDEX;
    return store_table(store, &type);
}

struct pools pools_bind(struct store *store, bool places_are_state) {
    enum table_sort sort = places_are_state ? TABLE_STATE : TABLE_NOTE;
    return (struct pools){
        .pool = bind(store, "pool", sizeof(struct pool_record), TABLE_STATE),
        .holder = bind(store, "pool_holder", sizeof(struct holder_record), TABLE_STATE),
        .frame = bind(store, "pool_frame", sizeof(struct frame_record), TABLE_STATE),
        .open = bind(store, "pool_open", sizeof(struct open_record), TABLE_INDEX),
        .part = bind(store, "pool_part", sizeof(struct part_record), TABLE_STATE),
        .place = bind(store, "pool_place", sizeof(struct place_record), sort),
        .extent = bind(store, "pool_extent", sizeof(struct extent_record), sort),
        .map = range_map_bind(store, "pool_map"),
    };
}

static inline const struct pool_record *get_pool(const struct pools *pools, uint32_t pool) {
    const struct pool_record *record = table_find(pools->pool, pool, 0);
    must(record != NULL);
    return record;
}

static inline const struct holder_record *get_holder(const struct pools *pools, uint32_t holder) {
    const struct holder_record *record = table_find(pools->holder, holder, 0);
    must(record != NULL);
    return record;
}

void pool_make(struct pools *pools, uint32_t pool, struct pool_size size) {
    must(size.frames > 0 && size.frames <= POOL_FRAMES);
    table_add_at(pools->pool, pool, 0);
    struct pool_record *record = table_edit(pools->pool, pool, 0);
    record->frames = size.frames;
    record->frames_free = size.frames;
    for (int page = 0; page < PAGE_CLASSES; page++) {
        record->limit[page] = size.limit[page];
    }
    range_map_make(&pools->map, pool, 0, size.frames);
}

struct pool_usage pool_usage(const struct pools *pools, uint32_t pool) {
    const struct pool_record *record = get_pool(pools, pool);
    uint64_t pages_cut = (uint64_t)record->frames_used[PAGE_NORMAL] * PAGES_PER_FRAME;
    struct pool_usage usage = {
        .frames = record->frames,
        .frames_free = record->frames_free,
        .pages_free_in_cut_frames = pages_cut - record->pages_used,
        .giant_free = (uint32_t)range_totals(&pools->map, pool).coarse_free,
    };
    for (int page = 0; page < PAGE_CLASSES; page++) {
        usage.frames_used[page] = record->frames_used[page];
        usage.limit[page] = record->limit[page];
    }
    return usage;
}

void pool_add_holder(struct pools *pools, uint32_t holder, uint32_t pool) {
    must(table_has(pools->pool, pool, 0));
    table_add_at(pools->holder, holder, 0);
    struct holder_record *record = table_edit(pools->holder, holder, 0);
    record->pool = pool;
}

bool pool_has_holder(const struct pools *pools, uint32_t holder) {
    return table_has(pools->holder, holder, 0);
}

uint64_t pool_bytes_held(const struct pools *pools, uint32_t holder) {
    const struct holder_record *record = get_holder(pools, holder);
    return ((uint64_t)record->frames_cut + record->frames_whole) * PAGE_HUGE_BYTES;
}

/* Frames that the pool must give for so many pages. */
static inline uint64_t count_frames(const struct holder_record *holder, enum page_class page,
                                    uint64_t count) {
    uint64_t open = (uint64_t)holder->frames_cut * PAGES_PER_FRAME - holder->pages_used;
    uint64_t more = count > open ? count - open : 0;
    switch (page) {
    case PAGE_NORMAL:
        return more / PAGES_PER_FRAME + (more % PAGES_PER_FRAME != 0);
    case PAGE_HUGE:
        return count;
    case PAGE_GIANT:
        return count > UINT64_MAX / FRAMES_PER_GIANT ? UINT64_MAX : count * FRAMES_PER_GIANT;
    case PAGE_CLASSES:
        break;
    }
    must(page < PAGE_CLASSES);
    return 0;
}

/* Whether a pool can give so many frames to a page class. */
static inline enum pool_answer can_give(const struct pools *pools, uint32_t pool,
                                        enum page_class page, uint64_t frames) {
    const struct pool_record *record = table_get(pools->pool, pool, 0);
    if (frames > record->frames_free) {
        return POOL_SHORT;
    }
    if (record->frames_used[page] + frames > record->limit[page]) {
        return POOL_CLASS_FULL;
    }
    if (page == PAGE_GIANT &&
        frames / FRAMES_PER_GIANT > range_totals(&pools->map, pool).coarse_free) {
        return POOL_SCATTERED;
    }
    return POOL_DONE;
}

enum pool_answer pool_can_take(const struct pools *pools, uint32_t holder, enum page_class page,
                               uint64_t count) {
    const struct holder_record *record = get_holder(pools, holder);
    return can_give(pools, record->pool, page, count_frames(record, page, count));
}

enum pool_answer pool_take(struct pools *pools, uint32_t holder, enum page_class page,
                           uint64_t count, uint32_t whose, struct pages *pages, uint32_t *extents) {
    const struct holder_record *had = get_holder(pools, holder);
    uint32_t pool = had->pool;
    uint64_t needs = count_frames(had, page, count);
    enum pool_answer answer = can_give(pools, pool, page, needs);
    if (answer != POOL_DONE) {
        return answer;
    }
    uint32_t frames = (uint32_t)needs;
    struct pool_record *record = table_edit(pools->pool, pool, 0);
    struct holder_record *held = table_edit(pools->holder, holder, 0);
    record->frames_free -= frames;
    record->frames_used[page] += frames;
    *pages = (struct pages){ .page_class = page, .count = (uint32_t)count };
    *extents = 0;
    if (page == PAGE_NORMAL) {
        record->pages_used += count;
        held->pages_used += count;
        held->frames_cut += frames;
        pool_pages_take(pools, holder, frames, pages);
    } else {
        held->frames_whole += frames;
        *extents = pool_frames_take(pools, holder, page, count, whose);
    }
    return POOL_DONE;
}

void pool_give(struct pools *pools, uint32_t holder, const struct pages *pages, uint32_t extents) {
    uint32_t pool = get_holder(pools, holder)->pool;
    enum page_class page = (enum page_class)pages->page_class;
    struct pool_record *record = table_edit(pools->pool, pool, 0);
    struct holder_record *held = table_edit(pools->holder, holder, 0);
    uint32_t frames = 0;
    if (page == PAGE_NORMAL) {
        record->pages_used -= pages->count;
        held->pages_used -= pages->count;
        frames = pool_pages_give(pools, holder, pages);
        held->frames_cut -= frames;
    } else {
        frames = pool_frames_give(pools, holder, extents);
        must(frames == pages->count * page_bytes(page) / PAGE_HUGE_BYTES);
        held->frames_whole -= frames;
    }
    record->frames_free += frames;
    record->frames_used[page] -= frames;
}
