/* SPDX-License-Identifier: Apache-2.0 */
/* A log of calls: who called what when, with arguments and results. docs/calls.md. */
#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "acl/acl_row.h"
#include "base/host.h"
#include "base/text.h"
#include "machine/object.h"
#include "machine/process.h"
#include "machine/stream.h"
#include "trace/call_values.h"
#include "trace/trace_format.h"

static uint32_t pid_of(const struct trace_writer *writer, uint64_t process) {
    return writer->source->machine->site->process[process].pid;
}

static void put_line(struct trace_writer *writer) {
    struct text *line = writer->own;
    text_append(line, "\n");
    trace_file_put_bytes(writer->file, text_get(line), line->size);
    text_clear(line);
}

static void put_heading(struct trace_writer *writer, const char *key, const char *value) {
    struct text *line = writer->own;
    text_printf(line, "%s ", key);
    text_append_json_string(line, value);
    put_line(writer);
}

/* What the scenario says of servers or containers, as it stands there. */
static void put_part(struct trace_writer *writer, const char *key) {
    const struct trace_source *source = writer->source;
    struct text *line = writer->own;
    if (source->part != NULL) {
        text_printf(line, "%s ", key);
        source->part(source->context, key, line);
        put_line(writer);
    }
}

static void put_process(struct trace_writer *writer, uint32_t process) {
    const struct site_process *at = &writer->source->machine->site->process[process];
    struct text server = { 0 };
    struct text *line = writer->own;
    text_printf(line, "process {\"pid\":%" PRIu32 ",\"name\":", at->pid);
    text_append_json_string(line, at->name);
    trace_append_server(writer, at->server, &server);
    text_append(line, ",\"server\":");
    text_append_json_string(line, text_get(&server));
    text_append(line, ",\"container\":");
    if (at->container == SITE_NO_CONTAINER) {
        text_append(line, "null");
    } else if (writer->source->container != NULL) {
        text_append_json_string(line,
                                writer->source->container(writer->source->context, at->container));
    } else {
        text_printf(line, "%" PRIu32, at->container);
    }
    text_append(line, ",\"device\":");
    if (at->device == SITE_NO_DEVICE) {
        text_append(line, "null");
    } else {
        text_printf(line, "%" PRIu32, at->device);
    }
    text_printf(line, ",\"threads\":%" PRIu32 "}", at->thread_count);
    put_line(writer);
    text_fini(&server);
}

static void *open_calls(struct trace_writer *writer) {
    const struct trace_source *source = writer->source;
    struct text *line = host_zeroed(1, sizeof *line);
    writer->own = line;
    trace_file_put(writer->file, "aclsim-calls 1\n");
    put_heading(writer, "program", source->program);
    put_heading(writer, "scenario", source->title);
    put_heading(writer, "product", source->product);
    text_printf(line, "seed %" PRIu64, source->seed);
    put_line(writer);
    put_part(writer, "servers");
    put_part(writer, "containers");
    for (uint32_t process = 0; process < source->machine->site->process_count; process++) {
        put_process(writer, process);
    }
    trace_file_put(writer->file, "begin\n");
    return line;
}

static void close_calls(struct trace_writer *writer) {
    struct text *line = writer->own;
    text_printf(line, "end %" PRIu64, machine_now(writer->source->machine));
    put_line(writer);
    text_fini(line);
    free(line);
}

static void append_who(const struct trace_writer *writer, uint64_t time_ns, uint32_t thread,
                       struct text *line) {
    text_printf(line, "%" PRIu64 " %" PRIu32 " %" PRIu32 " ", time_ns,
                pid_of(writer, trace_process_of(writer, thread)),
                trace_thread_number(writer, thread));
}

static void put_label(struct trace_writer *writer, const struct fact *fact) {
    struct text *line = writer->own;
    struct trace_step step = trace_step_of(writer, fact);
    if (step.label != NULL) {
        text_append(line, " @");
        text_append_json_string(line, step.label);
    }
    put_line(writer);
}

static void append_time(const char *name, uint64_t time_ns, struct text *line) {
    if (time_ns > 0) {
        text_printf(line, " %s=%" PRIu64, name, time_ns);
    }
}

static void write_call(struct trace_writer *writer, const struct fact *fact,
                       const struct acl_detail *detail) {
    struct text *line = writer->own;
    uint64_t asked_ns = detail->result->asked_ns;
    append_who(writer, asked_ns, fact->thread, line);
    text_printf(line, "%s(", acl_row_get(fact->row)->name);
    call_values_arguments(detail->record, CALL_LOG, line);
    text_printf(line, ") = %" PRId32, fact->code);
    if (detail->result->out_count > 0) {
        text_append(line, " {");
        call_values_results(detail->record, detail->result, CALL_LOG, line);
        text_append(line, "}");
    }
    append_time("blocked", fact->time_ns - fact->value[4] - asked_ns, line);
    append_time("wait", fact->value[4], line);
    append_time("cost", fact->value[0], line);
    put_label(writer, fact);
}

static void append_range(const char *name, uint64_t address, uint64_t size, struct text *line) {
    if (address != 0) {
        text_printf(line, ", %s={0x%" PRIx64 ",%" PRIu64 "}", name, address, size);
    }
}

/* Work that a step queued: that of a call is told by its call. */
static void write_work(struct trace_writer *writer, const struct fact *fact) {
    const struct machine *machine = writer->source->machine;
    struct text *line = writer->own;
    struct object_value object = { 0, 0, 0 };
    if (fact->row != FACT_NO_ROW) {
        return;
    }
    (void)object_unpack(fact->value[0], &object);
    const struct stream *stream =
        stream_get(machine, (struct process_id){ object.process }, object.slot);
    const struct task *task = table_get(machine->task, object.process, stream->last - 1);
    append_who(writer, fact->time_ns, fact->thread, line);
    text_printf(line, "+%s(stream=", trace_task_name(task->kind));
    text_printf(line, stream->is_default != 0 ? "default" : "0x%" PRIx64, fact->value[0]);
    text_printf(line, ", duration=%" PRIu64, task->duration_ns);
    append_range("reads", task->from, task->size, line);
    append_range("writes", task->to, task->size, line);
    text_append(line, ")");
    put_label(writer, fact);
}

static void write_message(struct trace_writer *writer, const struct fact *fact) {
    struct text *line = writer->own;
    bool is_sent = fact->kind == FACT_SENT;
    append_who(writer, fact->time_ns, fact->thread, line);
    text_printf(line, "+%s(value=0x%" PRIx64 ", %s=%" PRIu32 ")", is_sent ? "send" : "receive",
                fact->value[0], is_sent ? "to" : "from", pid_of(writer, fact->value[1]));
    put_label(writer, fact);
}

static void write_life(struct trace_writer *writer, const struct fact *fact) {
    const char *how = fact->kind == FACT_PROCESS_STARTED ? "start"
                      : fact->value[1] == 0              ? "exit"
                                                         : "kill";
    struct text *line = writer->own;
    text_printf(line, "%" PRIu64 " %" PRIu32 " 0 +%s()", fact->time_ns,
                pid_of(writer, fact->value[0]), how);
    put_line(writer);
}

static void write_phase(struct trace_writer *writer, const struct fact *fact) {
    const struct trace_source *source = writer->source;
    struct text *line = writer->own;
    append_who(writer, fact->time_ns, fact->thread, line);
    text_append(line, "+phase(name=");
    text_append_json_string(
        line, source->phase == NULL ? "" : source->phase(source->context, fact->value[0]));
    text_append(line, ")");
    put_label(writer, fact);
}

static void write_fact(struct trace_writer *writer, const struct fact *fact, const void *detail) {
    if (fact->kind == FACT_CALLED) {
        write_call(writer, fact, detail);
    } else if (fact->kind == FACT_TASK_QUEUED) {
        write_work(writer, fact);
    } else if (fact->kind == FACT_SENT || fact->kind == FACT_RECEIVED) {
        write_message(writer, fact);
    } else if (fact->kind == FACT_PHASE) {
        write_phase(writer, fact);
    } else {
        write_life(writer, fact);
    }
}

const struct trace_format trace_calls = {
    .ending = ".calls",
    .meaning = "a log of calls: docs/calls.md",
    .kinds = TRACE_KIND(FACT_CALLED) | TRACE_KIND(FACT_TASK_QUEUED) | TRACE_KIND(FACT_SENT) |
             TRACE_KIND(FACT_RECEIVED) | TRACE_KIND(FACT_PHASE) | TRACE_KIND(FACT_PROCESS_STARTED) |
             TRACE_KIND(FACT_PROCESS_ENDED),
    .open = open_calls,
    .fact = write_fact,
    .close = close_calls,
};
