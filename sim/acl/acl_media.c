/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_block.h"
#include "acl/acl_policy.h"

/* Values of the calls. The device of the second version is reserved (spec: malloc 13). */
enum { SIZE };
enum { V2_DEVICE, V2_SIZE };
enum { DEV_PTR };

/* Outputs of the allocations, by parameter. */
enum { OUT_DEV_PTR = 0, V2_OUT_DEV_PTR = 1 };

static int32_t check(const struct acl_frame *frame, uint32_t output, uint64_t size) {
    uint64_t rounded = 0;
    return acl_block_check(frame, output, size,
                           acl_policy_round(size, frame->product->media_extra, &rounded));
}

/* The quota is on addresses, so whole pages count. */
static bool is_over_quota(const struct acl_frame *frame, uint64_t rounded) {
    uint64_t quota = frame->product->media_quota;
    uint64_t used = process_get(frame->machine, frame->process)->media_bytes;
    return quota > 0 &&
           (used > quota || page_count(PAGE_HUGE, rounded) > (quota - used) / PAGE_HUGE_BYTES);
}

static int32_t allocate(struct acl_frame *frame, uint64_t size, enum block_kind kind) {
    struct block_wish wish = {
        .medium = MEDIUM_MAIN,
        .kind = kind,
        .page = PAGE_HUGE,
        .requested = size,
    };
    acl_policy_round(size, frame->product->media_extra, &wish.rounded);
    if (is_over_quota(frame, wish.rounded)) {
        return acl_refuse_with(frame, RULE_MEDIA_QUOTA, frame->product->media_quota, 0);
    }
    return acl_block_make(frame, &wish, PAGE_HUGE);
}

static int32_t check_malloc(struct acl_frame *frame) {
    return check(frame, OUT_DEV_PTR, acl_arg(frame, SIZE));
}

static int32_t malloc_v1(struct acl_frame *frame) {
    return allocate(frame, acl_arg(frame, SIZE), BLOCK_MEDIA);
}

static int32_t check_malloc_v2(struct acl_frame *frame) {
    return check(frame, V2_OUT_DEV_PTR, acl_arg(frame, V2_SIZE));
}

static int32_t malloc_v2(struct acl_frame *frame) {
    return allocate(frame, acl_arg(frame, V2_SIZE), BLOCK_MEDIA_V2);
}

static int32_t check_free(struct acl_frame *frame) {
    return acl_arg(frame, DEV_PTR) == 0 ? acl_refuse_null(frame, 0) : ACL_SUCCESS;
}

static int32_t free_v1(struct acl_frame *frame) {
    return acl_block_free(frame, acl_arg(frame, DEV_PTR), BLOCK_MEDIA);
}

static int32_t free_v2(struct acl_frame *frame) {
    return acl_block_free(frame, acl_arg(frame, DEV_PTR), BLOCK_MEDIA_V2);
}

/* The codes of the second version are those of the first (spec: malloc 19 row 24). */
static const struct acl_row calls[] = {
    { .name = "acldvppMalloc",
      .section = "malloc-and-friends 13",
      .python = "acl.media.dvpp_malloc",
      .released_by = "acldvppFree",
      .parameter = { { "devPtr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_MALLOC,
      .check = check_malloc,
      .body = malloc_v1 },
    { .name = "acldvppFree",
      .section = "malloc-and-friends 13",
      .python = "acl.media.dvpp_free",
      .parameter = { { "devPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_FREE,
      .check = check_free,
      .body = free_v1 },
    { .name = "hi_mpi_dvpp_malloc",
      .section = "malloc-and-friends 13",
      .python = "acl.himpi.dvpp_malloc",
      .released_by = "hi_mpi_dvpp_free",
      .parameter = { { "dev_id", ACL_INTEGER, ACL_NOTHING, ACL_OPTIONAL, 0 },
                     { "dev_ptr", ACL_OUT_ADDRESS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "size", ACL_SIZE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_MALLOC,
      .check = check_malloc_v2,
      .body = malloc_v2 },
    { .name = "hi_mpi_dvpp_free",
      .section = "malloc-and-friends 13",
      .python = "acl.himpi.dvpp_free",
      .parameter = { { "dev_ptr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_FREE,
      .check = check_free,
      .body = free_v2 },
};

const struct acl_family acl_media = ACL_FAMILY(calls);
