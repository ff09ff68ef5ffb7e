/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a scenario on a product: the machine, the programs on it, driven to the end. All that
 * changes lies in the store. What was not as expected is kept for a report.
 */
#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_support.h"
#include "core/schedule.h"
#include "hazard/finding.h"
#include "machine/machine.h"
#include "scenario/scenario.h"
#include "trace/totals.h"

struct run;

struct run_options {
    const struct product *product;     /* of servers that name none; borrowed */
    const struct acl_support *support; /* NULL: every call is supported */
    const struct schedule *schedule;   /* NULL: by the clock */
    struct choice choice;
    bool is_free; /* the free policy, asking the choice */
    uint64_t steps_max;
    /* Another product by its name, for servers that have one; NULL with a problem. */
    const struct product *(*find_product)(void *context, const char *name, struct problem *problem);
    void *context;
};

/* A step whose code was not the expected one. */
struct run_mismatch {
    uint32_t thread;
    uint32_t step; /* of the scenario's steps */
    int32_t code;
    int64_t expected;
    uint64_t times; /* in loops: how often */
};

/* NULL, with a problem, when the scenario does not fit the product. Both are borrowed. */
struct run *run_new(const struct scenario *scenario, const struct run_options *options,
                    struct problem *problem); /* caller owns, run_free() */
void run_free(struct run *run);

/* Runs to the end, and keeps totals, which no rollback takes back. False, with a problem, when a
 * value can not be computed, the schedule can not be followed or there are too many steps. */
bool run_to_end(struct run *run, struct problem *problem);

/* Performs one action; false when nothing is ready or the run has failed. */
bool run_one(struct run *run);

const struct findings *run_findings(const struct run *run);
struct machine *run_machine(struct run *run); /* for readers of its journal */
/* After run_to_end(). */
const struct totals *run_totals(const struct run *run);
const struct scenario *run_scenario(const struct run *run);
uint64_t run_steps(const struct run *run);

/* Calls that failed though their step says nothing of a code. */
uint64_t run_unasked_failures(const struct run *run);

uint32_t run_mismatch_count(const struct run *run);
const struct run_mismatch *run_mismatch_get(const struct run *run, uint32_t place);

/* The next thread at or after one that waits though nothing is ready; PROGRAM_NONE for none. */
uint32_t run_next_stuck(const struct run *run, uint32_t thread);

/* The step that a thread is at; NULL when it has ended. */
const struct step *run_current_step(const struct run *run, uint32_t thread);

/* The name of a thread's next step in a schedule: "B:import", "B:4#2". */
void run_name_step(const struct run *run, uint32_t thread, struct text *name);

#endif
