/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map of ranges under steady load: give back a random range, find the lowest place for a new
 * one, take it. Sizes are log-uniform from 1 to 256 units.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/bits.h"
#include "base/host.h"
#include "memory/range.h"
#include "tests/bench/bench.h"

enum { RUNS = 5, BATCH = 64, BATCHES = 4096, SIZES = 1 << 12 };

struct bench {
    uint32_t ranges;
    double target_ns;
};

static const struct bench benches[] = { { 1000, 120 }, { 100000, 250 }, { 1000000, 700 } };

struct load {
    struct store *store;
    struct range_map map;
    uint64_t *starts; /* of the ranges in use */
    uint32_t ranges;
    uint64_t random;
    uint64_t touched;
    uint64_t size[SIZES];
};

static uint64_t next(struct load *load) {
    load->random ^= load->random << 13;
    load->random ^= load->random >> 7;
    load->random ^= load->random << 17;
    return load->random;
}

/* 2^(i/n) for i below 8n: between two powers a straight line is close enough. */
static void draw_sizes(struct load *load) {
    for (uint32_t index = 0; index < SIZES; index++) {
        uint64_t octave = index / (SIZES / 8);
        uint64_t part = index % (SIZES / 8);
        load->size[index] = ((uint64_t)1 << octave) + (part << octave) / (SIZES / 8);
    }
}

static uint64_t place(struct load *load) {
    const struct range_window window = { 0, UINT64_MAX };
    uint64_t size = load->size[next(load) % SIZES];
    uint64_t start = 0;
    if (!range_fit(&load->map, 0, window, size, 1, &start)) {
        abort();
    }
    range_take(&load->map, 0, (struct range){ start, size, 1 });
    return start;
}

/* The bench's own array of starts is touched ahead, so that its cache misses do not count. */
static void replace_batch(struct load *load) {
    uint64_t *victim[BATCH];
    for (uint32_t index = 0; index < BATCH; index++) {
        victim[index] = &load->starts[(next(load) >> 32) * load->ranges >> 32];
        load->touched += *victim[index];
    }
    for (uint32_t index = 0; index < BATCH; index++) {
        range_give(&load->map, 0, *victim[index]);
        *victim[index] = place(load);
    }
}

static double replace_many_ns(struct load *load) {
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        replace_batch(load);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) /
           (BATCH * BATCHES);
}

static int compare(const void *left, const void *right) {
    double one = *(const double *)left, other = *(const double *)right;
    return (one > other) - (one < other);
}

static void measure(const struct bench *bench) {
    struct load load = { .store = store_new(),
                         .ranges = bench->ranges,
                         .random = 88172645463325252 };
    double ns[RUNS];
    draw_sizes(&load);
    load.starts = host_zeroed(load.ranges, sizeof *load.starts);
    load.map = range_map_bind(load.store, "bench");
    range_map_make(&load.map, 0, 0, (uint64_t)1 << 40);
    for (uint32_t index = 0; index < load.ranges; index++) {
        load.starts[index] = place(&load);
    }
    for (uint32_t warm = 0; warm < 3 * load.ranges; warm += BATCH) {
        replace_batch(&load);
    }
    for (int run = 0; run < RUNS; run++) {
        ns[run] = replace_many_ns(&load);
    }
    qsort(ns, RUNS, sizeof ns[0], compare);
    printf("%9lu %9.0f %9.0f %9.0f   %s\n", (unsigned long)load.ranges, ns[RUNS / 2],
           bench->target_ns, (double)store_bytes(load.store) / load.ranges,
           ns[RUNS / 2] <= bench->target_ns ? "met" : "missed");
    free(load.starts);
    store_free(load.store);
}

static void run_all(void) {
    printf("%9s %9s %9s %9s\n", "ranges", "ns", "target", "bytes/range");
    for (size_t index = 0; index < sizeof benches / sizeof benches[0]; index++) {
        measure(&benches[index]);
    }
}

int main(int argc, char **argv) {
    static const struct bench_section section = { "ranges", "give + fit + take", run_all, false };
    return bench_main(argc, argv, "\nMaps of ranges under steady load: medians.", &section, 1);
}
