/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/catalog.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "cli/progress.h"
#include "cli/run_trace.h"
#include "scenario/run.h"
#include "scenario/schedule_check.h"
#include "trace/transcript.h"

struct wish {
    const struct invocation *invocation;
    const char *product;
    bool quiet;
    bool json;
    struct json_settings settings;
    struct transcript_form form;
};

/* What does not go together; false with one line on stderr. */
static bool read_form(struct wish *wish) {
    const struct invocation *invocation = wish->invocation;
    wish->quiet = options_has(invocation, "quiet");
    wish->json = options_has(invocation, "json");
    wish->form.steps = options_has(invocation, "steps");
    if (wish->quiet + wish->json + wish->form.steps > 1) {
        (void)fputs("aclsim: run prints in one way: --quiet, --json or --steps\n", stderr);
        return false;
    }
    return colour_read(invocation, &wish->form.colour);
}

/* The whole of a schedule file; NULL with a problem. */
static struct schedule *read_schedule(const char *path, struct problem *problem) {
    struct text lines = { 0 };
    struct schedule *schedule = NULL;
    char bytes[4096];
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        problem_add(problem, (struct problem_place){ .file = path }, "%s", strerror(errno));
        return NULL;
    }
    while (lines.size <= OUTCOME_FILE_MAX && (size = fread(bytes, 1, sizeof bytes, file)) > 0) {
        text_append_bytes(&lines, bytes, size);
    }
    if (ferror(file) || lines.size > OUTCOME_FILE_MAX) {
        problem_add(problem, (struct problem_place){ .file = path },
                    ferror(file) ? "it can not be read; expected a file"
                                 : "this file has more than 64 MiB; expected less");
    } else {
        schedule = schedule_parse(path, text_get(&lines), problem);
    }
    (void)fclose(file);
    text_fini(&lines);
    return schedule;
}

/* What is printed beside the digest. */
static enum command_exit report(const struct wish *wish, struct outcome *outcome) {
    const struct outcome_recipe recipe = {
        .file = wish->invocation->words[0],
        .product = wish->product,
        .settings = &wish->settings,
        .schedule = options_value(wish->invocation, "schedule"),
    };
    if (wish->json) {
        outcome_print_json(outcome, recipe, stdout);
    } else {
        if (!wish->quiet) {
            outcome_print(outcome, stdout);
        }
        outcome_print_digest(outcome->run, stdout);
    }
    return outcome_is_expected(outcome->run) ? COMMAND_EXIT_EXPECTED : COMMAND_EXIT_UNEXPECTED;
}

/* The traces stand before the summary is printed: what it says of the run is in them. */
static enum command_exit finish(const struct wish *wish, struct outcome *outcome,
                                struct run_trace *trace, struct problem *problem) {
    bool is_written = run_trace_finish(trace, problem);
    enum command_exit status = report(wish, outcome);
    return is_written ? status : COMMAND_EXIT_HOST;
}

/* Steps of all threads, loops included. */
static void measure_steps(const void *context, uint64_t *done, uint64_t *total) {
    const struct run *run = context;
    const struct scenario *scenario = run_scenario(run);
    for (size_t place = 0; place < scenario->programs.count; place++) {
        *total += scenario->programs.items[place].steps_total;
    }
    *done = run_steps(run);
}

static void look_at_call(void *context, const struct fact *fact, const void *detail) {
    (void)fact;
    (void)detail;
    progress_look(context);
}

/* On one line, as a JSON string where it has several. */
static void print_setting(const char *setting) {
    struct text shown = { 0 };
    if (strpbrk(setting, "\n\t") != NULL) {
        text_append_json_string(&shown, setting);
    } else {
        text_append(&shown, setting);
    }
    printf(", set %s", text_get(&shown));
    text_fini(&shown);
}

static void print_head(const struct wish *wish, const struct scenario *scenario) {
    const char *schedule = options_value(wish->invocation, "schedule");
    printf("# %s\n# %s on %s, seed %" PRIu64, PACKAGE_STRING,
           scenario->title[0] == '\0' ? scenario->file : scenario->title, wish->product,
           scenario->seed);
    if (schedule != NULL) {
        printf(", schedule %s", schedule);
    }
    for (size_t place = 0; place < wish->settings.items.count; place++) {
        print_setting(wish->settings.items.items[place]);
    }
    putchar('\n');
}

static enum command_exit run_it(const struct wish *wish, const struct scenario *scenario,
                                struct run *run, struct problem *problem) {
    bool is_silent = wish->quiet || wish->json;
    struct transcript transcript;
    struct progress progress;
    struct outcome outcome;
    struct run_trace trace;
    if (!run_trace_open(&trace, wish->invocation, wish->product, run, problem)) {
        run_trace_close(&trace);
        return COMMAND_EXIT_USAGE;
    }
    outcome_open(&outcome, run);
    progress_open(&progress, "steps", measure_steps, run);
    journal_add_reader(&run_machine(run)->journal, journal_kind(FACT_CALLED), look_at_call,
                       &progress);
    if (!is_silent) {
        print_head(wish, scenario);
        transcript_open(&transcript, run_machine(run), stdout, wish->form);
    }
    bool is_well = run_to_end(run, problem);
    progress_close(&progress);
    if (!is_silent) {
        transcript_close(&transcript);
    }
    enum command_exit status =
        is_well ? finish(wish, &outcome, &trace, problem) : COMMAND_EXIT_USAGE;
    outcome_close(&outcome);
    run_trace_close(&trace);
    return status;
}

static const struct product *find_product(void *context, const char *name,
                                          struct problem *problem) {
    return catalog_find(context, name, problem);
}

static enum command_exit run_with(const struct wish *wish, struct catalog *catalog,
                                  struct problem *problem) {
    struct run_options options = { .choice = choice_first(), .steps_max = SCENARIO_STEPS_MAX };
    struct schedule *schedule = NULL;
    enum command_exit status = COMMAND_EXIT_USAGE;
    struct scenario *scenario = scenario_read(wish->invocation->words[0], &wish->settings, problem);
    if (scenario != NULL) {
        catalog_check(catalog, scenario, problem);
    }
    if (options_has(wish->invocation, "schedule")) {
        schedule = read_schedule(options_value(wish->invocation, "schedule"), problem);
        if (schedule != NULL && scenario != NULL) {
            schedule_check(schedule, scenario, problem);
        }
    }
    options.product = catalog_find(catalog, wish->product, problem);
    options.support = &catalog->support;
    options.schedule = schedule;
    options.find_product = find_product;
    options.context = catalog;
    bool is_well = problem_is_empty(problem) &&
                   options_number(wish->invocation, "max-steps", &options.steps_max) &&
                   options_number(wish->invocation, "seed", &scenario->seed);
    struct run *run = is_well ? run_new(scenario, &options, problem) : NULL;
    if (run != NULL) {
        status = run_it(wish, scenario, run, problem);
    }
    run_free(run);
    schedule_free(schedule);
    scenario_free(scenario);
    return status;
}

static enum command_exit run(const struct invocation *invocation) {
    struct wish wish = {
        .invocation = invocation,
        .product = options_has(invocation, "product") ? options_value(invocation, "product")
                                                      : COMMAND_PRODUCT,
    };
    struct catalog catalog;
    struct problem problem = { 0 };
    enum command_exit status = COMMAND_EXIT_USAGE;
    if (!read_form(&wish)) {
        return COMMAND_EXIT_USAGE;
    }
    options_settings(invocation, &wish.settings);
    if (catalog_open(&catalog, options_value(invocation, "models"), &problem)) {
        status = run_with(&wish, &catalog, &problem);
    }
    (void)fflush(stdout);
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&catalog);
    array_fini(&wish.settings.items);
    return status;
}

const struct command cmd_run = {
    .name = "run",
    .summary = "run a scenario and show what happens",
    .words = "SCENARIO",
    .words_min = 1,
    .words_max = 1,
    .about = "Runs the scenario and prints a line for each call: simulated time, process, call, "
             "result, and how long it took; of a refused call the rule that refused it, with its "
             "section of the specification. A summary follows: what was not as expected, calls, "
             "times and peaks of memory. The last line is the digest of the run: the same "
             "scenario, product and seed give the same digest everywhere.\n\n"
             "With --steps, a table of blocks, handles, mappings and shares follows each call that "
             "changes it: + is new, ~ changed, - gone. A long run shows on a terminal how far it "
             "is.",
    .option = { { "product", "NAME", "the device model (default: " COMMAND_PRODUCT ")" },
                COMMAND_MODELS,
                { "schedule", "FILE", "the order of named steps, one a line: process:label" },
                { "seed", "N", "the seed of random draws, instead of the scenario's" },
                COMMAND_SET,
                { "max-steps", "N", "stop after so many steps (default: 10000000000)" },
                { "trace", "FILE",
                  "write what happens to a file, in the form of its ending: .csv, "
                  ".json, .jsonl or .calls; may be given several times" },
                { "plot", "DIR", "draw pictures of memory, fragmentation and latency there" },
                { "steps", NULL, "show who holds what behind each step that changes it" },
                { "json", NULL, "print one JSON document at the end: docs/outcome.md" },
                { "quiet", NULL, "print the digest line alone" },
                COMMAND_COLOUR },
    .unexpected = "expectations not met, or some thread waits for ever",
    .example = { { "run scenarios/share-between-processes.json",
                   "two processes share memory on the usual product" },
                 { "run scenarios/share/not-listed.json --steps", "step by step, who holds what" },
                 { "run my.json --product atlas-350 --quiet",
                   "the digest of a run on another product" },
                 { "run my.json --set /processes/A/device=1",
                   "as if the file said that process A uses device 1" },
                 { "run my.json --trace my.csv --trace my.json --plot pictures",
                   "a table, a timeline for Perfetto, and pictures: docs/traces.md" },
                 { "run my.json --json | jq .totals", "figures for a program" } },
    .body = run,
};
