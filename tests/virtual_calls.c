/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/virtual_calls.h"

#include <check.h>

#include "machine/audit.h"
#include "machine/handle.h"
#include "machine/share.h"

uint64_t virtual_create(struct world *world, uint32_t thread, uint64_t size) {
    return virtual_create_at(world, thread, size, HBM_HUGE, ON_DEVICE, 0);
}

uint64_t virtual_create_at(struct world *world, uint32_t thread, uint64_t size, uint64_t attribute,
                           uint64_t location, uint64_t id) {
    ck_assert_int_eq(
        world_call(world, thread, "aclrtMallocPhysical", size, 0, 0, attribute, id, location, 0, 0),
        ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

uint64_t virtual_reserve(struct world *world, uint32_t thread, uint64_t size) {
    ck_assert_int_eq(world_call(world, thread, "aclrtReserveMemAddress", size), ACL_SUCCESS);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

uint64_t virtual_mapped(struct world *world, uint32_t thread, uint64_t size) {
    uint64_t address = virtual_reserve(world, thread, size);
    uint64_t handle = virtual_create(world, thread, size);
    ck_assert_int_eq(world_call(world, thread, "aclrtMapMem", address, size, 0, handle),
                     ACL_SUCCESS);
    return address;
}

static uint32_t slot_of(const struct world *world, uint32_t thread, uint64_t value) {
    uint32_t slot = 0;
    ck_assert_int_eq(handle_resolve(&world->machine, (struct process_id){ thread }, value, &slot),
                     HANDLE_LIVE);
    return slot;
}

uint64_t virtual_import(struct world *world, uint32_t exporter, uint64_t exported,
                        uint32_t importer, uint32_t device) {
    struct machine *machine = &world->machine;
    struct process_id from = { exporter };
    struct process_id to = { importer };
    uint32_t share = share_make(machine, from, slot_of(world, exporter, exported), false);
    struct object_id id = { exporter, share };
    uint32_t slot = handle_import(machine, to, id, device);
    share_keep_import(machine, id, to, device, slot);
    return handle_value(machine, to, slot);
}

static int32_t refusal(struct world *world, uint32_t thread, const char *name,
                       const uint64_t *value, const uint64_t *list, uint32_t list_count,
                       uint32_t null_mask) {
    struct hash128 before = store_hash(world->store);
    int32_t code = world_call_values(world, thread, name, value, list, list_count, null_mask);
    struct hash128 after = store_hash(world->store);
    ck_assert_int_ne(code, ACL_SUCCESS);
    ck_assert(hash128_equal(before, after));
    ck_assert_uint_eq(world->result.out_count, 0);
    return code;
}

int32_t virtual_refusal_values(struct world *world, uint32_t thread, const char *name,
                               const uint64_t *value, uint32_t null_mask) {
    return refusal(world, thread, name, value, NULL, 0, null_mask);
}

int32_t virtual_list_refusal(struct world *world, uint32_t thread, const char *name,
                             const uint64_t *value, const uint64_t *list, uint32_t list_count) {
    return refusal(world, thread, name, value, list, list_count, 0);
}

void virtual_fini(struct world *world) {
    struct text wrong = { 0 };
    ck_assert_msg(audit_machine(&world->machine, &wrong), "%s", text_get(&wrong));
    text_fini(&wrong);
    world_fini(world);
}

const struct handle *virtual_handle(const struct world *world, uint32_t thread, uint64_t value) {
    return handle_get(&world->machine, (struct process_id){ thread },
                      slot_of(world, thread, value));
}
