/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/mapping.h"

#include "base/must.h"
#include "machine/handle.h"
#include "machine/process.h"

enum { ACCESS_READ_WRITE = 3, LOCATION_TYPE_HOST = 0, LOCATION_TYPE_DEVICE = 1 };

uint32_t mapping_reserve(struct machine *machine, struct process_id process, uint64_t start,
                         uint64_t size) {
    uint32_t slot = table_add(machine->reservation, process.index);
    struct reservation *reservation = table_edit(machine->reservation, process.index, slot);
    *reservation = (struct reservation){
        .start = start,
        .size = size,
        .generation = process_next_generation(machine, process),
        .made = machine_stamp(machine),
    };
    machine_note_made(machine, machine->reservation_life, process.index, slot);
    space_add(&machine->space, process.index,
              (struct space_range){ start, size, SPACE_RESERVATION, slot });
    machine_record(machine, FACT_RESERVED, start, size, 0, 0);
    return slot;
}

void mapping_unreserve(struct machine *machine, struct process_id process, uint32_t slot) {
    const struct reservation *reservation = mapping_reservation(machine, process, slot);
    must(reservation->mappings == 0);
    machine_record(machine, FACT_UNRESERVED, reservation->start, reservation->size, 0, 0);
    space_remove(&machine->space, process.index, reservation->start);
    machine_note_released(machine, machine->reservation_life, process.index, slot);
    table_remove(machine->reservation, process.index, slot);
}

const struct reservation *mapping_reservation(const struct machine *machine,
                                              struct process_id process, uint32_t slot) {
    return table_get(machine->reservation, process.index, slot);
}

bool mapping_find_reservation(const struct machine *machine, struct process_id process,
                              uint64_t address, uint32_t *slot) {
    struct space_range range;
    if (!space_find(&machine->space, process.index, address, &range) ||
        range.kind != SPACE_RESERVATION) {
        return false;
    }
    *slot = range.id;
    return true;
}

uint32_t mapping_map(struct machine *machine, struct process_id process, uint32_t reservation,
                     uint64_t start, uint64_t size, uint32_t handle) {
    const struct handle *named = handle_get(machine, process, handle);
    uint32_t slot = table_add(machine->mapping, process.index);
    struct mapping *mapping = table_edit(machine->mapping, process.index, slot);
    *mapping = (struct mapping){
        .start = start,
        .size = size,
        .handle = handle,
        .reservation = reservation,
        .device = named->device,
        .generation = process_next_generation(machine, process),
        .made = machine_stamp(machine),
    };
    struct reservation *into = table_edit(machine->reservation, process.index, reservation);
    into->mappings++;
    into->holds |= named->kind == HANDLE_IMPORTED ? RESERVATION_IMPORTED : RESERVATION_OWNED;
    if (into->bound == 0) {
        into->bound = named->device + 1;
    }
    machine_note_made(machine, machine->mapping_life, process.index, slot);
    space_map(&machine->space, process.index, start, size, slot);
    handle_map(machine, process, handle);
    machine_record(machine, FACT_MAPPED, start, size, handle_value(machine, process, handle),
                   mapping->device);
    return slot;
}

void mapping_unmap(struct machine *machine, struct process_id process, uint32_t slot) {
    struct mapping gone = *mapping_get(machine, process, slot);
    struct reservation *from = table_edit(machine->reservation, process.index, gone.reservation);
    from->mappings--;
    for (uint32_t at = gone.accesses; at != 0;) {
        uint32_t next =
            ((const struct access *)table_get(machine->access, process.index, at - 1))->next;
        table_remove(machine->access, process.index, at - 1);
        at = next;
    }
    machine_record(machine, FACT_UNMAPPED, gone.start, gone.size,
                   handle_value(machine, process, gone.handle), gone.device);
    space_unmap(&machine->space, process.index, gone.start);
    machine_note_released(machine, machine->mapping_life, process.index, slot);
    table_remove(machine->mapping, process.index, slot);
    handle_unmap(machine, process, gone.handle);
}

const struct mapping *mapping_get(const struct machine *machine, struct process_id process,
                                  uint32_t slot) {
    return table_get(machine->mapping, process.index, slot);
}

bool mapping_find(const struct machine *machine, struct process_id process, uint64_t address,
                  uint32_t *slot) {
    struct space_range range;
    if (!space_find_mapping(&machine->space, process.index, address, &range)) {
        return false;
    }
    *slot = range.id;
    return true;
}

static bool is_owner(const struct mapping *mapping, uint32_t type, uint32_t device) {
    return mapping->device == LOCATION_HOST
               ? type == LOCATION_TYPE_HOST
               : type == LOCATION_TYPE_DEVICE && device == mapping->device;
}

uint32_t mapping_access(const struct machine *machine, struct process_id process, uint32_t slot,
                        uint32_t type, uint32_t device) {
    const struct mapping *mapping = mapping_get(machine, process, slot);
    if (is_owner(mapping, type, device) && mapping->no_access == 0) {
        return ACCESS_READ_WRITE;
    }
    for (uint32_t at = mapping->accesses; at != 0;) {
        const struct access *access = table_get(machine->access, process.index, at - 1);
        if (access->type == type && (type == LOCATION_TYPE_HOST || access->device == device)) {
            return access->flags;
        }
        at = access->next;
    }
    return 0;
}

void mapping_add_access(struct machine *machine, struct process_id process, uint32_t slot,
                        uint32_t type, uint32_t device, uint32_t flags) {
    struct mapping *mapping = table_edit(machine->mapping, process.index, slot);
    uint32_t added = table_add(machine->access, process.index);
    struct access *access = table_edit(machine->access, process.index, added);
    *access = (struct access){ mapping->accesses, type, device, flags };
    mapping->accesses = added + 1;
    machine_record(machine, FACT_ACCESS_SET, mapping->start, mapping->size,
                   (uint64_t)type << 32 | device, flags);
}
