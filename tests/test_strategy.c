/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "base/mix.h"
#include "strategy/strategy.h"
#include "tests/world.h"

enum { A, BLOCKS = 64 };

/* A strategy on a world, and a plain list of what it handed out. */
struct desk {
    struct world world;
    struct strategy strategy;
    uint64_t address[BLOCKS];
    uint64_t size[BLOCKS]; /* 0 for a block that does not live */
    uint64_t calls;
    uint64_t frees; /* of the calls */
};

static void desk_init(struct desk *desk, const char *name, uint64_t usable) {
    *desk = (struct desk){ .calls = 0 };
    world_prepare(&desk->world);
    desk->world.product->usable = usable;
    world_start(&desk->world);
    desk->strategy = strategy_bind(desk->world.store, strategy_find(name));
}

static bool serve(struct desk *desk, const struct strategy_request *request) {
    struct acl_result result;
    enum strategy_answer answer = desk->strategy.row->begin(&desk->strategy, request);
    while (answer == STRATEGY_CALLS) {
        acl_call(desk->world.acl, &desk->strategy.call, &result);
        engine_pass(&desk->world.machine.engine, result.cost_ns);
        desk->calls++;
        desk->frees += acl_row_get(desk->strategy.call.row)->cost == COST_FREE;
        answer = desk->strategy.row->go_on(&desk->strategy, &result);
    }
    return answer == STRATEGY_DONE;
}

static bool take(struct desk *desk, uint32_t block, uint64_t size) {
    const struct strategy_request request = { .block = block, .size = size };
    if (!serve(desk, &request)) {
        return false;
    }
    desk->address[block] = desk->strategy.row->address(&desk->strategy, block);
    desk->size[block] = size;
    return true;
}

static void give(struct desk *desk, uint32_t block) {
    const struct strategy_request request = { .block = block, .is_free = 1, .size = 1 };
    ck_assert(serve(desk, &request));
    desk->size[block] = 0;
}

static struct strategy_holdings holdings(const struct desk *desk) {
    return desk->strategy.row->holdings(&desk->strategy);
}

static void check_apart(const struct desk *desk, uint32_t block) {
    for (uint32_t other = 0; other < BLOCKS; other++) {
        bool is_apart = desk->address[block] + desk->size[block] <= desk->address[other] ||
                        desk->address[other] + desk->size[other] <= desk->address[block];
        ck_assert(other == block || desk->size[other] == 0 || is_apart);
    }
}

/* Any requests: no two blocks overlap, and nothing is left when all are freed. */
START_TEST(blocks_never_overlap) {
    struct desk desk;
    uint64_t state = (uint64_t)_i + 7;
    desk_init(&desk, strategy_get((size_t)_i % strategy_count())->name, 512 * MIB);
    for (int round = 0; round < 2000; round++) {
        state = mix64(state, MIX_LOW);
        uint32_t block = (uint32_t)(state % BLOCKS);
        if (desk.size[block] > 0) {
            give(&desk, block);
        } else if (take(&desk, block, (uint64_t)1 << (state >> 32) % 27)) {
            check_apart(&desk, block);
            ck_assert_uint_eq(desk.address[block] % 512, 0);
        }
    }
    for (uint32_t block = 0; block < BLOCKS; block++) {
        if (desk.size[block] > 0) {
            give(&desk, block);
        }
    }
    struct strategy_holdings left = holdings(&desk);
    ck_assert_uint_eq(left.used, 0);
    ck_assert(left.free_largest <= left.held);
    world_fini(&desk.world);
}
END_TEST

START_TEST(direct_strategies_make_a_call_for_each_request) {
    struct desk desk;
    desk_init(&desk, _i == 0 ? "direct" : "align32", 512 * MIB);
    ck_assert(take(&desk, 0, 100));
    ck_assert_uint_eq(holdings(&desk).held, 100);
    give(&desk, 0);
    ck_assert_uint_eq(desk.calls, 2);
    ck_assert_uint_eq(holdings(&desk).held, 0);
    ck_assert(!take(&desk, 0, GIB));
    ck_assert_uint_eq(holdings(&desk).held, 0);
    world_fini(&desk.world);
}
END_TEST

START_TEST(a_piece_is_cut_into_units_of_512_bytes) {
    struct desk desk;
    desk_init(&desk, "pooled", 512 * MIB);
    ck_assert(take(&desk, 0, 1));
    ck_assert(take(&desk, 1, 513));
    ck_assert(take(&desk, 2, 512));
    ck_assert_uint_eq(desk.calls, 1);
    ck_assert_uint_eq(desk.address[1] - desk.address[0], 512);
    ck_assert_uint_eq(desk.address[2] - desk.address[1], 1024);
    ck_assert_uint_eq(holdings(&desk).held, 20 * MIB);
    ck_assert_uint_eq(holdings(&desk).used, 4 * 512);
    ck_assert_uint_eq(holdings(&desk).free_largest, 20 * MIB - 4 * 512);
    world_fini(&desk.world);
}
END_TEST

START_TEST(a_request_above_20_mib_has_a_piece_rounded_to_2_mib) {
    struct desk desk;
    desk_init(&desk, "pooled", 512 * MIB);
    ck_assert(take(&desk, 0, 20 * MIB));
    ck_assert_uint_eq(holdings(&desk).held, 20 * MIB);
    ck_assert(take(&desk, 1, 20 * MIB + 1));
    ck_assert_uint_eq(holdings(&desk).held, 42 * MIB);
    world_fini(&desk.world);
}
END_TEST

START_TEST(the_smallest_free_chunk_that_fits_is_taken) {
    struct desk desk;
    desk_init(&desk, "pooled", 512 * MIB);
    const uint64_t sizes[] = { 4096, 512, 2048, 512, 1024, 512 };
    for (uint32_t block = 0; block < 6; block++) {
        ck_assert(take(&desk, block, sizes[block]));
    }
    give(&desk, 0);
    give(&desk, 2);
    give(&desk, 4);
    ck_assert(take(&desk, 10, 1500));
    ck_assert_uint_eq(desk.address[10], desk.address[2]);
    ck_assert(take(&desk, 11, 900));
    ck_assert_uint_eq(desk.address[11], desk.address[4]);
    ck_assert(take(&desk, 12, 2049));
    ck_assert_uint_eq(desk.address[12], desk.address[0]);
    world_fini(&desk.world);
}
END_TEST

START_TEST(free_neighbours_become_one_chunk) {
    struct desk desk;
    desk_init(&desk, "pooled", 512 * MIB);
    for (uint32_t block = 0; block < 4; block++) {
        ck_assert(take(&desk, block, 5 * MIB));
    }
    const uint32_t order[4][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 3, 2, 0 }, { 0, 2, 1, 3 } };
    for (uint32_t place = 0; place < 4; place++) {
        give(&desk, order[_i][place]);
    }
    ck_assert_uint_eq(holdings(&desk).free_largest, 20 * MIB);
    ck_assert(take(&desk, 0, 20 * MIB));
    ck_assert_uint_eq(desk.calls, 1);
    world_fini(&desk.world);
}
END_TEST

START_TEST(pieces_go_back_only_when_a_request_would_fail) {
    struct desk desk;
    desk_init(&desk, "pooled", 64 * MIB);
    ck_assert(take(&desk, 0, 20 * MIB));
    ck_assert(take(&desk, 1, 20 * MIB));
    ck_assert(take(&desk, 2, 512));
    give(&desk, 0);
    give(&desk, 1);
    ck_assert_uint_eq(desk.frees, 0);
    ck_assert(take(&desk, 3, 40 * MIB));
    ck_assert_uint_eq(desk.frees, 2);
    ck_assert_uint_eq(holdings(&desk).held, 60 * MIB);
    ck_assert(!take(&desk, 4, 40 * MIB));
    ck_assert_uint_eq(desk.frees, 2);
    ck_assert_uint_eq(holdings(&desk).held, 60 * MIB);
    world_fini(&desk.world);
}
END_TEST

START_TEST(a_size_beyond_every_device_fails_without_a_call) {
    struct desk desk;
    desk_init(&desk, "pooled", 64 * MIB);
    ck_assert(!take(&desk, 0, UINT64_MAX));
    ck_assert_uint_eq(desk.calls, 0);
    world_fini(&desk.world);
}
END_TEST

START_TEST(a_strategy_is_a_part_of_the_store) {
    struct desk desk;
    desk_init(&desk, "pooled", 512 * MIB);
    ck_assert(take(&desk, 0, 5 * MIB));
    struct hash128 before = store_hash(desk.world.store);
    struct store_mark mark = store_mark(desk.world.store);
    give(&desk, 0);
    ck_assert(take(&desk, 1, 7 * MIB));
    store_rollback(desk.world.store, &mark);
    store_unmark(desk.world.store, &mark);
    ck_assert(hash128_equal(store_hash(desk.world.store), before));
    ck_assert_uint_eq(holdings(&desk).used, 5 * MIB);
    world_fini(&desk.world);
}
END_TEST

Suite *test_strategy(void);

Suite *test_strategy(void) {
    Suite *suite = suite_create("strategy");
    TCase *tests = tcase_create("strategy");
    tcase_add_loop_test(tests, blocks_never_overlap, 0, 9);
    tcase_add_loop_test(tests, direct_strategies_make_a_call_for_each_request, 0, 2);
    tcase_add_test(tests, a_piece_is_cut_into_units_of_512_bytes);
    tcase_add_test(tests, a_request_above_20_mib_has_a_piece_rounded_to_2_mib);
    tcase_add_test(tests, the_smallest_free_chunk_that_fits_is_taken);
    tcase_add_loop_test(tests, free_neighbours_become_one_chunk, 0, 4);
    tcase_add_test(tests, pieces_go_back_only_when_a_request_would_fail);
    tcase_add_test(tests, a_size_beyond_every_device_fails_without_a_call);
    tcase_add_test(tests, a_strategy_is_a_part_of_the_store);
    suite_add_tcase(suite, tests);
    return suite;
}
