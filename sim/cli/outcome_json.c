/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>
#include <inttypes.h>

#include "acl/acl_row.h"
#include "cli/outcome.h"

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

static void add_level(struct text *text, const struct totals_level *level, const char *bytes,
                      const char *time) {
    add_number(text, bytes, level->peak);
    add_number(text, time, level->peak_ns);
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
    const struct site *site = document->outcome->totals.machine->site;
    struct text *text = &document->text;
    begin_list(text, "devices");
    for (uint32_t device = 0; device < site->device_count; device++) {
        uint32_t server = site_server_of(site, device);
        begin_item(text);
        add_word(text, "server", run_scenario(document->outcome->run)->servers.items[server].name);
        add_word(text, "product", site->server[server].product->name);
        add_number(text, "device", site_number_there(site, device));
        add_level(text, &document->outcome->totals.device[device], "peak_bytes", "peak_ns");
        text_append(text, "}");
    }
    end_list(text);
}

static void add_processes(struct document *document) {
    const struct site *site = document->outcome->totals.machine->site;
    struct text *text = &document->text;
    begin_list(text, "processes");
    for (uint32_t place = 0; place < site->process_count; place++) {
        const struct totals_process *process = &document->outcome->totals.process[place];
        begin_item(text);
        add_word(text, "process", site->process[place].name);
        add_number(text, "pid", site->process[place].pid);
        add_number(text, "calls", process->calls);
        add_number(text, "refused", process->refused);
        add_number(text, "call_ns", process->call_ns);
        add_number(text, "queue_ns", process->queue_ns);
        add_level(text, &process->device, "device_peak_bytes", "device_peak_ns");
        add_level(text, &process->host, "host_peak_bytes", "host_peak_ns");
        text_append(text, "}");
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

static void add_failures(struct document *document) {
    struct run *run = document->outcome->run;
    struct text *text = &document->text;
    begin_list(text, "unasked");
    for (size_t place = 0; place < document->outcome->failures.count; place++) {
        const struct outcome_failure *failure = &document->outcome->failures.items[place];
        const struct step *step = &run_scenario(run)->steps.items[failure->step];
        begin_item(text);
        add_step(text, run, failure->thread, step);
        add_word(text, "call", acl_row_get(step->row)->name);
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
    add_number(text, "calls", document->outcome->totals.calls);
    add_number(text, "refused", document->outcome->totals.refused);
    add_number(text, "unasked", run_unasked_failures(run));
    add_number(text, "steps", run_steps(run));
    add_number(text, "time_ns", machine_now(run_machine(run)));
    add_number(text, "assumed_numbers", guesses);
    text_append(text, "}");
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
    add_word(text, "outcome", outcome_is_expected(outcome->run) ? "expected" : "unexpected");
    add_key(text, "digest");
    text_printf(text, "\"%016" PRIx64 "%016" PRIx64 "\"", digest.high, digest.low);
    add_totals(&document);
    add_devices(&document);
    add_processes(&document);
    add_unexpected(&document);
    add_failures(&document);
    add_waiting(&document);
    text_append(text, "\n}\n");
    (void)fputs(text_get(text), stream);
    text_fini(text);
}
