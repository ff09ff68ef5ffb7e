/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/random_calls.h"

struct random_calls random_calls(uint64_t seed) {
    return (struct random_calls){ .state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1 };
}

static uint64_t draw(struct random_calls *calls, uint64_t limit) {
    calls->state ^= calls->state << 13;
    calls->state ^= calls->state >> 7;
    calls->state ^= calls->state << 17;
    return (calls->state >> 11) % limit;
}

/* A value that some call returned; now and then one that none did. */
static uint64_t some(struct random_calls *calls, const uint64_t *values) {
    return draw(calls, 25) == 0 ? draw(calls, 1 << 20) * 4096 : values[draw(calls, RANDOM_VALUES)];
}

static uint64_t size_of(struct random_calls *calls) {
    return draw(calls, 12) == 0 ? draw(calls, 3 * MIB) : (1 + draw(calls, 3)) * 2 * MIB;
}

struct caller {
    struct random_calls *calls;
    struct world *world;
    uint32_t thread;
};

/* Keeps the output of a call that succeeded. */
static void keep(const struct caller *at, uint64_t *values) {
    if (at->world->result.code == ACL_SUCCESS) {
        values[draw(at->calls, RANDOM_VALUES)] = at->world->result.out[0];
    }
}

static void make_physical(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtMallocPhysical", size_of(at->calls), 0, 0, 4,
               draw(at->calls, 2), 1);
    keep(at, at->calls->handle[at->thread]);
}

static void free_physical(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtFreePhysical",
               some(at->calls, at->calls->handle[draw(at->calls, 9) == 0 ? 0 : at->thread]));
}

static void reserve(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtReserveMemAddress", size_of(at->calls) * 2);
    keep(at, at->calls->range[at->thread]);
}

static void release(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtReleaseMemAddress",
               some(at->calls, at->calls->range[at->thread]));
}

static void map(const struct caller *at) {
    uint64_t address = some(at->calls, at->calls->range[at->thread]);
    world_call(at->world, at->thread, "aclrtMapMem", address + draw(at->calls, 2) * 2 * MIB,
               size_of(at->calls), 0, some(at->calls, at->calls->handle[at->thread]));
}

static void unmap(const struct caller *at) {
    uint64_t address = some(at->calls, at->calls->range[at->thread]);
    world_call(at->world, at->thread, "aclrtUnmapMem", address + draw(at->calls, 2) * 2 * MIB);
}

static void retain(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtMemRetainAllocationHandle",
               some(at->calls, at->calls->range[at->thread]));
    keep(at, at->calls->handle[at->thread]);
}

static void export(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtMemExportToShareableHandle",
               some(at->calls, at->calls->handle[at->thread]), 0, draw(at->calls, 4) == 0);
    keep(at, at->calls->share);
}

static void list(const struct caller *at) {
    uint64_t pid = SITE_PID_FIRST + draw(at->calls, WORLD_PROCESSES);
    const uint64_t value[16] = { some(at->calls, at->calls->share), 1 };
    world_call_values(at->world, at->thread, "aclrtMemSetPidToShareableHandle", value, &pid, 1, 0);
}

static void import(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtMemImportFromShareableHandle",
               some(at->calls, at->calls->share), draw(at->calls, 2));
    keep(at, at->calls->handle[at->thread]);
}

static void allocate(const struct caller *at) {
    uint64_t size = (uint64_t)1 << draw(at->calls, 23);
    world_call(at->world, at->thread, "aclrtMalloc", size + draw(at->calls, size),
               draw(at->calls, 3));
    keep(at, at->calls->block[at->thread]);
}

static void release_block(const struct caller *at) {
    world_call(at->world, at->thread, "aclrtFree", some(at->calls, at->calls->block[at->thread]));
}

int32_t random_call(struct random_calls *calls, struct world *world, uint32_t thread) {
    static void (*const makers[])(const struct caller *at) = {
        make_physical, free_physical, reserve, release, map,      unmap,         retain,
        export,        list,          import,  map,     allocate, release_block,
    };
    const struct caller at = { calls, world, thread };
    makers[draw(calls, sizeof makers / sizeof *makers)](&at);
    return world->result.code;
}

void random_call_many(struct random_calls *calls, struct world *world, uint32_t threads,
                      uint32_t count) {
    for (uint32_t call = 0; call < count; call++) {
        random_call(calls, world, (uint32_t)draw(calls, threads));
    }
}
