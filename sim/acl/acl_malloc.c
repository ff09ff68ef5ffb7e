/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_block.h"
#include "acl/acl_policy.h"

/* Values of the calls. */
enum { SIZE, POLICY };
enum { DEV_PTR };

enum { OUT_DEV_PTR }; /* the first parameter of an allocation */

static int32_t check(const struct acl_frame *frame, uint64_t extra) {
    return acl_block_check_plain(frame, OUT_DEV_PTR, acl_arg(frame, SIZE), acl_arg(frame, POLICY),
                                 extra);
}

static int32_t allocate(struct acl_frame *frame, uint64_t extra) {
    return acl_block_make_plain(frame, acl_arg(frame, SIZE), acl_arg(frame, POLICY), extra);
}

static int32_t check_malloc(struct acl_frame *frame) {
    return check(frame, frame->product->malloc_extra);
}

static int32_t do_malloc(struct acl_frame *frame) {
    return allocate(frame, frame->product->malloc_extra);
}

static int32_t check_malloc_align32(struct acl_frame *frame) {
    return check(frame, 0);
}

static int32_t malloc_align32(struct acl_frame *frame) {
    return allocate(frame, 0);
}

static int32_t check_free(struct acl_frame *frame) {
    return acl_arg(frame, DEV_PTR) == 0 ? acl_refuse_null(frame, 0) : ACL_SUCCESS;
}

/* No context is needed (spec: malloc 6.5). */
static int32_t do_free(struct acl_frame *frame) {
    return acl_block_free(frame, acl_arg(frame, DEV_PTR), BLOCK_PLAIN);
}

static const struct acl_row calls[] = {
    { .name = "aclrtMalloc",
      .section = "malloc-and-friends 6.1",
      .python = "acl.rt.malloc",
      .released_by = "aclrtFree",
      .parameter = { { "devPtr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "policy", ACL_POLICY, ACL_NOTHING, ACL_OPTIONAL, ACL_MALLOC_HUGE_FIRST } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_MALLOC,
      .check = check_malloc,
      .body = do_malloc },
    { .name = "aclrtMallocAlign32",
      .section = "malloc-and-friends 6.2",
      .python = "acl.rt.malloc_align32",
      .released_by = "aclrtFree",
      .parameter = { { "devPtr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "policy", ACL_POLICY, ACL_NOTHING, ACL_OPTIONAL, ACL_MALLOC_HUGE_FIRST } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_MALLOC,
      .check = check_malloc_align32,
      .body = malloc_align32 },
    { .name = "aclrtFree",
      .section = "malloc-and-friends 6.5",
      .python = "acl.rt.free",
      .parameter = { { "devPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_FREE,
      .check = check_free,
      .body = do_free },
};

const struct acl_family acl_malloc = ACL_FAMILY(calls);
