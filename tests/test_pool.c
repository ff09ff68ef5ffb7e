/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pool.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

#include "base/host.h"
#include "memory/pool_record.h"
#include "tests/pool_model.h"
#include "tests/random_edits.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Nearly full pools: normal pages, shares of the classes, giant pages beside few others. */
static const struct {
    struct pool_size size;
    uint32_t most[PAGE_CLASSES]; /* pages taken at once */
    int changes;
} shapes[] = {
    { { 13, { 13, 13, 13 } }, { 1700, 5, 1 }, 900 },
    { { 16, { 9, 6, 0 } }, { 300, 3, 1 }, 1000 },
    { { 1100, { 1100, 1100, 1024 } }, { 3000, 200, 2 }, 200 },
    { { 1025, { 600, 1025, 1024 } }, { 100, 150, 2 }, 300 },
};

static struct pool_size size_of(uint32_t frames) {
    return (struct pool_size){ frames, { frames, frames, frames } };
}

/* A store with one pool and two holders, for what needs no model. */
struct scene {
    struct store *store;
    struct pools pools;
};

static struct scene scene_new(struct pool_size size, bool places_are_state) {
    struct scene scene = { .store = store_new() };
    scene.pools = pools_bind(scene.store, places_are_state);
    pool_make(&scene.pools, 0, size);
    pool_add_holder(&scene.pools, 0, 0);
    pool_add_holder(&scene.pools, 1, 0);
    return scene;
}

static struct pages take_pages(struct scene *scene, uint32_t holder, uint64_t count) {
    struct pages pages;
    uint32_t extents = 0;
    enum pool_answer answer =
        pool_take(&scene->pools, holder, PAGE_NORMAL, count, 0, &pages, &extents);
    ck_assert_int_eq(answer, POOL_DONE);
    return pages;
}

static void run_shape(size_t shape, bool places_are_state, uint32_t answers[]) {
    struct random_edits random = { .seed = 71 + shape };
    struct model *model = model_new(shapes[shape].size, places_are_state);
    for (int change = 0; change < shapes[shape].changes; change++) {
        model_change(model, &random, shapes[shape].most);
        if (change % 8 == 0) {
            model_check_counts(model);
            ck_assert(pool_index_is_true(&model->pools));
        }
    }
    while (model->block_count > 0) {
        model_give(model, random_edits_below(&random, model->block_count));
    }
    model_check_counts(model);
    ck_assert(pool_index_is_true(&model->pools));
    for (int answer = 0; answer <= POOL_SCATTERED; answer++) {
        answers[answer] += model->answers[answer];
    }
    struct model *fresh = model_new(shapes[shape].size, places_are_state);
    ck_assert(store_same(model->store, fresh->store));
    model_free(fresh);
    model_free(model);
}

START_TEST(every_page_count_and_answer_is_that_of_the_rules) {
    uint32_t answers[POOL_SCATTERED + 1] = { 0 };
    run_shape((size_t)_i, false, answers);
    ck_assert_uint_gt(answers[POOL_DONE], 50);
    ck_assert_uint_gt(answers[POOL_SHORT], 10);
    ck_assert(_i != 1 || answers[POOL_CLASS_FULL] > 10);
    ck_assert(_i != 2 || answers[POOL_SCATTERED] > 5);
}
END_TEST

START_TEST(the_rules_are_the_same_where_places_are_state) {
    uint32_t answers[POOL_SCATTERED + 1] = { 0 };
    run_shape(1, true, answers);
    run_shape(3, true, answers);
}
END_TEST

START_TEST(a_block_has_one_part_in_each_frame) {
    struct scene scene = scene_new(size_of(PAGES_PARTS + 5), false);
    take_pages(&scene, 0, 500);
    struct pages few = take_pages(&scene, 0, 10);
    struct pages many = take_pages(&scene, 0, 2 + PAGES_PARTS * 512 + 7);
    const struct part_record *record = table_get(scene.pools.part, 0, many.parts - 1);
    ck_assert_uint_eq(few.part[0], pool_part(0, 10));
    ck_assert_uint_eq(few.part[1], 0);
    ck_assert_uint_eq(few.parts, 0);
    ck_assert_uint_eq(many.part[0], pool_part(0, 2));
    ck_assert_uint_eq(many.part[1], pool_part(1, 512));
    ck_assert_uint_eq(many.part[2], pool_part(2, 512));
    ck_assert_uint_eq(record->part[0], pool_part(PAGES_PARTS, 512));
    ck_assert_uint_eq(record->part[1], pool_part(PAGES_PARTS + 1, 7));
    ck_assert_uint_eq(record->next, 0);
    store_free(scene.store);
}
END_TEST

START_TEST(a_block_in_few_frames_needs_no_record) {
    struct scene scene = scene_new(size_of(PAGES_PARTS + 1), false);
    take_pages(&scene, 0, 100);
    struct pages pages = take_pages(&scene, 0, PAGES_PARTS * 512 - 100);
    ck_assert_uint_eq(pages.part[PAGES_PARTS - 1], pool_part(PAGES_PARTS - 1, 512));
    ck_assert_uint_eq(pages.parts, 0);
    ck_assert_uint_eq(table_count(scene.pools.part, 0), 0);
    store_free(scene.store);
}
END_TEST

START_TEST(a_frame_that_gets_a_free_page_is_the_next_to_be_used) {
    struct scene scene = scene_new(size_of(300), false);
    struct pages pages[300];
    for (int frame = 0; frame < 300; frame++) {
        pages[frame] = take_pages(&scene, 0, 512);
    }
    pool_give(&scene.pools, 0, &pages[270], 0);
    pool_give(&scene.pools, 0, &pages[130], 0);
    take_pages(&scene, 0, 1);
    ck_assert_uint_eq(take_pages(&scene, 0, 511).part[0], pool_part(130, 511));
    ck_assert_uint_eq(take_pages(&scene, 0, 1).part[0], pool_part(270, 1));
    store_free(scene.store);
}
END_TEST

START_TEST(pages_of_many_frames_come_back_in_one_block) {
    enum { FRAMES = 200, RECORDS = (FRAMES - PAGES_PARTS + PART_ENTRIES - 1) / PART_ENTRIES };
    struct scene scene = scene_new(size_of(FRAMES), false);
    struct pages single[FRAMES];
    for (int frame = 0; frame < FRAMES; frame++) {
        single[frame] = take_pages(&scene, 0, 1);
        take_pages(&scene, 0, 511);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        pool_give(&scene.pools, 0, &single[frame], 0);
    }
    struct pages pages = take_pages(&scene, 0, FRAMES);
    ck_assert_uint_eq(table_count(scene.pools.part, 0), RECORDS);
    ck_assert_uint_eq(pool_usage(&scene.pools, 0).pages_free_in_cut_frames, 0);
    pool_give(&scene.pools, 0, &pages, 0);
    ck_assert_uint_eq(table_count(scene.pools.part, 0), 0);
    ck_assert_uint_eq(take_pages(&scene, 0, 1).part[0], pool_part(0, 1));
    ck_assert(pool_index_is_true(&scene.pools));
    store_free(scene.store);
}
END_TEST

START_TEST(a_request_larger_than_a_frame_fills_old_and_new_frames) {
    struct scene scene = scene_new(size_of(4), false);
    take_pages(&scene, 0, 100);
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, 4 * 512 - 99), POOL_SHORT);
    take_pages(&scene, 0, 4 * 512 - 100);
    ck_assert_uint_eq(pool_usage(&scene.pools, 0).frames_free, 0);
    ck_assert_uint_eq(pool_usage(&scene.pools, 0).pages_free_in_cut_frames, 0);
    store_free(scene.store);
}
END_TEST

START_TEST(free_pages_of_a_cut_frame_are_for_its_holder_only) {
    struct scene scene = scene_new(size_of(1), false);
    take_pages(&scene, 0, 1);
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, 511), POOL_DONE);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_NORMAL, 1), POOL_SHORT);
    ck_assert_uint_eq(pool_bytes_held(&scene.pools, 0), PAGE_HUGE_BYTES);
    ck_assert_uint_eq(pool_bytes_held(&scene.pools, 1), 0);
    store_free(scene.store);
}
END_TEST

START_TEST(a_giant_page_needs_aligned_frames) {
    struct scene scene = scene_new((struct pool_size){ 1535, { 1535, 1535, 1024 } }, false);
    struct pages huge, giant;
    struct range range;
    uint32_t huge_extents = 0, giant_extents = 0;
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_GIANT, 3), POOL_SHORT);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_GIANT, ((uint64_t)1 << 55) + 1),
                     POOL_SHORT);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_GIANT, 2), POOL_DONE);
    pool_take(&scene.pools, 0, PAGE_HUGE, 1, 5, &huge, &huge_extents);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_GIANT, 2), POOL_SCATTERED);
    ck_assert_int_eq(pool_take(&scene.pools, 1, PAGE_GIANT, 1, 6, &giant, &giant_extents),
                     POOL_DONE);
    ck_assert(pool_extent(&scene.pools, 1, giant_extents, 0, &range));
    ck_assert_uint_eq(range.start, 512);
    ck_assert_uint_eq(range.size, 512);
    ck_assert_uint_eq(range.id, 6);
    ck_assert(!pool_extent(&scene.pools, 1, giant_extents, 1, &range));
    pool_give(&scene.pools, 0, &huge, huge_extents);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_GIANT, 2), POOL_SHORT);
    ck_assert_uint_eq(pool_usage(&scene.pools, 0).giant_free, 1);
    store_free(scene.store);
}
END_TEST

START_TEST(a_share_that_is_used_up_refuses) {
    struct scene scene = scene_new((struct pool_size){ 8, { 2, 3, 0 } }, false);
    struct pages pages;
    uint32_t extents = 0;
    take_pages(&scene, 0, 513);
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, 511), POOL_DONE);
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, 512), POOL_CLASS_FULL);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_NORMAL, 1), POOL_CLASS_FULL);
    ck_assert_int_eq(pool_take(&scene.pools, 1, PAGE_HUGE, 4, 0, &pages, &extents),
                     POOL_CLASS_FULL);
    ck_assert_int_eq(pool_take(&scene.pools, 1, PAGE_HUGE, 3, 0, &pages, &extents), POOL_DONE);
    ck_assert_int_eq(pool_can_take(&scene.pools, 1, PAGE_HUGE, 4), POOL_SHORT);
    store_free(scene.store);
}
END_TEST

START_TEST(no_pages_are_taken_and_given_without_a_trace) {
    for (int page = 0; page < PAGE_CLASSES; page++) {
        struct scene scene = scene_new(size_of(600), false);
        struct scene fresh = scene_new(size_of(600), false);
        struct pages pages;
        uint32_t extents = 1;
        ck_assert_int_eq(pool_take(&scene.pools, 0, (enum page_class)page, 0, 0, &pages, &extents),
                         POOL_DONE);
        ck_assert_uint_eq(extents, 0);
        pool_give(&scene.pools, 0, &pages, extents);
        ck_assert(store_same(scene.store, fresh.store));
        store_free(scene.store);
        store_free(fresh.store);
    }
}
END_TEST

START_TEST(a_pool_of_the_largest_size_is_cut_whole) {
    struct scene scene = scene_new(size_of(POOL_FRAMES), false);
    uint64_t all = (uint64_t)POOL_FRAMES * PAGES_PER_FRAME;
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, all + 1), POOL_SHORT);
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, all), POOL_DONE);
    struct pages low = take_pages(&scene, 0, all - 512);
    struct pages last = take_pages(&scene, 0, 512);
    ck_assert_uint_eq(last.part[0], pool_part(POOL_FRAMES - 1, 512));
    pool_give(&scene.pools, 0, &last, 0);
    ck_assert_uint_eq(pool_usage(&scene.pools, 0).frames_free, 1);
    ck_assert_uint_eq(take_pages(&scene, 0, 1).part[0], pool_part(POOL_FRAMES - 1, 1));
    ck_assert_uint_eq(low.count, all - 512);
    store_free(scene.store);
}
END_TEST

START_TEST(a_whole_device_taken_page_by_page_comes_back) {
    enum { FRAMES = 20, ALL = FRAMES * PAGES_PER_FRAME };
    struct random_edits random = { .seed = 5 };
    struct scene scene = scene_new(size_of(FRAMES), true);
    struct scene fresh = scene_new(size_of(FRAMES), true);
    struct pages *page = host_zeroed(ALL, sizeof *page);
    for (uint32_t index = 0; index < ALL; index++) {
        page[index] = take_pages(&scene, 0, 1);
        ck_assert_uint_eq(page[index].part[0], pool_part(index / PAGES_PER_FRAME, 1));
    }
    ck_assert_int_eq(pool_can_take(&scene.pools, 0, PAGE_NORMAL, 1), POOL_SHORT);
    for (uint32_t left = ALL; left > 0; left--) {
        uint32_t index = random_edits_below(&random, left);
        pool_give(&scene.pools, 0, &page[index], 0);
        page[index] = page[left - 1];
    }
    ck_assert(store_same(scene.store, fresh.store));
    ck_assert(pool_index_is_true(&scene.pools));
    free(page);
    store_free(scene.store);
    store_free(fresh.store);
}
END_TEST

/* What one holder does by itself: the same for the same holder, whatever others do. */
struct script {
    struct random_edits random;
    uint32_t holder;
    uint32_t count;
    struct pages pages[64];
    uint32_t extents[64];
};

static void script_step(struct script *script, struct pools *pools) {
    uint32_t at = random_edits_below(&script->random, COUNT(script->pages));
    enum page_class page = (enum page_class)random_edits_below(&script->random, 2);
    uint32_t most = page == PAGE_NORMAL ? 900 : 4;
    uint32_t count = 1 + random_edits_below(&script->random, most);
    if (at < script->count) {
        pool_give(pools, script->holder, &script->pages[at], script->extents[at]);
        script->count--;
        script->pages[at] = script->pages[script->count];
        script->extents[at] = script->extents[script->count];
        return;
    }
    enum pool_answer answer =
        pool_take(pools, script->holder, page, count, script->holder + 1,
                  &script->pages[script->count], &script->extents[script->count]);
    ck_assert_int_eq(answer, POOL_DONE);
    script->count++;
}

/* Two holders do their steps in an order that the seed gives; the first has all of them first. */
static struct scene run_scripts(uint64_t order, bool places_are_state) {
    struct random_edits random = { .seed = order };
    struct scene scene = scene_new(size_of(1000), places_are_state);
    struct script script[2] = {
        { .random = { .seed = 11 }, .holder = 0 },
        { .random = { .seed = 12 }, .holder = 1 },
    };
    int left[2] = { 300, 300 };
    while (left[0] + left[1] > 0) {
        uint32_t next = random_edits_below(&random, 2);
        next = left[next] > 0 ? next : 1 - next;
        script_step(&script[next], &scene.pools);
        left[next]--;
    }
    ck_assert(pool_index_is_true(&scene.pools));
    return scene;
}

START_TEST(holders_that_work_independently_reach_the_same_state) {
    struct scene one = run_scripts(1, false);
    for (uint64_t order = 2; order < 12; order++) {
        struct scene other = run_scripts(order, false);
        ck_assert(store_alike(one.store, other.store));
        ck_assert(hash128_equal(store_hash(one.store), store_hash(other.store)));
        ck_assert(!store_same(one.store, other.store));
        store_free(other.store);
    }
    store_free(one.store);
}
END_TEST

START_TEST(places_tell_states_apart_where_they_are_state) {
    struct scene one = run_scripts(1, true);
    struct scene other = run_scripts(2, true);
    struct scene again = run_scripts(1, true);
    ck_assert(!store_alike(one.store, other.store));
    ck_assert(store_alike(one.store, again.store));
    store_free(one.store);
    store_free(other.store);
    store_free(again.store);
}
END_TEST

START_TEST(owners_tell_states_apart_where_places_are_state) {
    struct scene one = scene_new(size_of(4), true);
    struct scene other = scene_new(size_of(4), true);
    struct pages pages;
    uint32_t extents = 0;
    pool_take(&one.pools, 0, PAGE_HUGE, 2, 1, &pages, &extents);
    pool_take(&other.pools, 0, PAGE_HUGE, 2, 2, &pages, &extents);
    ck_assert(!store_alike(one.store, other.store));
    store_free(one.store);
    store_free(other.store);
}
END_TEST

START_TEST(a_rollback_restores_every_record_and_index) {
    struct scene scene = scene_new(size_of(1000), _i != 0);
    struct script script = { .random = { .seed = 21 }, .holder = 1 };
    for (int round = 0; round < 20; round++) {
        struct script before = script;
        struct store *copy = store_copy(scene.store);
        struct pools pools = pools_bind(copy, _i != 0);
        struct store_mark mark = store_mark(scene.store);
        for (int step = 0; step < 50; step++) {
            script_step(&script, &scene.pools);
        }
        ck_assert(hash128_equal(store_hash(scene.store), store_hash_afresh(scene.store)));
        store_rollback(scene.store, &mark);
        ck_assert(store_same(scene.store, copy));
        ck_assert(pool_index_is_true(&scene.pools));
        store_unmark(scene.store, &mark);
        script = before;
        for (int step = 0; step < 20; step++) {
            script_step(&before, &pools);
            script_step(&script, &scene.pools);
        }
        ck_assert(store_same(scene.store, copy));
        ck_assert(pool_index_is_true(&pools));
        store_free(copy);
    }
    store_free(scene.store);
}
END_TEST

START_TEST(a_wrong_index_is_seen) {
    struct scene scene = scene_new(size_of(600), false);
    take_pages(&scene, 1, 700);
    struct store_mark mark = store_mark(scene.store);
    for (uint32_t wrong = 0; wrong < 7; wrong++) {
        const uint32_t word[] = { 0, pool_open_middle(0), 1, 1, 1, 1, 1 };
        struct open_record *open = table_edit(scene.pools.open, 1, word[wrong] / OPEN_WORDS);
        struct place_record *place = table_edit(scene.pools.place, 1, 1);
        struct frame_record *frames = table_edit(scene.pools.frame, 1, 0);
        open->word[word[wrong] % OPEN_WORDS] ^= wrong < 2 ? 1 : 0;
        frames->open ^= wrong == 2;
        place->frame += wrong == 3;
        if (wrong == 4) {
            range_give_part(&scene.pools.map, 0, place->frame, 1);
        }
        frames->used[1] = (uint16_t)(frames->used[1] + (wrong == 5));
        if (wrong == 6) {
            table_remove(scene.pools.place, 1, 0);
        }
        ck_assert(!pool_index_is_true(&scene.pools));
        store_rollback(scene.store, &mark);
        ck_assert(pool_index_is_true(&scene.pools));
    }
    store_free(scene.store);
}
END_TEST

START_TEST(giving_pages_twice_is_our_bug) {
    struct scene scene = scene_new(size_of(4), false);
    take_pages(&scene, 0, 2);
    struct pages pages = take_pages(&scene, 0, 3);
    pool_give(&scene.pools, 0, &pages, 0);
    pool_give(&scene.pools, 0, &pages, 0);
}
END_TEST

Suite *test_pool(void);

Suite *test_pool(void) {
    Suite *suite = suite_create("pool");
    TCase *tcase = tcase_create("pool");
    tcase_add_loop_test(tcase, every_page_count_and_answer_is_that_of_the_rules, 0, COUNT(shapes));
    tcase_add_test(tcase, the_rules_are_the_same_where_places_are_state);
    tcase_add_test(tcase, a_block_has_one_part_in_each_frame);
    tcase_add_test(tcase, a_block_in_few_frames_needs_no_record);
    tcase_add_test(tcase, a_frame_that_gets_a_free_page_is_the_next_to_be_used);
    tcase_add_test(tcase, pages_of_many_frames_come_back_in_one_block);
    tcase_add_test(tcase, a_request_larger_than_a_frame_fills_old_and_new_frames);
    tcase_add_test(tcase, free_pages_of_a_cut_frame_are_for_its_holder_only);
    tcase_add_test(tcase, a_giant_page_needs_aligned_frames);
    tcase_add_test(tcase, a_share_that_is_used_up_refuses);
    tcase_add_test(tcase, no_pages_are_taken_and_given_without_a_trace);
    tcase_add_test(tcase, a_pool_of_the_largest_size_is_cut_whole);
    tcase_add_test(tcase, a_whole_device_taken_page_by_page_comes_back);
    tcase_add_test(tcase, holders_that_work_independently_reach_the_same_state);
    tcase_add_test(tcase, places_tell_states_apart_where_they_are_state);
    tcase_add_test(tcase, owners_tell_states_apart_where_places_are_state);
    tcase_add_loop_test(tcase, a_rollback_restores_every_record_and_index, 0, 2);
    tcase_add_test(tcase, a_wrong_index_is_seen);
    tcase_add_test_raise_signal(tcase, giving_pages_twice_is_our_bug, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite;
}
