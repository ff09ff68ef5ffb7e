/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_block.h"
#include "acl/acl_policy.h"

/* Values of the calls. */
enum { SIZE };
enum { HOST_PTR };

enum { OUT_HOST_PTR }; /* the first parameter of an allocation */

static int32_t check_malloc(struct acl_frame *frame) {
    uint64_t rounded = 0;
    return acl_block_check(frame, OUT_HOST_PTR, acl_arg(frame, SIZE),
                           acl_policy_round(acl_arg(frame, SIZE), 0, &rounded));
}

static int32_t malloc_host(struct acl_frame *frame) {
    struct block_wish wish = {
        .medium = MEDIUM_MAIN,
        .kind = BLOCK_PINNED,
        .page = PAGE_NORMAL,
        .requested = acl_arg(frame, SIZE),
        .tag = frame->record->tag,
    };
    uint32_t slot = 0;
    acl_policy_round(wish.requested, 0, &wish.rounded);
    /* A chip that is its own host has one memory (spec: malloc 9 and 19 row 31). */
    if (frame->server->rc_form) {
        return acl_block_make(frame, &wish, PAGE_NORMAL);
    }
    if (!block_make_host(frame->machine, frame->process, &wish, &slot)) {
        return acl_refuse_with(frame, RULE_HOST_FULL, wish.rounded, 0);
    }
    const struct host_block *block = block_get_host(frame->machine, frame->process, slot);
    acl_block_charge_host(frame, block);
    acl_put(frame, block->address);
    return ACL_SUCCESS;
}

static int32_t check_free(struct acl_frame *frame) {
    return acl_arg(frame, HOST_PTR) == 0 ? acl_refuse_null(frame, 0) : ACL_SUCCESS;
}

static int32_t free_host(struct acl_frame *frame) {
    return acl_block_free_host(frame, acl_arg(frame, HOST_PTR));
}

static const struct acl_row calls[] = {
    { .name = "aclrtMallocHost",
      .section = "malloc-and-friends 9",
      .python = "acl.rt.malloc_host",
      .released_by = "aclrtFreeHost",
      .parameter = { { "hostPtr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_MALLOC,
      .check = check_malloc,
      .body = malloc_host },
    { .name = "aclrtFreeHost",
      .section = "malloc-and-friends 9",
      .python = "acl.rt.free_host",
      .parameter = { { "hostPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_FREE,
      .check = check_free,
      .body = free_host },
};

const struct acl_family acl_host = ACL_FAMILY(calls);
