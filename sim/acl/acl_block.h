/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks as the calls hand them out and take them back: plain, media and pinned memory. */
#ifndef ACL_ACL_BLOCK_H
#define ACL_ACL_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_frame.h"
#include "machine/block.h"

/* Makes a block on the current device, puts out its address and charges its pages. */
int32_t acl_block_make(struct acl_frame *frame, struct block_wish *wish, enum page_class fallback);

/* The end of a check of an allocation: its output, its size, whether that can be rounded. */
int32_t acl_block_check(const struct acl_frame *frame, uint32_t output, uint64_t size, bool fits);

/* The same for plain memory by its policy, when the call adds extra bytes to the size: the end of a
 * check, and the block. */
int32_t acl_block_check_plain(const struct acl_frame *frame, uint32_t output, uint64_t size,
                              uint64_t policy, uint64_t extra);
int32_t acl_block_make_plain(struct acl_frame *frame, uint64_t size, uint64_t policy,
                             uint64_t extra);

/* Frees the block of this kind that starts at an address; any other pointer is refused. */
int32_t acl_block_free(struct acl_frame *frame, uint64_t address, enum block_kind kind);

/* The same of pinned host memory, which a chip that is its own host has on the device. */
int32_t acl_block_free_host(struct acl_frame *frame, uint64_t address);
void acl_block_charge_host(struct acl_frame *frame, const struct host_block *block);

#endif
