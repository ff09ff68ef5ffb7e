/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_block.h"

#include "acl/acl_policy.h"

static void charge(struct acl_frame *frame, const struct block *block) {
    frame->page = (enum page_class)block->pages.page_class;
    frame->pages = block->pages.count;
}

static int32_t refuse_room(const struct acl_frame *frame, enum block_answer answer,
                           const struct block_wish *wish) {
    static const enum acl_rule rules[] = {
        [BLOCK_SHORT] = RULE_OUT_OF_MEMORY,
        [BLOCK_CLASS_FULL] = RULE_CLASS_FULL,
        [BLOCK_SCATTERED] = RULE_PAGES_SCATTERED,
        [BLOCK_NO_ADDRESSES] = RULE_BLOCK_ADDRESSES,
    };
    return acl_refuse_with(frame, rules[answer], wish->rounded, wish->page);
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
        return refuse_room(frame, answer, wish);
    }
    const struct block *block = block_get(frame->machine, frame->process, slot);
    charge(frame, block);
    acl_put(frame, block->address);
    return ACL_SUCCESS;
}

int32_t acl_block_check(const struct acl_frame *frame, uint32_t output, uint64_t size, bool fits) {
    if (acl_is_null(frame, output)) {
        return acl_refuse_null(frame, output);
    }
    if (size == 0) {
        return acl_refuse(frame, RULE_SIZE_ZERO);
    }
    return fits ? ACL_SUCCESS : acl_refuse_with(frame, RULE_SIZE_OVERFLOW, size, 0);
}

int32_t acl_block_check_plain(const struct acl_frame *frame, uint32_t output, uint64_t size,
                              uint64_t policy, uint64_t extra) {
    struct acl_plan planned;
    return acl_block_check(frame, output, size,
                           acl_policy_plan(frame->product, policy, size, extra, &planned));
}

int32_t acl_block_make_plain(struct acl_frame *frame, uint64_t size, uint64_t policy,
                             uint64_t extra) {
    struct acl_plan planned;
    acl_policy_plan(frame->product, policy, size, extra, &planned);
    if (!planned.supported) {
        return acl_refuse(frame, RULE_POLICY_LACKS);
    }
    struct block_wish wish = {
        .medium = MEDIUM_MAIN,
        .kind = BLOCK_PLAIN,
        .flags = planned.p2p ? BLOCK_P2P : 0,
        .page = planned.page,
        .requested = size,
        .rounded = planned.rounded,
    };
    return acl_block_make(frame, &wish, planned.fallback);
}

int32_t acl_block_free(struct acl_frame *frame, uint64_t address, enum block_kind kind) {
    struct block_place place;
    if (!block_find_place(frame->machine, frame->process, address, &place)) {
        return acl_refuse_with(frame, RULE_BLOCK_UNKNOWN, address, 0);
    }
    const struct block *block = block_get(frame->machine, frame->process, place.slot);
    if (block->address != address) {
        return acl_refuse_with(frame, RULE_BLOCK_INSIDE, address, block->address);
    }
    if (block->kind != (uint32_t)kind) {
        return acl_refuse_with(frame, RULE_BLOCK_OTHER, address, 0);
    }
    charge(frame, block);
    block_free_place(frame->machine, frame->process, &place);
    return ACL_SUCCESS;
}

void acl_block_charge_host(struct acl_frame *frame, const struct host_block *block) {
    frame->page = PAGE_NORMAL;
    frame->pages = page_count(PAGE_NORMAL, block->size);
}

int32_t acl_block_free_host(struct acl_frame *frame, uint64_t address) {
    uint32_t slot = 0;
    if (!block_find_host(frame->machine, frame->process, address, &slot)) {
        return acl_block_free(frame, address, BLOCK_PINNED);
    }
    const struct host_block *block = block_get_host(frame->machine, frame->process, slot);
    if (block->address != address) {
        return acl_refuse_with(frame, RULE_BLOCK_INSIDE, address, block->address);
    }
    acl_block_charge_host(frame, block);
    block_free_host(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}
