/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judge: reads the facts of a run, looks at the machine, and finds what is dangerous. A family
 * of rules is one file: its rows, and which facts it watches. Rules keep what they must remember in
 * tables of the store and change nothing else, so a run is the same with and without them.
 */
#ifndef HAZARD_HAZARD_H
#define HAZARD_HAZARD_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl.h"
#include "hazard/finding.h"
#include "hazard/released.h"
#include "machine/process.h"
#include "memory/range.h"

enum { HAZARD_CALLS = 256, HAZARD_WATCHERS = 128 };

struct hazard {
    struct machine *machine; /* borrowed, and only looked at */
    struct findings findings;
    struct released_ring released;
    struct table *freed;      /* note, by process: when a handle was freed last, by its slot */
    struct table *identity;   /* note, by process: what queued work was to touch, by its slot */
    struct table *churn;      /* note: what each process spent on small blocks */
    struct range_map written; /* by process, and behind them by maker of physical memory */
    uint16_t on_kind[FACT_KINDS];   /* the first watcher of a fact, plus 1 */
    uint16_t on_call[HAZARD_CALLS]; /* of CALLED, by its row */
    uint16_t next[HAZARD_WATCHERS]; /* the watcher behind it, plus 1 */
};

/* Binds to the store of a machine. */
struct hazard hazard_bind(struct machine *machine);

/* From now on the rules read the journal of the machine, to which `hazard` must stay. */
void hazard_watch(struct hazard *hazard);

/* All rules, in the order of their families. */
uint32_t hazard_row_count(void);
const struct finding_row *hazard_row(uint32_t row);
const struct finding_row *hazard_find_row(const char *name); /* NULL when there is none */

#endif
