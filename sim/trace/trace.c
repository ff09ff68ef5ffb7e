/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/mix.h"
#include "base/must.h"
#include "base/text.h"
#include "machine/process.h"
#include "machine/stream.h"
#include "trace/trace_format.h"

#define ENTRY(format) extern const struct trace_format format;
#include "trace/trace_formats.inc"
#undef ENTRY

static const struct trace_format *const formats[] = {
#define ENTRY(format) &format,
#include "trace/trace_formats.inc"
#undef ENTRY
};

enum {
    FORMATS = sizeof formats / sizeof *formats,
    /* A sample follows each change at first, one in two after so many samples, one in three after
     * twice as many: a long run has as many samples as a picture can show. */
    SAMPLES_EACH = 4096,
};

struct output {
    const struct trace_format *format;
    struct trace_writer writer;
    struct trace_file file;
    bool is_open;
};

struct trace {
    struct trace_source source;
    struct metrics metrics;
    struct output output[TRACE_FILES];
    uint32_t count;
    bool has_begun;
    bool samples;
    uint64_t sample_count;
    uint64_t sampled_changes; /* at the last one */
    uint64_t next_changes;    /* how many there are at the next sample */
};

size_t trace_format_count(void) {
    return FORMATS;
}

const char *trace_format_ending(size_t place) {
    return formats[place]->ending;
}

const char *trace_format_meaning(size_t place) {
    return formats[place]->meaning;
}

static const struct trace_format *find_format(const char *path) {
    size_t size = strlen(path);
    for (size_t place = 0; place < FORMATS; place++) {
        size_t ending = strlen(formats[place]->ending);
        if (size > ending && strcmp(path + size - ending, formats[place]->ending) == 0) {
            return formats[place];
        }
    }
    return NULL;
}

bool trace_has_format(const char *path) {
    return find_format(path) != NULL;
}

static void complain_of_ending(const char *path, struct problem *problem) {
    struct text endings = { 0 };
    for (size_t place = 0; place < FORMATS; place++) {
        const char *comma = place == 0 ? "" : place + 1 == FORMATS ? " or " : ", ";
        text_printf(&endings, "%s%s", comma, formats[place]->ending);
    }
    problem_add(problem, (struct problem_place){ .file = path },
                "no trace format has this ending; expected %s", text_get(&endings));
    text_fini(&endings);
}

struct trace *trace_new(const struct trace_source *source) {
    struct trace *trace = host_zeroed(1, sizeof *trace);
    trace->source = *source;
    return trace;
}

static void close_output(struct output *output) {
    if (output->is_open) {
        output->format->close(&output->writer);
        output->is_open = false;
    }
}

void trace_free(struct trace *trace) {
    if (trace == NULL) {
        return;
    }
    for (uint32_t place = 0; place < trace->count; place++) {
        close_output(&trace->output[place]);
        trace_file_abandon(&trace->output[place].file);
    }
    if (trace->has_begun) {
        metrics_close(&trace->metrics);
    }
    free(trace);
}

bool trace_add(struct trace *trace, const char *path, struct problem *problem) {
    const struct trace_format *format = find_format(path);
    struct output *output = &trace->output[trace->count];
    if (format == NULL) {
        complain_of_ending(path, problem);
        return false;
    }
    if (trace->count == TRACE_FILES) {
        problem_add(problem, (struct problem_place){ .file = path },
                    "one file too many; expected %d at most", TRACE_FILES);
        return false;
    }
    if (!trace_file_open(&output->file, path, problem)) {
        return false;
    }
    output->format = format;
    output->writer = (struct trace_writer){
        .source = &trace->source,
        .metrics = &trace->metrics,
        .file = &output->file,
    };
    trace->count++;
    return true;
}

static void give_figures(struct trace *trace, const struct trace_figures *figures) {
    for (uint32_t place = 0; place < trace->count; place++) {
        struct output *output = &trace->output[place];
        if (output->format->figures != NULL) {
            output->format->figures(&output->writer, figures);
        }
    }
}

static void sample_pool(struct trace *trace, uint32_t number) {
    struct metrics_pool pool;
    struct trace_figures figures = {
        .kind = TRACE_OF_POOL,
        .time_ns = machine_now(trace->source.machine),
        .device = number / MEDIA,
        .medium = number % MEDIA,
    };
    must(metrics_pool(&trace->metrics, figures.device, figures.medium, &pool));
    figures.bytes = pool.bytes;
    figures.has_giant = pool.has_giant;
    memcpy(figures.unusable, pool.unusable, sizeof figures.unusable);
    give_figures(trace, &figures);
}

static void sample_process(struct trace *trace, uint32_t process) {
    const struct metrics_process *at = &trace->metrics.process[process];
    struct metrics_space space = metrics_space(&trace->metrics, process);
    struct metrics_allocator own;
    struct trace_figures figures = {
        .kind = TRACE_OF_PROCESS,
        .time_ns = machine_now(trace->source.machine),
        .process = process,
        .bytes = { at->requested, at->consumed, space.used, space.free },
        .free_largest = space.free_largest,
    };
    give_figures(trace, &figures);
    if (at->has_host) {
        figures.kind = TRACE_OF_HOST;
        figures.bytes = (struct metrics_bytes){ at->host_requested, at->host_consumed, 0, 0 };
        figures.free_largest = 0;
        give_figures(trace, &figures);
    }
    if (trace->source.allocator != NULL &&
        trace->source.allocator(trace->source.context, process, &own)) {
        figures.kind = TRACE_OF_ALLOCATOR;
        figures.bytes = (struct metrics_bytes){ own.requested, own.consumed, own.held, own.free };
        figures.free_largest = own.free_largest;
        give_figures(trace, &figures);
    }
}

/* Changes from one sample to the next: about so many, but not always as many, because a program
 * that does the same thing again and again must not be met at the same point of it. */
static uint64_t next_gap(const struct trace *trace) {
    uint64_t mean = 1 + trace->sample_count / SAMPLES_EACH;
    return 1 + mix64(trace->sample_count + 1, MIX_LOW) % (2 * mean - 1);
}

/* Of what changed since the last sample. */
static void sample(struct trace *trace) {
    uint32_t number = 0;
    while (metrics_take_pool(&trace->metrics, &number)) {
        sample_pool(trace, number);
    }
    while (metrics_take_process(&trace->metrics, &number)) {
        sample_process(trace, number);
    }
    trace->sample_count++;
    trace->next_changes = trace->metrics.changes + next_gap(trace);
    trace->sampled_changes = trace->metrics.changes;
}

static void read_fact(void *context, const struct fact *fact, const void *detail) {
    struct trace *trace = context;
    for (uint32_t place = 0; place < trace->count; place++) {
        struct output *output = &trace->output[place];
        if ((output->format->kinds >> fact->kind & 1) != 0) {
            output->format->fact(&output->writer, fact, detail);
        }
    }
    bool is_moment = fact->kind == FACT_CALLED || fact->kind == FACT_PROCESS_ENDED;
    if (trace->samples && is_moment && trace->metrics.changes >= trace->next_changes) {
        sample(trace);
    }
}

void trace_begin(struct trace *trace) {
    uint64_t kinds = TRACE_KIND(FACT_CALLED) | TRACE_KIND(FACT_PROCESS_ENDED);
    trace->has_begun = true;
    trace->next_changes = 1;
    metrics_open(&trace->metrics, trace->source.machine);
    for (uint32_t place = 0; place < trace->count; place++) {
        struct output *output = &trace->output[place];
        output->is_open = true;
        output->writer.own = output->format->open(&output->writer);
        trace->samples = trace->samples || output->format->figures != NULL;
        kinds |= output->format->kinds;
    }
    journal_add_reader(&trace->source.machine->journal, kinds, read_fact, trace);
}

void trace_add_mark(struct trace *trace, const struct trace_mark *mark) {
    for (uint32_t place = 0; place < trace->count; place++) {
        struct output *output = &trace->output[place];
        if (output->format->mark != NULL) {
            output->format->mark(&output->writer, mark);
        }
    }
}

bool trace_finish(struct trace *trace, struct problem *problem) {
    bool is_well = true;
    if (trace->samples && trace->metrics.changes > trace->sampled_changes) {
        sample(trace);
    }
    for (uint32_t place = 0; place < trace->count; place++) {
        struct output *output = &trace->output[place];
        close_output(output);
        is_well = trace_file_close(&output->file, problem) && is_well;
    }
    return is_well;
}

uint32_t trace_process_of(const struct trace_writer *writer, uint32_t thread) {
    return writer->source->machine->site->thread[thread].process;
}

uint32_t trace_thread_number(const struct trace_writer *writer, uint32_t thread) {
    const struct site *site = writer->source->machine->site;
    return thread - site->process[site->thread[thread].process].thread_first + 1;
}

const char *trace_process_name(const struct trace_writer *writer, uint32_t process) {
    return writer->source->machine->site->process[process].name;
}

struct trace_step trace_step_of(const struct trace_writer *writer, const struct fact *fact) {
    const struct trace_source *source = writer->source;
    return source->step != NULL ? source->step(source->context, fact->thread, fact->step)
                                : (struct trace_step){ NULL, fact->step };
}

void trace_append_server(const struct trace_writer *writer, uint32_t server, struct text *text) {
    const struct trace_source *source = writer->source;
    if (source->server != NULL) {
        text_append(text, source->server(source->context, server));
    } else {
        text_printf(text, "%u", server);
    }
}

const char *trace_medium_name(uint32_t medium) {
    return medium == MEDIUM_MAIN ? "main" : "ddr";
}

const char *trace_task_name(uint32_t kind) {
    static const char *const names[] = {
        [TASK_COPY] = "copy",     [TASK_SET] = "set",   [TASK_COMPUTE] = "compute",
        [TASK_RECORD] = "record", [TASK_WAIT] = "wait", [TASK_MEDIA] = "media",
    };
    must(kind < sizeof names / sizeof *names);
    return names[kind];
}
