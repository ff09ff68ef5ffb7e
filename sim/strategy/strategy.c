/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/strategy.h"

#include <string.h>

#include "acl/acl_row.h"
#include "base/must.h"

#define ENTRY(strategy) extern const struct strategy_row strategy;
#include "strategy/strategies.inc"
#undef ENTRY

#define ENTRY(strategy) &strategy,
static const struct strategy_row *const strategies[] = {
#include "strategy/strategies.inc"
};
#undef ENTRY

size_t strategy_count(void) {
    return sizeof strategies / sizeof *strategies;
}

const struct strategy_row *strategy_get(size_t place) {
    return strategies[place];
}

const struct strategy_row *strategy_find(const char *name) {
    for (size_t place = 0; place < strategy_count(); place++) {
        if (strcmp(strategies[place]->name, name) == 0) {
            return strategies[place];
        }
    }
    return NULL;
}

struct strategy strategy_bind(struct store *store, const struct strategy_row *row) {
    struct strategy strategy = { .row = row, .store = store };
    row->bind(&strategy);
    return strategy;
}

/* What the arguments are that a program leaves out. */
static void fill(struct acl_record *record, const struct acl_row *row, uint64_t argument) {
    uint32_t place = 0;
    bool is_first = true;
    for (uint32_t at = 0; at < acl_row_parameters(row); at++) {
        const struct acl_parameter *parameter = &row->parameter[at];
        if (acl_kind_width(parameter->kind) == 1) {
            record->arg[place++] = is_first ? argument : parameter->absent;
            is_first = false;
        }
    }
}

enum strategy_answer strategy_call(struct strategy *strategy, const char *name, uint64_t argument) {
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    strategy->call = (struct acl_record){ .row = (uint16_t)row };
    fill(&strategy->call, acl_row_get(row), argument);
    return STRATEGY_CALLS;
}
