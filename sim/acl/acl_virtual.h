/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of virtual memory have in common: properties of physical memory, locations. */
#ifndef ACL_ACL_VIRTUAL_H
#define ACL_ACL_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_frame.h"

/* aclrtMemLocationType */
enum acl_location {
    ACL_LOCATION_HOST,
    ACL_LOCATION_DEVICE,
    ACL_LOCATION_UNREGISTERED,
    ACL_LOCATION_MANAGED,
    ACL_LOCATION_HOST_NUMA,
};

/* The aclrtMemAttr that physical memory can have. */
enum {
    ATTRIBUTE_DDR_HUGE = 2,
    ATTRIBUTE_DDR_NORMAL = 3,
    ATTRIBUTE_HBM_HUGE = 4, /* what a property asks for where a scenario is silent */
    ATTRIBUTE_HBM_NORMAL = 5,
    ATTRIBUTE_DDR_P2P_HUGE = 6,
    ATTRIBUTE_DDR_P2P_NORMAL = 7,
    ATTRIBUTE_HBM_HUGE1G = 10,
    ATTRIBUTE_NORMAL = 12,
    ATTRIBUTE_HUGE = 13,
    ATTRIBUTE_HUGE1G = 14,
    ATTRIBUTE_P2P_NORMAL = 15,
    ATTRIBUTE_P2P_HUGE = 16,
    ATTRIBUTE_P2P_HUGE1G = 17,
};

/* An aclrtPhysicalMemProp, as it lies in a record from a place on. */
struct acl_property {
    uint64_t handle_type;
    uint64_t allocation_type;
    uint64_t attribute;
    uint64_t location_id;
    uint64_t location;
    uint64_t reserve;
};
enum { ACL_PROPERTY_WIDTH = 6 };

struct acl_property acl_read_property(const struct acl_frame *frame, uint32_t place);

/* What an aclrtMemAttr asks the driver for (spec: VMM 2.1). */
enum acl_medium { ACL_NO_MEDIUM, ACL_HBM, ACL_DDR };

struct acl_attribute {
    enum page_class page; /* by its name; acl_attribute_page() is what it gets */
    enum acl_medium medium;
    bool p2p;
};

/* False when there is no such attribute at the location. */
bool acl_attribute_find(const struct product *product, uint64_t attribute, uint64_t location,
                        struct acl_attribute *found);

/* Whether the product has it: it may lack P2P and giant pages. */
bool acl_attribute_is_supported(const struct product *product, uint64_t attribute,
                                uint64_t location);

/* The pages behind an attribute that exists. They are its granularity. */
enum page_class acl_attribute_page(uint64_t attribute);

/* Makes the cost of the call count the pages of so much of a handle's memory. */
void acl_charge_memory(struct acl_frame *frame, uint32_t handle, uint64_t size);

/* The end of a check: no call of virtual memory works where the chip is its own host (spec: VMM
 * 9). */
static inline int32_t acl_refuse_rc_form(const struct acl_frame *frame) {
    return frame->server->rc_form ? acl_refuse(frame, RULE_RC_FORM) : ACL_SUCCESS;
}

/* The end of a check whose last pointer is this output. */
static inline int32_t acl_check_output(const struct acl_frame *frame, uint32_t parameter) {
    return acl_is_null(frame, parameter) ? acl_refuse_null(frame, parameter)
                                         : acl_refuse_rc_form(frame);
}

/* The end of a check whose last argument that may not be NULL is the first one. */
static inline int32_t acl_check_first(const struct acl_frame *frame) {
    return acl_arg(frame, 0) == 0 ? acl_refuse_null(frame, 0) : acl_refuse_rc_form(frame);
}

/* The live handle of the process behind a program's value (spec: VMM 12, row 1). */
int32_t acl_find_handle(const struct acl_frame *frame, uint64_t value, uint32_t *slot);

#endif
