/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/engine_world.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/host.h"

static void perform(void *context, struct action action) {
    struct engine_world *world = context;

    if (action.kind != ACTION_STEP) {
        const char *kind = action.kind == ACTION_WORK ? "work" : "link";
        text_printf(&world->trace, "%s:%" PRIu32 ":", kind, action.owner);
    }
    text_printf(&world->trace, "%" PRIu32 "@%" PRIu64 " ", action.slot, engine_now(&world->engine));
    if (world->then != NULL) {
        world->then(world, action);
    }
}

void engine_world_bind(struct engine_world *world, enum engine_policy policy) {
    world->engine = engine_bind(world->store, policy, choice_first(), perform, world);
}

struct engine_world *engine_world_new(enum engine_policy policy) {
    struct engine_world *world = host_zeroed(1, sizeof *world);

    world->store = store_new();
    engine_world_bind(world, policy);
    return world;
}

struct engine_world *engine_world_copy(const struct engine_world *from) {
    struct engine_world *world = host_zeroed(1, sizeof *world);

    world->store = store_copy(from->store);
    world->then = from->then;
    engine_world_bind(world, from->engine.policy);
    return world;
}

void engine_world_free(struct engine_world *world) {
    text_fini(&world->trace);
    store_free(world->store);
    free(world);
}

void engine_world_ready(struct engine_world *world, uint32_t slot, uint64_t due_ns) {
    engine_ready(&world->engine, action_step(slot), due_ns);
}

void engine_world_run(struct engine_world *world, int count) {
    for (int done = 0; done < count && engine_run(&world->engine); done++) {
    }
}

void engine_world_check(struct engine_world *world, const char *expected) {
    engine_world_run(world, 100);
    ck_assert_str_eq(text_get(&world->trace), expected);
    engine_world_free(world);
}
