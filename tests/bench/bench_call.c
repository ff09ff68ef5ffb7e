/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast calls are: transitions of the two-process protocol (mark, call, hash, rollback), pairs
 * of aclrtMalloc and aclrtFree with a random victim, and calls of other kinds, all beside take and
 * give of a bare segregated fit in alternating runs. Everything goes through acl_call().
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/must.h"
#include "hazard/hazard.h"
#include "tests/bench/bench.h"
#include "tests/bench/floor_arena.h"
#include "tests/world.h"
#include "trace/trace.h"

enum { SIZES = 1 << 16, RUNS = 5, PAIRS = 200000, TRANSITIONS = 200000 };

static uint64_t sizes[SIZES];

/* 512 B to 1 MiB, log-uniform. */
static void make_sizes(void) {
    uint64_t state = BENCH_SEED;
    for (int place = 0; place < SIZES; place++) {
        double exponent = 9 + 11 * ((double)(bench_draw(&state) >> 11) * 0x1p-53);
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
    caller->victims = BENCH_SEED;
    for (uint32_t place = 0; place < live; place++) {
        take(caller, place);
    }
}

static void caller_fini(struct caller *caller) {
    free(caller->address);
    world_fini(&caller->world);
}

static double time_pairs(struct caller *caller, uint32_t live) {
    double start = bench_seconds();
    for (int pair = 0; pair < PAIRS; pair++) {
        uint32_t place = (uint32_t)(bench_draw(&caller->victims) % live);
        give(caller, place);
        take(caller, place);
    }
    return (bench_seconds() - start) / PAIRS * 1e9;
}

struct bare {
    struct floor_arena *arena;
    int32_t *block;
    uint64_t victims, picks;
};

static double time_floor(struct bare *bare, uint32_t live) {
    double start = bench_seconds();
    for (int pair = 0; pair < PAIRS; pair++) {
        uint32_t place = (uint32_t)(bench_draw(&bare->victims) % live);
        floor_arena_give(bare->arena, bare->block[place]);
        bare->block[place] = floor_arena_take(bare->arena, sizes[bare->picks++ % SIZES]);
        must(bare->block[place] >= 0);
    }
    return (bench_seconds() - start) / PAIRS * 1e9;
}

/* What a line must reach: calls a second in millions, or times the floor; 0 for no target. */
struct target {
    double calls;
    double ratio;
};

static void print_line(const char *name, uint32_t live, double our, double floor, double calls,
                       struct target target) {
    double rate = calls * 1e3 / our;
    printf("%-30s %8u %9.0f %9.0f %7.2f %8.2f", name, live, our, floor, our / floor, rate);
    if (target.calls > 0) {
        printf("  at least %.0f M calls/s: %s", target.calls, bench_verdict(rate >= target.calls));
    }
    if (target.ratio > 0) {
        printf("  at most %.0f times the floor: %s", target.ratio,
               bench_verdict(our / floor <= target.ratio));
    }
    putchar('\n');
}

static struct bare bare_new(uint32_t live) {
    struct bare bare = { .arena = floor_arena_new(240 * GIB, live * 2 + 2), .victims = BENCH_SEED };
    bare.block = host_resize(NULL, live, sizeof *bare.block);
    for (uint32_t place = 0; place < live; place++) {
        bare.block[place] = floor_arena_take(bare.arena, sizes[bare.picks++ % SIZES]);
    }
    return bare;
}

static void bare_free(struct bare *bare) {
    free(bare->block);
    floor_arena_free(bare->arena);
}

/* Who reads the journal beside the digest. */
enum reader { NOBODY, HAZARDS, TABLE };

/* The table of all calls, in a file that is dropped at the end. */
static struct trace *open_table(struct caller *caller) {
    const char *folder = getenv("TMPDIR");
    struct text path = { 0 };
    struct problem problem = { 0 };
    const struct trace_source source = {
        .machine = &caller->world.machine, .program = "bench", .title = "bench", .product = "bench"
    };
    struct trace *trace = trace_new(&source);
    text_printf(&path, "%s/aclsim-bench.csv", folder == NULL ? "/tmp" : folder);
    if (!trace_add(trace, text_get(&path), &problem)) {
        problem_print(&problem, stderr);
        exit(3);
    }
    trace_begin(trace);
    text_fini(&path);
    return trace;
}

static void bench_pairs(uint32_t live, enum reader reader, struct target target) {
    static const char *const names[] = { "malloc + free", "malloc + free, with hazards",
                                         "malloc + free, with the table" };
    struct caller caller;
    struct hazard *hazard = host_zeroed(1, sizeof *hazard);
    struct trace *trace = NULL;
    struct bare bare = bare_new(live);
    double ours[RUNS], floors[RUNS];
    caller_init(&caller, live);
    if (reader == TABLE) {
        trace = open_table(&caller);
    }
    if (reader == HAZARDS) {
        *hazard = hazard_bind(&caller.world.machine);
        hazard_watch(hazard);
    }
    for (int run = 0; run < RUNS; run++) {
        ours[run] = time_pairs(&caller, live);
        floors[run] = time_floor(&bare, live);
    }
    print_line(names[reader], live, bench_median(ours, RUNS), bench_median(floors, RUNS), 2,
               target);
    trace_free(trace);
    bare_free(&bare);
    caller_fini(&caller);
    free(hazard);
}

static void print_heading(void) {
    printf("%-30s %8s %9s %9s %7s %8s\n", "", "live", "ours ns", "floor ns", "ratio", "M calls/s");
}

static void run_pairs(void) {
    puts("\nA pair of aclrtMalloc and aclrtFree, random victim, 512 B to 1 MiB log-uniform, costs\n"
         "charged, digest on, no other reader, beside a pair of the floor");
    print_heading();
    bench_pairs(1000, NOBODY, (struct target){ 0, 8 });
    bench_pairs(10000, NOBODY, (struct target){ 0, 0 });
    bench_pairs(100000, NOBODY, (struct target){ 5, 0 });
    bench_pairs(1000000, NOBODY, (struct target){ 0, 4 });
}

static void run_hazards(void) {
    puts("\nThe same with all hazards watching");
    print_heading();
    bench_pairs(1000, HAZARDS, (struct target){ 0, 0 });
    bench_pairs(100000, HAZARDS, (struct target){ 0, 0 });
}

static void run_table(void) {
    puts("\nThe same with the table that aclsim run --trace FILE.csv writes, on the disk");
    print_heading();
    bench_pairs(1000, TABLE, (struct target){ 0, 0 });
    bench_pairs(100000, TABLE, (struct target){ 2, 0 });
}

static uint64_t call(struct caller *caller, const char *name, const uint64_t value[4]) {
    struct acl_record record = { .row = row_of(name) };
    memcpy(record.arg, value, 4 * sizeof *value);
    acl_call(caller->world.acl, &record, &caller->result);
    must(caller->result.code == ACL_SUCCESS);
    pass(caller);
    return caller->result.out[0];
}

/* The records of a round are made before, because a client does not look up names. */
struct round {
    struct acl_record record[4];
    uint32_t count;
    bool place_is_new; /* the first call makes the address that the others work on */
};

static double time_rounds(struct caller *caller, struct round *round) {
    double start = bench_seconds();
    for (int time = 0; time < PAIRS; time++) {
        for (uint32_t place = 0; place < round->count; place++) {
            struct acl_record *record = &round->record[place];
            if (round->place_is_new && place > 0) {
                record->arg[0] = round->record[0].arg[15];
            }
            acl_call(caller->world.acl, record, &caller->result);
            must(caller->result.code == ACL_SUCCESS);
            if (round->place_is_new && place == 0) {
                record->arg[15] = caller->result.out[0];
            }
            pass(caller);
        }
    }
    return (bench_seconds() - start) / PAIRS * 1e9;
}

static void bench_round(const char *name, struct caller *caller, struct round *round) {
    enum { LIVE = 1000 };
    struct bare bare = bare_new(LIVE);
    double ours[RUNS], floors[RUNS];
    for (int run = 0; run < RUNS; run++) {
        ours[run] = time_rounds(caller, round);
        floors[run] = time_floor(&bare, LIVE);
    }
    print_line(name, LIVE, bench_median(ours, RUNS), bench_median(floors, RUNS), round->count,
               (struct target){ 0, 0 });
    bare_free(&bare);
}

static void run_kinds(void) {
    struct caller caller;
    caller_init(&caller, 1000);
    uint64_t handle = call(&caller, "aclrtMallocPhysical", (const uint64_t[4]){ 2 * MIB, 0, 0, 4 });
    struct round map = {
        .count = 4,
        .place_is_new = true,
        .record = { { .row = row_of("aclrtReserveMemAddress"), .arg = { 2 * MIB } },
                    { .row = row_of("aclrtMapMem"), .arg = { 0, 2 * MIB, 0, handle } },
                    { .row = row_of("aclrtUnmapMem") },
                    { .row = row_of("aclrtReleaseMemAddress") } },
    };
    struct round query = {
        .count = 3,
        .record = { { .row = row_of("aclrtGetMemInfo"), .arg = { 1 } },
                    { .row = row_of("aclrtGetDevice") },
                    { .row = row_of("aclrtDeviceGetBareTgid") } },
    };
    puts("\nCalls of other kinds beside a pair of the floor, 1000 live blocks");
    print_heading();
    bench_round("reserve + map + unmap + release", &caller, &map);
    bench_round("three queries", &caller, &query);
    caller_fini(&caller);
}

/* Tries the next call of the protocol over and over, then makes it. */
static double try_call(struct world *world, const struct acl_record *record) {
    struct acl_result result;
    double start = bench_seconds();
    for (int trial = 0; trial < TRANSITIONS; trial++) {
        struct store_mark mark = store_mark(world->store);
        acl_call(world->acl, record, &result);
        struct hash128 hash = store_hash(world->store);
        must(hash.low != 0);
        store_rollback(world->store, &mark);
        store_unmark(world->store, &mark);
    }
    double spent = bench_seconds() - start;
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

static void run_transitions(void) {
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
    puts("\nTransitions: mark + call + hash + rollback, incremental hash, digest off");
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
        printf("  %-36s %7.2f M/s\n", steps[step].name, TRANSITIONS / took / 1e6);
    }
    double rate = TRANSITIONS * (double)STEPS / spent / 1e6;
    printf("transitions of the two-process protocol: %.2f M/s  at least 3: %s\n", rate,
           bench_verdict(rate >= 3));
    world_fini(&world);
}

int main(int argc, char **argv) {
    static const struct bench_section sections[] = {
        { "transitions", "of the two-process protocol; 3 M/s", run_transitions, false },
        { "pairs", "malloc + free; 8 times the floor, 5 M calls/s, 4 times", run_pairs, false },
        { "hazards", "malloc + free with all hazards watching", run_hazards, false },
        { "table", "malloc + free with the CSV trace; 2 M calls/s", run_table, false },
        { "kinds", "reserve to release, and queries", run_kinds, false },
    };
    make_sizes();
    return bench_main(argc, argv, "Calls through acl_call(), one core.", sections,
                      sizeof sections / sizeof *sections);
}
