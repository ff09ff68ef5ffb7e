/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory that the device's own processor caches, and what is done to its cache. */
#include "acl/acl_block.h"
#include "acl/acl_policy.h"

/* Values of the calls. */
enum { SIZE, POLICY };
enum { CACHE_PTR, CACHE_SIZE };

enum { OUT_DEV_PTR }; /* the first parameter of an allocation */

/* Spec: malloc 19 row 9: the size becomes what aclrtMalloc makes of it. */
static int32_t check_malloc(struct acl_frame *frame) {
    return acl_block_check_plain(frame, OUT_DEV_PTR, acl_arg(frame, SIZE), acl_arg(frame, POLICY),
                                 frame->product->malloc_extra);
}

/* Members of the enum that this call does not serve (spec: malloc 6.3). */
static bool is_excluded(uint64_t policy) {
    switch (policy) {
    case ACL_MALLOC_HUGE_FIRST_P2P:
    case ACL_MALLOC_HUGE_ONLY_P2P:
    case ACL_MALLOC_NORMAL_ONLY_P2P:
    case ACL_MALLOC_HUGE1G_ONLY_P2P:
    case ACL_TYPE_LOW_BAND_WIDTH:
    case ACL_TYPE_HIGH_BAND_WIDTH:
    case ACL_ACCESS_USER_SPACE_READONLY:
        return true;
    default:
        return false;
    }
}

static int32_t malloc_cached(struct acl_frame *frame) {
    uint64_t policy = acl_arg(frame, POLICY);
    return is_excluded(policy) ? acl_refuse(frame, RULE_CACHED_POLICY)
                               : acl_block_make_plain(frame, acl_arg(frame, SIZE), policy,
                                                      frame->product->malloc_extra);
}

static int32_t check_cache(struct acl_frame *frame) {
    if (acl_arg(frame, CACHE_PTR) == 0) {
        return acl_refuse_null(frame, 0);
    }
    return acl_arg(frame, CACHE_SIZE) == 0 ? acl_refuse(frame, RULE_SIZE_ZERO) : ACL_SUCCESS;
}

/* Nothing is there to be done: the hardware keeps caches coherent (spec: malloc 6.4). */
static int32_t do_nothing(struct acl_frame *frame) {
    (void)frame;
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMallocCached",
      .section = "malloc-and-friends 6.3",
      .python = "acl.rt.malloc_cached",
      .released_by = "aclrtFree",
      .parameter = { { "devPtr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "policy", ACL_POLICY, ACL_NOTHING, ACL_OPTIONAL, ACL_MALLOC_HUGE_FIRST } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_MALLOC,
      .check = check_malloc,
      .body = malloc_cached },
    { .name = "aclrtMemFlush",
      .section = "malloc-and-friends 6.4",
      .python = "acl.rt.mem_flush",
      .parameter = { { "devPtr", ACL_ADDRESS, ACL_READ, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_cache,
      .body = do_nothing },
    { .name = "aclrtMemInvalidate",
      .section = "malloc-and-friends 6.4",
      .python = "acl.rt.mem_invalidate",
      .parameter = { { "devPtr", ACL_ADDRESS, ACL_READ, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_cache,
      .body = do_nothing },
};

const struct acl_family acl_cached = ACL_FAMILY(calls);
