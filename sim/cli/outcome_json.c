/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>
#include <inttypes.h>

#include "acl/acl_row.h"
#include "cli/finding_print.h"
#include "cli/outcome.h"
#include "hazard/hazard.h"
#include "scenario/figure_expect.h"

/* The document under way. Members and items bring their own commas. */
struct document {
    struct text text;
    const struct outcome *outcome;
};

static void add_key(struct text *text, const char *key) {
    char last = text->bytes[text->size - 1];
    text_append(text, last == '{' || last == '[' ? "" : ", ");
    text_append_json_string(text, key);
    text_append(text, ": ");
}

static void add_number(struct text *text, const char *key, uint64_t value) {
    add_key(text, key);
    text_printf(text, "%" PRIu64, value);
}

static void add_word(struct text *text, const char *key, const char *value) {
    add_key(text, key);
    if (value == NULL) {
        text_append(text, "null");
    } else {
        text_append_json_string(text, value);
    }
}

/* A list of objects, each on a line of its own. */
static void begin_list(struct text *text, const char *key) {
    text_append(text, ",\n  ");
    text_append_json_string(text, key);
    text_append(text, ": [");
}

static void begin_item(struct text *text) {
    text_append(text, text->bytes[text->size - 1] == '[' ? "\n    {" : ",\n    {");
}

static void end_list(struct text *text) {
    text_append(text, text->bytes[text->size - 1] == '[' ? "]" : "\n  ]");
}

static void add_figures(struct document *document, enum figure_group group, enum figure_scope scope,
                        uint32_t place) {
    for (const struct figure_row *row = figure_rows(); row->name != NULL; row++) {
        if (row->group == group && row->scope == scope) {
            add_number(&document->text, row->name, figure_get(document->outcome->run, row, place));
        }
    }
}

/* Figures of the whole run, and those of its end. */
static void add_both(struct document *document, enum figure_scope scope, uint32_t place) {
    add_figures(document, FIGURE_TOTALS, scope, place);
    add_key(&document->text, "finally");
    text_append(&document->text, "{");
    add_figures(document, FIGURE_FINALLY, scope, place);
    text_append(&document->text, "}");
}

static void add_step(struct text *text, struct run *run, uint32_t thread, const struct step *step) {
    const struct scenario *scenario = run_scenario(run);
    uint32_t process = scenario->programs.items[thread].process;
    add_word(text, "process", scenario->processes.items[process].name);
    add_number(text, "step", step->number);
    add_word(text, "label", step->label);
    add_number(text, "line", step->line);
}

static void add_devices(struct document *document) {
    const struct site *site = run_machine(document->outcome->run)->site;
    struct text *text = &document->text;
    begin_list(text, "devices");
    for (uint32_t device = 0; device < site->device_count; device++) {
        uint32_t server = site_server_of(site, device);
        begin_item(text);
        add_word(text, "server", run_scenario(document->outcome->run)->servers.items[server].name);
        add_word(text, "product", site->server[server].product->name);
        add_number(text, "device", site_number_there(site, device));
        add_both(document, FIGURE_DEVICE, device);
        text_append(text, "}");
    }
    end_list(text);
}

static void add_processes(struct document *document) {
    const struct site *site = run_machine(document->outcome->run)->site;
    struct text *text = &document->text;
    begin_list(text, "processes");
    for (uint32_t place = 0; place < site->process_count; place++) {
        begin_item(text);
        add_word(text, "process", site->process[place].name);
        add_number(text, "pid", site->process[place].pid);
        add_both(document, FIGURE_PROCESS, place);
        text_append(text, "}");
    }
    end_list(text);
}

/* Of calls that were made. */
static void add_calls(struct document *document) {
    struct text *text = &document->text;
    begin_list(text, "by_call");
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        if (run_totals(document->outcome->run)->call[row].times > 0) {
            begin_item(text);
            add_word(text, "call", acl_row_get(row)->name);
            add_figures(document, FIGURE_TOTALS, FIGURE_CALL, row);
            text_append(text, "}");
        }
    }
    end_list(text);
}

static void add_unexpected(struct document *document) {
    struct run *run = document->outcome->run;
    struct text *text = &document->text;
    begin_list(text, "unexpected");
    for (uint32_t place = 0; place < run_mismatch_count(run); place++) {
        const struct run_mismatch *mismatch = run_mismatch_get(run, place);
        const struct step *step = &run_scenario(run)->steps.items[mismatch->step];
        begin_item(text);
        add_step(text, run, mismatch->thread, step);
        add_word(text, "call", acl_row_get(step->row)->name);
        add_key(text, "code");
        text_printf(text, "%" PRId32, mismatch->code);
        add_key(text, "expected");
        text_printf(text, "%" PRId64, mismatch->expected);
        add_number(text, "times", mismatch->times);
        text_append(text, "}");
    }
    end_list(text);
}

static void add_unmet(struct document *document) {
    struct run *run = document->outcome->run;
    struct text *text = &document->text;
    struct figure_difference difference;
    begin_list(text, "unmet");
    for (size_t place = 0; (place = figure_expect_next(run, place, &difference)) != 0;) {
        struct text pointer = { 0 };
        json_write_pointer(difference.expected->where, &pointer);
        begin_item(text);
        add_word(text, "pointer", text_get(&pointer));
        if (json_is_set(difference.expected->where)) {
            add_word(text, "line", NULL);
        } else {
            add_number(text, "line", json_line(difference.expected->where));
        }
        add_word(text, "bound", figure_expect_bound(difference.expected));
        add_number(text, "expected", difference.bound);
        if (difference.is_there) {
            add_number(text, "found", difference.found);
        } else {
            add_word(text, "found", NULL);
        }
        text_append(text, "}");
        text_fini(&pointer);
    }
    end_list(text);
}

static void add_failures(struct document *document) {
    struct run *run = document->outcome->run;
    struct text *text = &document->text;
    begin_list(text, "unasked");
    for (size_t place = 0; place < document->outcome->failures.count; place++) {
        const struct outcome_failure *failure = &document->outcome->failures.items[place];
        const struct step *step = &run_scenario(run)->steps.items[failure->step];
        begin_item(text);
        add_step(text, run, failure->thread, step);
        add_word(text, "call", acl_row_get(failure->row)->name);
        add_key(text, "code");
        text_printf(text, "%" PRId32, failure->code);
        add_word(text, "rule", failure->rule);
        add_word(text, "reason", failure->reason);
        add_word(text, "section", failure->section);
        add_number(text, "times", failure->times);
        text_append(text, "}");
    }
    end_list(text);
}

static void add_place(struct text *text, struct run *run, const char *key,
                      const struct finding_place *place) {
    add_key(text, key);
    if (place->known == PLACE_UNKNOWN) {
        text_append(text, "null");
        return;
    }
    text_append(text, "{");
    if (place->known == PLACE_END) {
        const struct scenario *scenario = run_scenario(run);
        uint32_t process = scenario->programs.items[place->thread].process;
        add_word(text, "end_of", scenario->processes.items[process].name);
    } else {
        const struct step *step = &run_scenario(run)->steps.items[place->step];
        add_step(text, run, place->thread, step);
        const char *name =
            step->kind == STEP_CALL ? acl_row_get(finding_row_at(step, place))->name : NULL;
        add_word(text, "does", name);
    }
    if (place->known == PLACE_KNOWN) {
        add_number(text, "call", place->call);
    }
    if (place->known != PLACE_STEP) {
        add_number(text, "time_ns", place->time_ns);
    }
    text_append(text, "}");
}

static void add_findings(struct document *document) {
    struct run *run = document->outcome->run;
    struct text *text = &document->text;
    begin_list(text, "findings");
    for (uint32_t place = 0; place < findings_count(run_findings(run)); place++) {
        const struct finding *finding = findings_get(run_findings(run), place);
        const struct finding_row *row = hazard_row(finding->row);
        begin_item(text);
        add_word(text, "finding", row->name);
        add_word(text, "severity", finding_severity_name(row->severity));
        add_number(text, "times", finding->times);
        add_word(text, "what", row->what);
        add_place(text, run, "call", &finding->wrong);
        add_place(text, run, "cause", &finding->cause);
        add_word(text, "thing", finding_thing_name((enum finding_thing)finding->thing));
        add_key(text, "value");
        text_printf(text, "\"0x%" PRIx64 "\"", finding->value);
        add_key(text, "address");
        text_printf(text, "\"0x%" PRIx64 "\"", finding->address);
        add_number(text, "bytes", finding->size);
        for (uint32_t number = 0; number < FINDING_NUMBERS; number++) {
            if (row->number[number] != NULL) {
                add_number(text, row->number[number], finding->number[number]);
            }
        }
        add_word(text, "rule", row->why);
        add_word(text, "repair", row->repair);
        text_append(text, "}");
    }
    end_list(text);
}

static void add_waiting(struct document *document) {
    struct run *run = document->outcome->run;
    struct text *text = &document->text;
    begin_list(text, "waiting");
    for (uint32_t thread = run_next_stuck(run, 0); thread != PROGRAM_NONE;
         thread = run_next_stuck(run, thread + 1)) {
        const struct step *step = run_current_step(run, thread);
        struct text what = { 0 };
        if (step == NULL) {
            continue;
        }
        outcome_write_wait(run, thread, &what);
        begin_item(text);
        add_step(text, run, thread, step);
        add_word(text, "for", text_get(&what));
        add_key(text, "processes");
        text_append(text, "[");
        for (uint32_t process = outcome_next_awaited(run, thread, 0); process != PROGRAM_NONE;
             process = outcome_next_awaited(run, thread, process + 1)) {
            text_append(text, text->bytes[text->size - 1] == '[' ? "" : ", ");
            text_append_json_string(text, run_scenario(run)->processes.items[process].name);
        }
        text_append(text, "]}");
        text_fini(&what);
    }
    end_list(text);
}

static void add_totals(struct document *document) {
    struct run *run = document->outcome->run;
    const struct site *site = run_machine(run)->site;
    struct text *text = &document->text;
    uint32_t guesses = 0;
    for (uint32_t server = 0; server < site->server_count; server++) {
        if (server == 0 || site->server[server].product != site->server[server - 1].product) {
            guesses += outcome_guesses(site->server[server].product);
        }
    }
    text_append(text, ",\n  \"totals\": {");
    add_figures(document, FIGURE_TOTALS, FIGURE_RUN, 0);
    add_number(text, "assumed_numbers", guesses);
    text_append(text, "}");
}

/* What random values were drawn from belongs to the recipe of the run. */
static void add_distributions(struct document *document) {
    const struct scenario *scenario = run_scenario(document->outcome->run);
    struct text *text = &document->text;
    begin_list(text, "distributions");
    for (size_t place = 0; place < scenario->distributions.count; place++) {
        const struct scenario_distribution *at = &scenario->distributions.items[place];
        struct hash128 digest = distribution_digest(&at->distribution);
        begin_item(text);
        add_word(text, "distribution", at->name);
        add_key(text, "digest");
        text_printf(text, "\"%016" PRIx64 "%016" PRIx64 "\"}", digest.high, digest.low);
    }
    end_list(text);
}

static void add_settings(struct text *text, const struct json_settings *settings) {
    add_key(text, "set");
    text_append(text, "[");
    for (size_t place = 0; place < settings->items.count; place++) {
        text_append(text, place == 0 ? "" : ", ");
        text_append_json_string(text, settings->items.items[place]);
    }
    text_append(text, "]");
}

void outcome_print_json(struct outcome *outcome, struct outcome_recipe recipe, FILE *stream) {
    struct document document = { .outcome = outcome };
    struct hash128 digest = journal_digest(&run_machine(outcome->run)->journal);
    struct text *text = &document.text;
    text_append(text, "{");
    add_number(text, "format", 1);
    add_word(text, "program", PACKAGE_STRING);
    add_word(text, "scenario", run_scenario(outcome->run)->title);
    add_word(text, "file", recipe.file);
    add_word(text, "product", recipe.product);
    add_number(text, "seed", run_scenario(outcome->run)->seed);
    add_word(text, "schedule", recipe.schedule);
    add_settings(text, recipe.settings);
    add_word(text, "outcome", outcome_is_expected(outcome->run) ? "expected" : "unexpected");
    add_key(text, "digest");
    text_printf(text, "\"%016" PRIx64 "%016" PRIx64 "\"", digest.high, digest.low);
    add_distributions(&document);
    add_totals(&document);
    add_devices(&document);
    add_processes(&document);
    add_calls(&document);
    add_unexpected(&document);
    add_unmet(&document);
    add_failures(&document);
    add_waiting(&document);
    add_findings(&document);
    text_append(text, "\n}\n");
    (void)fputs(text_get(text), stream);
    text_fini(text);
}
