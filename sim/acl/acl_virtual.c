/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_virtual.h"

#include "base/must.h"
#include "machine/handle.h"

/* What a product must have for an attribute. */
enum need { NEEDS_NOTHING, NEEDS_P2P, NEEDS_GIANT_HBM, NEEDS_GIANT, NEEDS_GIANT_P2P };

struct row {
    enum page_class page;
    enum acl_medium on_device;
    enum acl_medium on_host;
    enum need needs;
};

/* Those without a medium do not exist for physical memory. */
static const struct row rows[] = {
    [ATTRIBUTE_DDR_HUGE] = { PAGE_HUGE, ACL_NO_MEDIUM, ACL_DDR, NEEDS_NOTHING },
    [ATTRIBUTE_DDR_NORMAL] = { PAGE_NORMAL, ACL_NO_MEDIUM, ACL_DDR, NEEDS_NOTHING },
    [ATTRIBUTE_HBM_HUGE] = { PAGE_HUGE, ACL_HBM, ACL_HBM, NEEDS_NOTHING },
    [ATTRIBUTE_HBM_NORMAL] = { PAGE_NORMAL, ACL_HBM, ACL_HBM, NEEDS_NOTHING },
    [ATTRIBUTE_DDR_P2P_HUGE] = { PAGE_HUGE, ACL_NO_MEDIUM, ACL_DDR, NEEDS_P2P },
    [ATTRIBUTE_DDR_P2P_NORMAL] = { PAGE_NORMAL, ACL_NO_MEDIUM, ACL_DDR, NEEDS_P2P },
    [ATTRIBUTE_HBM_HUGE1G] = { PAGE_GIANT, ACL_HBM, ACL_HBM, NEEDS_GIANT_HBM },
    [ATTRIBUTE_NORMAL] = { PAGE_NORMAL, ACL_HBM, ACL_DDR, NEEDS_NOTHING },
    [ATTRIBUTE_HUGE] = { PAGE_HUGE, ACL_HBM, ACL_DDR, NEEDS_NOTHING },
    [ATTRIBUTE_HUGE1G] = { PAGE_GIANT, ACL_HBM, ACL_DDR, NEEDS_GIANT },
    [ATTRIBUTE_P2P_NORMAL] = { PAGE_NORMAL, ACL_HBM, ACL_DDR, NEEDS_P2P },
    [ATTRIBUTE_P2P_HUGE] = { PAGE_HUGE, ACL_HBM, ACL_DDR, NEEDS_P2P },
    [ATTRIBUTE_P2P_HUGE1G] = { PAGE_GIANT, ACL_HBM, ACL_DDR, NEEDS_GIANT_P2P },
};

struct acl_property acl_read_property(const struct acl_frame *frame, uint32_t place) {
    return (struct acl_property){
        .handle_type = acl_arg(frame, place),
        .allocation_type = acl_arg(frame, place + 1),
        .attribute = acl_arg(frame, place + 2),
        .location_id = acl_arg(frame, place + 3),
        .location = acl_arg(frame, place + 4),
        .reserve = acl_arg(frame, place + 5),
    };
}

bool acl_attribute_find(const struct product *product, uint64_t attribute, uint64_t location,
                        struct acl_attribute *found) {
    if (attribute >= sizeof rows / sizeof *rows) {
        return false;
    }
    const struct row *row = &rows[attribute];
    enum acl_medium medium = location == ACL_LOCATION_DEVICE ? row->on_device : row->on_host;
    *found = (struct acl_attribute){
        .page = row->page,
        .medium = medium == ACL_HBM && !product->hbm ? ACL_DDR : medium,
        .p2p = row->needs == NEEDS_P2P || row->needs == NEEDS_GIANT_P2P,
    };
    return medium != ACL_NO_MEDIUM;
}

bool acl_attribute_is_supported(const struct product *product, uint64_t attribute,
                                uint64_t location) {
    must(attribute < sizeof rows / sizeof *rows);
    if (rows[attribute].page == PAGE_GIANT && location != ACL_LOCATION_DEVICE) {
        return false;
    }
    switch (rows[attribute].needs) {
    case NEEDS_NOTHING:
        return true;
    case NEEDS_P2P:
        return product->p2p_pages;
    case NEEDS_GIANT_HBM:
        return product->giant_hbm_attribute;
    case NEEDS_GIANT:
        return product->giant_attribute;
    case NEEDS_GIANT_P2P:
        return product->giant_p2p_attribute;
    }
    return false;
}

/* Spec: VMM 10, row 12: names of 4 KiB pages are served with 2 MiB all the same. */
enum page_class acl_attribute_page(uint64_t attribute) {
    must(attribute < sizeof rows / sizeof *rows);
    return rows[attribute].page == PAGE_GIANT ? PAGE_GIANT : PAGE_HUGE;
}

int32_t acl_find_handle(const struct acl_frame *frame, uint64_t value, uint32_t *slot) {
    bool is_live = handle_resolve(frame->machine, frame->process, value, slot) == HANDLE_LIVE;
    return is_live ? ACL_SUCCESS : acl_refuse_with(frame, RULE_HANDLE_UNKNOWN, value, 0);
}

void acl_charge_memory(struct acl_frame *frame, uint32_t handle, uint64_t size) {
    const struct handle *named = handle_get(frame->machine, frame->process, handle);
    const struct allocation *allocation = handle_allocation(frame->machine, named->allocation);
    frame->page = acl_attribute_page(allocation->attribute);
    frame->pages = page_count(frame->page, size);
}
