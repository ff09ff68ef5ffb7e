/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/strategy_plain.h"

#include "acl/acl_error.h"

enum { BLOCKS, TOTALS };

/* A block that was handed out; the request under way. */
struct plain_block {
    uint64_t address;
    uint64_t size;
};

struct plain_totals {
    uint64_t held;
    uint64_t block; /* of the request under way */
    uint64_t size;
    uint64_t is_free;
};

void plain_bind(struct strategy *strategy) {
    strategy->table[BLOCKS] = store_table(
        strategy->store, &(const struct table_type){ "plain_block", sizeof(struct plain_block),
                                                     TABLE_STATE, false });
    strategy->table[TOTALS] = store_table(
        strategy->store, &(const struct table_type){ "plain_totals", sizeof(struct plain_totals),
                                                     TABLE_STATE, false });
    if (!table_has(strategy->table[TOTALS], 0, 0)) {
        table_add(strategy->table[TOTALS], 0);
    }
}

static struct plain_totals *edit_totals(struct strategy *strategy) {
    return table_edit(strategy->table[TOTALS], 0, 0);
}

enum strategy_answer plain_begin(struct strategy *strategy, const struct strategy_request *request,
                                 const char *allocate) {
    struct plain_totals *totals = edit_totals(strategy);
    totals->block = request->block;
    totals->size = request->size;
    totals->is_free = request->is_free;
    return request->is_free != 0
               ? strategy_call(strategy, "aclrtFree", plain_address(strategy, request->block))
               : strategy_call(strategy, allocate, request->size);
}

enum strategy_answer plain_go_on(struct strategy *strategy, const struct acl_result *result) {
    struct plain_totals *totals = edit_totals(strategy);
    struct table *blocks = strategy->table[BLOCKS];
    uint32_t block = (uint32_t)totals->block;
    if (result->code != ACL_SUCCESS) {
        return STRATEGY_FAILED;
    }
    if (totals->is_free != 0) {
        totals->held -= ((const struct plain_block *)table_get(blocks, 0, block))->size;
        table_remove(blocks, 0, block);
        return STRATEGY_DONE;
    }
    table_add_at(blocks, 0, block);
    *(struct plain_block *)table_edit(blocks, 0, block) =
        (struct plain_block){ result->out[0], totals->size };
    totals->held += totals->size;
    return STRATEGY_DONE;
}

struct strategy_holdings plain_holdings(const struct strategy *strategy) {
    const struct plain_totals *totals = table_get(strategy->table[TOTALS], 0, 0);
    return (struct strategy_holdings){ .held = totals->held, .used = totals->held };
}

uint64_t plain_address(const struct strategy *strategy, uint32_t block) {
    return ((const struct plain_block *)table_get(strategy->table[BLOCKS], 0, block))->address;
}
