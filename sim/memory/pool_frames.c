/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pool_frames.h"

#include <stddef.h>

#include "base/must.h"
#include "memory/pool_record.h"

static uint32_t pool_of(const struct pools *pools, uint32_t holder) {
    const struct holder_record *record = table_get(pools->holder, holder, 0);
    return record->pool;
}

/* Takes the lowest giant pages that are whole, at most `most` and in one run. */
static struct range take_giant(struct pools *pools, uint32_t holder, uint64_t most) {
    uint32_t pool = pool_of(pools, holder);
    const struct pool_record *record = table_get(pools->pool, pool, 0);
    struct range_window all = { 0, record->frames };
    struct range around = { 0 };
    uint64_t start = 0;
    bool is_whole = range_fit(&pools->map, pool, all, FRAMES_PER_GIANT, FRAMES_PER_GIANT, &start);
    must(is_whole);
    bool is_free = range_at(&pools->map, pool, start, &around);
    must(is_free && around.id == 0);

    uint64_t count = (around.start + around.size - start) / FRAMES_PER_GIANT;
    struct range range = {
        .start = start,
        .size = (count < most ? count : most) * FRAMES_PER_GIANT,
        .id = pool_range_id(holder),
    };
    range_take(&pools->map, pool, range);
    return range;
}

static struct range take_huge(struct pools *pools, uint32_t holder, uint64_t most) {
    struct range range = { 0 };
    bool is_free =
        range_take_lowest(&pools->map, pool_of(pools, holder), most, pool_range_id(holder), &range);
    must(is_free);
    return range;
}

uint32_t pool_frames_take(struct pools *pools, uint32_t holder, enum page_class page,
                          uint64_t count, uint32_t whose) {
    uint64_t frames_each = page == PAGE_GIANT ? FRAMES_PER_GIANT : 1;
    uint32_t head = 0;
    uint32_t *link = &head;
    while (count > 0) {
        struct range range =
            page == PAGE_GIANT ? take_giant(pools, holder, count) : take_huge(pools, holder, count);
        uint32_t slot = table_add(pools->extent, holder);
        struct extent_record *extent = table_edit(pools->extent, holder, slot);
        extent->whose = whose;
        extent->first = (uint32_t)range.start;
        extent->count = (uint32_t)range.size;
        *link = slot + 1;
        link = &extent->next;
        count -= range.size / frames_each;
    }
    return head;
}

uint32_t pool_frames_give(struct pools *pools, uint32_t holder, uint32_t extents) {
    uint32_t pool = pool_of(pools, holder);
    uint32_t frames = 0;
    while (extents != 0) {
        uint32_t slot = extents - 1;
        const struct extent_record *extent = table_find(pools->extent, holder, slot);
        must(extent != NULL);
        range_give(&pools->map, pool, extent->first);
        frames += extent->count;
        extents = extent->next;
        table_remove(pools->extent, holder, slot);
    }
    return frames;
}

bool pool_extent(const struct pools *pools, uint32_t holder, uint32_t extents, uint32_t place,
                 struct range *frames) {
    const struct extent_record *extent = NULL;
    for (uint32_t before = 0; extents != 0 && before <= place; before++) {
        extent = table_get(pools->extent, holder, extents - 1);
        if (before == place) {
            *frames = (struct range){ extent->first, extent->count, extent->whose };
            return true;
        }
        extents = extent->next;
    }
    return false;
}
