/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_block.h"

static void charge(struct acl_frame *frame, const struct block *block) {
    frame->page = (enum page_class)block->pages.page_class;
    frame->pages = block->pages.count;
}

int32_t acl_block_make(struct acl_frame *frame, struct block_wish *wish, enum page_class fallback) {
    uint32_t slot = 0;
    wish->presence = frame->presence;
    wish->tag = frame->record->tag;
    enum block_answer answer = block_make(frame->machine, frame->process, wish, &slot);
    if (answer != BLOCK_DONE && fallback != wish->page) {
        wish->page = fallback;
        answer = block_make(frame->machine, frame->process, wish, &slot);
    }
    if (answer != BLOCK_DONE) {
        return ACL_ERROR_RT_MEMORY_ALLOCATION;
    }
    const struct block *block = block_get(frame->machine, frame->process, slot);
    charge(frame, block);
    acl_put(frame, block->address);
    return ACL_SUCCESS;
}

int32_t acl_block_free(struct acl_frame *frame, uint64_t address, enum block_kind kind) {
    uint32_t slot = 0;
    if (!block_find(frame->machine, frame->process, address, &slot)) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    const struct block *block = block_get(frame->machine, frame->process, slot);
    if (block->address != address || block->kind != (uint32_t)kind) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    charge(frame, block);
    block_free(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}
