/* SPDX-License-Identifier: Apache-2.0 */
/* What a process spends on making and freeing small blocks, one by one. */
#ifndef HAZARD_CHURN_H
#define HAZARD_CHURN_H

#include "hazard/hazard_family.h"

/* A block is small when many of them fit into one huge page; so many pairs are worth a word. */
enum { CHURN_SMALL_BYTES = 1 << 20, CHURN_PAIRS = 100 };

struct churn {
    uint64_t made;
    uint64_t freed;
    uint64_t cost_ns; /* of the calls that made and freed them */
    uint32_t is_freeing; /* the call under way has freed a small block */
    uint32_t unused;
    struct finding_place first; /* that made one */
    struct finding_place last;  /* that freed one */
};

struct table *churn_table(struct store *store);

#endif
