/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/floor_arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/host.h"

enum { CLASSES = 64, SUBCLASSES = 16, UNIT_BITS = 9 };

struct block {
    uint64_t start;
    uint64_t size;
    int32_t before, after;           /* neighbours in the arena */
    int32_t free_before, free_after; /* neighbours in the list of its class */
    bool is_free;
};

struct floor_arena {
    struct block *block;
    int32_t count;
    int32_t spare;
    int32_t list[CLASSES][SUBCLASSES];
    uint64_t classes;
    uint32_t subclasses[CLASSES];
};

static void class_of(uint64_t units, int *first, int *second) {
    *first = (int)bits_highest(units);
    *second = *first < 4 ? (int)(units & (((uint64_t)1 << *first) - 1))
                         : (int)(units >> (*first - 4) & 15);
}

static void list_add(struct floor_arena *arena, int32_t at) {
    struct block *block = &arena->block[at];
    int first = 0, second = 0;
    class_of(block->size >> UNIT_BITS, &first, &second);
    block->is_free = true;
    block->free_before = -1;
    block->free_after = arena->list[first][second];
    if (block->free_after >= 0) {
        arena->block[block->free_after].free_before = at;
    }
    arena->list[first][second] = at;
    arena->classes |= (uint64_t)1 << first;
    arena->subclasses[first] |= (uint32_t)1 << second;
}

static void list_remove(struct floor_arena *arena, int32_t at) {
    struct block *block = &arena->block[at];
    int first = 0, second = 0;
    class_of(block->size >> UNIT_BITS, &first, &second);
    block->is_free = false;
    if (block->free_after >= 0) {
        arena->block[block->free_after].free_before = block->free_before;
    }
    if (block->free_before >= 0) {
        arena->block[block->free_before].free_after = block->free_after;
        return;
    }
    arena->list[first][second] = block->free_after;
    if (block->free_after < 0) {
        arena->subclasses[first] &= ~((uint32_t)1 << second);
        if (arena->subclasses[first] == 0) {
            arena->classes &= ~((uint64_t)1 << first);
        }
    }
}

struct floor_arena *floor_arena_new(uint64_t bytes, uint32_t blocks_most) {
    struct floor_arena *arena = host_zeroed(1, sizeof *arena);
    memset(arena->list, 0xff, sizeof arena->list);
    arena->block = host_resize(NULL, blocks_most, sizeof *arena->block);
    arena->spare = -1;
    arena->count = 1;
    arena->block[0] = (struct block){ 0, bytes, -1, -1, -1, -1, false };
    list_add(arena, 0);
    return arena;
}

void floor_arena_free(struct floor_arena *arena) {
    free(arena->block);
    free(arena);
}

static int32_t find_fit(const struct floor_arena *arena, uint64_t size) {
    uint64_t units = size >> UNIT_BITS;
    int first = 0, second = 0;
    uint32_t top = bits_highest(units);
    class_of(top >= 4 ? units + ((uint64_t)1 << (top - 4)) - 1 : units, &first, &second);
    uint32_t members = arena->subclasses[first] & ~(uint32_t)0 << second;
    for (;;) {
        while (members != 0) {
            int32_t at = arena->list[first][bits_lowest(members)];
            members &= members - 1;
            while (at >= 0 && arena->block[at].size < size) {
                at = arena->block[at].free_after;
            }
            if (at >= 0) {
                return at;
            }
        }
        uint64_t larger = first == 63 ? 0 : arena->classes & ~(uint64_t)0 << (first + 1);
        if (larger == 0) {
            return -1;
        }
        first = (int)bits_lowest(larger);
        members = arena->subclasses[first];
    }
}

static int32_t new_block(struct floor_arena *arena) {
    int32_t at = arena->spare;
    if (at < 0) {
        return arena->count++;
    }
    arena->spare = arena->block[at].after;
    return at;
}

int32_t floor_arena_take(struct floor_arena *arena, uint64_t bytes) {
    uint64_t size = (bytes + 511) & ~(uint64_t)511;
    int32_t at = find_fit(arena, size);
    if (at < 0) {
        return -1;
    }
    list_remove(arena, at);
    struct block *block = &arena->block[at];
    if (block->size > size) {
        int32_t rest = new_block(arena);
        arena->block[rest] = (struct block){
            block->start + size, block->size - size, at, block->after, -1, -1, false
        };
        if (block->after >= 0) {
            arena->block[block->after].before = rest;
        }
        block->after = rest;
        block->size = size;
        list_add(arena, rest);
    }
    return at;
}

/* Joins a block with the one after it, which is free and in no list any more. */
static void join(struct floor_arena *arena, int32_t at, int32_t next) {
    struct block *block = &arena->block[at];
    block->size += arena->block[next].size;
    block->after = arena->block[next].after;
    if (block->after >= 0) {
        arena->block[block->after].before = at;
    }
    arena->block[next].after = arena->spare;
    arena->spare = next;
}

void floor_arena_give(struct floor_arena *arena, int32_t block) {
    int32_t at = block;
    int32_t after = arena->block[at].after;
    int32_t before = arena->block[at].before;
    if (after >= 0 && arena->block[after].is_free) {
        list_remove(arena, after);
        join(arena, at, after);
    }
    if (before >= 0 && arena->block[before].is_free) {
        list_remove(arena, before);
        join(arena, before, at);
        at = before;
    }
    list_add(arena, at);
}
