/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/pool_model.h"

#include <check.h>
#include <stdlib.h>

#include "base/host.h"
#include "memory/pool_record.h"

static struct model_pool *pool_of(struct model *model, uint32_t holder) {
    return &model->pool[holder % MODEL_POOLS];
}

struct model *model_new(struct pool_size size, bool places_are_state) {
    struct model *model = host_zeroed(1, sizeof *model);
    model->store = store_new();
    model->pools = pools_bind(model->store, places_are_state);
    for (uint32_t pool = 0; pool < MODEL_POOLS; pool++) {
        model->pool[pool].size = size;
        pool_make(&model->pools, pool, size);
    }
    for (uint32_t holder = 0; holder < MODEL_HOLDERS; holder++) {
        ck_assert(!pool_has_holder(&model->pools, holder));
        pool_add_holder(&model->pools, holder, holder % MODEL_POOLS);
        ck_assert(pool_has_holder(&model->pools, holder));
    }
    return model;
}

void model_free(struct model *model) {
    for (uint32_t block = 0; block < model->block_count; block++) {
        free(model->block[block].number);
    }
    store_free(model->store);
    free(model);
}

static uint32_t count_free_frames(const struct model_pool *pool) {
    uint32_t count = 0;
    for (uint32_t frame = 0; frame < pool->size.frames; frame++) {
        count += pool->holder[frame] == 0;
    }
    return count;
}

static uint64_t count_free_pages(const struct model_holder *holder) {
    uint64_t count = 0;
    for (uint32_t slot = 0; slot < MODEL_FRAMES; slot++) {
        for (uint32_t page = 0; holder->is_cut[slot] && page < PAGES_PER_FRAME; page++) {
            count += !holder->used[slot][page];
        }
    }
    return count;
}

static bool is_whole(const struct model_pool *pool, uint32_t first) {
    if (first % FRAMES_PER_GIANT != 0 || first + FRAMES_PER_GIANT > pool->size.frames) {
        return false;
    }
    for (uint32_t frame = first; frame < first + FRAMES_PER_GIANT; frame++) {
        if (pool->holder[frame] != 0) {
            return false;
        }
    }
    return true;
}

static uint32_t count_whole(const struct model_pool *pool) {
    uint32_t count = 0;
    for (uint32_t frame = 0; frame < pool->size.frames; frame++) {
        count += is_whole(pool, frame);
    }
    return count;
}

static enum pool_answer expect_answer(struct model *model, uint32_t holder, enum page_class page,
                                      uint64_t count) {
    const struct model_pool *pool = pool_of(model, holder);
    uint64_t open = page == PAGE_NORMAL ? count_free_pages(&model->holder[holder]) : 0;
    uint64_t more = count > open ? count - open : 0;
    double frames = (double)more * (double)page_bytes(page) / (double)PAGE_HUGE_BYTES;
    uint32_t free_frames = count_free_frames(pool);
    if (frames > free_frames) {
        return POOL_SHORT;
    }
    if (frames > (double)pool->size.limit[page] - pool->used[page]) {
        return POOL_CLASS_FULL;
    }
    return page == PAGE_GIANT && count > count_whole(pool) ? POOL_SCATTERED : POOL_DONE;
}

static uint32_t take_frame(struct model *model, uint32_t holder, enum page_class page,
                           uint32_t frame) {
    struct model_pool *pool = pool_of(model, holder);
    model->wrong += pool->holder[frame] != 0;
    pool->holder[frame] = holder + 1;
    pool->used[page]++;
    model->holder[holder].whole += page != PAGE_NORMAL;
    return frame;
}

static uint32_t find_free(const struct model_pool *pool) {
    uint32_t frame = 0;
    while (pool->holder[frame] != 0) {
        frame++;
    }
    return frame;
}

/* The lowest free page of the cut frames from a number on; else the first one of a new frame. */
static uint32_t take_page(struct model *model, uint32_t holder_id, uint32_t from) {
    struct model_holder *holder = &model->holder[holder_id];
    uint32_t lowest = 0;
    for (uint32_t slot = from / PAGES_PER_FRAME; slot < MODEL_FRAMES; slot++) {
        for (uint32_t page = 0; holder->is_cut[slot] && page < PAGES_PER_FRAME; page++) {
            if (!holder->used[slot][page]) {
                holder->used[slot][page] = true;
                return slot * PAGES_PER_FRAME + page;
            }
        }
    }
    while (holder->is_cut[lowest]) {
        lowest++;
    }
    holder->is_cut[lowest] = true;
    holder->used[lowest][0] = true;
    holder->place[lowest] =
        take_frame(model, holder_id, PAGE_NORMAL, find_free(pool_of(model, holder_id)));
    return lowest * PAGES_PER_FRAME;
}

static void give_page(struct model *model, uint32_t holder_id, uint32_t number) {
    struct model_holder *holder = &model->holder[holder_id];
    struct model_pool *pool = pool_of(model, holder_id);
    uint32_t slot = number / PAGES_PER_FRAME;
    holder->used[slot][number % PAGES_PER_FRAME] = false;
    for (uint32_t page = 0; page < PAGES_PER_FRAME; page++) {
        if (holder->used[slot][page]) {
            return;
        }
    }
    holder->is_cut[slot] = false;
    pool->holder[holder->place[slot]] = 0;
    pool->used[PAGE_NORMAL]--;
}

static uint32_t frames_each(enum page_class page) {
    return page == PAGE_GIANT ? FRAMES_PER_GIANT : 1;
}

/* What the rules give, as numbers of pages or frames. */
static void take_by_rule(struct model *model, struct model_block *block) {
    const struct model_pool *pool = pool_of(model, block->holder);
    enum page_class page = (enum page_class)block->pages.page_class;
    uint32_t *number =
        host_zeroed((size_t)block->pages.count * frames_each(page) + 1, sizeof *number);
    block->number = number;
    for (uint32_t index = 0; index < block->pages.count; index++) {
        if (page == PAGE_NORMAL) {
            uint32_t from = index == 0 ? 0 : number[-1];
            *number++ = take_page(model, block->holder, from);
            continue;
        }
        uint32_t first = page == PAGE_HUGE ? find_free(pool) : 0;
        while (page == PAGE_GIANT && !is_whole(pool, first)) {
            first++;
        }
        for (uint32_t frame = first; frame < first + frames_each(page); frame++) {
            *number++ = take_frame(model, block->holder, page, frame);
        }
    }
}

/* Counts the pages of a part that are not the next ones of the block; returns how many it has. */
static uint32_t check_part(struct model *model, const struct model_block *block, uint32_t part,
                           uint32_t done) {
    uint32_t pages = pool_part_pages(part);
    for (uint32_t page = 0; page < pages; page++) {
        bool is_inside = done + page < block->pages.count;
        model->wrong +=
            !is_inside || block->number[done + page] / PAGES_PER_FRAME != pool_part_slot(part);
    }
    return pages;
}

static void check_pages(struct model *model, const struct model_block *block) {
    uint32_t done = 0;
    for (uint32_t place = 0; place < PAGES_PARTS && done < block->pages.count; place++) {
        done += check_part(model, block, block->pages.part[place], done);
    }
    for (uint32_t next = block->pages.parts; next != 0;) {
        ck_assert_uint_lt(done, block->pages.count);
        const struct part_record *record = table_find(model->pools.part, block->holder, next - 1);
        ck_assert_ptr_nonnull(record);
        for (uint32_t place = 0; place < PART_ENTRIES && done < block->pages.count; place++) {
            done += check_part(model, block, record->part[place], done);
        }
        next = record->next;
    }
    ck_assert_uint_eq(done, block->pages.count);
}

static void check_frames(struct model *model, const struct model_block *block) {
    enum page_class page = (enum page_class)block->pages.page_class;
    uint32_t count = block->pages.count * frames_each(page);
    uint32_t done = 0;
    struct range range = { 0 };
    for (uint32_t place = 0;
         pool_extent(&model->pools, block->holder, block->extents, place, &range); place++) {
        model->wrong += range.id != block->holder + 7;
        for (uint64_t frame = range.start; frame < range.start + range.size; frame++) {
            model->wrong += done >= count || block->number[done] != frame;
            done++;
        }
    }
    ck_assert_uint_eq(done, count);
}

static uint32_t count_used(const struct model_holder *holder, uint32_t slot) {
    uint32_t used = 0;
    for (uint32_t page = 0; page < PAGES_PER_FRAME; page++) {
        used += holder->used[slot][page];
    }
    return used;
}

/* Counts the cut frames of a holder that do not lie where the rules put them, or are as full. */
static void check_places(struct model *model, uint32_t holder_id) {
    const struct model_holder *holder = &model->holder[holder_id];
    for (uint32_t slot = 0; slot < MODEL_FRAMES; slot++) {
        const struct place_record *place = table_find(model->pools.place, holder_id, slot);
        const struct frame_record *frames =
            table_get(model->pools.frame, holder_id, slot / FRAMES_EACH);
        uint32_t used = holder->is_cut[slot] ? count_used(holder, slot) : 0;
        model->wrong += (place != NULL) != holder->is_cut[slot];
        model->wrong += place != NULL && place->frame != holder->place[slot];
        model->wrong += frames->used[slot % FRAMES_EACH] != used;
    }
}

enum pool_answer model_take(struct model *model, uint32_t holder, enum page_class page,
                            uint64_t count) {
    struct model_block *block = &model->block[model->block_count];
    *block = (struct model_block){ .holder = holder };
    enum pool_answer expected = expect_answer(model, holder, page, count);
    ck_assert_int_eq(pool_can_take(&model->pools, holder, page, count), expected);
    enum pool_answer answer =
        pool_take(&model->pools, holder, page, count, holder + 7, &block->pages, &block->extents);
    ck_assert_int_eq(answer, expected);
    model->answers[answer]++;
    if (answer != POOL_DONE) {
        return answer;
    }
    ck_assert_uint_lt(model->block_count++, MODEL_BLOCKS);
    ck_assert_uint_eq(block->pages.page_class, page);
    ck_assert_uint_eq(block->pages.count, count);
    take_by_rule(model, block);
    if (page == PAGE_NORMAL) {
        ck_assert_uint_eq(block->extents, 0);
        check_pages(model, block);
        check_places(model, holder);
    } else {
        check_frames(model, block);
    }
    ck_assert_uint_eq(model->wrong, 0);
    return answer;
}

void model_give(struct model *model, uint32_t index) {
    struct model_block *block = &model->block[index];
    struct model_pool *pool = pool_of(model, block->holder);
    enum page_class page = (enum page_class)block->pages.page_class;
    pool_give(&model->pools, block->holder, &block->pages, block->extents);
    for (uint32_t place = 0; place < block->pages.count * frames_each(page); place++) {
        if (page == PAGE_NORMAL) {
            give_page(model, block->holder, block->number[place]);
        } else {
            pool->holder[block->number[place]] = 0;
            pool->used[page]--;
            model->holder[block->holder].whole--;
        }
    }
    check_places(model, block->holder);
    ck_assert_uint_eq(model->wrong, 0);
    free(block->number);
    *block = model->block[--model->block_count];
}

/* Small counts are more frequent than large ones; a few are absurd. */
static uint64_t random_count(struct random_edits *random, uint32_t most) {
    switch (random_edits_below(random, 20)) {
    case 0:
        return random_edits_next(random);
    case 1:
        return UINT64_MAX >> random_edits_below(random, 64);
    default:
        return random_edits_below(random, 2 + random_edits_below(random, most));
    }
}

void model_change(struct model *model, struct random_edits *random, const uint32_t most[]) {
    uint32_t holder = random_edits_below(random, MODEL_HOLDERS);
    enum page_class page = (enum page_class)random_edits_below(random, PAGE_CLASSES);
    uint64_t count = random_count(random, most[page]);
    bool is_full = model->block_count == MODEL_BLOCKS;
    if (is_full || model_take(model, holder, page, count) != POOL_DONE) {
        for (int give = 0; give < 2 && model->block_count > 0; give++) {
            model_give(model, random_edits_below(random, model->block_count));
        }
    }
}

void model_check_counts(const struct model *model) {
    uint64_t open[MODEL_POOLS] = { 0 };
    for (uint32_t holder = 0; holder < MODEL_HOLDERS; holder++) {
        uint64_t frames = model->holder[holder].whole;
        open[holder % MODEL_POOLS] += count_free_pages(&model->holder[holder]);
        for (uint32_t slot = 0; slot < MODEL_FRAMES; slot++) {
            frames += model->holder[holder].is_cut[slot];
        }
        ck_assert_uint_eq(pool_bytes_held(&model->pools, holder), frames * PAGE_HUGE_BYTES);
    }
    for (uint32_t pool = 0; pool < MODEL_POOLS; pool++) {
        const struct model_pool *rule = &model->pool[pool];
        struct pool_usage usage = pool_usage(&model->pools, pool);
        ck_assert_uint_eq(usage.frames, rule->size.frames);
        ck_assert_uint_eq(usage.frames_free, count_free_frames(rule));
        ck_assert_uint_eq(usage.pages_free_in_cut_frames, open[pool]);
        ck_assert_uint_eq(usage.giant_free, count_whole(rule));
        for (int page = 0; page < PAGE_CLASSES; page++) {
            ck_assert_uint_eq(usage.frames_used[page], rule->used[page]);
            ck_assert_uint_eq(usage.limit[page], rule->size.limit[page]);
        }
    }
}
