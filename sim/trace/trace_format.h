/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of a trace format. A file trace_<name>.c defines one row, const struct trace_format
 * trace_<name>, and its line in local.mk puts the row into the table.
 */
#ifndef TRACE_TRACE_FORMAT_H
#define TRACE_TRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fact.h"
#include "trace/metrics.h"
#include "trace/trace.h"
#include "trace/trace_file.h"

#define TRACE_KIND(kind) ((uint64_t)1 << (kind))

/* What a writer works with. */
struct trace_writer {
    const struct trace_source *source;
    const struct metrics *metrics;
    struct trace_file *file;
    void *own; /* what open() returned */
};

/* Figures of one thing at one time: a medium of a device, a process, or its allocator. */
enum trace_figures_kind { TRACE_OF_POOL, TRACE_OF_PROCESS, TRACE_OF_HOST, TRACE_OF_ALLOCATOR };

struct trace_figures {
    enum trace_figures_kind kind;
    uint64_t time_ns;
    uint32_t device; /* of a pool */
    uint32_t medium;
    uint32_t process;                /* else */
    struct metrics_bytes bytes;      /* of a process, reserved and free count its addresses */
    uint64_t free_largest;           /* but of a pool */
    uint64_t unusable[PAGE_CLASSES]; /* of a pool */
    bool has_giant;
};

struct trace_format {
    const char *ending;
    const char *meaning; /* a phrase, for the list of formats */
    uint64_t kinds;      /* of facts that it writes: TRACE_KIND() of each, or UINT64_MAX */
    void *(*open)(struct trace_writer *writer); /* writes what comes first */
    void (*fact)(struct trace_writer *writer, const struct fact *fact, const void *detail);
    void (*figures)(struct trace_writer *writer, const struct trace_figures *figures); /* or NULL */
    void (*mark)(struct trace_writer *writer, const struct trace_mark *mark);          /* or NULL */
    void (*close)(struct trace_writer *writer); /* writes what comes last, frees its own */
};

/* The process of a thread, and the number of the thread in it, from 1. */
uint32_t trace_process_of(const struct trace_writer *writer, uint32_t thread);
uint32_t trace_thread_number(const struct trace_writer *writer, uint32_t thread);
const char *trace_process_name(const struct trace_writer *writer, uint32_t process);

/* Names as the source has them, or numbers, for as long as the text lives. */
struct trace_step trace_step_of(const struct trace_writer *writer, const struct fact *fact);
void trace_append_server(const struct trace_writer *writer, uint32_t server, struct text *text);

const char *trace_medium_name(uint32_t medium); /* "main", "ddr" */
const char *trace_task_name(uint32_t kind);     /* enum task_kind: "copy" */

#endif
