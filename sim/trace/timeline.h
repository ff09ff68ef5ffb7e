/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome trace events: what the parts of the timeline writer share. Tracks are threads of trace
 * processes: each simulated process, device and server (for its links) is one of these.
 */
#ifndef TRACE_TIMELINE_H
#define TRACE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/number_map.h"
#include "base/text.h"
#include "trace/trace_format.h"

/* Trace processes: the simulated ones have their own pids, which are smaller. */
enum { TIMELINE_DEVICES = 1000000, TIMELINE_LINKS = 2000000, TIMELINE_MESSAGES = 1000000 };

/* The way of a copy over a link; no name for copies that use none. */
struct timeline_copy {
    char *name; /* owned: "HCCS device 0 to device 1" */
    uint32_t server;
    uint64_t bytes;
};

/* A stream, and the work at its head. */
struct timeline_stream {
    uint64_t value;
    uint32_t device;
    uint32_t process;
    bool is_busy;
    uint32_t kind; /* enum task_kind */
    uint64_t size;
    uint64_t started_ns;
    struct timeline_copy copy;
};

struct timeline_share {
    uint64_t exported_ns;
    uint32_t thread;
    uint32_t imports;
};

struct timeline_messages {
    uint64_t sent;
    uint64_t received;
    uint32_t to;
};

/* Where a copying call has its arguments. */
struct timeline_places {
    bool copies;
    uint8_t to;
    uint8_t from;
    uint8_t count;
};

struct timeline {
    struct text line;
    bool has_events;
    bool *has_device;               /* by device: its name was written */
    bool *has_links;                /* by server */
    bool *has_messages;             /* by process */
    struct timeline_places *places; /* by row of the call table */
    ARRAY(struct timeline_stream) streams;
    struct number_map stream_at; /* by value */
    ARRAY(struct timeline_share) shares;
    struct number_map share_at; /* by value */
    ARRAY(struct timeline_messages) messages;
    struct number_map messages_at; /* by sender << 32 | receiver */
    enum fact_kind shared;         /* EXPORTED or IMPORTED in the call that is under way */
    uint64_t share;
    uint64_t copies; /* ids of those on links */
};

/* Begins an event: what is appended to the line up to timeline_end() are further members. */
struct text *timeline_begin(struct trace_writer *writer, const char *phase, uint32_t process,
                            uint32_t track, uint64_t time_ns);
void timeline_end(struct trace_writer *writer);
void timeline_append_duration(struct text *line, uint64_t duration_ns);

/* Names a process or a track of the trace. */
void timeline_name(struct trace_writer *writer, const char *what, uint32_t process, uint32_t track,
                   const char *name);

/* The trace process of a device; names it on first use. */
uint32_t timeline_device(struct trace_writer *writer, uint32_t device);

/* Streams and their work, and copies that a call waits for. */
void timeline_read_work(struct trace_writer *writer, const struct fact *fact);
void timeline_read_copy(struct trace_writer *writer, const struct fact *fact,
                        const struct acl_record *record);
void timeline_find_copies(struct timeline *timeline);
void timeline_close_work(struct trace_writer *writer);

#endif
