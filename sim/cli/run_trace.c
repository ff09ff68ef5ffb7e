/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_trace.h"

#include <config.h>

#include "base/json_write.h"
#include "cli/options.h"
#include "cli/picture.h"
#include "hazard/hazard.h"

static struct trace_step name_step(const void *context, uint32_t thread, uint32_t step) {
    const struct scenario *scenario = context;
    (void)thread;
    if (step >= scenario->steps.count) {
        return (struct trace_step){ NULL, 0 };
    }
    const struct step *at = &scenario->steps.items[step];
    return (struct trace_step){ at->label, at->number };
}

static const char *name_server(const void *context, uint32_t server) {
    return ((const struct scenario *)context)->servers.items[server].name;
}

static const char *name_container(const void *context, uint32_t container) {
    return ((const struct scenario *)context)->containers.items[container].name;
}

static void write_part(const void *context, const char *key, struct text *text) {
    const struct scenario *scenario = context;
    const struct json *part = json_find(json_root(scenario->document), key);
    if (part == NULL) {
        text_append(text, "null");
    } else {
        json_write_value(text, part);
    }
}

static const char *name_phase(const void *context, uint64_t phase) {
    return ((const struct scenario *)context)->names.items[phase];
}

static bool add_files(struct run_trace *trace, const struct invocation *invocation,
                      struct problem *problem) {
    const char *path = NULL;
    for (size_t nth = 0; (path = options_nth(invocation, "trace", nth)) != NULL; nth++) {
        if (!trace_add(trace->trace, path, problem)) {
            return false;
        }
    }
    if (trace->folder == NULL) {
        return true;
    }
    text_printf(&trace->for_plot, "%s/run.csv", trace->folder);
    return picture_make_folder(trace->folder, problem) &&
           trace_add(trace->trace, text_get(&trace->for_plot), problem);
}

bool run_trace_open(struct run_trace *trace, const struct invocation *invocation,
                    const char *product, struct run *run, struct problem *problem) {
    const struct scenario *scenario = run_scenario(run);
    const struct trace_source source = {
        .machine = run_machine(run),
        .program = PACKAGE_STRING,
        .title = scenario->title,
        .product = product,
        .seed = scenario->seed,
        .context = scenario,
        .step = name_step,
        .server = name_server,
        .container = name_container,
        .phase = name_phase,
        .part = write_part,
    };
    *trace = (struct run_trace){ .run = run, .folder = options_value(invocation, "plot") };
    if (trace->folder == NULL && !options_has(invocation, "trace")) {
        return true;
    }
    trace->trace = trace_new(&source);
    if (!add_files(trace, invocation, problem)) {
        return false;
    }
    trace_begin(trace->trace);
    return true;
}

static void add_marks(struct run_trace *trace) {
    const struct findings *findings = run_findings(trace->run);
    for (uint32_t place = 0; place < findings_count(findings); place++) {
        const struct finding *finding = findings_get(findings, place);
        const struct finding_row *row = hazard_row(finding->row);
        const struct trace_mark mark = {
            .time_ns = finding->wrong.time_ns,
            .thread = finding->wrong.thread,
            .name = row->name,
            .kind = finding_severity_name(row->severity),
            .text = row->what,
        };
        trace_add_mark(trace->trace, &mark);
    }
}

bool run_trace_finish(struct run_trace *trace, struct problem *problem) {
    if (trace->trace == NULL) {
        return true;
    }
    add_marks(trace);
    return trace_finish(trace->trace, problem) &&
           (trace->folder == NULL ||
            picture_draw("run", text_get(&trace->for_plot), trace->folder, problem));
}

void run_trace_close(struct run_trace *trace) {
    trace_free(trace->trace);
    text_fini(&trace->for_plot);
}
