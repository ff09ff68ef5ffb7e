/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_virtual.h"
#include "machine/handle.h"
#include "machine/mapping.h"

/* Places of arguments, and of parameters that may be NULL. */
enum { GRANULARITY_PROP, GRANULARITY_OPTION = ACL_PROPERTY_WIDTH };
enum { GRANULARITY_PARAMETER_PROP = 0, GRANULARITY_PARAMETER_OUT = 2 };
enum { CREATE_SIZE, CREATE_PROP, CREATE_FLAGS = CREATE_PROP + ACL_PROPERTY_WIDTH };
enum { CREATE_PARAMETER_OUT = 0, CREATE_PARAMETER_PROP = 2 };
enum { FREE_HANDLE };
enum { RETAIN_ADDRESS };
enum { RETAIN_PARAMETER_OUT = 1 };

enum { GRANULARITY_OPTIONS = 2 };

static bool is_location(uint64_t location) {
    return location == ACL_LOCATION_HOST || location == ACL_LOCATION_DEVICE ||
           location == ACL_LOCATION_HOST_NUMA;
}

static bool has_device(const struct acl_frame *frame, const struct acl_property *property) {
    return property->location != ACL_LOCATION_DEVICE ||
           acl_device(frame, property->location_id) != SITE_NO_DEVICE;
}

static int32_t check_granularity(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, GRANULARITY_PROP);
    struct acl_attribute attribute;
    if (acl_is_null(frame, GRANULARITY_PARAMETER_PROP) ||
        acl_is_null(frame, GRANULARITY_PARAMETER_OUT) ||
        !acl_attribute_find(frame->product, property.attribute, property.location, &attribute)) {
        return ACL_ERROR_INVALID_PARAM;
    }
    return acl_refuse_rc_form(frame);
}

static int32_t granularity(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, GRANULARITY_PROP);
    if (!has_device(frame, &property)) {
        return ACL_ERROR_RT_INVALID_DEVICEID;
    }
    if (acl_arg(frame, GRANULARITY_OPTION) >= GRANULARITY_OPTIONS ||
        !acl_attribute_is_supported(frame->product, property.attribute, property.location)) {
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    }
    if (property.reserve != 0 || !is_location(property.location)) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    acl_put(frame, page_bytes(acl_attribute_page(property.attribute)));
    return ACL_SUCCESS;
}

static int32_t check_create(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, CREATE_PROP);
    struct acl_attribute attribute;
    if (acl_is_null(frame, CREATE_PARAMETER_OUT) || acl_is_null(frame, CREATE_PARAMETER_PROP) ||
        acl_arg(frame, CREATE_SIZE) == 0 || acl_arg(frame, CREATE_FLAGS) != 0 ||
        property.handle_type != 0 || property.allocation_type != 0 ||
        property.location == ACL_LOCATION_UNREGISTERED ||
        property.location == ACL_LOCATION_MANAGED ||
        !acl_attribute_find(frame->product, property.attribute, property.location, &attribute)) {
        return ACL_ERROR_INVALID_PARAM;
    }
    return acl_refuse_rc_form(frame);
}

/* What the runtime checks, then what the driver does; so a closed driver shows in between, and
 * the row has no flag for it. */
static int32_t check_place(const struct acl_frame *frame, const struct acl_property *property) {
    const struct product *product = frame->product;
    bool on_node = property->location == ACL_LOCATION_HOST_NUMA;
    if (!has_device(frame, property)) {
        return ACL_ERROR_RT_INVALID_DEVICEID;
    }
    if (on_node && frame->presence == PRESENCE_NONE) {
        return ACL_ERROR_RT_CONTEXT_NULL;
    }
    if ((on_node && product->host_nodes == 0) ||
        !acl_attribute_is_supported(product, property->attribute, property->location)) {
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    }
    if (process_get(frame->machine, frame->process)->opened == 0) {
        return ACL_ERROR_RT_INVALID_HANDLE;
    }
    if (!is_location(property->location)) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    if (property->location == ACL_LOCATION_HOST && property->location_id != 0) {
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    }
    if (on_node && property->location_id >= product->host_nodes) {
        return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    }
    return property->reserve != 0 ? ACL_ERROR_RT_PARAM_INVALID : ACL_SUCCESS;
}

/* Spec: VMM 10, row 1. Below 1 GiB a giant page is rounded up even where a huge one is not. */
static bool is_rounded(const struct product *product, enum page_class page, uint64_t size) {
    if (size % page_bytes(page) == 0 || product->unaligned_rounds) {
        return true;
    }
    return page == PAGE_GIANT && product->giant_rounds && size % PAGE_HUGE_BYTES == 0;
}

/* Whether a device has so many pages left, asked before the process has a presence there. */
static bool has_room(const struct machine *machine, uint32_t device, enum page_class page,
                     uint64_t count) {
    struct pool_usage usage = pool_usage(&machine->pools, machine_pool(device, MEDIUM_MAIN));
    if (count > usage.frames_free || (page == PAGE_GIANT && count > usage.giant_free)) {
        return false;
    }
    uint64_t frames = count * (page_bytes(page) / PAGE_HUGE_BYTES);
    return frames <= usage.frames_free && usage.frames_used[page] + frames <= usage.limit[page];
}

/* The device may be one that the process has not set; it has a presence there from now on. False
 * when there is no room. */
static bool reach_device(struct acl_frame *frame, const struct acl_property *property,
                         enum page_class page, uint64_t count, uint32_t *presence) {
    if (property->location != ACL_LOCATION_DEVICE) {
        *presence = PRESENCE_NONE;
        return true;
    }
    struct device_id device = { acl_device(frame, property->location_id) };
    *presence = process_find_presence(frame->machine, frame->process, device);
    if (*presence != PRESENCE_NONE) {
        return true;
    }
    if (!has_room(frame->machine, device.index, page, count)) {
        return false;
    }
    *presence = process_make_presence(frame->machine, frame->process, device);
    return true;
}

static int32_t create(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, CREATE_PROP);
    uint64_t size = acl_arg(frame, CREATE_SIZE);
    enum page_class page = acl_attribute_page(property.attribute);
    uint64_t count = page_count(page, size);
    int32_t code = check_place(frame, &property);
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (!is_rounded(frame->product, page, size)) {
        return (int32_t)frame->product->unaligned_code;
    }
    uint32_t presence = PRESENCE_NONE;
    if (count > UINT64_MAX / page_bytes(page) ||
        !reach_device(frame, &property, page, count, &presence)) {
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    }
    struct allocation_wish wish = {
        .presence = presence,
        .medium = MEDIUM_MAIN,
        .page = page,
        .size = count * page_bytes(page),
        .attribute = (uint32_t)property.attribute,
        .location = (uint32_t)property.location,
        .node = property.location == ACL_LOCATION_HOST_NUMA ? (uint32_t)property.location_id : 0,
        .tag = frame->record->tag,
    };
    uint32_t slot = 0;
    if (handle_make(frame->machine, frame->process, &wish, &slot) != POOL_DONE) {
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    }
    frame->page = page;
    frame->pages = count;
    acl_put(frame, handle_value(frame->machine, frame->process, slot));
    return ACL_SUCCESS;
}

static int32_t check_free(struct acl_frame *frame) {
    return acl_arg(frame, FREE_HANDLE) == 0 ? ACL_ERROR_INVALID_PARAM : acl_refuse_rc_form(frame);
}

/* Spec: VMM 8.2: references of mappings are not the program's to give back. */
static int32_t free_physical(struct acl_frame *frame) {
    uint32_t slot = 0;
    if (handle_resolve(frame->machine, frame->process, acl_arg(frame, FREE_HANDLE), &slot) !=
        HANDLE_LIVE) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    const struct handle *handle = handle_get(frame->machine, frame->process, slot);
    if (handle->references == handle->maps) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    if (handle->references == 1) {
        acl_charge_memory(frame, slot, handle_allocation(frame->machine, handle->allocation)->size);
    }
    handle_release(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}

static int32_t check_retain(struct acl_frame *frame) {
    if (acl_arg(frame, RETAIN_ADDRESS) == 0 || acl_is_null(frame, RETAIN_PARAMETER_OUT)) {
        return ACL_ERROR_INVALID_PARAM;
    }
    return acl_refuse_rc_form(frame);
}

/* Spec: VMM 10, row 2, and 12, row 26. */
static int32_t retain(struct acl_frame *frame) {
    uint64_t address = acl_arg(frame, RETAIN_ADDRESS);
    uint32_t slot = 0;
    if (!frame->product->retain_handle) {
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    }
    if (!mapping_find(frame->machine, frame->process, address, &slot)) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    const struct mapping *mapping = mapping_get(frame->machine, frame->process, slot);
    if (mapping->start != address) {
        return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    }
    handle_retain(frame->machine, frame->process, mapping->handle);
    acl_put(frame, handle_value(frame->machine, frame->process, mapping->handle));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMemGetAllocationGranularity",
      .python = "acl.rt.mem_get_allocation_granularity",
      .parameter = { { "prop", ACL_PROPERTY, ACL_NOTHING, ACL_OPTIONAL, ATTRIBUTE_HBM_HUGE },
                     { "option", ACL_GRANULARITY, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "granularity", ACL_OUT_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_granularity,
      .body = granularity },
    { .name = "aclrtMallocPhysical",
      .python = "acl.rt.malloc_physical",
      .parameter = { { "handle", ACL_OUT_HANDLE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop", ACL_PROPERTY, ACL_ADD, ACL_OPTIONAL, ATTRIBUTE_HBM_HUGE },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CREATE,
      .check = check_create,
      .body = create },
    { .name = "aclrtFreePhysical",
      .python = "acl.rt.free_physical",
      .parameter = { { "handle", ACL_HANDLE, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_FREE_PHYSICAL,
      .check = check_free,
      .body = free_physical },
    { .name = "aclrtMemRetainAllocationHandle",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_ADD, ACL_REQUIRED, 0 },
                     { "handle", ACL_OUT_HANDLE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_retain,
      .body = retain },
};

const struct acl_family acl_physical = ACL_FAMILY(calls);
