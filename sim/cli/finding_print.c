/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/finding_print.h"

#include <inttypes.h>

#include "acl/acl_row.h"
#include "hazard/finding_text.h"
#include "scenario/finding_expect.h"

uint32_t finding_row_at(const struct step *step, const struct finding_place *place) {
    return place->row == FACT_NO_ROW ? step->row : place->row;
}

void finding_name_step(const void *context, const struct finding_place *place, struct text *text) {
    const struct scenario *scenario = context;
    const struct program *program = &scenario->programs.items[place->thread];
    const struct scenario_process *process = &scenario->processes.items[program->process];
    if (place->known == PLACE_END) {
        text_printf(text, "the end of %s", process->name);
        return;
    }
    const struct step *step = &scenario->steps.items[place->step];
    text_append(text, process->name);
    if (place->thread > process->thread_first) {
        text_printf(text, "/%u", place->thread - process->thread_first + 1);
    }
    if (step->label != NULL) {
        text_printf(text, ":%s (line %u)", step->label, step->line);
    } else {
        text_printf(text, ":%u (line %u)", step->number, step->line);
    }
    if (step->kind == STEP_CALL) {
        uint32_t row = finding_row_at(step, place);
        text_printf(text, ", %s%s", acl_row_get(row)->name,
                    row != step->row           ? " at the end of a lifetime"
                    : step->lifetime.count > 0 ? " with a lifetime"
                                               : "");
    }
}

bool finding_is_expected(const struct run *run) {
    struct finding_difference difference;
    return !finding_expect_next(run, 0, &difference);
}

static void print_differences(const struct run *run, FILE *stream) {
    struct finding_difference difference;
    for (uint32_t row = 0; finding_expect_next(run, row, &difference); row = difference.row + 1) {
        (void)fprintf(stream,
                      "not as expected: finding %s, %" PRIu64 " times; expected %" PRIu64 "\n",
                      hazard_row(difference.row)->name, difference.found, difference.expected);
    }
}

void finding_print_all(const struct run *run, FILE *stream) {
    const struct findings *findings = run_findings(run);
    struct text text = { 0 };
    for (uint32_t place = 0; place < findings_count(findings); place++) {
        finding_write(findings_get(findings, place), finding_name_step, run_scenario(run), &text);
    }
    (void)fputs(text_get(&text), stream);
    if (findings_left_out(findings) > 0) {
        (void)fprintf(stream, "%" PRIu64 " more findings are left out\n",
                      findings_left_out(findings));
    }
    text_fini(&text);
    print_differences(run, stream);
}
