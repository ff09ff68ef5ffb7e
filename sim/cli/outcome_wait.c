/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_row.h"
#include "cli/outcome.h"
#include "machine/process.h"

static bool names_barrier(const struct scenario *scenario, uint32_t thread, uint32_t name) {
    const struct program *program = &scenario->programs.items[thread];
    for (uint32_t place = 0; place < program->step_count; place++) {
        const struct step *step = &scenario->steps.items[program->step_first + place];
        if (step->kind == STEP_BARRIER && step->name == name) {
            return true;
        }
    }
    return false;
}

/* Whether a thread of the process names the barrier and does not stand at it. */
static bool is_missing(struct run *run, uint32_t process, uint32_t name) {
    const struct scenario *scenario = run_scenario(run);
    const struct scenario_process *at = &scenario->processes.items[process];
    for (uint32_t place = 0; place < at->thread_count; place++) {
        uint32_t thread = at->thread_first + place;
        const struct step *step = run_current_step(run, thread);
        bool is_there = step != NULL && step->kind == STEP_BARRIER && step->name == name;
        if (!is_there && names_barrier(scenario, thread, name)) {
            return true;
        }
    }
    return false;
}

static bool is_awaited(struct run *run, const struct step *step, uint32_t process) {
    switch (step->kind) {
    case STEP_RECEIVE:
        return step->process == process;
    case STEP_BARRIER:
        return is_missing(run, process, step->name);
    default:
        return false;
    }
}

uint32_t outcome_next_awaited(struct run *run, uint32_t thread, uint32_t process) {
    const struct step *step = run_current_step(run, thread);
    uint32_t count = (uint32_t)run_scenario(run)->processes.count;
    for (uint32_t at = process; step != NULL && at < count; at++) {
        if (is_awaited(run, step, at)) {
            return at;
        }
    }
    return PROGRAM_NONE;
}

static const char *fate_of(struct run *run, uint32_t process) {
    const struct process *at = process_get(run_machine(run), (struct process_id){ process });
    switch ((enum process_life)at->life) {
    case PROCESS_RUNNING:
        return "which waits too";
    case PROCESS_ENDED:
        return "which has ended";
    case PROCESS_WAITING:
        return "which was never started";
    }
    return "";
}

void outcome_write_wait(struct run *run, uint32_t thread, struct text *text) {
    const struct scenario *scenario = run_scenario(run);
    const struct step *step = run_current_step(run, thread);
    const char *before = "";
    switch (step->kind) {
    case STEP_RECEIVE:
        text_append(text, step->process == PROGRAM_NONE ? "a value from anyone" : "a value from ");
        break;
    case STEP_BARRIER:
        text_printf(text, "the others at the barrier \"%s\"", scenario->names.items[step->name]);
        before = ": ";
        break;
    case STEP_CALL:
        text_printf(text, "%s to return", acl_row_get(step->row)->name);
        break;
    default:
        text_append(text, "its turn");
        break;
    }
    for (uint32_t process = outcome_next_awaited(run, thread, 0); process != PROGRAM_NONE;
         process = outcome_next_awaited(run, thread, process + 1)) {
        text_printf(text, "%s%s, %s", before, scenario->processes.items[process].name,
                    fate_of(run, process));
        before = "; ";
    }
}
