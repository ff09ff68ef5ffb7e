/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast calls are: transitions of the two-process protocol (mark, call, hash, rollback), pairs
 * of aclrtMalloc and aclrtFree with a random victim beside the floor, and calls of other kinds.
 * Everything goes through acl_call(), with costs charged and the digest on where it says so.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/host.h"
#include "base/must.h"
#include "tests/bench/floor_arena.h"
#include "tests/world.h"

enum { SIZES = 1 << 16, RUNS = 5, PAIRS = 200000, TRANSITIONS = 200000 };

static uint64_t sizes[SIZES];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *left, const void *right) {
    const double *first = left;
    const double *second = right;
    return (*first > *second) - (*first < *second);
}

static double median(double *value) {
    qsort(value, RUNS, sizeof *value, by_value);
    return value[RUNS / 2];
}

static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* 512 B to 1 MiB, log-uniform. */
static void make_sizes(void) {
    uint64_t state = 88172645463325252;
    for (int place = 0; place < SIZES; place++) {
        double exponent = 9 + 11 * ((double)(draw(&state) >> 11) * 0x1p-53);
        sizes[place] = (uint64_t)exp2(exponent);
    }
}

static uint16_t row_of(const char *name) {
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    return (uint16_t)row;
}

struct caller {
    struct world world;
    struct acl_record malloc, free;
    struct acl_result result;
    uint64_t *address;
    uint64_t victims, picks;
};

static void pass(struct caller *caller) {
    engine_pass(&caller->world.machine.engine, caller->result.cost_ns);
}

static void take(struct caller *caller, uint32_t place) {
    caller->malloc.arg[0] = sizes[caller->picks++ % SIZES];
    acl_call(caller->world.acl, &caller->malloc, &caller->result);
    must(caller->result.code == ACL_SUCCESS);
    caller->address[place] = caller->result.out[0];
    pass(caller);
}

static void give(struct caller *caller, uint32_t place) {
    caller->free.arg[0] = caller->address[place];
    acl_call(caller->world.acl, &caller->free, &caller->result);
    must(caller->result.code == ACL_SUCCESS);
    pass(caller);
}

static void caller_init(struct caller *caller, uint32_t live) {
    memset(caller, 0, sizeof *caller);
    world_prepare(&caller->world);
    caller->world.product->usable = 240 * GIB;
    world_start(&caller->world);
    caller->malloc.row = row_of("aclrtMalloc");
    caller->free.row = row_of("aclrtFree");
    caller->address = host_resize(NULL, live, sizeof *caller->address);
    caller->victims = 88172645463325252;
    for (uint32_t place = 0; place < live; place++) {
        take(caller, place);
    }
}

static void caller_fini(struct caller *caller) {
    free(caller->address);
    world_fini(&caller->world);
}

static double time_pairs(struct caller *caller, uint32_t live) {
    double start = seconds();
    for (int pair = 0; pair < PAIRS; pair++) {
        uint32_t place = (uint32_t)(draw(&caller->victims) % live);
        give(caller, place);
        take(caller, place);
    }
    return (seconds() - start) / PAIRS * 1e9;
}

struct bare {
    struct floor_arena *arena;
    int32_t *block;
    uint64_t victims, picks;
};

static double time_floor(struct bare *bare, uint32_t live) {
    double start = seconds();
    for (int pair = 0; pair < PAIRS; pair++) {
        uint32_t place = (uint32_t)(draw(&bare->victims) % live);
        floor_arena_give(bare->arena, bare->block[place]);
        bare->block[place] = floor_arena_take(bare->arena, sizes[bare->picks++ % SIZES]);
        must(bare->block[place] >= 0);
    }
    return (seconds() - start) / PAIRS * 1e9;
}

static void bench_pairs(uint32_t live, const char *target) {
    struct caller caller;
    struct bare bare = { floor_arena_new(240 * GIB, live * 2 + 2), NULL, 88172645463325252, 0 };
    double ours[RUNS], floors[RUNS];
    caller_init(&caller, live);
    bare.block = host_resize(NULL, live, sizeof *bare.block);
    for (uint32_t place = 0; place < live; place++) {
        bare.block[place] = floor_arena_take(bare.arena, sizes[bare.picks++ % SIZES]);
    }
    for (int run = 0; run < RUNS; run++) {
        ours[run] = time_pairs(&caller, live);
        floors[run] = time_floor(&bare, live);
    }
    double our = median(ours), floor = median(floors);
    printf("pairs      %8u %10.0f %10.0f %8.2f %10.2f  %s\n", live, our, floor, our / floor,
           2e3 / our, target);
    printf("           %8u bytes of host memory per live block: %.0f\n", live,
           (double)store_bytes(caller.world.store) / live);
    free(bare.block);
    floor_arena_free(bare.arena);
    caller_fini(&caller);
}

/* Tries the next call of the protocol over and over, then makes it. */
static double try_call(struct world *world, const struct acl_record *record) {
    struct acl_result result;
    double start = seconds();
    for (int trial = 0; trial < TRANSITIONS; trial++) {
        struct store_mark mark = store_mark(world->store);
        acl_call(world->acl, record, &result);
        struct hash128 hash = store_hash(world->store);
        must(hash.low != 0);
        store_rollback(world->store, &mark);
        store_unmark(world->store, &mark);
    }
    double spent = seconds() - start;
    acl_call(world->acl, record, &result);
    must(result.code == ACL_SUCCESS);
    world->result = result;
    return spent;
}

struct step {
    const char *name;
    uint32_t thread;
    uint64_t arg[8];
    int from[2]; /* argument that is the first output of an earlier step: which, of which; -1 */
};

static void bench_transitions(void) {
    static const uint64_t pid = SITE_PID_FIRST + 1;
    const struct step steps[] = {
        { "aclrtMallocPhysical", 0, { 2 * MIB, 0, 0, 4, 0, 1 }, { -1, 0 } },
        { "aclrtMemExportToShareableHandle", 0, { 0 }, { 0, 0 } },
        { "aclrtMemSetPidToShareableHandle", 0, { 0, 1 }, { 0, 1 } },
        { "aclrtMemImportFromShareableHandle", 1, { 0, 0 }, { 0, 1 } },
        { "aclrtReserveMemAddress", 1, { 2 * MIB }, { -1, 0 } },
        { "aclrtMapMem", 1, { 0, 2 * MIB, 0, 0 }, { 0, 4 } },
        { "aclrtUnmapMem", 1, { 0 }, { 0, 4 } },
        { "aclrtReleaseMemAddress", 1, { 0 }, { 0, 4 } },
        { "aclrtFreePhysical", 1, { 0 }, { 0, 3 } },
        { "aclrtFreePhysical", 0, { 0 }, { 0, 0 } },
    };
    enum { STEPS = sizeof steps / sizeof *steps };
    uint64_t out[STEPS] = { 0 };
    struct world world;
    double spent = 0;
    world_prepare(&world);
    world.policy = ENGINE_FREE;
    world_start(&world);
    world.machine.journal.digesting = false;
    (void)store_hash(world.store);
    for (int step = 0; step < STEPS; step++) {
        struct acl_record record = {
            .row = row_of(steps[step].name),
            .thread = { steps[step].thread },
            .list = &pid,
            .list_count = 1,
        };
        memcpy(record.arg, steps[step].arg, sizeof steps[step].arg);
        if (steps[step].from[0] >= 0) {
            record.arg[steps[step].from[0]] = out[steps[step].from[1]];
        }
        if (strcmp(steps[step].name, "aclrtMapMem") == 0) {
            record.arg[3] = out[3];
        }
        double took = try_call(&world, &record);
        out[step] = world.result.out[0];
        spent += took;
        printf("transition %-36s %7.2f M/s\n", steps[step].name, TRANSITIONS / took / 1e6);
    }
    printf("transitions of the two-process protocol: %.2f M/s, target 3\n",
           TRANSITIONS * (double)STEPS / spent / 1e6);
    world_fini(&world);
}

int main(void) {
    make_sizes();
    puts("mark + call + hash + rollback, incremental hash, digest off as in a search");
    bench_transitions();
    puts("\naclrtMalloc + aclrtFree, random victim, 512 B to 1 MiB, costs charged, digest on,\n"
         "beside take and give of a bare segregated fit in alternating runs");
    puts("           live      ours ns   floor ns    ratio  M calls/s  target");
    bench_pairs(1000, "ratio <= 8");
    bench_pairs(10000, "-");
    bench_pairs(100000, "5 M calls/s");
    bench_pairs(1000000, "ratio <= 4");
    return 0;
}
