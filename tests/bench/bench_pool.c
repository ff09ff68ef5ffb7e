/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Normal pages of one pool: give a random block of many, take one of another size. Sizes are
 * log-uniform between 512 bytes and 1 MiB. A part is what a block has in one frame.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/host.h"
#include "base/must.h"
#include "memory/pool.h"
#include "memory/pool_record.h"
#include "tests/bench/bench.h"

enum {
    DRAWS = 1 << 16,
    TIMES = 5,
    POOL = 0,
    HOLDER = 0,
    FRAMES = 144 * 512, /* 144 GiB */
};

struct bench {
    const char *name;
    uint32_t live;
    uint32_t pairs;   /* in one run */
    uint32_t warm_up; /* pairs before, in blocks that live */
    double target_ns; /* 0 for none */
    bool at_end;      /* gives what it took just before, so that pages are contiguous */
    bool every_other; /* no two pages that follow each other are ever free together */
};

static const struct bench benches[] = {
    { "contiguous", 1000, 300000, 0, 150, true, false },
    { "contiguous", 100000, 300000, 0, 150, true, false },
    { "contiguous", 1000000, 300000, 0, 150, true, false },
    { "steady", 1000, 300000, 100, 0, false, false },
    { "steady", 100000, 300000, 30, 0, false, false },
    { "steady", 1000000, 300000, 5, 0, false, false },
    { "single pages", 1000, 300000, 1, 0, false, true },
    { "single pages", 100000, 300000, 1, 0, false, true },
};

struct state {
    const struct bench *bench;
    struct store *store;
    struct pools pools;
    struct pages *block;
    uint32_t *count; /* of pages, drawn */
    uint64_t random;
};

static uint64_t next_random(uint64_t *random) {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

static uint32_t random_below(uint64_t *random, uint32_t limit) {
    return (uint32_t)((next_random(random) >> 32) * limit >> 32);
}

static void take(struct state *state, struct pages *pages, uint64_t count) {
    uint32_t extents = 0;
    enum pool_answer answer =
        pool_take(&state->pools, HOLDER, PAGE_NORMAL, count, 0, pages, &extents);
    must(answer == POOL_DONE);
}

static void take_drawn(struct state *state, struct pages *pages) {
    take(state, pages, state->count[next_random(&state->random) >> 32 & (DRAWS - 1)]);
}

/* Takes pages one by one and gives every other one back. */
static void take_every_other(struct state *state, uint32_t count) {
    struct pages *page = host_zeroed(count, sizeof *page);
    for (uint32_t index = 0; index < count; index++) {
        take(state, &page[index], 1);
    }
    for (uint32_t index = 0; index < count; index += 2) {
        pool_give(&state->pools, HOLDER, &page[index], 0);
    }
    free(page);
}

static void run_pairs(struct state *state, uint64_t pairs) {
    uint32_t live = state->bench->live;
    for (uint64_t pair = 0; pair < pairs; pair++) {
        struct pages *victim = &state->block[random_below(&state->random, live)];
        pool_give(&state->pools, HOLDER, victim, 0);
        take_drawn(state, victim);
    }
}

static void run_at_end(struct state *state, uint64_t pairs) {
    for (uint64_t pair = 0; pair < pairs; pair++) {
        struct pages pages;
        take_drawn(state, &pages);
        pool_give(&state->pools, HOLDER, &pages, 0);
    }
}

static void start(struct state *state) {
    const struct bench *bench = state->bench;
    state->store = store_new();
    state->pools = pools_bind(state->store, false);
    state->block = host_zeroed(bench->live, sizeof *state->block);
    pool_make(&state->pools, POOL, (struct pool_size){ FRAMES, { FRAMES, FRAMES, FRAMES } });
    pool_add_holder(&state->pools, HOLDER, POOL);
    if (bench->every_other) {
        take_every_other(state, bench->live * 72);
    }
    for (uint32_t block = 0; block < bench->live; block++) {
        take_drawn(state, &state->block[block]);
    }
    run_pairs(state, (uint64_t)bench->live * bench->warm_up);
}

static double count_parts(const struct state *state) {
    uint64_t parts = 0;
    for (uint32_t block = 0; block < state->bench->live; block++) {
        const struct pages *pages = &state->block[block];
        uint32_t left = pages->count;
        for (uint32_t place = 0; place < PAGES_PARTS && left > 0; place++, parts++) {
            left -= pool_part_pages(pages->part[place]);
        }
        for (uint32_t next = pages->parts; next != 0;) {
            const struct part_record *record = table_get(state->pools.part, HOLDER, next - 1);
            for (int place = 0; place < PART_ENTRIES && left > 0; place++, parts++) {
                left -= pool_part_pages(record->part[place]);
            }
            next = record->next;
        }
    }
    return (double)parts / state->bench->live;
}

static int compare_times(const void *left, const void *right) {
    double one = *(const double *)left, other = *(const double *)right;
    return (one > other) - (one < other);
}

/* Nanoseconds for one pair: the least of several runs, because the host does other things too. */
static double measure(struct state *state) {
    double times[TIMES];
    for (int index = 0; index < TIMES; index++) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        (state->bench->at_end ? run_at_end : run_pairs)(state, state->bench->pairs);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        times[index] =
            ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
            state->bench->pairs;
    }
    qsort(times, TIMES, sizeof times[0], compare_times);
    return times[0];
}

static void run_all(void) {
    struct state state = { .count = host_zeroed(DRAWS, sizeof *state.count) };
    state.random = UINT64_C(88172645463325252);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        double bytes = 512 * exp2(11.0 * random_below(&state.random, 1 << 30) / (1 << 30));
        state.count[draw] = (uint32_t)page_count(PAGE_NORMAL, (uint64_t)bytes);
    }
    printf("%-12s %8s %11s %9s %9s\n", "name", "live", "parts/block", "ns/pair", "target");
    for (size_t index = 0; index < sizeof benches / sizeof benches[0]; index++) {
        state.bench = &benches[index];
        start(&state);
        double time_ns = measure(&state);
        printf("%-12s %8u %11.1f %9.1f", state.bench->name, state.bench->live, count_parts(&state),
               time_ns);
        if (state.bench->target_ns > 0) {
            printf(" %5.0f %s", state.bench->target_ns,
                   bench_verdict(time_ns <= state.bench->target_ns));
        }
        printf("\n");
        store_free(state.store);
        free(state.block);
    }
    free(state.count);
}

int main(int argc, char **argv) {
    static const struct bench_section section = { "pages", "take and give of normal pages", run_all,
                                                  false };
    return bench_main(argc, argv, "\nNormal pages of one pool, 144 GiB: least of some runs.",
                      &section, 1);
}
