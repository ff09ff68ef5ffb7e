/* SPDX-License-Identifier: Apache-2.0 */
/* Every fact of a run, an object a line. docs/traces.md. */
#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "acl/acl_row.h"
#include "base/host.h"
#include "base/text.h"
#include "machine/handle.h"
#include "trace/call_values.h"
#include "trace/trace_format.h"

/* What a value of a fact is, where it is no plain number. */
enum form { NUMBER, HEXADECIMAL, PROCESS, DEVICE, PHASE, END, TASK };

struct value_row {
    enum fact_kind kind; /* FACT_KINDS: of every kind */
    const char *name;
    enum form form;
};

static const struct value_row value_rows[] = {
    { FACT_PROCESS_STARTED, "process", PROCESS },
    { FACT_PROCESS_ENDING, "process", PROCESS },
    { FACT_PROCESS_ENDED, "process", PROCESS },
    { FACT_PROCESS_ENDING, "reason", END },
    { FACT_PROCESS_ENDED, "reason", END },
    { FACT_SENT, "to", PROCESS },
    { FACT_RECEIVED, "from", PROCESS },
    { FACT_SENT, "value", HEXADECIMAL },
    { FACT_RECEIVED, "value", HEXADECIMAL },
    { FACT_PHASE, "name", PHASE },
    { FACT_TASK_QUEUED, "kind", TASK },
    { FACT_KINDS, "device", DEVICE },
    { FACT_KINDS, "address", HEXADECIMAL },
    { FACT_KINDS, "allocation", HEXADECIMAL },
    { FACT_KINDS, "handle", HEXADECIMAL },
    { FACT_KINDS, "share", HEXADECIMAL },
    { FACT_KINDS, "stream", HEXADECIMAL },
    { FACT_KINDS, "event", HEXADECIMAL },
};

struct jsonl {
    struct text line;
    enum form form[FACT_KINDS][FACT_VALUES];
};

static enum form find_form(enum fact_kind kind, const char *name) {
    for (size_t place = 0; place < sizeof value_rows / sizeof *value_rows; place++) {
        const struct value_row *row = &value_rows[place];
        if ((row->kind == kind || row->kind == FACT_KINDS) && strcmp(row->name, name) == 0) {
            return row->form;
        }
    }
    return NUMBER;
}

static void put_line(struct trace_writer *writer, struct text *line) {
    text_append(line, "\n");
    trace_file_put_bytes(writer->file, text_get(line), line->size);
    text_clear(line);
}

static void *open_jsonl(struct trace_writer *writer) {
    const struct trace_source *source = writer->source;
    struct jsonl *jsonl = host_zeroed(1, sizeof *jsonl);
    struct text *line = &jsonl->line;
    for (uint32_t kind = 0; kind < FACT_KINDS; kind++) {
        for (uint32_t place = 0; place < FACT_VALUES; place++) {
            const char *name = fact_value_name((enum fact_kind)kind, place);
            jsonl->form[kind][place] =
                name == NULL ? NUMBER : find_form((enum fact_kind)kind, name);
        }
    }
    text_append(line, "{\"format\":1,\"program\":");
    text_append_json_string(line, source->program);
    text_append(line, ",\"scenario\":");
    text_append_json_string(line, source->title);
    text_append(line, ",\"product\":");
    text_append_json_string(line, source->product);
    text_printf(line, ",\"seed\":%" PRIu64 "}", source->seed);
    put_line(writer, line);
    return jsonl;
}

static void close_jsonl(struct trace_writer *writer) {
    struct jsonl *jsonl = writer->own;
    text_fini(&jsonl->line);
    free(jsonl);
}

static void append_value(const struct trace_writer *writer, enum form form, uint64_t value,
                         struct text *line) {
    const struct trace_source *source = writer->source;
    switch (form) {
    case HEXADECIMAL:
        call_values_hexadecimal(value, line);
        return;
    case PROCESS:
        text_append_json_string(line, trace_process_name(writer, (uint32_t)value));
        return;
    case PHASE:
        if (source->phase != NULL) {
            text_append_json_string(line, source->phase(source->context, value));
            return;
        }
        break;
    case END:
        text_append(line, value == 0 ? "\"exited\"" : "\"killed\"");
        return;
    case TASK:
        text_printf(line, "\"%s\"", trace_task_name((uint32_t)value));
        return;
    case DEVICE:
        if (value == LOCATION_HOST) {
            text_append(line, "\"host\"");
            return;
        }
        break;
    case NUMBER:
        break;
    }
    call_values_number((int64_t)value, line);
}

/* What begins and ends a process is the doing of no step of its own, as are the things that it
 * gets and gives back then. */
static bool has_step(const struct fact *fact) {
    const uint64_t of_steps = TRACE_KIND(FACT_SENT) | TRACE_KIND(FACT_RECEIVED) |
                              TRACE_KIND(FACT_PHASE) | TRACE_KIND(FACT_TASK_QUEUED) |
                              TRACE_KIND(FACT_TASK_STARTED) | TRACE_KIND(FACT_TASK_ENDED) |
                              TRACE_KIND(FACT_TOUCHED) | TRACE_KIND(FACT_MEDIA_TOUCHED) |
                              TRACE_KIND(FACT_BLOCK_CUT) | TRACE_KIND(FACT_CHOSEN);
    return fact->row != FACT_NO_ROW || (of_steps >> fact->kind & 1) != 0;
}

/* Who, at which step, in which call. */
static void append_place(const struct trace_writer *writer, const struct fact *fact,
                         struct text *line) {
    struct trace_step step = trace_step_of(writer, fact);
    text_printf(line, "{\"time_ns\":%" PRIu64 ",\"fact\":\"%s\",\"who\":", fact->time_ns,
                fact_name((enum fact_kind)fact->kind));
    text_append_json_string(line,
                            trace_process_name(writer, trace_process_of(writer, fact->thread)));
    text_printf(line, ",\"thread\":%" PRIu32, trace_thread_number(writer, fact->thread));
    if (step.label != NULL && has_step(fact)) {
        text_append(line, ",\"step\":");
        text_append_json_string(line, step.label);
    } else if (has_step(fact)) {
        text_printf(line, ",\"step\":%" PRIu64, step.number);
    }
    if (fact->row != FACT_NO_ROW) {
        text_printf(line, ",\"call\":\"%s\"", acl_row_get(fact->row)->name);
    }
}

static void append_call(const struct fact *fact, const struct acl_detail *detail,
                        struct text *line) {
    text_printf(line,
                ",\"asked_ns\":%" PRIu64 ",\"waited_ns\":%" PRIu64 ",\"cost_ns\":%" PRIu64
                ",\"code\":%" PRId32 ",\"arguments\":{",
                detail->result->asked_ns, fact->value[4], fact->value[0], fact->code);
    call_values_arguments(detail->record, CALL_JSON, line);
    text_append(line, "},\"results\":{");
    call_values_results(detail->record, detail->result, CALL_JSON, line);
    text_append(line, "}");
    if (detail->result->rule != ACL_NO_RULE) {
        text_printf(line, ",\"rule\":\"%s\"", acl_rule_name(detail->result->rule));
    }
}

static void write_fact(struct trace_writer *writer, const struct fact *fact, const void *detail) {
    struct jsonl *jsonl = writer->own;
    struct text *line = &jsonl->line;
    append_place(writer, fact, line);
    if (fact->kind == FACT_CALLED) {
        append_call(fact, detail, line);
    } else {
        for (uint32_t place = 0; place < FACT_VALUES; place++) {
            const char *name = fact_value_name((enum fact_kind)fact->kind, place);
            if (name != NULL) {
                text_printf(line, ",\"%s\":", name);
                append_value(writer, jsonl->form[fact->kind][place], fact->value[place], line);
            }
        }
    }
    text_append(line, "}");
    put_line(writer, line);
}

static void write_mark(struct trace_writer *writer, const struct trace_mark *mark) {
    struct jsonl *jsonl = writer->own;
    struct text *line = &jsonl->line;
    text_printf(line, "{\"time_ns\":%" PRIu64 ",\"mark\":", mark->time_ns);
    text_append_json_string(line, mark->name);
    text_append(line, ",\"who\":");
    text_append_json_string(line,
                            trace_process_name(writer, trace_process_of(writer, mark->thread)));
    text_printf(line, ",\"thread\":%" PRIu32 ",\"kind\":",
                trace_thread_number(writer, mark->thread));
    text_append_json_string(line, mark->kind);
    text_append(line, ",\"text\":");
    text_append_json_string(line, mark->text);
    text_append(line, "}");
    put_line(writer, line);
}

const struct trace_format trace_jsonl = {
    .ending = ".jsonl",
    .meaning = "every fact, a JSON object a line: docs/traces.md",
    .kinds = UINT64_MAX,
    .open = open_jsonl,
    .fact = write_fact,
    .mark = write_mark,
    .close = close_jsonl,
};
