/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces: what happens in a run, written to files in formats that their names say ("x.csv"). A
 * trace reads the journal of a machine and gives each fact to the writers that asked for its kind;
 * now and then, when memory changed, it samples the metrics for those that want them.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"
#include "machine/machine.h"
#include "trace/metrics.h"

enum { TRACE_FILES = 16 };

/* What a step of a thread is called. */
struct trace_step {
    const char *label; /* borrowed; NULL when it has none */
    uint64_t number;
};

/* What only whoever runs the machine knows; it and all in it is borrowed. Functions may be NULL:
 * steps are numbers then, servers and phases too, and there is no allocator. */
struct trace_source {
    struct machine *machine;
    const char *program; /* name and version */
    const char *title;
    const char *product;
    uint64_t seed;
    const void *context; /* of the functions */
    struct trace_step (*step)(const void *context, uint32_t thread, uint32_t step);
    const char *(*server)(const void *context, uint32_t server);
    const char *(*container)(const void *context, uint32_t container);
    const char *(*phase)(const void *context, uint64_t phase);
    /* Appends as JSON what the scenario says of its "servers" or "containers", or null. */
    void (*part)(const void *context, const char *key, struct text *text);
    /* What the allocator of a process says of itself; false when it has none. */
    bool (*allocator)(const void *context, uint32_t process, struct metrics_allocator *figures);
};

/* Something at a moment that is no fact, such as what a rule found. */
struct trace_mark {
    uint64_t time_ns;
    uint32_t thread;
    const char *name;
    const char *kind; /* how bad it is, in a word */
    const char *text; /* one line */
};

struct trace;

/* Whether the name of a file ends like that of a format. */
bool trace_has_format(const char *path);

struct trace *trace_new(const struct trace_source *source); /* caller owns, trace_free() */
void trace_free(struct trace *trace); /* without a file, unless trace_finish() came before */

/* Adds a file; false, with a problem, when its name ends otherwise than that of a format, or it
 * can not be made. */
bool trace_add(struct trace *trace, const char *path, struct problem *problem);

/* Reads the journal from now on. */
void trace_begin(struct trace *trace);

void trace_add_mark(struct trace *trace, const struct trace_mark *mark);

/* Puts the files in their places; false, with a problem, when the host could not write one: then
 * it is as it was before. */
bool trace_finish(struct trace *trace, struct problem *problem);

/* The formats: ".csv", and what it is for. */
size_t trace_format_count(void);
const char *trace_format_ending(size_t place);
const char *trace_format_meaning(size_t place);

#endif
