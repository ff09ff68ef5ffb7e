/* SPDX-License-Identifier: Apache-2.0 */
/* Frees that wait for the work on the device first. */
#include "acl/acl_block.h"
#include "acl/acl_stream.h"

enum { POINTER };

static int32_t check(struct acl_frame *frame) {
    return acl_arg(frame, POINTER) == 0 ? acl_refuse_null(frame, 0) : ACL_SUCCESS;
}

/* What the work has to answer for is answered instead of a free (spec: malloc 6.6). */
static int32_t free_device(struct acl_frame *frame) {
    int32_t code = acl_synchronize_device(frame);
    return code != ACL_SUCCESS || frame->waits
               ? code
               : acl_block_free(frame, acl_arg(frame, POINTER), BLOCK_PLAIN);
}

static int32_t free_host(struct acl_frame *frame) {
    int32_t code = acl_synchronize_device(frame);
    return code != ACL_SUCCESS || frame->waits
               ? code
               : acl_block_free_host(frame, acl_arg(frame, POINTER));
}

/* They are not in the driver queue: waiting there they would hold up everyone behind them. */
static const struct acl_row calls[] = {
    { .name = "aclrtFreeWithDevSync",
      .section = "malloc-and-friends 6.6",
      .parameter = { { "devPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_FREE,
      .check = check,
      .body = free_device },
    { .name = "aclrtFreeHostWithDevSync",
      .section = "malloc-and-friends 9",
      .parameter = { { "hostPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_FREE,
      .check = check,
      .body = free_host },
};

const struct acl_family acl_free_sync = ACL_FAMILY(calls);
