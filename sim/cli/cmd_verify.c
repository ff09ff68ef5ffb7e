/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/host.h"
#include "base/text.h"
#include "cli/catalog.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "scenario/run.h"

struct verifier {
    struct catalog catalog;
    const char *product; /* only this one; NULL for those that the scenario names */
    struct json_settings settings;
    bool digests;
    bool codes;
    uint64_t passed;
    uint64_t failed;
    uint64_t files;
    bool is_bad; /* some file can not be read */
};

static const struct product *find_product(void *context, const char *name,
                                          struct problem *problem) {
    return catalog_find(context, name, problem);
}

static void report(struct verifier *verifier, bool is_well, const char *path, const char *product,
                   struct run *run) {
    verifier->passed += is_well;
    verifier->failed += !is_well;
    printf("%s %s on %s", is_well ? "ok    " : "FAILED", path, product);
    if (verifier->digests && run != NULL) {
        fputs(", ", stdout);
        outcome_print_digest(run, stdout);
    } else {
        fputs("\n", stdout);
    }
}

/* What a reader of codes knows of its run. */
struct code_reader {
    const struct scenario *scenario;
    const char *path;
    const char *product;
};

/* "scenario,product,process:step,code": the form of tests/expected-codes.csv. */
static void print_code(void *context, const struct fact *fact, const void *detail) {
    const struct code_reader *reader = context;
    const struct scenario *scenario = reader->scenario;
    const struct step *step = &scenario->steps.items[fact->step];
    const struct program *program = &scenario->programs.items[fact->thread];
    (void)detail;
    printf("%s,%s,%s:", reader->path, reader->product,
           scenario->processes.items[program->process].name);
    if (step->label != NULL) {
        printf("%s,%d\n", step->label, fact->code);
    } else {
        printf("%u,%d\n", step->number, fact->code);
    }
}

static void verify_on(struct verifier *verifier, const struct scenario *scenario, const char *path,
                      const char *name) {
    struct problem problem = { 0 };
    struct run_options options = {
        .product = catalog_find(&verifier->catalog, name, &problem),
        .support = &verifier->catalog.support,
        .choice = choice_first(),
        .steps_max = SCENARIO_STEPS_MAX,
        .find_product = find_product,
        .context = &verifier->catalog,
    };
    struct run *run = options.product == NULL ? NULL : run_new(scenario, &options, &problem);
    struct code_reader reader = { scenario, path, name };
    if (run != NULL && verifier->codes) {
        journal_add_reader(&run_machine(run)->journal, journal_kind(FACT_CALLED), print_code,
                           &reader);
    }
    bool has_run = run != NULL && run_to_end(run, &problem);
    bool is_well = has_run && outcome_is_expected(run);
    report(verifier, is_well, path, name, run);
    if (has_run && !is_well) {
        outcome_print_unexpected(run, stdout);
    }
    (void)fflush(stdout);
    problem_print(&problem, stderr);
    verifier->is_bad = verifier->is_bad || !problem_is_empty(&problem);
    problem_fini(&problem);
    run_free(run);
}

/* A model that can not be read fails where the scenario asks for it. */
static bool is_wanted(const struct scenario *scenario, const char *name,
                      const struct product *product) {
    bool is_named = scenario->all_products;
    for (size_t place = 0; place < scenario->products.count; place++) {
        is_named = is_named || strcmp(scenario->products.items[place], name) == 0;
    }
    return product == NULL ? is_named : catalog_picks(scenario, product, true);
}

/* On one product: what a folder holds for others is passed over. */
static void verify_on_asked(struct verifier *verifier, const struct scenario *scenario,
                            const char *path, bool is_named) {
    struct problem problem = { 0 };
    const struct product *product = catalog_find(&verifier->catalog, verifier->product, &problem);
    if (is_named || product == NULL || catalog_picks(scenario, product, false)) {
        verify_on(verifier, scenario, path, verifier->product);
    }
    problem_fini(&problem);
}

/* On every product that the scenario is for, in the order of their names. */
static void verify_on_its_own(struct verifier *verifier, const struct scenario *scenario,
                              const char *path) {
    size_t count = 0;
    char **names = catalog_names(&verifier->catalog, &count);
    for (size_t place = 0; place < count; place++) {
        struct problem problem = { 0 };
        const struct product *product = catalog_find(&verifier->catalog, names[place], &problem);
        if (is_wanted(scenario, names[place], product)) {
            verify_on(verifier, scenario, path, names[place]);
        }
        problem_fini(&problem);
    }
    catalog_free_names(names, count);
}

static void complain(struct verifier *verifier, const char *path, const char *what) {
    (void)fflush(stdout);
    (void)fprintf(stderr, "%s: %s\n", path, what);
    verifier->is_bad = true;
}

static void verify_file(struct verifier *verifier, const char *path, bool is_named) {
    struct problem problem = { 0 };
    verifier->files++;
    struct scenario *scenario = scenario_read(path, &verifier->settings, &problem);
    if (scenario == NULL || !catalog_check(&verifier->catalog, scenario, &problem)) {
        printf("FAILED %s\n", path);
        (void)fflush(stdout);
        problem_print(&problem, stderr);
        verifier->failed++;
        verifier->is_bad = true;
    } else if (verifier->product != NULL) {
        verify_on_asked(verifier, scenario, path, is_named);
    } else {
        verify_on_its_own(verifier, scenario, path);
    }
    problem_fini(&problem);
    scenario_free(scenario);
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool has_suffix(const char *name, const char *suffix) {
    size_t size = strlen(name);
    size_t length = strlen(suffix);
    return size > length && strcmp(name + size - length, suffix) == 0;
}

static void verify_path(struct verifier *verifier, const char *path, bool is_named);

/* The files of a folder and of those inside it, in the order of their names. */
static void verify_folder(struct verifier *verifier, const char *path) {
    ARRAY(char *) names = { 0 };
    DIR *folder = opendir(path);
    const struct dirent *entry = NULL;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            array_add(&names, host_copy_string(entry->d_name));
        }
    }
    if (folder == NULL) {
        complain(verifier, path, strerror(errno));
        return;
    }
    (void)closedir(folder);
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof *names.items, by_name);
    }
    for (size_t place = 0; place < names.count; place++) {
        struct text inside = { 0 };
        text_printf(&inside, "%s/%s", path, names.items[place]);
        verify_path(verifier, text_get(&inside), false);
        text_fini(&inside);
        free(names.items[place]);
    }
    array_fini(&names);
}

static void verify_path(struct verifier *verifier, const char *path, bool is_named) {
    struct stat status;
    uint64_t before = verifier->files;
    /* A link inside of a folder may lead back to it. */
    bool is_there = (is_named ? stat : lstat)(path, &status) == 0;
    if (is_there && S_ISDIR(status.st_mode)) {
        verify_folder(verifier, path);
        if (is_named && verifier->files == before && !verifier->is_bad) {
            complain(verifier, path,
                     "there is no scenario in this folder; expected files whose "
                     "names end in .json");
        }
    } else if (is_named || has_suffix(path, ".json")) {
        verify_file(verifier, path, is_named);
    }
}

static enum command_exit verify(const struct invocation *invocation) {
    struct verifier verifier = { .product = options_value(invocation, "product"),
                                 .digests = options_has(invocation, "digests"),
                                 .codes = options_has(invocation, "codes") };
    struct problem problem = { 0 };
    bool is_open = catalog_open(&verifier.catalog, options_value(invocation, "models"), &problem);
    options_settings(invocation, &verifier.settings);
    for (int word = 0; is_open && word < invocation->word_count; word++) {
        verify_path(&verifier, invocation->words[word], true);
    }
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&verifier.catalog);
    array_fini(&verifier.settings.items);
    if (!is_open) {
        return COMMAND_EXIT_USAGE;
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", verifier.passed, verifier.failed);
    return verifier.is_bad       ? COMMAND_EXIT_USAGE
           : verifier.failed > 0 ? COMMAND_EXIT_UNEXPECTED
                                 : COMMAND_EXIT_EXPECTED;
}

const struct command cmd_verify = {
    .name = "verify",
    .summary = "run scenarios on their products and compare with what they expect",
    .words = "PATH...",
    .words_min = 1,
    .words_max = INT_MAX,
    .about = "Runs each scenario, or all in a folder, on every product that it names, and prints a "
             "line for each run and what was not as expected.",
    .option = { { "product", "NAME", "only on this product; of folders what is for it" },
                COMMAND_MODELS,
                COMMAND_SET,
                { "digests", NULL, "print the digest of each run" },
                { "codes", NULL, "print what each call returned: scenario,product,step,code" } },
    .unexpected = "some run was not as expected",
    .example = { { "verify scenarios", "every scenario in the folder" },
                 { "verify my.json --product atlas-a2-910b1", "one scenario on one product" },
                 { "verify my.json --set /expect/totals/refused=1",
                   "as if the file expected that one call is refused" } },
    .body = verify,
};
