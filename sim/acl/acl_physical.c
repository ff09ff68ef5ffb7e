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

/* The end of the checks of a property. */
static int32_t check_attribute(const struct acl_frame *frame, const struct acl_property *property) {
    struct acl_attribute found;
    return acl_attribute_find(frame->product, property->attribute, property->location, &found)
               ? acl_refuse_rc_form(frame)
               : acl_refuse_with(frame, RULE_ATTRIBUTE_UNKNOWN, property->attribute,
                                 property->location);
}

static int32_t refuse_device(const struct acl_frame *frame, const struct acl_property *property) {
    return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, property->location_id, 0);
}

static int32_t refuse_attribute(const struct acl_frame *frame,
                                const struct acl_property *property) {
    return acl_refuse_with(frame, RULE_ATTRIBUTE_LACKS, property->attribute, 0);
}

static int32_t check_granularity(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, GRANULARITY_PROP);
    if (acl_is_null(frame, GRANULARITY_PARAMETER_PROP)) {
        return acl_refuse_null(frame, GRANULARITY_PARAMETER_PROP);
    }
    if (acl_is_null(frame, GRANULARITY_PARAMETER_OUT)) {
        return acl_refuse_null(frame, GRANULARITY_PARAMETER_OUT);
    }
    return check_attribute(frame, &property);
}

static int32_t granularity(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, GRANULARITY_PROP);
    if (!has_device(frame, &property)) {
        return refuse_device(frame, &property);
    }
    if (acl_arg(frame, GRANULARITY_OPTION) >= GRANULARITY_OPTIONS) {
        return acl_refuse(frame, RULE_GRANULARITY_OPTION);
    }
    if (!acl_attribute_is_supported(frame->product, property.attribute, property.location)) {
        return refuse_attribute(frame, &property);
    }
    if (property.reserve != 0) {
        return acl_refuse_with(frame, RULE_PROPERTY_RESERVE, property.reserve, 0);
    }
    if (!is_location(property.location)) {
        return acl_refuse_with(frame, RULE_LOCATION_UNKNOWN, property.location, 0);
    }
    acl_put(frame, page_bytes(acl_attribute_page(property.attribute)));
    return ACL_SUCCESS;
}

static int32_t check_create(struct acl_frame *frame) {
    struct acl_property property = acl_read_property(frame, CREATE_PROP);
    if (acl_is_null(frame, CREATE_PARAMETER_OUT)) {
        return acl_refuse_null(frame, CREATE_PARAMETER_OUT);
    }
    if (acl_is_null(frame, CREATE_PARAMETER_PROP)) {
        return acl_refuse_null(frame, CREATE_PARAMETER_PROP);
    }
    if (acl_arg(frame, CREATE_SIZE) == 0) {
        return acl_refuse(frame, RULE_SIZE_ZERO);
    }
    if (acl_arg(frame, CREATE_FLAGS) != 0) {
        return acl_refuse(frame, RULE_FLAGS_RESERVED);
    }
    if (property.handle_type != 0) {
        return acl_refuse_with(frame, RULE_PROPERTY_HANDLE_TYPE, property.handle_type, 0);
    }
    if (property.allocation_type != 0) {
        return acl_refuse_with(frame, RULE_PROPERTY_ALLOCATION, property.allocation_type, 0);
    }
    if (property.location == ACL_LOCATION_UNREGISTERED ||
        property.location == ACL_LOCATION_MANAGED) {
        return acl_refuse_with(frame, RULE_PROPERTY_LOCATION, property.location, 0);
    }
    return check_attribute(frame, &property);
}

/* What the runtime checks, then what the driver does; so a closed driver shows in between, and
 * the row has no flag for it. */
static int32_t check_place(const struct acl_frame *frame, const struct acl_property *property) {
    const struct product *product = frame->product;
    bool on_node = property->location == ACL_LOCATION_HOST_NUMA;
    if (!has_device(frame, property)) {
        return refuse_device(frame, property);
    }
    if (on_node && frame->presence == PRESENCE_NONE) {
        return acl_refuse(frame, RULE_NO_CONTEXT);
    }
    if (on_node && product->host_nodes == 0) {
        return acl_refuse(frame, RULE_HOST_NODES_LACK);
    }
    if (!acl_attribute_is_supported(product, property->attribute, property->location)) {
        return refuse_attribute(frame, property);
    }
    if (process_get(frame->machine, frame->process)->opened == 0) {
        return acl_refuse(frame, RULE_DRIVER_CLOSED);
    }
    if (!is_location(property->location)) {
        return acl_refuse_with(frame, RULE_LOCATION_UNKNOWN, property->location, 0);
    }
    if (property->location == ACL_LOCATION_HOST && property->location_id != 0) {
        return acl_refuse_with(frame, RULE_HOST_ID, property->location_id, 0);
    }
    if (on_node && property->location_id >= product->host_nodes) {
        return acl_refuse_with(frame, RULE_NODE_OFFLINE, property->location_id, 0);
    }
    return property->reserve == 0
               ? ACL_SUCCESS
               : acl_refuse_with(frame, RULE_PROPERTY_RESERVE, property->reserve, 0);
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

static int32_t refuse_room(const struct acl_frame *frame, enum pool_answer answer, uint64_t bytes,
                           enum page_class page) {
    static const enum acl_rule rules[] = {
        [POOL_SHORT] = RULE_OUT_OF_MEMORY,
        [POOL_CLASS_FULL] = RULE_CLASS_FULL,
        [POOL_SCATTERED] = RULE_PAGES_SCATTERED,
    };
    return acl_refuse_with(frame, rules[answer], bytes, page);
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
        return acl_refuse_as(frame, frame->product->unaligned_code, RULE_SIZE_UNALIGNED,
                             page_bytes(page), 0);
    }
    uint32_t presence = PRESENCE_NONE;
    if (count > UINT64_MAX / page_bytes(page) ||
        !reach_device(frame, &property, page, count, &presence)) {
        return acl_refuse_with(frame, RULE_OUT_OF_MEMORY, size, page);
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
    enum pool_answer answer = handle_make(frame->machine, frame->process, &wish, &slot);
    if (answer != POOL_DONE) {
        return refuse_room(frame, answer, size, page);
    }
    frame->page = page;
    frame->pages = count;
    acl_put(frame, handle_value(frame->machine, frame->process, slot));
    return ACL_SUCCESS;
}

static int32_t check_free(struct acl_frame *frame) {
    return acl_check_first(frame);
}

/* Spec: VMM 8.2: references of mappings are not the program's to give back. */
static int32_t free_physical(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_handle(frame, acl_arg(frame, FREE_HANDLE), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    const struct handle *handle = handle_get(frame->machine, frame->process, slot);
    if (handle->references == handle->maps) {
        return acl_refuse_with(frame, RULE_HANDLE_ONLY_MAPPED, handle->maps, 0);
    }
    if (handle->references == 1) {
        acl_charge_memory(frame, slot, handle_allocation(frame->machine, handle->allocation)->size);
    }
    handle_release(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}

static int32_t check_retain(struct acl_frame *frame) {
    return acl_arg(frame, RETAIN_ADDRESS) == 0 ? acl_refuse_null(frame, RETAIN_ADDRESS)
                                               : acl_check_output(frame, RETAIN_PARAMETER_OUT);
}

/* Spec: VMM 10, row 2, and 12, row 26. */
static int32_t retain(struct acl_frame *frame) {
    uint64_t address = acl_arg(frame, RETAIN_ADDRESS);
    uint32_t slot = 0;
    if (!frame->product->retain_handle) {
        return acl_refuse(frame, RULE_RETAIN_LACKS);
    }
    if (!mapping_find(frame->machine, frame->process, address, &slot)) {
        return acl_refuse_with(frame, RULE_ADDRESS_UNMAPPED, address, 0);
    }
    const struct mapping *mapping = mapping_get(frame->machine, frame->process, slot);
    if (mapping->start != address) {
        return acl_refuse_with(frame, RULE_MAPPING_INSIDE, address, mapping->start);
    }
    handle_retain(frame->machine, frame->process, mapping->handle);
    acl_put(frame, handle_value(frame->machine, frame->process, mapping->handle));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMemGetAllocationGranularity",
      .section = "vmm-and-sharing 4.1",
      .python = "acl.rt.mem_get_allocation_granularity",
      .parameter = { { "prop", ACL_PROPERTY, ACL_NOTHING, ACL_OPTIONAL, ATTRIBUTE_HBM_HUGE },
                     { "option", ACL_GRANULARITY, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "granularity", ACL_OUT_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_granularity,
      .body = granularity },
    { .name = "aclrtMallocPhysical",
      .section = "vmm-and-sharing 4.2",
      .python = "acl.rt.malloc_physical",
      .released_by = "aclrtFreePhysical",
      .parameter = { { "handle", ACL_OUT_HANDLE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop", ACL_PROPERTY, ACL_ADD, ACL_OPTIONAL, ATTRIBUTE_HBM_HUGE },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CREATE,
      .check = check_create,
      .body = create },
    { .name = "aclrtFreePhysical",
      .section = "vmm-and-sharing 4.3",
      .python = "acl.rt.free_physical",
      .parameter = { { "handle", ACL_HANDLE, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_FREE_PHYSICAL,
      .check = check_free,
      .body = free_physical },
    { .name = "aclrtMemRetainAllocationHandle",
      .section = "vmm-and-sharing 4.12",
      .released_by = "aclrtFreePhysical",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_ADD, ACL_REQUIRED, 0 },
                     { "handle", ACL_OUT_HANDLE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_retain,
      .body = retain },
};

const struct acl_family acl_physical = ACL_FAMILY(calls);
