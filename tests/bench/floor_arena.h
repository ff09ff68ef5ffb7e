/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor under allocation: a bare two-level segregated fit over an arena, without devices,
 * pages, processes, costs, facts or undo. What one core can do when nothing else is wanted.
 */
#ifndef TESTS_BENCH_FLOOR_ARENA_H
#define TESTS_BENCH_FLOOR_ARENA_H

#include <stdint.h>

struct floor_arena;

struct floor_arena *floor_arena_new(uint64_t bytes, uint32_t blocks_most);
void floor_arena_free(struct floor_arena *arena);

int32_t floor_arena_take(struct floor_arena *arena, uint64_t bytes); /* block; -1 when full */
void floor_arena_give(struct floor_arena *arena, int32_t block);

#endif
