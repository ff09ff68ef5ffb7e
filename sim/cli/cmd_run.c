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

static const char default_product[] = "atlas-a2-910b1";

struct wish {
    const char *scenario;
    const char *product;
    const char *models;
    const char *schedule;
    const char *seed;
    const char *steps_max;
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
    struct scenario *scenario = scenario_read(wish->scenario, problem);
    if (scenario != NULL) {
        catalog_check(catalog, scenario, problem);
    }
    if (wish->schedule != NULL) {
        schedule = read_schedule(wish->schedule, problem);
    }
    options.product = catalog_find(catalog, wish->product, problem);
    options.support = &catalog->support;
    options.schedule = schedule;
    options.find_product = find_product;
    options.context = catalog;
    bool is_well =
        problem_is_empty(problem) &&
        (wish->steps_max == NULL ||
         options_number("run", "max-steps", wish->steps_max, &options.steps_max)) &&
        (wish->seed == NULL || options_number("run", "seed", wish->seed, &scenario->seed));
    struct run *run = is_well ? run_new(scenario, &options, problem) : NULL;
    if (run != NULL) {
        status = run_it(wish, scenario, run, problem);
    }
    run_free(run);
    schedule_free(schedule);
    scenario_free(scenario);
    return status;
}

static enum command_exit run(int argc, char **argv) {
    struct wish wish = { .product = default_product };
    struct catalog catalog;
    struct problem problem = { 0 };
    int words = 0;
    const struct option options[] = {
        { "product", &wish.product, NULL },     { "models", &wish.models, NULL },
        { "schedule", &wish.schedule, NULL },   { "seed", &wish.seed, NULL },
        { "max-steps", &wish.steps_max, NULL }, { "quiet", NULL, &wish.quiet },
    };
    if (!options_read("run", argc, argv, options, sizeof options / sizeof *options, &words)) {
        return COMMAND_EXIT_USAGE;
    }
    if (words != 1) {
        (void)fputs("aclsim: run takes one scenario; see aclsim help run\n", stderr);
        return COMMAND_EXIT_USAGE;
    }
    wish.scenario = argv[1];
    enum command_exit status = COMMAND_EXIT_USAGE;
    if (catalog_open(&catalog, wish.models, &problem)) {
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
    .usage = "Usage: aclsim run SCENARIO [OPTION...]\n"
             "\n"
             "Runs the scenario and prints a line for each call: simulated time, process, call,\n"
             "result, and how long it took. The last line is the digest of the run: the same\n"
             "scenario, product and seed give the same digest everywhere.\n"
             "\n"
             "Options:\n"
             "  --product NAME    the device model (default atlas-a2-910b1)\n"
             "  --models DIR      where the models are\n"
             "  --schedule FILE   the order of named steps, one a line: process:label\n"
             "  --seed N          the seed of random draws, instead of the scenario's\n"
             "  --max-steps N     stop after so many steps (default 10000000000)\n"
             "  --quiet           the digest line alone\n"
             "\n"
             "Exit status: 0 as expected, 1 expectations not met, 2 bad input, 3 host failed.\n"
             "\n"
             "Examples:\n"
             "  aclsim run scenarios/share-between-processes.json\n"
             "  aclsim run my.json --product atlas-a2-910b1 --quiet\n",
    .body = run,
};
