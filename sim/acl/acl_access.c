/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_virtual.h"
#include "machine/handle.h"
#include "machine/mapping.h"

/* Places of arguments, and of parameters that may be NULL. */
enum { SET_ADDRESS, SET_SIZE, SET_COUNT };
enum { SET_PARAMETER_DESC = 2 };
enum { GET_ADDRESS, GET_LOCATION_ID, GET_LOCATION };
enum { GET_PARAMETER_LOCATION = 1, GET_PARAMETER_OUT = 2 };

/* An entry of the list. */
enum { DESC_FLAGS, DESC_LOCATION_ID, DESC_LOCATION, DESC_WIDTH };

/* aclrtMemAccessFlags */
enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_READ_WRITE = 3 };

/* In the order of the words of product_fields.inc. */
enum numbering { NUMBERING_DRIVER, NUMBERING_PROCESS };

/* Spec: VMM 12, row 36. */
static uint32_t device_of(const struct acl_frame *frame, uint64_t number) {
    switch ((enum numbering)frame->product->set_access_numbering) {
    case NUMBERING_DRIVER:
        return number < frame->server->device_count ? frame->server->device_first + (uint32_t)number
                                                    : SITE_NO_DEVICE;
    case NUMBERING_PROCESS:
        return acl_device(frame, number);
    }
    return SITE_NO_DEVICE;
}

/* The device of a location that exists; *device stays 0 for the host. */
static bool find_location(const struct acl_frame *frame, uint64_t location, uint64_t id,
                          uint32_t *device) {
    if (location == ACL_LOCATION_DEVICE) {
        *device = device_of(frame, id);
        return *device != SITE_NO_DEVICE;
    }
    *device = 0;
    return location == ACL_LOCATION_HOST;
}

/* Spec: VMM 4.10, the directions that the driver knows. */
static bool can_reach(const struct acl_frame *frame, const struct mapping *mapping,
                      uint64_t location) {
    const struct handle *handle = handle_get(frame->machine, frame->process, mapping->handle);
    bool memory_on_host =
        handle_allocation(frame->machine, handle->allocation)->device == LOCATION_HOST;
    if (location == ACL_LOCATION_HOST) {
        return memory_on_host && handle->kind != HANDLE_IMPORTED;
    }
    return !memory_on_host || frame->product->device_reaches_host;
}

static int32_t set_one(struct acl_frame *frame, const uint64_t desc[DESC_WIDTH]) {
    uint64_t location = desc[DESC_LOCATION];
    uint64_t id = desc[DESC_LOCATION_ID];
    uint32_t device = 0;
    uint32_t slot = 0;
    if (desc[DESC_FLAGS] == ACCESS_NONE || desc[DESC_FLAGS] == ACCESS_READ) {
        return acl_refuse_with(frame, RULE_ACCESS_WEAK, desc[DESC_FLAGS], 0);
    }
    if (desc[DESC_FLAGS] != ACCESS_READ_WRITE) {
        return acl_refuse_with(frame, RULE_ACCESS_FLAGS, desc[DESC_FLAGS], 0);
    }
    if (!find_location(frame, location, id, &device) ||
        (location == ACL_LOCATION_HOST && id != 0)) {
        return acl_refuse_with(frame, RULE_ACCESS_LOCATION, location, id);
    }
    if (!mapping_find(frame->machine, frame->process, acl_arg(frame, SET_ADDRESS), &slot)) {
        return acl_refuse(frame, RULE_NOT_MAPPED);
    }
    const struct mapping *mapping = mapping_get(frame->machine, frame->process, slot);
    if (mapping->start != acl_arg(frame, SET_ADDRESS) ||
        mapping->size != acl_arg(frame, SET_SIZE)) {
        return acl_refuse(frame, RULE_MAPPING_DIFFERS);
    }
    if (mapping_access(frame->machine, frame->process, slot, (uint32_t)location, device) != 0) {
        return ACL_SUCCESS;
    }
    if (!can_reach(frame, mapping, location)) {
        return acl_refuse_with(frame, RULE_ACCESS_DIRECTION, location, 0);
    }
    mapping_add_access(frame->machine, frame->process, slot, (uint32_t)location, device,
                       ACCESS_READ_WRITE);
    return ACL_SUCCESS;
}

static void charge_locations(struct acl_frame *frame) {
    uint32_t slot = 0;
    (void)mapping_find(frame->machine, frame->process, acl_arg(frame, SET_ADDRESS), &slot);
    const struct mapping *mapping = mapping_get(frame->machine, frame->process, slot);
    acl_charge_memory(frame, mapping->handle, mapping->size);
    frame->times = acl_arg(frame, SET_COUNT);
}

static int32_t check_set(struct acl_frame *frame) {
    return acl_refuse_rc_form(frame);
}

/* The ACL layer lets everything through. Entries before one that fails stay applied. */
static int32_t set_access(struct acl_frame *frame) {
    uint64_t count = acl_arg(frame, SET_COUNT);
    if (acl_arg(frame, SET_ADDRESS) == 0 || acl_is_null(frame, SET_PARAMETER_DESC) || count == 0 ||
        count > frame->record->list_count / DESC_WIDTH) {
        return acl_refuse_with(frame, RULE_ACCESS_ARGUMENT, frame->record->list_count / DESC_WIDTH,
                               0);
    }
    for (uint64_t entry = 0; entry < count; entry++) {
        int32_t code = set_one(frame, frame->record->list + entry * DESC_WIDTH);
        if (code != ACL_SUCCESS) {
            return code;
        }
    }
    charge_locations(frame);
    return ACL_SUCCESS;
}

static int32_t check_get(struct acl_frame *frame) {
    if (acl_arg(frame, GET_ADDRESS) == 0) {
        return acl_refuse_null(frame, GET_ADDRESS);
    }
    return acl_is_null(frame, GET_PARAMETER_LOCATION)
               ? acl_refuse_null(frame, GET_PARAMETER_LOCATION)
               : acl_check_output(frame, GET_PARAMETER_OUT);
}

/* Spec: VMM 10, row 2: any address inside the mapping does. */
static int32_t get_access(struct acl_frame *frame) {
    uint64_t location = acl_arg(frame, GET_LOCATION);
    uint32_t device = 0;
    uint32_t slot = 0;
    if (!find_location(frame, location, acl_arg(frame, GET_LOCATION_ID), &device)) {
        return acl_refuse_with(frame, RULE_LOCATION_UNKNOWN, location, 0);
    }
    if (!mapping_find(frame->machine, frame->process, acl_arg(frame, GET_ADDRESS), &slot)) {
        return acl_refuse(frame, RULE_NOT_MAPPED);
    }
    acl_put(frame,
            mapping_access(frame->machine, frame->process, slot, (uint32_t)location, device));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMemSetAccess",
      .section = "vmm-and-sharing 4.10",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "desc", ACL_ACCESSES, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "count", ACL_LENGTH, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_SET_ACCESS,
      .check = check_set,
      .body = set_access },
    { .name = "aclrtMemGetAccess",
      .section = "vmm-and-sharing 4.11",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_READ, ACL_REQUIRED, 0 },
                     { "location", ACL_LOCATION, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "flag", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_get,
      .body = get_access },
};

const struct acl_family acl_access = ACL_FAMILY(calls);
