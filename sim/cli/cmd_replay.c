/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/catalog.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/picture.h"
#include "cli/progress.h"
#include "cli/replay_print.h"
#include "import/import.h"
#include "trace/trace.h"

static const char default_strategy[] = "pooled";

/* A replay under way, and where its samples go. */
struct work {
    const struct invocation *invocation;
    struct import import;
    struct catalog catalog;
    struct problem problem;
    const struct strategy_row *strategy;
    struct whole_file samples; /* stream NULL: they go nowhere */
    struct text samples_path;
    struct trace *trace; /* NULL when none is asked for */
};

/* Samples go to what is named like a table, or like no trace that there is. */
static bool is_for_samples(const char *path) {
    const char *ending = strrchr(path, '.');
    return !trace_has_format(path) || (ending != NULL && strcmp(ending, ".csv") == 0);
}

static const char *find_samples(const struct invocation *invocation) {
    const char *path = NULL;
    for (size_t nth = 0; (path = options_nth(invocation, "trace", nth)) != NULL; nth++) {
        if (is_for_samples(path)) {
            return path;
        }
    }
    return NULL;
}

/* The requests of a strategy between two calls are no calls: it is as it was before this one. */
static bool read_allocator(const void *context, uint32_t process,
                           struct metrics_allocator *figures) {
    const struct replay *replay = context;
    struct strategy_holdings have = replay_holdings(replay);
    (void)process;
    *figures = (struct metrics_allocator){
        .requested = replay_requested(replay),
        .consumed = have.used,
        .held = have.held,
        .free = have.held - have.used,
        .free_largest = have.free_largest,
    };
    return true;
}

static struct trace_step name_step(const void *context, uint32_t thread, uint32_t step) {
    (void)context;
    (void)thread;
    return (struct trace_step){ step == UINT32_MAX ? "before the log" : NULL, step };
}

/* The traces that are asked for beside the samples. */
static bool open_trace(struct work *work, struct replay *replay, const char *product) {
    const char *path = NULL;
    const struct trace_source source = {
        .machine = replay_machine(replay),
        .program = PACKAGE_STRING,
        .title = work->invocation->words[0],
        .product = product,
        .context = replay,
        .step = name_step,
        .allocator = read_allocator,
    };
    for (size_t nth = 0; (path = options_nth(work->invocation, "trace", nth)) != NULL; nth++) {
        if (is_for_samples(path)) {
            continue;
        }
        work->trace = work->trace == NULL ? trace_new(&source) : work->trace;
        if (!trace_add(work->trace, path, &work->problem)) {
            return false;
        }
    }
    if (work->trace != NULL) {
        trace_begin(work->trace);
    }
    return true;
}

static const struct strategy_row *find_strategy(const struct invocation *invocation) {
    const char *name = options_value(invocation, "strategy");
    const struct strategy_row *row = strategy_find(name == NULL ? default_strategy : name);
    if (row != NULL) {
        return row;
    }
    ARRAY(const char *) names = { 0 };
    for (size_t place = 0; place < strategy_count(); place++) {
        array_add(&names, strategy_get(place)->name);
    }
    (void)command_refuse("strategy", name, names.items, names.count);
    array_fini(&names);
    return NULL;
}

static void write_sample(void *context, const struct request *request,
                         const struct replay_sample *sample) {
    replay_print_csv(request, sample, context);
}

/* The samples are a file if they or their picture are asked for. */
static bool open_samples(struct work *work) {
    const char *path = find_samples(work->invocation);
    const char *folder = options_value(work->invocation, "plot");
    if (path == NULL && folder == NULL) {
        return true;
    }
    if (folder != NULL && !picture_make_folder(folder, &work->problem)) {
        return false;
    }
    if (path != NULL) {
        text_append(&work->samples_path, path);
    } else {
        text_printf(&work->samples_path, "%s/replay.csv", folder);
    }
    if (!whole_file_open(&work->samples, text_get(&work->samples_path), &work->problem)) {
        return false;
    }
    replay_print_csv_head(work->samples.stream);
    return true;
}

static bool draw(struct work *work) {
    const char *folder = options_value(work->invocation, "plot");
    return folder == NULL ||
           picture_draw("replay", text_get(&work->samples_path), folder, &work->problem);
}

static enum command_exit report(struct work *work, struct replay *replay, const char *product) {
    const struct replay_recipe recipe = {
        .file = work->invocation->words[0],
        .product = product,
        .strategy = work->strategy->name,
        .trace = work->import.source.trace,
    };
    if (work->samples.stream != NULL && !whole_file_close(&work->samples, &work->problem)) {
        return COMMAND_EXIT_HOST;
    }
    if (work->trace != NULL && !trace_finish(work->trace, &work->problem)) {
        return COMMAND_EXIT_HOST;
    }
    if (!draw(work)) {
        return COMMAND_EXIT_HOST;
    }
    if (options_has(work->invocation, "json")) {
        replay_print_json(replay, &recipe, stdout);
    } else {
        replay_print(replay, &recipe, stdout);
    }
    return replay_report(replay)->verdict == REPLAY_FITS ? COMMAND_EXIT_EXPECTED
                                                         : COMMAND_EXIT_UNEXPECTED;
}

static void measure_requests(const void *context, uint64_t *done, uint64_t *total) {
    const struct request_trace *trace = replay_trace(context);
    *done = replay_report(context)->requests;
    *total = trace->held.count + trace->allocs + trace->frees;
}

/* Serves all requests that can be served. */
static void serve(struct replay *replay) {
    struct progress progress;
    progress_open(&progress, "requests", measure_requests, replay);
    while (replay_one(replay)) {
        progress_look(&progress);
    }
    progress_close(&progress);
}

static enum command_exit replay_with(struct work *work) {
    const char *name = options_value(work->invocation, "product");
    name = name == NULL ? COMMAND_PRODUCT : name;
    const struct product *product = catalog_find(&work->catalog, name, &work->problem);
    if (product == NULL || !open_samples(work)) {
        return product == NULL ? COMMAND_EXIT_USAGE : COMMAND_EXIT_HOST;
    }
    const struct replay_options options = {
        .product = product,
        .support = &work->catalog.support,
        .strategy = work->strategy,
        .sample = work->samples.stream == NULL ? NULL : write_sample,
        .context = work->samples.stream,
    };
    struct replay *replay = replay_new(&work->import.source, &options);
    enum command_exit status = COMMAND_EXIT_HOST;
    if (open_trace(work, replay, name)) {
        serve(replay);
        status = report(work, replay, name);
    }
    trace_free(work->trace);
    whole_file_abandon(&work->samples);
    replay_free(replay);
    return status;
}

static enum command_exit replay_file(const struct invocation *invocation) {
    struct work work = { .invocation = invocation, .strategy = find_strategy(invocation) };
    uint64_t device = IMPORT_ANY_DEVICE;
    enum command_exit status = COMMAND_EXIT_USAGE;
    if (work.strategy == NULL || !options_number(invocation, "device", &device)) {
        return status;
    }
    uint32_t number = device > UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)device;
    if (catalog_open(&work.catalog, options_value(invocation, "models"), &work.problem) &&
        import_open(invocation->words[0], number, &work.import, &work.problem)) {
        status = replay_with(&work);
        import_close(&work.import);
    }
    (void)fflush(stdout);
    problem_print(&work.problem, stderr);
    problem_fini(&work.problem);
    text_fini(&work.samples_path);
    catalog_close(&work.catalog);
    return status;
}

const struct command cmd_replay = {
    .name = "replay",
    .summary = "replay a recorded workload on a device: does it fit, what is lost, what it costs",
    .words = "TRACE",
    .words_min = 1,
    .words_max = 1,
    .about = "Reads a memory snapshot of PyTorch or torch_npu and serves every allocation and free "
             "of its log on a simulated device, through an allocation strategy that makes ACL "
             "calls. Prints what the log held, how much memory it took, what was lost to rounding "
             "and fragmentation, the calls and their simulated cost, and whether it fits; if not, "
             "at which event and why.\n"
             "\n"
             "Blocks that were live before the log begins are allocated first.",
    .option = { { "product", "NAME", "the device model (default: " COMMAND_PRODUCT ")" },
                { "strategy", "NAME",
                  "the allocation strategy (default: pooled); see "
                  "`aclsim list strategies`" },
                { "device", "N", "the log of this device (default: the longest one)" },
                { "trace", "FILE",
                  "write what happens: .csv, a sample after each request; .json, "
                  ".jsonl or .calls, as run does; may be given several times" },
                { "plot", "DIR", "draw pictures of the samples there, with gnuplot" },
                { "json", NULL, "print one JSON document instead" },
                COMMAND_MODELS },
    .unexpected = "it does not fit",
    .example = { { "replay snapshot.pickle", "does it fit on the default device?" },
                 { "replay snapshot.pickle --product atlas-inference-24g --strategy direct",
                   "another device, with a call for each block" },
                 { "replay snapshot.pickle --plot pictures", "and how it went, as pictures" } },
    .body = replay_file,
};
