/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver knows of memory behind a handle or an address. */
#include "acl/acl_virtual.h"
#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/touch.h"

/* Values of the calls, and their outputs by parameter. */
enum { HANDLE };
enum { ADDRESS };
enum { OUT_PROPERTY = 1 };
enum { OUT_BASE = 1, OUT_SIZE = 2 };
enum { OUT_ATTRIBUTES = 1 };

/* The attribute that the driver names for what it has (spec: VMM 4.13); 0 for none. */
static uint64_t name_attribute(const struct acl_attribute *at, bool on_host) {
    static const uint64_t names[2][2][PAGE_CLASSES] = {
        /* DDR, and the same with P2P */
        { { ATTRIBUTE_NORMAL, ATTRIBUTE_HUGE, ATTRIBUTE_HUGE1G },
          { ATTRIBUTE_DDR_P2P_NORMAL, ATTRIBUTE_P2P_HUGE, ATTRIBUTE_P2P_HUGE1G } },
        /* HBM, and the same with P2P */
        { { ATTRIBUTE_HBM_NORMAL, ATTRIBUTE_HBM_HUGE, ATTRIBUTE_HBM_HUGE1G },
          { ATTRIBUTE_P2P_NORMAL, ATTRIBUTE_P2P_HUGE, ATTRIBUTE_P2P_HUGE1G } },
    };
    bool is_lost = at->medium == ACL_DDR && at->p2p && !on_host;
    return is_lost ? 0 : names[at->medium == ACL_HBM][at->p2p][at->page];
}

static int32_t check_properties(struct acl_frame *frame) {
    return acl_arg(frame, HANDLE) == 0 ? acl_refuse_null(frame, 0)
                                       : acl_check_output(frame, OUT_PROPERTY);
}

/* Of an imported handle: what the exporter asked for, where the memory is. */
static int32_t properties(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_handle(frame, acl_arg(frame, HANDLE), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    const struct handle *handle = handle_get(frame->machine, frame->process, slot);
    const struct allocation *memory = handle_allocation(frame->machine, handle->allocation);
    bool on_host = memory->device == LOCATION_HOST;
    struct acl_attribute attribute;
    const struct product *product =
        on_host ? frame->product : machine_product(frame->machine, memory->device);
    (void)acl_attribute_find(product, memory->attribute, memory->location, &attribute);
    uint64_t name = name_attribute(&attribute, on_host);
    if (name == 0) {
        return acl_refuse_with(frame, RULE_ATTRIBUTE_LOST, attribute.page, 0);
    }
    acl_put(frame, 0);
    acl_put(frame, 0);
    acl_put(frame, name);
    acl_put(frame, on_host ? memory->node : acl_number(frame, memory->device));
    acl_put(frame, memory->location);
    acl_put(frame, 0);
    return ACL_SUCCESS;
}

static int32_t check_range(struct acl_frame *frame) {
    return acl_arg(frame, ADDRESS) == 0 ? acl_refuse_null(frame, 0) : ACL_SUCCESS;
}

/* The block, pinned block or mapping around an address, with the bytes that it takes. */
static bool find_range(const struct acl_frame *frame, uint64_t address, uint64_t *base,
                       uint64_t *size) {
    const struct machine *machine = frame->machine;
    uint32_t slot = 0;
    if (block_find(machine, frame->process, address, &slot)) {
        const struct block *block = block_get(machine, frame->process, slot);
        *base = block->address;
        *size = block->pages.count * page_bytes((enum page_class)block->pages.page_class);
        return true;
    }
    if (block_find_host(machine, frame->process, address, &slot)) {
        const struct host_block *block = block_get_host(machine, frame->process, slot);
        *base = block->address;
        *size = block->size;
        return true;
    }
    if (mapping_find(machine, frame->process, address, &slot)) {
        const struct mapping *mapping = mapping_get(machine, frame->process, slot);
        *base = mapping->start;
        *size = mapping->size;
        return true;
    }
    return false;
}

/* Either output may be NULL; what it would be is put out all the same, and bound to nothing. */
static int32_t range(struct acl_frame *frame) {
    uint64_t base = 0;
    uint64_t size = 0;
    if (acl_is_null(frame, OUT_BASE) && acl_is_null(frame, OUT_SIZE)) {
        return acl_refuse(frame, RULE_RANGE_OUTPUTS);
    }
    if (!find_range(frame, acl_arg(frame, ADDRESS), &base, &size)) {
        return acl_refuse_with(frame, RULE_ADDRESS_UNKNOWN, acl_arg(frame, ADDRESS), 0);
    }
    acl_put(frame, base);
    acl_put(frame, size);
    return ACL_SUCCESS;
}

static int32_t check_attributes(struct acl_frame *frame) {
    if (acl_arg(frame, ADDRESS) == 0) {
        return acl_refuse_null(frame, 0);
    }
    return acl_is_null(frame, OUT_ATTRIBUTES) ? acl_refuse_null(frame, OUT_ATTRIBUTES)
                                              : ACL_SUCCESS;
}

/* Of mapped memory the pages are those of its allocation. */
static uint64_t page_bytes_at(const struct acl_frame *frame, uint64_t address,
                              const struct touch_range *at) {
    uint32_t slot = 0;
    if (at->is_shared && at->place != TOUCH_NOWHERE) {
        const struct mapping *mapping = mapping_get(frame->machine, frame->process, at->mapping);
        const struct handle *handle = handle_get(frame->machine, frame->process, mapping->handle);
        return page_bytes(
            acl_attribute_page(handle_allocation(frame->machine, handle->allocation)->attribute));
    }
    if (at->place == TOUCH_DEVICE && block_find(frame->machine, frame->process, address, &slot)) {
        return page_bytes(
            (enum page_class)block_get(frame->machine, frame->process, slot)->pages.page_class);
    }
    return at->place == TOUCH_PINNED ? PAGE_NORMAL_BYTES : 0;
}

/* Memory that the driver never heard of has no pages to tell (docs/modelling-choices.md). */
static int32_t attributes(struct acl_frame *frame) {
    uint64_t address = acl_arg(frame, ADDRESS);
    struct touch_range at = touch_find(frame->machine, frame->process, address, 1);
    uint64_t location = at.place == TOUCH_DEVICE   ? ACL_LOCATION_DEVICE
                        : at.place == TOUCH_PINNED ? ACL_LOCATION_HOST
                                                   : ACL_LOCATION_UNREGISTERED;
    acl_put(frame, location == ACL_LOCATION_DEVICE ? acl_number(frame, at.device) : 0);
    acl_put(frame, location);
    acl_put(frame, page_bytes_at(frame, address, &at));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMemGetAllocationPropertiesFromHandle",
      .section = "vmm-and-sharing 4.13",
      .parameter = { { "handle", ACL_HANDLE, ACL_READ, ACL_REQUIRED, 0 },
                     { "prop.handleType", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop.allocationType", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop.memAttr", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop.location.id", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop.location.type", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "prop.reserve", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_properties,
      .body = properties },
    { .name = "aclrtMemGetAddressRange",
      .section = "vmm-and-sharing 4.14",
      .parameter = { { "ptr", ACL_ADDRESS, ACL_READ, ACL_REQUIRED, 0 },
                     { "pbase", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "psize", ACL_OUT_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_range,
      .body = range },
    { .name = "aclrtPointerGetAttributes",
      .section = "malloc-and-friends 7.4",
      .python = "acl.rt.pointer_get_attributes",
      .parameter = { { "ptr", ACL_ADDRESS, ACL_READ, ACL_REQUIRED, 0 },
                     { "attributes.location.id", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "attributes.location.type", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "attributes.pageSize", ACL_OUT_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_attributes,
      .body = attributes },
};

const struct acl_family acl_inquiry = ACL_FAMILY(calls);
