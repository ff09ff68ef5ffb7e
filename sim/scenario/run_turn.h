/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a thread as it is taken. For run_step.c and the files of its steps. */
#ifndef SCENARIO_RUN_TURN_H
#define SCENARIO_RUN_TURN_H

#include "scenario/run_state.h"

/* What a step works with. */
struct turn {
    struct run *run;
    const struct step *step;
    uint32_t thread;
    uint32_t process;
    uint32_t step_number; /* of the scenario's steps */
    uint32_t list_length;
};

/* Stops the run with a complaint about the step. */
void run_fail(struct turn *turn, const char *what);

/* The value of an expression, 0 for none; false, and the run is stopped, when it has none. */
bool run_evaluate(struct turn *turn, struct expression expression, uint64_t *value);

/* Gives a name of the process a value; PROGRAM_NONE is nobody's name. */
void run_bind(struct turn *turn, uint32_t number, uint64_t value);

/* On to the next step, after a while; a thread without one ends then. */
void run_go_on(struct turn *turn, uint64_t duration_ns);

/*
 * Lifetimes. A call of a thread that has some is done: it is busy for the call's cost, and what a
 * step with a lifetime made begins to live. A call that waits: no release meanwhile.
 */
void run_begin_lifetime(struct turn *turn, const struct acl_result *result);
void run_hold_releases(struct turn *turn);

/* The next step of such a thread is ready at a time, or behind a call that it is in. */
void run_resume(struct run *run, uint32_t thread, uint64_t due_ns);

/* Asks a release that waits again; drops all of a thread that ends. */
void run_release_again(struct run *run, uint32_t thread);
void run_forget_lifetimes(struct run *run, uint32_t thread);

/* Compute and media steps; cut steps; draws. */
void run_work(struct turn *turn);
void run_cut(struct turn *turn);
void run_draw(struct turn *turn);

#endif
