/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/catalog.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "scenario/run.h"
#include "trace/transcript.h"

#define DEFAULT_PRODUCT "atlas-a2-910b1"

struct wish {
    const struct invocation *invocation;
    const char *product;
    bool quiet;
};

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

static enum command_exit run_it(const struct wish *wish, const struct scenario *scenario,
                                struct run *run, struct problem *problem) {
    struct transcript transcript;
    if (!wish->quiet) {
        printf("# %s\n# %s on %s, seed %" PRIu64 "\n", PACKAGE_STRING, scenario->title,
               wish->product, scenario->seed);
        transcript_open(&transcript, run_machine(run), stdout);
    }
    bool is_well = run_to_end(run, problem);
    if (!wish->quiet) {
        transcript_close(&transcript);
    }
    if (!is_well) {
        return COMMAND_EXIT_USAGE;
    }
    bool is_expected = outcome_print(run, wish->quiet ? NULL : stdout);
    outcome_print_digest(run, stdout);
    return is_expected ? COMMAND_EXIT_EXPECTED : COMMAND_EXIT_UNEXPECTED;
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
    struct scenario *scenario = scenario_read(wish->invocation->words[0], problem);
    if (scenario != NULL) {
        catalog_check(catalog, scenario, problem);
    }
    if (options_has(wish->invocation, "schedule")) {
        schedule = read_schedule(options_value(wish->invocation, "schedule"), problem);
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
                                                      : DEFAULT_PRODUCT,
        .quiet = options_has(invocation, "quiet"),
    };
    struct catalog catalog;
    struct problem problem = { 0 };
    enum command_exit status = COMMAND_EXIT_USAGE;
    if (catalog_open(&catalog, options_value(invocation, "models"), &problem)) {
        status = run_with(&wish, &catalog, &problem);
    }
    (void)fflush(stdout);
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&catalog);
    return status;
}

const struct command cmd_run = {
    .name = "run",
    .summary = "run a scenario and show what happens",
    .words = "SCENARIO",
    .words_min = 1,
    .words_max = 1,
    .about = "Runs the scenario and prints a line for each call: simulated time, process, call, "
             "result, and how long it took. The last line is the digest of the run: the same "
             "scenario, product and seed give the same digest everywhere.",
    .option = { { "product", "NAME", "the device model (default: " DEFAULT_PRODUCT ")" },
                COMMAND_MODELS,
                { "schedule", "FILE", "the order of named steps, one a line: process:label" },
                { "seed", "N", "the seed of random draws, instead of the scenario's" },
                { "max-steps", "N", "stop after so many steps (default: 10000000000)" },
                { "quiet", NULL, "print the digest line alone" } },
    .unexpected = "expectations not met, or some thread waits for ever",
    .example = { { "run scenarios/share-between-processes.json",
                   "two processes share memory on the usual product" },
                 { "run my.json --product atlas-350 --quiet",
                   "the digest of a run on another product" } },
    .body = run,
};
