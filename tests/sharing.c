/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/sharing.h"

#include <check.h>

static uint64_t make_memory(struct world *world, uint32_t process, uint32_t presence) {
    struct allocation_wish wish = {
        .presence = presence,
        .page = PAGE_HUGE,
        .size = SHARING_SIZE,
    };
    uint32_t slot = 0;
    ck_assert_int_eq(handle_make(&world->machine, (struct process_id){ process }, &wish, &slot),
                     POOL_DONE);
    return handle_value(&world->machine, (struct process_id){ process }, slot);
}

uint64_t sharing_make_memory(struct world *world, uint32_t process) {
    return make_memory(world, process, 0);
}

uint64_t sharing_make_host_memory(struct world *world, uint32_t process) {
    return make_memory(world, process, PRESENCE_NONE);
}

uint64_t sharing_export(struct world *world, uint32_t process, uint64_t handle, uint64_t flags) {
    ck_assert_int_eq(
        world_call(world, process, "aclrtMemExportToShareableHandle", handle, 0, flags), 0);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

uint64_t sharing_import(struct world *world, uint32_t process, uint64_t share, uint32_t device) {
    ck_assert_int_eq(world_call(world, process, "aclrtMemImportFromShareableHandle", share, device),
                     0);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

int32_t sharing_list(struct world *world, uint32_t process, uint64_t share, uint32_t pid) {
    const uint64_t value[16] = { share, 1 };
    const uint64_t list[] = { pid };
    return world_call_values(world, process, "aclrtMemSetPidToShareableHandle", value, list, 1, 0);
}

uint64_t sharing_prepare(struct world *world) {
    uint64_t share = sharing_export(world, A, sharing_make_memory(world, A), 0);
    ck_assert_int_eq(sharing_list(world, A, share, sharing_pid(world, B)), 0);
    return share;
}

uint32_t sharing_pid(const struct world *world, uint32_t process) {
    return world->site.process[process].pid;
}

const struct handle *sharing_handle(const struct world *world, uint32_t process, uint64_t value) {
    uint32_t slot = 0;
    struct process_id owner = { process };
    ck_assert_int_eq(handle_resolve(&world->machine, owner, value, &slot), HANDLE_LIVE);
    return handle_get(&world->machine, owner, slot);
}

const struct share *sharing_share(const struct world *world, uint64_t value) {
    struct object_id share;
    ck_assert(share_resolve(&world->machine, value, &share));
    return share_get(&world->machine, share);
}

void sharing_free(struct world *world, uint32_t process, uint64_t handle) {
    uint32_t slot = 0;
    struct process_id owner = { process };
    ck_assert_int_eq(handle_resolve(&world->machine, owner, handle, &slot), HANDLE_LIVE);
    handle_release(&world->machine, owner, slot);
}

void sharing_end(struct world *world, uint32_t process) {
    process_end(&world->machine, (struct process_id){ process }, PROCESS_EXITED);
}

void sharing_restart(struct world *world, uint32_t process) {
    process_start(&world->machine, (struct process_id){ process });
    ck_assert_int_eq(world_call(world, process, "aclInit", 0), 0);
    ck_assert_int_eq(world_call(world, process, "aclrtSetDevice", world->process[process].device),
                     0);
}

void sharing_refuses_values(struct world *world, int32_t code, uint32_t thread, const char *name,
                            struct acl_record record) {
    struct hash128 before = store_hash_afresh(world->store);
    world_call_values(world, thread, name, record.arg, record.list, record.list_count,
                      record.null_mask);
    ck_assert_int_eq(world->result.code, code);
    ck_assert_uint_eq(world->result.out_count, 0);
    ck_assert(hash128_equal(store_hash_afresh(world->store), before));
}
