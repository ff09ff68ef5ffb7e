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

/* Frees the block of this kind that starts at an address; any other pointer is refused. */
int32_t acl_block_free(struct acl_frame *frame, uint64_t address, enum block_kind kind);

#endif
