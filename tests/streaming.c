/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/streaming.h"

#include <check.h>

static uint64_t make(struct world *world, uint32_t thread, const char *name, uint64_t first) {
    ck_assert_int_eq(world_call(world, thread, name, first), ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

uint64_t streaming_block(struct world *world, uint32_t thread, uint64_t size) {
    return make(world, thread, "aclrtMalloc", size);
}

uint64_t streaming_host_block(struct world *world, uint32_t thread, uint64_t size) {
    return make(world, thread, "aclrtMallocHost", size);
}

uint64_t streaming_stream(struct world *world, uint32_t thread) {
    return make(world, thread, "aclrtCreateStream", 0);
}

uint64_t streaming_event(struct world *world, uint32_t thread) {
    return make(world, thread, "aclrtCreateEvent", 0);
}

int32_t streaming_copy(struct world *world, uint32_t thread, uint64_t to, uint64_t from,
                       uint64_t kind, uint64_t stream) {
    return world_call(world, thread, "aclrtMemcpyAsync", to, 4096, from, 4096, kind, stream);
}

bool streaming_waits(const struct world *world) {
    return world->result.progress == ACL_WAITS;
}

void streaming_run(struct world *world) {
    while (engine_run(&world->machine.engine)) {
    }
}

bool streaming_is_awake(const struct world *world, uint32_t thread) {
    return engine_is_ready(&world->machine.engine, (struct action){ ACTION_STEP, 0, thread });
}
