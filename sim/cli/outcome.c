/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/outcome.h"

#include <inttypes.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "base/units.h"
#include "cli/finding_print.h"
#include "machine/product_leaf.h"
#include "scenario/expect.h"
#include "scenario/figure_expect.h"
#include "trace/reason_text.h"

enum { FAILURES_SHOWN = 10 };

static void note_failure(struct outcome *outcome, const struct fact *fact,
                         const struct acl_detail *detail) {
    struct text reason = { 0 };
    for (size_t place = 0; place < outcome->failures.count; place++) {
        struct outcome_failure *at = &outcome->failures.items[place];
        if (at->step == fact->step && at->thread == fact->thread && at->code == fact->code &&
            at->row == fact->row) {
            at->times++;
            return;
        }
    }
    if (outcome->failures.count == OUTCOME_FAILURES_MAX) {
        return;
    }
    reason_text(detail->record, detail->result, &reason);
    array_add(&outcome->failures, (struct outcome_failure){
                                      .thread = fact->thread,
                                      .step = fact->step,
                                      .row = fact->row,
                                      .code = fact->code,
                                      .rule = acl_rule_name(detail->result->rule),
                                      .section = reason_section(detail->record, detail->result),
                                      .reason = text_steal(&reason),
                                      .times = 1,
                                  });
}

/* Every call of a run stands at a step. */
static void read_call(void *context, const struct fact *fact, const void *detail) {
    struct outcome *outcome = context;
    const struct scenario *scenario = run_scenario(outcome->run);
    int64_t expected = 0;
    if (fact->code == ACL_SUCCESS) {
        return;
    }
    const struct step *step = &scenario->steps.items[fact->step];
    uint32_t process = scenario->programs.items[fact->thread].process;
    /* What a step expects is of its own call, not of the one that ends a lifetime. */
    if (fact->row != step->row || !expect_code(outcome->run, step->code, process, &expected)) {
        note_failure(outcome, fact, detail);
    }
}

void outcome_open(struct outcome *outcome, struct run *run) {
    *outcome = (struct outcome){ .run = run };
    journal_add_reader(&run_machine(run)->journal, journal_kind(FACT_CALLED), read_call, outcome);
}

void outcome_close(struct outcome *outcome) {
    for (size_t place = 0; place < outcome->failures.count; place++) {
        free(outcome->failures.items[place].reason);
    }
    array_fini(&outcome->failures);
}

static const char *name_of_code(int64_t code) {
    const char *name = code < INT32_MIN || code > INT32_MAX ? NULL : acl_error_name((int32_t)code);
    return name == NULL ? "unknown" : name;
}

/* "A, step 3 (line 12): aclrtFree" */
static void print_step(struct run *run, uint32_t thread, uint32_t number, uint32_t row,
                       FILE *stream) {
    const struct scenario *scenario = run_scenario(run);
    const struct step *step = &scenario->steps.items[number];
    uint32_t process = scenario->programs.items[thread].process;
    (void)fprintf(stream, "%s, step %u (line %u): %s", scenario->processes.items[process].name,
                  step->number, step->line, acl_row_get(row)->name);
}

static void print_times(uint64_t times, FILE *stream) {
    if (times > 1) {
        (void)fprintf(stream, ", %" PRIu64 " times", times);
    }
    (void)fputc('\n', stream);
}

static void print_mismatch(struct run *run, uint32_t place, FILE *stream) {
    const struct run_mismatch *mismatch = run_mismatch_get(run, place);
    (void)fputs("not as expected: ", stream);
    uint32_t row = run_scenario(run)->steps.items[mismatch->step].row;
    print_step(run, mismatch->thread, mismatch->step, row, stream);
    (void)fprintf(stream, " returned %d %s, expected %" PRId64 " %s", mismatch->code,
                  name_of_code(mismatch->code), mismatch->expected,
                  name_of_code(mismatch->expected));
    print_times(mismatch->times, stream);
}

static void print_stuck(struct run *run, uint32_t thread, FILE *stream) {
    const struct step *step = run_current_step(run, thread);
    struct text line = { 0 };
    run_name_step(run, thread, &line);
    if (step != NULL) {
        text_printf(&line, " (line %u), for ", step->line);
        outcome_write_wait(run, thread, &line);
    }
    (void)fprintf(stream, "waits for ever: %s\n", text_get(&line));
    text_fini(&line);
}

static void print_differences(const struct run *run, FILE *stream) {
    struct figure_difference difference;
    for (size_t place = 0; (place = figure_expect_next(run, place, &difference)) != 0;) {
        struct text text = { 0 };
        figure_expect_write(&difference, &text);
        (void)fprintf(stream, "not as expected: %s\n", text_get(&text));
        text_fini(&text);
    }
}

bool outcome_is_expected(struct run *run) {
    struct figure_difference difference;
    return run_mismatch_count(run) == 0 && run_next_stuck(run, 0) == PROGRAM_NONE &&
           finding_is_expected(run) && figure_expect_next(run, 0, &difference) == 0;
}

void outcome_print_unexpected(struct run *run, FILE *stream) {
    for (uint32_t place = 0; place < run_mismatch_count(run); place++) {
        print_mismatch(run, place, stream);
    }
    for (uint32_t thread = run_next_stuck(run, 0); thread != PROGRAM_NONE;
         thread = run_next_stuck(run, thread + 1)) {
        print_stuck(run, thread, stream);
    }
    finding_print_all(run, stream);
    print_differences(run, stream);
}

static void print_failures(const struct outcome *outcome, FILE *stream) {
    for (size_t place = 0; place < outcome->failures.count && place < FAILURES_SHOWN; place++) {
        const struct outcome_failure *failure = &outcome->failures.items[place];
        (void)fputs("failed, and no step expects it: ", stream);
        print_step(outcome->run, failure->thread, failure->step, failure->row, stream);
        (void)fprintf(stream, " returned %d %s: %s (%s)", failure->code,
                      name_of_code(failure->code), failure->reason, failure->section);
        print_times(failure->times, stream);
    }
    if (outcome->failures.count > FAILURES_SHOWN) {
        (void)fprintf(stream, "and more of them; --json lists the first %d\n",
                      OUTCOME_FAILURES_MAX);
    }
}

static void print_level(const struct totals_level *level, FILE *stream) {
    char size[UNITS_TEXT_SIZE];
    char time[UNITS_TEXT_SIZE];
    (void)fprintf(stream, "%s", units_write_size(level->peak, size));
    if (level->peak > 0) {
        (void)fprintf(stream, " at %s", units_write_time(level->peak_ns, time));
    }
}

static void print_devices(const struct outcome *outcome, FILE *stream) {
    const struct site *site = run_machine(outcome->run)->site;
    for (uint32_t device = 0; device < site->device_count; device++) {
        if (run_totals(outcome->run)->device[device].peak > 0) {
            uint32_t server = site_server_of(site, device);
            (void)fprintf(stream, "  %s, device %" PRIu32 ": peak ",
                          run_scenario(outcome->run)->servers.items[server].name,
                          site_number_there(site, device));
            print_level(&run_totals(outcome->run)->device[device], stream);
            (void)fputc('\n', stream);
        }
    }
}

static void print_processes(const struct outcome *outcome, FILE *stream) {
    const struct site *site = run_machine(outcome->run)->site;
    char time[UNITS_TEXT_SIZE];
    for (uint32_t place = 0; place < site->process_count; place++) {
        const struct totals_process *process = &run_totals(outcome->run)->process[place];
        (void)fprintf(stream, "  process %s: %" PRIu64 " call%s, %" PRIu64 " refused; %s in calls",
                      site->process[place].name, process->calls, process->calls == 1 ? "" : "s",
                      process->refused, units_write_time(process->call_ns, time));
        if (process->queue_ns > 0) {
            (void)fprintf(stream, ", %s in the driver queue",
                          units_write_time(process->queue_ns, time));
        }
        (void)fputs("; peak on devices ", stream);
        print_level(&process->device, stream);
        if (process->host.peak > 0) {
            (void)fputs(", on the host ", stream);
            print_level(&process->host, stream);
        }
        (void)fputc('\n', stream);
    }
}

uint32_t outcome_guesses(const struct product *product) {
    uint32_t guesses = 0;
    for (uint32_t place = 0; place < product_leaf_count(product); place++) {
        struct product_leaf leaf = product_leaf_get(product, place);
        guesses += product_leaf_is_guess(&leaf);
    }
    return guesses;
}

static void print_guesses(const struct outcome *outcome, FILE *stream) {
    const struct site *site = run_machine(outcome->run)->site;
    for (uint32_t server = 0; server < site->server_count; server++) {
        const struct product *product = site->server[server].product;
        if (server == 0 || product != site->server[server - 1].product) {
            (void)fprintf(stream,
                          "  these figures rest on %" PRIu32 " assumed or inferred numbers of %s\n",
                          outcome_guesses(product), product->name);
        }
    }
}

void outcome_print(struct outcome *outcome, FILE *stream) {
    char time[UNITS_TEXT_SIZE];
    outcome_print_unexpected(outcome->run, stream);
    print_failures(outcome, stream);
    (void)fprintf(stream,
                  "%" PRIu64 " call%s in %s of simulated time; %" PRIu64 " refused, %" PRIu64
                  " of them where no step expects it\n",
                  run_totals(outcome->run)->calls, run_totals(outcome->run)->calls == 1 ? "" : "s",
                  units_write_time(machine_now(run_machine(outcome->run)), time),
                  run_totals(outcome->run)->refused, run_unasked_failures(outcome->run));
    print_devices(outcome, stream);
    print_processes(outcome, stream);
    print_guesses(outcome, stream);
}

void outcome_print_digest(struct run *run, FILE *stream) {
    struct hash128 digest = journal_digest(&run_machine(run)->journal);
    (void)fprintf(stream, "digest %016" PRIx64 "%016" PRIx64 "\n", digest.high, digest.low);
}
