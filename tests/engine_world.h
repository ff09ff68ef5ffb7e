/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine whose actions do nothing but stand in a list, for tests of the engine: "3@20 " is the
 * step of thread 3 at 20 ns, "work:1:0@30 " the end of the work of owner 1 in slot 0.
 */
#ifndef TESTS_ENGINE_WORLD_H
#define TESTS_ENGINE_WORLD_H

#include <stdint.h>

#include "base/text.h"
#include "core/engine.h"
#include "store/store.h"

struct engine_world {
    struct store *store;
    struct engine engine;
    struct text trace;
    void (*then)(struct engine_world *world, struct action action); /* what it does, or NULL */
};

struct engine_world *engine_world_new(enum engine_policy policy); /* caller owns, ..._free() */
void engine_world_free(struct engine_world *world);

/* The same store under the same policy, with an empty list; caller owns. */
struct engine_world *engine_world_copy(const struct engine_world *from);

/* Changes the policy, and nothing else. */
void engine_world_bind(struct engine_world *world, enum engine_policy policy);

/* Makes the step of a thread ready at a time. */
void engine_world_ready(struct engine_world *world, uint32_t slot, uint64_t due_ns);

/* Performs so many actions, or fewer when no more are ready. */
void engine_world_run(struct engine_world *world, int count);

/* Runs to the end, checks all that was done since the start, and frees the world. */
void engine_world_check(struct engine_world *world, const char *expected);

static inline struct action action_step(uint32_t slot) {
    return (struct action){ ACTION_STEP, 0, slot };
}

static inline struct action action_work(uint32_t owner, uint32_t slot) {
    return (struct action){ ACTION_WORK, owner, slot };
}

#endif
