/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random calls for property tests: mostly sensible ones on what earlier calls returned, some with
 * stale, foreign or senseless values. What to do next depends on the seed and on results only, so
 * the same seed on an equal world makes the same calls.
 */
#ifndef TESTS_RANDOM_CALLS_H
#define TESTS_RANDOM_CALLS_H

#include <stdint.h>

#include "tests/world.h"

enum { RANDOM_VALUES = 6 };

/* A copy of it goes with a copy of a world. */
struct random_calls {
    uint64_t state;
    uint64_t handle[WORLD_PROCESSES][RANDOM_VALUES];
    uint64_t range[WORLD_PROCESSES][RANDOM_VALUES];
    uint64_t block[WORLD_PROCESSES][RANDOM_VALUES];
    uint64_t share[RANDOM_VALUES];
};

struct random_calls random_calls(uint64_t seed);

/* Makes one random call as a thread; the code it returned. */
int32_t random_call(struct random_calls *calls, struct world *world, uint32_t thread);

/* Makes some calls as random threads below a limit. */
void random_call_many(struct random_calls *calls, struct world *world, uint32_t threads,
                      uint32_t count);

#endif
