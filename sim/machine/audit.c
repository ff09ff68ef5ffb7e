/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/audit.h"

#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/process.h"
#include "machine/share.h"

struct audit {
    const struct machine *machine;
    struct text *wrong;
    bool is_well;
};

static void expect(struct audit *audit, bool claim, const char *what, uint32_t process,
                   uint32_t slot) {
    if (!claim) {
        audit->is_well = false;
        text_printf(audit->wrong, "process %u, slot %u: %s\n", process, slot, what);
    }
}

/* Calls a function for each record of each process. */
static void each(struct audit *audit, const struct table *table,
                 void (*visit)(struct audit *audit, uint32_t process, uint32_t slot)) {
    for (uint32_t process = 0; process < audit->machine->site->process_count; process++) {
        uint32_t slot = table_next(table, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(table, process, slot + 1)) {
            visit(audit, process, slot);
        }
    }
}

static void check_handle(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct machine *machine = audit->machine;
    const struct handle *handle = handle_get(machine, (struct process_id){ process }, slot);
    struct object_id memory = handle->allocation;
    uint32_t found = 0;
    expect(audit, handle->references >= handle->maps && handle->references > 0,
           "a handle has fewer references than mappings", process, slot);
    expect(audit, table_has(machine->allocation, memory.process, memory.slot),
           "a handle names an allocation that is gone", process, slot);
    if (handle->kind == HANDLE_OWNED) {
        return;
    }
    expect(audit, table_has(machine->share, handle->share.process, handle->share.slot),
           "a handle names a share that is gone", process, slot);
    if (handle->kind == HANDLE_IMPORTED) {
        bool kept = share_find_import(machine, handle->share, (struct process_id){ process },
                                      handle->device, &found);
        expect(audit, kept && found == slot, "the index of imports misses a handle", process, slot);
    }
}

/* Counts handles of a share over all processes: slow and independent of the counts kept. */
static uint32_t count_users(const struct machine *machine, struct object_id share) {
    uint32_t users = 0;
    for (uint32_t process = 0; process < machine->site->process_count; process++) {
        uint32_t slot = table_next(machine->handle, process, 0);
        for (; slot != SLOT_NONE; slot = table_next(machine->handle, process, slot + 1)) {
            const struct handle *handle = handle_get(machine, (struct process_id){ process }, slot);
            users += handle->kind != HANDLE_OWNED && handle->share.process == share.process &&
                     handle->share.slot == share.slot;
        }
    }
    return users;
}

static void check_share(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct machine *machine = audit->machine;
    struct object_id id = { process, slot };
    const struct share *share = share_get(machine, id);
    expect(audit, share->users == count_users(machine, id) && share->users > 0,
           "a share counts other users than it has", process, slot);
    expect(audit, table_has(machine->allocation, process, share->allocation),
           "a share names an allocation that is gone", process, slot);
    expect(audit, share->handle == 0 || table_has(machine->handle, process, share->handle - 1),
           "a share names an exporter's handle that is gone", process, slot);
}

static void check_listed(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct machine *machine = audit->machine;
    const struct listed *listed = table_get(machine->listed, process, slot);
    struct object_id share = { process, listed->share };
    expect(audit, table_has(machine->share, process, listed->share),
           "a whitelist entry names a share that is gone", process, slot);
    expect(audit, share_is_listed(machine, share, slot), "an index of whitelists misses an entry",
           process, slot);
}

static void check_region(struct audit *audit, uint32_t process, struct space_range wanted) {
    struct space_range found;
    bool is_there = space_find(&audit->machine->space, process, wanted.start, &found) &&
                    found.start == wanted.start && found.size == wanted.size &&
                    found.kind == wanted.kind && found.id == wanted.id;
    expect(audit, is_there, "the address space misses a region", process, wanted.id);
}

static void check_block(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct block *block = block_get(audit->machine, (struct process_id){ process }, slot);
    check_region(audit, process,
                 (struct space_range){ block->address, block_bytes(block), SPACE_BLOCK, slot });
}

static void check_host(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct host_block *block =
        block_get_host(audit->machine, (struct process_id){ process }, slot);
    check_region(audit, process,
                 (struct space_range){ block->address, block->size, SPACE_HOST, slot });
}

static void check_reservation(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct machine *machine = audit->machine;
    const struct reservation *reservation =
        mapping_reservation(machine, (struct process_id){ process }, slot);
    uint32_t mappings = 0;
    uint32_t at = table_next(machine->mapping, process, 0);
    for (; at != SLOT_NONE; at = table_next(machine->mapping, process, at + 1)) {
        mappings += mapping_get(machine, (struct process_id){ process }, at)->reservation == slot;
    }
    expect(audit, mappings == reservation->mappings,
           "a reservation counts other mappings than it has", process, slot);
    check_region(
        audit, process,
        (struct space_range){ reservation->start, reservation->size, SPACE_RESERVATION, slot });
}

static void check_mapping(struct audit *audit, uint32_t process, uint32_t slot) {
    const struct machine *machine = audit->machine;
    const struct mapping *mapping = mapping_get(machine, (struct process_id){ process }, slot);
    struct space_range found;
    bool is_there = space_find_mapping(&machine->space, process, mapping->start, &found) &&
                    found.start == mapping->start && found.size == mapping->size &&
                    found.id == slot;
    expect(audit, is_there, "the address space misses a mapping", process, slot);
    expect(audit, table_has(machine->handle, process, mapping->handle),
           "a mapping names a handle that is gone", process, slot);
}

/* The address space has no more regions and mappings than there are records of them. */
static void check_counts(struct audit *audit, uint32_t process) {
    const struct machine *machine = audit->machine;
    if (!range_map_exists(&machine->space.regions, process)) {
        return;
    }
    uint64_t regions = (uint64_t)table_count(machine->block, process) +
                       table_count(machine->host, process) +
                       table_count(machine->reservation, process);
    expect(audit, range_totals(&machine->space.regions, process).ranges == regions,
           "the address space has a region too many", process, 0);
    expect(audit,
           range_totals(&machine->space.mappings, process).ranges ==
               table_count(machine->mapping, process),
           "the address space has a mapping too many", process, 0);
}

bool audit_machine(const struct machine *machine, struct text *wrong) {
    struct audit audit = { machine, wrong, true };
    each(&audit, machine->handle, check_handle);
    each(&audit, machine->share, check_share);
    each(&audit, machine->listed, check_listed);
    each(&audit, machine->block, check_block);
    each(&audit, machine->host, check_host);
    each(&audit, machine->reservation, check_reservation);
    each(&audit, machine->mapping, check_mapping);
    for (uint32_t process = 0; process < machine->site->process_count; process++) {
        check_counts(&audit, process);
    }
    if (!pool_index_is_true(&machine->pools)) {
        expect(&audit, false, "an index of a pool differs from its records", 0, 0);
    }
    return audit.is_well;
}
