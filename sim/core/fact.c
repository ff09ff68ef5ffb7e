/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fact.h"

#include <stddef.h>

#include "base/must.h"

struct row {
    const char *name;
    const char *value[FACT_VALUES];
};

static const struct row rows[FACT_KINDS] = {
#define FACT(kind, name, ...) [FACT_##kind] = { name, { __VA_ARGS__ } },
#include "core/fact_rows.inc"
#undef FACT
};

_Static_assert(sizeof(struct fact) == 64, "a fact is one cache line without padding");
_Static_assert(FACT_KINDS <= 64, "the kinds that a reader asks for are the bits of a word");

const char *fact_name(enum fact_kind kind) {
    must(kind < FACT_KINDS);
    return rows[kind].name;
}

const char *fact_value_name(enum fact_kind kind, uint32_t place) {
    must(kind < FACT_KINDS);
    return place < FACT_VALUES ? rows[kind].value[place] : NULL;
}
