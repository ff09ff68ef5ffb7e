/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/counts.h"

#include <check.h>
#include <string.h>

#include "machine/audit.h"
#include "machine/mapping.h"

enum { WHITELIST_MAX = 65535 };

struct counts counts_begin(const struct world *world) {
    struct counts counts = { { 0 } };
    for (uint32_t device = 0; device < world->site.device_count; device++) {
        counts.free_bytes[device] = world_free_bytes(world, device);
    }
    return counts;
}

static const char *gap(const struct text *text) {
    return text->size > 0 ? " " : "";
}

static void write_handles(const struct machine *machine, struct text *text) {
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        uint32_t slot = table_next(machine->handle, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->handle, process, slot + 1)) {
            const struct handle *handle = handle_get(machine, (struct process_id){ process }, slot);
            text_printf(text, "%s%s(%u,%u)", gap(text), process == A ? "h" : "h'",
                        handle->references, handle->maps);
        }
    }
}

static void write_shares(const struct machine *machine, struct text *text) {
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        uint32_t slot = table_next(machine->share, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->share, process, slot + 1)) {
            struct object_id id = { process, slot };
            text_printf(text, "%sS(%u)", gap(text), share_get(machine, id)->users);
        }
    }
}

static void write_pages(const struct counts *counts, const struct world *world, struct text *text) {
    for (uint32_t device = 0; device < world->site.device_count; device++) {
        uint64_t lacks = counts->free_bytes[device] - world_free_bytes(world, device);
        ck_assert_uint_eq(lacks % SHARING_SIZE, 0);
        for (; lacks > 0; lacks -= SHARING_SIZE) {
            text_printf(text, "%sP", gap(text));
        }
    }
}

/* How many handles of a kind name an allocation, over all processes. */
static uint32_t count_handles(const struct machine *machine, struct object_id allocation,
                              enum handle_kind kind) {
    uint32_t count = 0;
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        uint32_t slot = table_next(machine->handle, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->handle, process, slot + 1)) {
            const struct handle *handle = handle_get(machine, (struct process_id){ process }, slot);
            count += handle->kind == kind && handle->allocation.process == allocation.process &&
                     handle->allocation.slot == allocation.slot;
        }
    }
    return count;
}

/* Users are the exporter's handle, while it lives, and each import; the list stays in bounds. */
static void check_share(const struct machine *machine, const struct share *share,
                        struct object_id allocation) {
    uint32_t exporters = count_handles(machine, allocation, HANDLE_EXPORTED);
    uint32_t importers = count_handles(machine, allocation, HANDLE_IMPORTED);
    ck_assert_uint_eq(exporters, share->handle != 0);
    ck_assert_uint_eq(share->users, exporters + importers);
    ck_assert_uint_le(share->listed, WHITELIST_MAX);
}

/* How many shares an allocation has, each of them right. */
static uint32_t count_shares(const struct machine *machine, struct object_id allocation) {
    uint32_t count = 0;
    uint32_t slot = table_next(machine->share, allocation.process, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->share, allocation.process, slot + 1)) {
        const struct share *share =
            share_get(machine, (struct object_id){ allocation.process, slot });
        if (share->allocation == allocation.slot) {
            check_share(machine, share, allocation);
            count++;
        }
    }
    return count;
}

/* A block is there for its OWNED handle or for its share, and what it takes is what lacks. */
static void check_blocks(const struct counts *counts, const struct world *world) {
    const struct machine *machine = &world->machine;
    uint64_t bytes[WORLD_DEVICES] = { 0 };
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        uint32_t slot = table_next(machine->allocation, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->allocation, process, slot + 1)) {
            struct object_id id = { process, slot };
            ck_assert_uint_eq(count_handles(machine, id, HANDLE_OWNED) + count_shares(machine, id),
                              1);
            bytes[handle_allocation(machine, id)->device] += handle_allocation(machine, id)->size;
        }
    }
    for (uint32_t device = 0; device < world->site.device_count; device++) {
        ck_assert_uint_eq(world_free_bytes(world, device) + bytes[device],
                          counts->free_bytes[device]);
    }
}

static uint32_t count_mappings(const struct machine *machine, struct process_id process,
                               uint32_t handle) {
    uint32_t count = 0;
    uint32_t slot = table_next(machine->mapping, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->mapping, process.index, slot + 1)) {
        count += mapping_get(machine, process, slot)->handle == handle;
    }
    return count;
}

/* A value is a handle of the process that has it, and of no other one. */
static void check_value(const struct machine *machine, struct process_id owner, uint32_t slot) {
    uint64_t value = handle_value(machine, owner, slot);
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        uint32_t found = 0;
        ck_assert_int_eq(handle_resolve(machine, (struct process_id){ process }, value, &found),
                         process == owner.index ? HANDLE_LIVE : HANDLE_FOREIGN);
        ck_assert_uint_eq(found, slot);
    }
}

/* A handle counts the mappings that name it, and no mapping names a handle that is gone. */
static void check_handles(const struct machine *machine) {
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        struct process_id owner = { process };
        uint32_t maps = 0;
        uint32_t slot = table_next(machine->handle, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->handle, process, slot + 1)) {
            const struct handle *handle = handle_get(machine, owner, slot);
            ck_assert_uint_ge(handle->references, handle->maps);
            ck_assert_uint_eq(handle->maps, count_mappings(machine, owner, slot));
            check_value(machine, owner, slot);
            maps += handle->maps;
        }
        ck_assert_uint_eq(maps, table_count(machine->mapping, process));
    }
}

void counts_check(const struct counts *counts, const struct world *world, const char *expected,
                  size_t step) {
    struct text text = { 0 };
    write_handles(&world->machine, &text);
    write_shares(&world->machine, &text);
    write_pages(counts, world, &text);
    ck_assert_msg(strcmp(text_get(&text), expected) == 0, "step %zu: '%s', not '%s'", step,
                  text_get(&text), expected);
    text_clear(&text);
    check_handles(&world->machine);
    check_blocks(counts, world);
    ck_assert_msg(audit_machine(&world->machine, &text), "step %zu: %s", step, text_get(&text));
    text_fini(&text);
}
