/* SPDX-License-Identifier: Apache-2.0 */
/* How long an operation takes on a product: a base, plus so much for each page it touches. */
#ifndef MACHINE_COST_H
#define MACHINE_COST_H

#include <stdint.h>

#include "memory/page.h"

enum cost_key {
#define COST(key, ...) COST_##key,
#include "machine/cost_keys.inc"
#undef COST
    COST_KEYS
};

struct cost {
    uint64_t base_ns;
    uint64_t page_ns[PAGE_CLASSES]; /* for each page of a class */
};

const char *cost_name(enum cost_key key);
const char *cost_meaning(enum cost_key key);

/* The time for pages of a class; 0 pages cost the base. Saturates. */
uint64_t cost_of(const struct cost *cost, enum page_class page, uint64_t pages);

#endif
