/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_block.h"
#include "acl/acl_policy.h"

/* Values of the calls. */
enum { SIZE, POLICY };
enum { DEV_PTR };

enum { OUT_DEV_PTR }; /* the first parameter of an allocation */

static bool plan(const struct acl_frame *frame, uint64_t extra, struct acl_plan *planned) {
    return acl_policy_plan(frame->product, acl_arg(frame, POLICY), acl_arg(frame, SIZE), extra,
                           planned);
}

static int32_t check(const struct acl_frame *frame, uint64_t extra) {
    struct acl_plan planned;
    return acl_block_check(frame, OUT_DEV_PTR, acl_arg(frame, SIZE), plan(frame, extra, &planned));
}

static int32_t allocate(struct acl_frame *frame, uint64_t extra) {
    struct acl_plan planned;
    plan(frame, extra, &planned);
    if (!planned.supported) {
        return acl_refuse(frame, RULE_POLICY_LACKS);
    }
    struct block_wish wish = {
        .medium = MEDIUM_MAIN,
        .kind = BLOCK_PLAIN,
        .flags = planned.p2p ? BLOCK_P2P : 0,
        .page = planned.page,
        .requested = acl_arg(frame, SIZE),
        .rounded = planned.rounded,
    };
    return acl_block_make(frame, &wish, planned.fallback);
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
