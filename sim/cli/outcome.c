/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/outcome.h"

#include <inttypes.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "base/units.h"

static const char *name_of_code(int64_t code) {
    const char *name = code < INT32_MIN || code > INT32_MAX ? NULL : acl_error_name((int32_t)code);
    return name == NULL ? "unknown" : name;
}

static void print_mismatch(struct run *run, uint32_t place, FILE *stream) {
    const struct run_mismatch *mismatch = run_mismatch_get(run, place);
    const struct scenario *scenario = run_scenario(run);
    const struct step *step = &scenario->steps.items[mismatch->step];
    uint32_t process = scenario->programs.items[mismatch->thread].process;
    (void)fprintf(stream,
                  "not as expected: %s, step %u (line %u): %s returned %d %s, expected %" PRId64
                  " %s",
                  scenario->processes.items[process].name, step->number, step->line,
                  acl_row_get(step->row)->name, mismatch->code, name_of_code(mismatch->code),
                  mismatch->expected, name_of_code(mismatch->expected));
    if (mismatch->times > 1) {
        (void)fprintf(stream, ", %" PRIu64 " times", mismatch->times);
    }
    (void)fputc('\n', stream);
}

/* What a thread waits for that will not come. */
static void print_wait(const struct scenario *scenario, const struct step *step, FILE *stream) {
    switch (step->kind) {
    case STEP_RECEIVE:
        (void)fprintf(stream, "a value from %s",
                      step->process == PROGRAM_NONE
                          ? "anyone"
                          : scenario->processes.items[step->process].name);
        break;
    case STEP_BARRIER:
        (void)fprintf(stream, "the others at the barrier \"%s\"",
                      scenario->names.items[step->name]);
        break;
    case STEP_CALL:
        (void)fprintf(stream, "%s to return", acl_row_get(step->row)->name);
        break;
    default:
        (void)fputs("its turn", stream);
        break;
    }
}

static void print_stuck(struct run *run, uint32_t thread, FILE *stream) {
    const struct step *step = run_current_step(run, thread);
    struct text name = { 0 };
    run_name_step(run, thread, &name);
    (void)fprintf(stream, "waits for ever: %s", text_get(&name));
    if (step != NULL) {
        (void)fprintf(stream, " (line %u), for ", step->line);
        print_wait(run_scenario(run), step, stream);
    }
    (void)fputs("\n", stream);
    text_fini(&name);
}

bool outcome_print(struct run *run, FILE *stream) {
    struct machine *machine = run_machine(run);
    char time[UNITS_TEXT_SIZE];
    bool is_well = run_mismatch_count(run) == 0;
    for (uint32_t place = 0; stream != NULL && place < run_mismatch_count(run); place++) {
        print_mismatch(run, place, stream);
    }
    for (uint32_t thread = run_next_stuck(run, 0); thread != PROGRAM_NONE;
         thread = run_next_stuck(run, thread + 1)) {
        is_well = false;
        if (stream != NULL) {
            print_stuck(run, thread, stream);
        }
    }
    if (stream != NULL) {
        (void)fprintf(stream, "%" PRIu64 " calls in %s of simulated time\n", machine_calls(machine),
                      units_write_time(machine_now(machine), time));
        if (run_unasked_failures(run) > 0) {
            (void)fprintf(stream, "%" PRIu64 " of them failed, and their steps expect nothing\n",
                          run_unasked_failures(run));
        }
    }
    return is_well;
}

void outcome_print_digest(struct run *run, FILE *stream) {
    struct hash128 digest = journal_digest(&run_machine(run)->journal);
    (void)fprintf(stream, "digest %016" PRIx64 "%016" PRIx64 "\n", digest.high, digest.low);
}
