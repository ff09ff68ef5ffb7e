/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_virtual.h"
#include "machine/mapping.h"

/* Places of arguments, and of parameters that may be NULL. */
enum { RESERVE_SIZE, RESERVE_ALIGNMENT, RESERVE_EXPECTED, RESERVE_FLAGS };
enum { RESERVE_PARAMETER_OUT = 0 };
enum { RELEASE_ADDRESS };

enum { RESERVE_FLAGS_MOST = 1 }; /* once a sort of page, accepted for history (spec: VMM 4.4) */

static int32_t check_reserve(struct acl_frame *frame) {
    if (acl_is_null(frame, RESERVE_PARAMETER_OUT)) {
        return acl_refuse_null(frame, RESERVE_PARAMETER_OUT);
    }
    if (acl_arg(frame, RESERVE_SIZE) == 0) {
        return acl_refuse(frame, RULE_SIZE_ZERO);
    }
    return acl_arg(frame, RESERVE_FLAGS) > RESERVE_FLAGS_MOST
               ? acl_refuse(frame, RULE_RESERVE_FLAGS)
               : acl_refuse_rc_form(frame);
}

/* Spec: VMM 10, row 8: the driver's rule, which is stricter than the documented one. */
static uint64_t expected_alignment(uint64_t size) {
    uint64_t alignment = PAGE_HUGE_BYTES;
    while (alignment < size && alignment < PAGE_GIANT_BYTES) {
        alignment *= 2;
    }
    return alignment;
}

/* All addresses that reservations may have. */
static struct range_window whole_window(const struct product *product) {
    struct range_window window = { product->reserve_from, product->reserve_to };
    if (product->spill_from < product->spill_to) {
        window.from = product->spill_from < window.from ? product->spill_from : window.from;
        window.to = product->spill_to > window.to ? product->spill_to : window.to;
    }
    return window;
}

static int32_t place_at(const struct acl_frame *frame, uint64_t expected, uint64_t size) {
    const struct product *product = frame->product;
    struct range_window window = whole_window(product);
    if (!product->expect_pointer) {
        return acl_refuse(frame, RULE_EXPECT_LACKS);
    }
    if (expected % expected_alignment(size) != 0) {
        return acl_refuse_with(frame, RULE_EXPECT_UNALIGNED, expected_alignment(size), 0);
    }
    if (expected < window.from || expected >= window.to || size > window.to - expected) {
        return acl_refuse_as(frame, product->expect_taken_code, RULE_EXPECT_OUTSIDE, size, 0);
    }
    return space_is_free(&frame->machine->space, frame->process.index, expected, size)
               ? ACL_SUCCESS
               : acl_refuse_as(frame, product->expect_taken_code, RULE_EXPECT_TAKEN, size, 0);
}

static bool place_within(const struct acl_frame *frame, struct range_window window, uint64_t size,
                         uint64_t *start) {
    uint64_t alignment = size >= PAGE_GIANT_BYTES ? PAGE_GIANT_BYTES : PAGE_HUGE_BYTES;
    return window.from < window.to && size <= window.to - window.from &&
           space_fit(&frame->machine->space, frame->process.index, window, size, alignment, start);
}

static int32_t refuse_full(const struct acl_frame *frame, uint64_t size) {
    return acl_refuse_as(frame, frame->product->addresses_full_code, RULE_ADDRESSES_FULL, size, 0);
}

/* Spec: VMM 12, row 24. */
static int32_t place_anywhere(const struct acl_frame *frame, uint64_t size, uint64_t *start) {
    const struct product *product = frame->product;
    struct range_window first = { product->reserve_from, product->reserve_to };
    struct range_window spill = { product->spill_from, product->spill_to };
    return place_within(frame, first, size, start) || place_within(frame, spill, size, start)
               ? ACL_SUCCESS
               : refuse_full(frame, size);
}

static int32_t reserve(struct acl_frame *frame) {
    const struct product *product = frame->product;
    uint64_t size = acl_arg(frame, RESERVE_SIZE);
    uint64_t start = acl_arg(frame, RESERVE_EXPECTED);
    if (acl_arg(frame, RESERVE_ALIGNMENT) != 0) {
        return acl_refuse(frame, RULE_RESERVE_ALIGNMENT);
    }
    if (product->reserve_max != 0 && size > product->reserve_max) {
        return acl_refuse_with(frame, RULE_RESERVE_TOO_LARGE, product->reserve_max, 0);
    }
    uint64_t pages = page_count(PAGE_HUGE, size);
    if (pages > UINT64_MAX / PAGE_HUGE_BYTES) {
        return refuse_full(frame, size);
    }
    uint64_t rounded = pages * PAGE_HUGE_BYTES;
    int32_t code =
        start != 0 ? place_at(frame, start, rounded) : place_anywhere(frame, rounded, &start);
    if (code != ACL_SUCCESS) {
        return code;
    }
    mapping_reserve(frame->machine, frame->process, start, rounded);
    acl_put(frame, start);
    return ACL_SUCCESS;
}

static int32_t check_release(struct acl_frame *frame) {
    return acl_check_first(frame);
}

static int32_t release(struct acl_frame *frame) {
    uint64_t address = acl_arg(frame, RELEASE_ADDRESS);
    uint32_t slot = 0;
    if (!mapping_find_reservation(frame->machine, frame->process, address, &slot)) {
        return acl_refuse(frame, RULE_RESERVATION_UNKNOWN);
    }
    const struct reservation *reservation =
        mapping_reservation(frame->machine, frame->process, slot);
    if (reservation->start != address) {
        return acl_refuse_with(frame, RULE_RESERVATION_INSIDE, reservation->start, 0);
    }
    if (reservation->mappings > 0) {
        return acl_refuse_with(frame, RULE_RESERVATION_MAPPED, reservation->mappings, 0);
    }
    mapping_unreserve(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtReserveMemAddress",
      .section = "vmm-and-sharing 4.4",
      .python = "acl.rt.reserve_mem_address",
      .released_by = "aclrtReleaseMemAddress",
      .parameter = { { "virPtr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "alignment", ACL_SIZE, ACL_NOTHING, ACL_OPTIONAL, 0 },
                     { "expectPtr", ACL_ADDRESS, ACL_WRITE, ACL_OPTIONAL, 0 },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_DRIVER,
      .cost = COST_RESERVE,
      .check = check_reserve,
      .body = reserve },
    { .name = "aclrtReleaseMemAddress",
      .section = "vmm-and-sharing 4.6",
      .python = "acl.rt.release_mem_address",
      .parameter = { { "virPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_DRIVER,
      .cost = COST_RELEASE_ADDRESS,
      .check = check_release,
      .body = release },
};

const struct acl_family acl_reserve = ACL_FAMILY(calls);
