/* SPDX-License-Identifier: Apache-2.0 */
/* Chrome trace events, as Perfetto and other viewers load them. docs/traces.md. */
#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "acl/acl_row.h"
#include "base/host.h"
#include "trace/call_values.h"
#include "trace/reason_text.h"
#include "trace/timeline.h"

static void append_micros(struct text *line, const char *name, uint64_t time_ns) {
    text_printf(line, ",\"%s\":%" PRIu64 ".%03" PRIu64, name, time_ns / 1000, time_ns % 1000);
}

struct text *timeline_begin(struct trace_writer *writer, const char *phase, uint32_t process,
                            uint32_t track, uint64_t time_ns) {
    struct timeline *timeline = writer->own;
    struct text *line = &timeline->line;
    text_printf(line, "%s{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
                timeline->has_events ? ",\n" : "\n", phase, process, track);
    append_micros(line, "ts", time_ns);
    timeline->has_events = true;
    return line;
}

void timeline_end(struct trace_writer *writer) {
    struct timeline *timeline = writer->own;
    text_append(&timeline->line, "}");
    trace_file_put_bytes(writer->file, text_get(&timeline->line), timeline->line.size);
    text_clear(&timeline->line);
}

void timeline_append_duration(struct text *line, uint64_t duration_ns) {
    append_micros(line, "dur", duration_ns);
}

void timeline_name(struct trace_writer *writer, const char *what, uint32_t process, uint32_t track,
                   const char *name) {
    struct text *line = timeline_begin(writer, "M", process, track, 0);
    text_printf(line, ",\"name\":\"%s\",\"args\":{\"name\":", what);
    text_append_json_string(line, name);
    text_append(line, "}");
    timeline_end(writer);
}

static uint32_t process_pid(const struct trace_writer *writer, uint32_t process) {
    return writer->source->machine->site->process[process].pid;
}

static uint32_t pid_of(const struct trace_writer *writer, uint32_t thread) {
    return process_pid(writer, trace_process_of(writer, thread));
}

uint32_t timeline_device(struct trace_writer *writer, uint32_t device) {
    struct timeline *timeline = writer->own;
    const struct site *site = writer->source->machine->site;
    struct text name = { 0 };
    if (!timeline->has_device[device]) {
        timeline->has_device[device] = true;
        trace_append_server(writer, site_server_of(site, device), &name);
        text_printf(&name, " device %" PRIu32, site_number_there(site, device));
        timeline_name(writer, "process_name", TIMELINE_DEVICES + device, 0, text_get(&name));
        text_fini(&name);
    }
    return TIMELINE_DEVICES + device;
}

static void name_threads(struct trace_writer *writer) {
    const struct site *site = writer->source->machine->site;
    struct text name = { 0 };
    for (uint32_t process = 0; process < site->process_count; process++) {
        timeline_name(writer, "process_name", process_pid(writer, process), 0,
                      site->process[process].name);
    }
    for (uint32_t thread = 0; thread < site->thread_count; thread++) {
        uint32_t number = trace_thread_number(writer, thread);
        text_printf(&name, "thread %" PRIu32, number);
        timeline_name(writer, "thread_name", pid_of(writer, thread), number, text_get(&name));
        text_clear(&name);
    }
    text_fini(&name);
}

static void *open_timeline(struct trace_writer *writer) {
    const struct trace_source *source = writer->source;
    const struct site *site = source->machine->site;
    struct timeline *timeline = host_zeroed(1, sizeof *timeline);
    timeline->has_device = host_zeroed(site->device_count, sizeof *timeline->has_device);
    timeline->has_links = host_zeroed(site->server_count, sizeof *timeline->has_links);
    timeline->has_messages = host_zeroed(site->process_count, sizeof *timeline->has_messages);
    timeline->places = host_zeroed(acl_row_count(), sizeof *timeline->places);
    timeline->shared = FACT_KINDS;
    timeline_find_copies(timeline);
    struct text *line = &timeline->line;
    text_append(line, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":");
    text_append_json_string(line, source->program);
    text_append(line, ",\"scenario\":");
    text_append_json_string(line, source->title);
    text_append(line, ",\"product\":");
    text_append_json_string(line, source->product);
    text_printf(line, ",\"seed\":\"%" PRIu64 "\"},\n\"traceEvents\":[", source->seed);
    writer->own = timeline;
    name_threads(writer);
    return timeline;
}

static void close_timeline(struct trace_writer *writer) {
    struct timeline *timeline = writer->own;
    timeline_close_work(writer);
    trace_file_put(writer->file, "\n]}\n");
    array_fini(&timeline->shares);
    array_fini(&timeline->messages);
    number_map_fini(&timeline->share_at);
    number_map_fini(&timeline->messages_at);
    text_fini(&timeline->line);
    free(timeline->has_device);
    free(timeline->has_links);
    free(timeline->has_messages);
    free(timeline->places);
    free(timeline);
}

static void append_step(const struct trace_writer *writer, const struct fact *fact,
                        struct text *line) {
    struct trace_step step = trace_step_of(writer, fact);
    if (step.label != NULL) {
        text_append_json_string(line, step.label);
    } else {
        text_printf(line, "%" PRIu64, step.number);
    }
}

/* A part of a call, inside of its span. */
static void write_part(struct trace_writer *writer, uint32_t thread, const char *name,
                       uint64_t start_ns, uint64_t duration_ns) {
    if (duration_ns > 0) {
        struct text *line = timeline_begin(writer, "X", pid_of(writer, thread),
                                           trace_thread_number(writer, thread), start_ns);
        timeline_append_duration(line, duration_ns);
        text_printf(line, ",\"cat\":\"wait\",\"name\":\"%s\"", name);
        timeline_end(writer);
    }
}

/* One end of an arrow, bound to the span that is open there. */
static void write_arrow(struct trace_writer *writer, bool is_head, uint32_t pid, uint32_t track,
                        uint64_t time_ns, const char *name, uint64_t first, uint64_t second) {
    struct text *line = timeline_begin(writer, is_head ? "f" : "s", pid, track, time_ns);
    text_printf(line, ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":\"%s %" PRIx64 ".%" PRIu64 "\"%s",
                name, name, name, first, second, is_head ? ",\"bp\":\"e\"" : "");
    timeline_end(writer);
}

/* The call that just ended exported or imported. */
static void write_sharing(struct trace_writer *writer, const struct fact *fact) {
    struct timeline *timeline = writer->own;
    uint32_t place = 0;
    if (timeline->shared == FACT_EXPORTED) {
        place = (uint32_t)timeline->shares.count;
        array_add(&timeline->shares,
                  (struct timeline_share){ .exported_ns = fact->time_ns, .thread = fact->thread });
        number_map_put(&timeline->share_at, timeline->share, place);
    } else if (timeline->shared == FACT_IMPORTED &&
               number_map_find(&timeline->share_at, timeline->share, &place)) {
        struct timeline_share *share = &timeline->shares.items[place];
        share->imports++;
        write_arrow(writer, false, pid_of(writer, share->thread),
                    trace_thread_number(writer, share->thread), share->exported_ns, "share",
                    timeline->share, share->imports);
        write_arrow(writer, true, pid_of(writer, fact->thread),
                    trace_thread_number(writer, fact->thread), fact->time_ns, "share",
                    timeline->share, share->imports);
    }
    timeline->shared = FACT_KINDS;
}

static void write_call(struct trace_writer *writer, const struct fact *fact,
                       const struct acl_detail *detail) {
    const struct acl_result *result = detail->result;
    uint64_t asked_ns = result->asked_ns;
    uint64_t blocked_ns = fact->time_ns - fact->value[4] - asked_ns;
    struct text reason = { 0 };
    struct text *line = timeline_begin(writer, "X", pid_of(writer, fact->thread),
                                       trace_thread_number(writer, fact->thread), asked_ns);
    timeline_append_duration(line, fact->time_ns + fact->value[0] - asked_ns);
    text_printf(line, ",\"cat\":\"call\",\"name\":\"%s\"%s,\"args\":{\"step\":",
                acl_row_get(fact->row)->name, fact->code != 0 ? ",\"cname\":\"terrible\"" : "");
    append_step(writer, fact, line);
    text_printf(line, ",\"code\":%" PRId32 ",\"arguments\":{", fact->code);
    call_values_arguments(detail->record, CALL_JSON, line);
    text_append(line, "},\"results\":{");
    call_values_results(detail->record, result, CALL_JSON, line);
    text_append(line, "}");
    if (result->rule != ACL_NO_RULE) {
        reason_text(detail->record, result, &reason);
        text_append(line, ",\"reason\":");
        text_append_json_string(line, text_get(&reason));
        text_fini(&reason);
    }
    text_append(line, "}");
    timeline_end(writer);
    write_part(writer, fact->thread, "waits for work", asked_ns, blocked_ns);
    write_part(writer, fact->thread, "driver queue", asked_ns + blocked_ns, fact->value[4]);
    write_sharing(writer, fact);
    timeline_read_copy(writer, fact, detail->record);
}

/* Messages take no time, so they have a track of their own: an arrow needs a span at either end,
 * and one of a nanosecond must not cut into the calls. */
static void write_message(struct trace_writer *writer, const struct fact *fact, bool is_sent) {
    struct timeline *timeline = writer->own;
    uint32_t process = trace_process_of(writer, fact->thread);
    uint32_t other = (uint32_t)fact->value[1];
    uint64_t pair = is_sent ? (uint64_t)process << 32 | other : (uint64_t)other << 32 | process;
    uint32_t place = 0;
    uint32_t pid = process_pid(writer, process);
    if (!timeline->has_messages[process]) {
        timeline->has_messages[process] = true;
        timeline_name(writer, "thread_name", pid, TIMELINE_MESSAGES, "messages");
    }
    if (!number_map_find(&timeline->messages_at, pair, &place)) {
        place = (uint32_t)timeline->messages.count;
        array_add(&timeline->messages, (struct timeline_messages){ .to = (uint32_t)pair });
        number_map_put(&timeline->messages_at, pair, place);
    }
    struct timeline_messages *messages = &timeline->messages.items[place];
    uint64_t number = is_sent ? ++messages->sent : ++messages->received;
    struct text *line = timeline_begin(writer, "X", pid, TIMELINE_MESSAGES, fact->time_ns);
    timeline_append_duration(line, 1);
    text_append(line, ",\"cat\":\"message\",\"name\":");
    text_append_json_string(line, is_sent ? "send" : "receive");
    text_append(line, ",\"args\":{\"value\":");
    call_values_hexadecimal(fact->value[0], line);
    text_append(line, is_sent ? ",\"to\":" : ",\"from\":");
    text_append_json_string(line, trace_process_name(writer, other));
    text_append(line, "}");
    timeline_end(writer);
    write_arrow(writer, !is_sent, pid, TIMELINE_MESSAGES, fact->time_ns, "message", pair, number);
}

/* What was sent to a process that ended is lost. */
static void lose_messages(struct trace_writer *writer, uint32_t process) {
    struct timeline *timeline = writer->own;
    for (size_t place = 0; place < timeline->messages.count; place++) {
        struct timeline_messages *messages = &timeline->messages.items[place];
        messages->received = messages->to == process ? messages->sent : messages->received;
    }
}

static void write_instant(struct trace_writer *writer, uint32_t pid, uint32_t track,
                          uint64_t time_ns, const char *category, const char *name) {
    struct text *line = timeline_begin(writer, "i", pid, track, time_ns);
    text_printf(line, ",\"s\":\"%s\",\"cat\":\"%s\",\"name\":", track == 0 ? "p" : "t", category);
    text_append_json_string(line, name);
}

static void write_process(struct trace_writer *writer, const struct fact *fact) {
    uint32_t process = (uint32_t)fact->value[0];
    const char *how = fact->kind == FACT_PROCESS_STARTED ? "starts"
                      : fact->value[1] == 0              ? "ends"
                                                         : "is killed";
    if (fact->kind == FACT_PROCESS_ENDED) {
        lose_messages(writer, process);
    }
    write_instant(writer, process_pid(writer, process), 0, fact->time_ns, "process", how);
    timeline_end(writer);
}

static void write_phase(struct trace_writer *writer, const struct fact *fact) {
    const struct trace_source *source = writer->source;
    const char *name =
        source->phase == NULL ? "phase" : source->phase(source->context, fact->value[0]);
    write_instant(writer, pid_of(writer, fact->thread), trace_thread_number(writer, fact->thread),
                  fact->time_ns, "phase", name);
    timeline_end(writer);
}

static void write_fact(struct trace_writer *writer, const struct fact *fact, const void *detail) {
    struct timeline *timeline = writer->own;
    if (fact->kind == FACT_CALLED) {
        write_call(writer, fact, detail);
    } else if (fact->kind == FACT_SENT || fact->kind == FACT_RECEIVED) {
        write_message(writer, fact, fact->kind == FACT_SENT);
    } else if (fact->kind == FACT_EXPORTED) {
        timeline->shared = FACT_EXPORTED;
        timeline->share = fact->value[1];
    } else if (fact->kind == FACT_IMPORTED) {
        timeline->shared = FACT_IMPORTED;
        timeline->share = fact->value[0];
    } else if (fact->kind == FACT_PROCESS_STARTED || fact->kind == FACT_PROCESS_ENDED) {
        write_process(writer, fact);
    } else if (fact->kind == FACT_PHASE) {
        write_phase(writer, fact);
    } else {
        timeline_read_work(writer, fact);
    }
}

static void append_part(struct text *line, const char *name, uint32_t parts) {
    text_printf(line, "\"%s\":%" PRIu32 ".%06" PRIu32, name, parts / METRICS_WHOLE,
                parts % METRICS_WHOLE);
}

static void begin_counter(struct trace_writer *writer, uint32_t pid, uint64_t time_ns,
                          const char *name, bool is_ddr) {
    struct text *line = timeline_begin(writer, "C", pid, 0, time_ns);
    text_printf(line, ",\"name\":\"%s%s\",\"args\":{", name, is_ddr ? " of DDR" : "");
}

static void end_counter(struct trace_writer *writer) {
    text_append(&((struct timeline *)writer->own)->line, "}");
    timeline_end(writer);
}

static void write_pool(struct trace_writer *writer, const struct trace_figures *figures) {
    struct text *line = &((struct timeline *)writer->own)->line;
    const struct metrics_bytes *bytes = &figures->bytes;
    uint32_t pid = timeline_device(writer, figures->device);
    bool is_ddr = figures->medium != 0;
    begin_counter(writer, pid, figures->time_ns, "memory", is_ddr);
    text_printf(line,
                "\"requested\":%" PRIu64 ",\"consumed\":%" PRIu64 ",\"reserved\":%" PRIu64
                ",\"free\":%" PRIu64,
                bytes->requested, bytes->consumed, bytes->reserved, bytes->free);
    end_counter(writer);
    begin_counter(writer, pid, figures->time_ns, "fragmentation", is_ddr);
    append_part(line, "internal", metrics_internal(bytes->requested, bytes->consumed));
    for (uint32_t page = 0; page < PAGE_CLASSES; page++) {
        if (page != PAGE_GIANT || figures->has_giant) {
            text_append(line, ",");
            append_part(line, page_name((enum page_class)page),
                        metrics_part(figures->unusable[page], bytes->free));
        }
    }
    end_counter(writer);
}

static void write_figures(struct trace_writer *writer, const struct trace_figures *figures) {
    static const char *const names[] = { [TRACE_OF_POOL] = "memory",
                                         [TRACE_OF_PROCESS] = "memory on devices",
                                         [TRACE_OF_HOST] = "memory on the host",
                                         [TRACE_OF_ALLOCATOR] = "memory of the allocator" };
    struct text *line = &((struct timeline *)writer->own)->line;
    const struct metrics_bytes *bytes = &figures->bytes;
    if (figures->kind == TRACE_OF_POOL) {
        write_pool(writer, figures);
        return;
    }
    uint32_t pid = process_pid(writer, figures->process);
    begin_counter(writer, pid, figures->time_ns, names[figures->kind], false);
    text_printf(line, "\"requested\":%" PRIu64 ",\"consumed\":%" PRIu64, bytes->requested,
                bytes->consumed);
    if (figures->kind == TRACE_OF_ALLOCATOR) {
        text_printf(line, ",\"held\":%" PRIu64, bytes->reserved);
    }
    end_counter(writer);
    if (figures->kind != TRACE_OF_HOST) {
        bool is_own = figures->kind == TRACE_OF_ALLOCATOR;
        begin_counter(writer, pid, figures->time_ns,
                      is_own ? "fragmentation of the allocator" : "fragmentation of addresses",
                      false);
        append_part(line, "external", metrics_external(bytes->free, figures->free_largest));
        end_counter(writer);
    }
}

static void write_mark(struct trace_writer *writer, const struct trace_mark *mark) {
    struct text *line = &((struct timeline *)writer->own)->line;
    write_instant(writer, pid_of(writer, mark->thread), trace_thread_number(writer, mark->thread),
                  mark->time_ns, "finding", mark->name);
    text_append(line, ",\"args\":{\"kind\":");
    text_append_json_string(line, mark->kind);
    text_append(line, ",\"text\":");
    text_append_json_string(line, mark->text);
    text_append(line, "}");
    timeline_end(writer);
}

const struct trace_format trace_timeline = {
    .ending = ".json",
    .meaning = "a timeline for Perfetto, Chrome trace events: docs/traces.md",
    .kinds = TRACE_KIND(FACT_CALLED) | TRACE_KIND(FACT_SENT) | TRACE_KIND(FACT_RECEIVED) |
             TRACE_KIND(FACT_EXPORTED) | TRACE_KIND(FACT_IMPORTED) |
             TRACE_KIND(FACT_PROCESS_STARTED) | TRACE_KIND(FACT_PROCESS_ENDED) |
             TRACE_KIND(FACT_PHASE) | TRACE_KIND(FACT_STREAM_MADE) |
             TRACE_KIND(FACT_STREAM_DESTROYED) | TRACE_KIND(FACT_TASK_STARTED) |
             TRACE_KIND(FACT_TASK_ENDED),
    .open = open_timeline,
    .fact = write_fact,
    .figures = write_figures,
    .mark = write_mark,
    .close = close_timeline,
};
