/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_virtual.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/stream.h"

/* Places of arguments. */
enum { MAP_ADDRESS, MAP_SIZE, MAP_OFFSET, MAP_HANDLE, MAP_FLAGS };
enum { UNMAP_ADDRESS };

static int32_t check_map(struct acl_frame *frame) {
    if (acl_arg(frame, MAP_ADDRESS) == 0) {
        return acl_refuse_null(frame, MAP_ADDRESS);
    }
    if (acl_arg(frame, MAP_HANDLE) == 0) {
        return acl_refuse_null(frame, MAP_HANDLE);
    }
    if (acl_arg(frame, MAP_SIZE) == 0) {
        return acl_refuse(frame, RULE_SIZE_ZERO);
    }
    return acl_arg(frame, MAP_FLAGS) != 0 ? acl_refuse(frame, RULE_FLAGS_RESERVED)
                                          : acl_refuse_rc_form(frame);
}

static int32_t find_memory(const struct acl_frame *frame, uint32_t *handle) {
    if (acl_arg(frame, MAP_OFFSET) != 0) {
        return acl_refuse(frame, RULE_MAP_OFFSET);
    }
    int32_t code = acl_find_handle(frame, acl_arg(frame, MAP_HANDLE), handle);
    if (code != ACL_SUCCESS) {
        return code;
    }
    const struct handle *named = handle_get(frame->machine, frame->process, *handle);
    const struct allocation *allocation = handle_allocation(frame->machine, named->allocation);
    uint64_t granularity = page_bytes(acl_attribute_page(allocation->attribute));
    if (acl_arg(frame, MAP_SIZE) > allocation->size) {
        return acl_refuse_as(frame, frame->product->map_larger_code, RULE_MAP_LARGER,
                             allocation->size, 0);
    }
    return acl_arg(frame, MAP_ADDRESS) % granularity == 0 &&
                   acl_arg(frame, MAP_SIZE) % granularity == 0
               ? ACL_SUCCESS
               : acl_refuse_as(frame, frame->product->unaligned_code, RULE_MAP_UNALIGNED,
                               granularity, 0);
}

/* Spec: VMM 4.7: the first map ties a reservation to a device until it is released. Host memory
 * is no device's. */
static bool may_hold(const struct reservation *reservation, uint32_t device) {
    return device == LOCATION_HOST || reservation->bound == 0 || reservation->bound == device + 1;
}

static int32_t find_range(const struct acl_frame *frame, uint32_t handle, uint32_t *reservation) {
    uint64_t address = acl_arg(frame, MAP_ADDRESS);
    uint64_t size = acl_arg(frame, MAP_SIZE);
    if (!mapping_find_reservation(frame->machine, frame->process, address, reservation)) {
        return acl_refuse(frame, RULE_NOT_RESERVED);
    }
    const struct reservation *into =
        mapping_reservation(frame->machine, frame->process, *reservation);
    const struct handle *named = handle_get(frame->machine, frame->process, handle);
    if (size > into->start + into->size - address) {
        return acl_refuse_with(frame, RULE_BEYOND_RESERVATION, into->start + into->size, 0);
    }
    if (!may_hold(into, named->device)) {
        return acl_refuse_with(frame, RULE_OTHER_DEVICE, acl_number(frame, into->bound - 1),
                               acl_number(frame, named->device));
    }
    return space_is_unmapped(&frame->machine->space, frame->process.index, address, size)
               ? ACL_SUCCESS
               : acl_refuse(frame, RULE_ALREADY_MAPPED);
}

static int32_t map(struct acl_frame *frame) {
    uint64_t size = acl_arg(frame, MAP_SIZE);
    uint32_t handle = 0;
    uint32_t reservation = 0;
    int32_t code = find_memory(frame, &handle);
    if (code == ACL_SUCCESS) {
        code = find_range(frame, handle, &reservation);
    }
    if (code == ACL_SUCCESS) {
        acl_charge_memory(frame, handle, size);
        mapping_map(frame->machine, frame->process, reservation, acl_arg(frame, MAP_ADDRESS), size,
                    handle);
    }
    return code;
}

static int32_t check_unmap(struct acl_frame *frame) {
    return acl_check_first(frame);
}

static bool overlaps(const struct mapping *mapping, uint64_t start, uint64_t size) {
    return start < mapping->start + mapping->size && mapping->start < start + size;
}

/* Whether work that has started reads or writes there. */
static bool is_busy(const struct acl_frame *frame, const struct mapping *mapping) {
    const struct machine *machine = frame->machine;
    uint32_t owner = frame->process.index;
    for (uint32_t slot = table_next(machine->stream, owner, 0); slot != SLOT_NONE;
         slot = table_next(machine->stream, owner, slot + 1)) {
        const struct stream *stream = stream_get(machine, frame->process, slot);
        if (stream->started != 0) {
            const struct task *task = table_get(machine->task, owner, stream->first - 1);
            if (overlaps(mapping, task->to, task->size) ||
                overlaps(mapping, task->from, task->size)) {
                return true;
            }
        }
    }
    return false;
}

/* Spec: VMM 8.5, row 36: by default nobody refuses, and the work faults. */
static int32_t unmap(struct acl_frame *frame) {
    uint64_t address = acl_arg(frame, UNMAP_ADDRESS);
    uint32_t slot = 0;
    if (address % PAGE_HUGE_BYTES != 0) {
        return acl_refuse_as(frame, frame->product->unmap_unaligned_code, RULE_UNMAP_UNALIGNED,
                             PAGE_HUGE_BYTES, 0);
    }
    if (!mapping_find(frame->machine, frame->process, address, &slot)) {
        return acl_refuse(frame, RULE_NOT_MAPPED);
    }
    const struct mapping *mapping = mapping_get(frame->machine, frame->process, slot);
    if (mapping->start != address) {
        return acl_refuse_with(frame, RULE_MAPPING_INSIDE, address, mapping->start);
    }
    if (frame->product->unmap_busy && is_busy(frame, mapping)) {
        return acl_refuse(frame, RULE_MAPPING_BUSY);
    }
    acl_charge_memory(frame, mapping->handle, mapping->size);
    mapping_unmap(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMapMem",
      .section = "vmm-and-sharing 4.7",
      .python = "acl.rt.map_mem",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "offset", ACL_SIZE, ACL_NOTHING, ACL_OPTIONAL, 0 },
                     { "handle", ACL_HANDLE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_MAP,
      .check = check_map,
      .body = map },
    { .name = "aclrtUnmapMem",
      .section = "vmm-and-sharing 4.9",
      .python = "acl.rt.unmap_mem",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_UNMAP,
      .check = check_unmap,
      .body = unmap },
};

const struct acl_family acl_map = ACL_FAMILY(calls);
