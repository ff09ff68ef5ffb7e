/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/handle.h"

#include "base/must.h"
#include "machine/object.h"
#include "machine/process.h"
#include "machine/share.h"

uint64_t handle_value(const struct machine *machine, struct process_id process, uint32_t slot) {
    uint32_t generation = handle_get(machine, process, slot)->generation;
    return object_pack((struct object_value){ process.index, slot, generation });
}

enum handle_sort handle_resolve(const struct machine *machine, struct process_id process,
                                uint64_t value, uint32_t *slot) {
    struct object_value named;
    if (!object_unpack(value, &named) || named.process >= machine->site->process_count) {
        return HANDLE_NONSENSE;
    }
    *slot = named.slot;
    bool is_own = named.process == process.index;
    struct process_id maker = { named.process };
    const struct handle *handle = table_find(machine->handle, maker.index, named.slot);
    if (handle != NULL && object_generation(handle->generation) == named.generation) {
        return is_own ? HANDLE_LIVE : HANDLE_FOREIGN;
    }
    bool is_known = named.generation <= process_get(machine, maker)->generation;
    return !is_known ? HANDLE_NONSENSE : is_own ? HANDLE_STALE : HANDLE_FOREIGN;
}

static uint32_t add_handle(struct machine *machine, struct process_id process, struct handle wish) {
    uint32_t slot = table_add(machine->handle, process.index);
    struct handle *handle = table_edit(machine->handle, process.index, slot);
    *handle = wish;
    handle->references = 1;
    handle->generation = process_next_generation(machine, process);
    handle->made = machine_stamp(machine);
    machine_note_made(machine, machine->handle_life, process.index, slot);
    machine_record(machine, FACT_HANDLE_MADE, handle_value(machine, process, slot),
                   (uint64_t)wish.allocation.process << 32 | wish.allocation.slot, 0, 0);
    return slot;
}

static enum pool_answer take_pages(struct machine *machine, struct process_id process,
                                   const struct allocation_wish *wish, uint32_t slot) {
    struct allocation *allocation = table_edit(machine->allocation, process.index, slot);
    struct life *life = table_edit(machine->allocation_life, process.index, slot);
    uint32_t holder = process_holder(process, wish->presence, wish->medium);
    return pool_take(&machine->pools, holder, wish->page, page_count(wish->page, wish->size), slot,
                     &allocation->pages, &life->extents);
}

enum pool_answer handle_make(struct machine *machine, struct process_id process,
                             const struct allocation_wish *wish, uint32_t *slot) {
    bool on_host = wish->presence == PRESENCE_NONE;
    uint32_t device =
        on_host ? LOCATION_HOST : process_presence(machine, process, wish->presence)->device;
    if (!on_host) {
        enum pool_answer can =
            pool_can_take(&machine->pools, process_holder(process, wish->presence, wish->medium),
                          wish->page, page_count(wish->page, wish->size));
        if (can != POOL_DONE) {
            return can;
        }
    }
    uint32_t place = table_add(machine->allocation, process.index);
    machine_note_made(machine, machine->allocation_life, process.index, place);
    if (!on_host) {
        must(take_pages(machine, process, wish, place) == POOL_DONE);
    }
    struct allocation *allocation = table_edit(machine->allocation, process.index, place);
    allocation->size = wish->size;
    allocation->presence = wish->presence;
    allocation->medium = wish->medium;
    allocation->device = device;
    allocation->attribute = wish->attribute;
    allocation->location = wish->location;
    allocation->node = wish->node;
    allocation->tag = wish->tag;
    allocation->made = machine_stamp(machine);
    struct object_id id = { process.index, place };
    machine_record(machine, FACT_ALLOCATION_MADE, (uint64_t)id.process << 32 | id.slot, wish->size,
                   device, 0);
    *slot = add_handle(machine, process,
                       (struct handle){ .kind = HANDLE_OWNED, .device = device, .allocation = id });
    return POOL_DONE;
}

uint32_t handle_import(struct machine *machine, struct process_id process, struct object_id share,
                       uint32_t device) {
    const struct share *shared = share_get(machine, share);
    struct handle wish = {
        .kind = HANDLE_IMPORTED,
        .device = device,
        .allocation = { share.process, shared->allocation },
        .share = share,
    };
    uint32_t slot = add_handle(machine, process, wish);
    share_enter(machine, share);
    return slot;
}

static struct handle *edit(struct machine *machine, struct process_id process, uint32_t slot) {
    return table_edit(machine->handle, process.index, slot);
}

void handle_retain(struct machine *machine, struct process_id process, uint32_t slot) {
    struct handle *handle = edit(machine, process, slot);
    handle->references++;
    machine_record(machine, FACT_HANDLE_RETAINED, handle_value(machine, process, slot),
                   handle->references, 0, 0);
}

void handle_map(struct machine *machine, struct process_id process, uint32_t slot) {
    struct handle *handle = edit(machine, process, slot);
    handle->references++;
    handle->maps++;
}

void handle_free_allocation(struct machine *machine, struct object_id id) {
    const struct allocation *allocation = handle_allocation(machine, id);
    struct process_id maker = { id.process };
    machine_record(machine, FACT_ALLOCATION_FREED, (uint64_t)id.process << 32 | id.slot,
                   allocation->size, allocation->device, 0);
    if (allocation->device != LOCATION_HOST) {
        const struct life *life = table_get(machine->allocation_life, id.process, id.slot);
        pool_give(&machine->pools, process_holder(maker, allocation->presence, allocation->medium),
                  &allocation->pages, life->extents);
    }
    machine_note_released(machine, machine->allocation_life, id.process, id.slot);
    table_remove(machine->allocation, id.process, id.slot);
}

static void destroy(struct machine *machine, struct process_id process, uint32_t slot) {
    struct handle gone = *handle_get(machine, process, slot);
    machine_record(machine, FACT_HANDLE_DESTROYED, handle_value(machine, process, slot), 0, 0, 0);
    machine_note_released(machine, machine->handle_life, process.index, slot);
    table_remove(machine->handle, process.index, slot);
    switch ((enum handle_kind)gone.kind) {
    case HANDLE_OWNED:
        handle_free_allocation(machine, gone.allocation);
        break;
    case HANDLE_EXPORTED:
        share_leave_exporter(machine, gone.share);
        break;
    case HANDLE_IMPORTED:
        share_leave(machine, gone.share, process, gone.device);
        break;
    }
}

void handle_unmap(struct machine *machine, struct process_id process, uint32_t slot) {
    struct handle *handle = edit(machine, process, slot);
    must(handle->maps > 0 && handle->references >= handle->maps);
    handle->maps--;
    handle->references--;
    if (handle->references == 0) {
        destroy(machine, process, slot);
    }
}

void handle_release(struct machine *machine, struct process_id process, uint32_t slot) {
    struct handle *handle = edit(machine, process, slot);
    must(handle->references > handle->maps);
    handle->references--;
    if (handle->references == handle->maps && handle->maps > 0) {
        handle->freed = 1;
    }
    machine_record(machine, FACT_HANDLE_RELEASED, handle_value(machine, process, slot),
                   handle->references, 0, 0);
    if (handle->references == 0) {
        destroy(machine, process, slot);
    }
}

void handle_drop(struct machine *machine, struct process_id process, uint32_t slot) {
    must(handle_get(machine, process, slot)->maps == 0);
    destroy(machine, process, slot);
}

const struct handle *handle_get(const struct machine *machine, struct process_id process,
                                uint32_t slot) {
    return table_get(machine->handle, process.index, slot);
}

const struct allocation *handle_allocation(const struct machine *machine, struct object_id id) {
    return table_get(machine->allocation, id.process, id.slot);
}
