/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/cost.h"

#include "base/must.h"
#include "base/units.h"

struct row {
    const char *name;
    const char *meaning;
};

static const struct row rows[COST_KEYS] = {
#define COST(key, name, meaning) [COST_##key] = { name, meaning },
#include "machine/cost_keys.inc"
#undef COST
};

const char *cost_name(enum cost_key key) {
    must(key < COST_KEYS);
    return rows[key].name;
}

const char *cost_meaning(enum cost_key key) {
    must(key < COST_KEYS);
    return rows[key].meaning;
}

uint64_t cost_of(const struct cost *cost, enum page_class page, uint64_t pages) {
    uint64_t per_page = 0;
    uint64_t total = 0;
    if (!units_multiply(cost->page_ns[page], pages, &per_page) ||
        !units_add(cost->base_ns, per_page, &total)) {
        return UINT64_MAX;
    }
    return total;
}
