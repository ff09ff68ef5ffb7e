/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a recorded workload is replayed: requests a second through each strategy, beside the
 * same requests on a bare segregated fit. The workload is drawn, 512 B to 1 MiB log-uniform, with a
 * random victim among 2000 live blocks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/host.h"
#include "base/must.h"
#include "replay/replay.h"
#include "tests/bench/bench.h"
#include "tests/bench/floor_arena.h"
#include "tests/world.h"

enum { LIVE = 2000, REQUESTS = 200000, RUNS = 3 };

struct workload {
    struct request *request;
    struct request_trace trace;
    uint32_t at;
};

static bool next(void *context, struct request *request) {
    struct workload *workload = context;
    if (workload->at == REQUESTS) {
        return false;
    }
    *request = workload->request[workload->at++];
    return true;
}

static void rewind_to_start(void *context) {
    struct workload *workload = context;
    workload->at = 0;
}

static uint64_t draw_size(uint64_t *state) {
    return (uint64_t)exp2(9 + 11 * ((double)(bench_draw(state) >> 11) * 0x1p-53));
}

/* Fills up, then frees a block and makes it anew, over and over. */
static struct workload workload_new(void) {
    struct workload workload = { .trace = { .blocks_max = LIVE, .events = REQUESTS } };
    uint64_t size[LIVE] = { 0 };
    uint64_t state = BENCH_SEED;
    uint32_t block = 0;
    workload.request = host_zeroed(REQUESTS, sizeof *workload.request);
    for (uint32_t event = 0; event < REQUESTS; event++) {
        bool is_free = event >= LIVE && (event - LIVE) % 2 == 0;
        if (event < LIVE) {
            block = event;
        } else if (is_free) {
            block = (uint32_t)((bench_draw(&state) >> 33) % LIVE);
        }
        size[block] = is_free ? size[block] : draw_size(&state);
        workload.request[event] = (struct request){
            .event = event,
            .time_ns = event,
            .size = size[block],
            .block = block,
            .kind = is_free ? REQUEST_FREE : REQUEST_ALLOC,
        };
    }
    return workload;
}

static double time_floor(const struct workload *workload) {
    struct floor_arena *arena = floor_arena_new(60 * GIB, LIVE * 2 + 2);
    int32_t *place = host_zeroed(LIVE, sizeof *place);
    double start = bench_seconds();
    for (uint32_t event = 0; event < REQUESTS; event++) {
        const struct request *request = &workload->request[event];
        if (request->kind == REQUEST_FREE) {
            floor_arena_give(arena, place[request->block]);
        } else {
            place[request->block] = floor_arena_take(arena, request->size);
        }
    }
    double spent = bench_seconds() - start;
    free(place);
    floor_arena_free(arena);
    return REQUESTS / spent / 1e6;
}

static double time_replay(struct workload *workload, const struct product *product,
                          const char *strategy) {
    const struct request_source source = { &workload->trace, next, rewind_to_start, workload };
    const struct replay_options options = {
        .product = product,
        .strategy = strategy_find(strategy),
    };
    rewind_to_start(workload);
    struct replay *replay = replay_new(&source, &options);
    double start = bench_seconds();
    while (replay_one(replay)) {
    }
    double spent = bench_seconds() - start;
    must(replay_report(replay)->verdict == REPLAY_FITS);
    replay_free(replay);
    return REQUESTS / spent / 1e6;
}

static void run_strategies(void) {
    static const char *const strategies[] = { "direct", "align32", "pooled" };
    struct product *product = world_product();
    struct workload workload = workload_new();
    printf("%-10s %11s %11s %7s\n", "strategy", "ours M/s", "floor M/s", "ratio");
    for (size_t at = 0; at < sizeof strategies / sizeof *strategies; at++) {
        double ours[RUNS], floors[RUNS];
        for (int run = 0; run < RUNS; run++) {
            ours[run] = time_replay(&workload, product, strategies[at]);
            floors[run] = time_floor(&workload);
        }
        double our = bench_median(ours, RUNS), floor = bench_median(floors, RUNS);
        printf("%-10s %11.2f %11.2f %7.2f\n", strategies[at], our, floor, our / floor);
    }
    free(workload.request);
    product_free(product);
}

int main(int argc, char **argv) {
    static const struct bench_section section = { "replay",
                                                  "requests a second through each strategy",
                                                  run_strategies, false };
    return bench_main(argc, argv, "\nReplay of a drawn workload, 2000 live blocks: medians.",
                      &section, 1);
}
