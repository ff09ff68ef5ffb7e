/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of one table: calls with their times, samples of the metrics. docs/traces.md. */
#include <stdlib.h>

#include "acl/acl.h"
#include "base/host.h"
#include "base/text.h"
#include "machine/process.h"
#include "trace/trace_format.h"

enum {
    NO_BYTES = ACL_ARGS,
    ROW_BYTES = 256, /* of a call without its texts */
};

static const char header[] =
    "row,time_ns,wait_ns,blocked_ns,service_ns,end_ns,process,thread,step,call,code,bytes,"
    "server,device,medium,requested,consumed,reserved,free,largest,internal,external,"
    "normal,huge,giant\n";
static const char behind_call[] = ",,,,,,,,,,,,,\n";
static const char behind_end[] = ",,,,,,,,,,,,,,,,,,,,,,,\n";

/* A text that is ready to be copied. */
struct words {
    char *bytes; /* owned */
    size_t size;
};

struct csv {
    struct words *call;   /* by row of the call table: its name */
    uint32_t *bytes;      /* by row: the argument that says how many bytes; NO_BYTES */
    struct words *thread; /* by thread: ",process,thread," */
    uint32_t call_count;
    uint32_t thread_count;
};

/* A field as RFC 4180 has it: quoted where it must be. */
static void append_field(struct text *text, const char *field) {
    if (strpbrk(field, ",\"\r\n") == NULL) {
        text_append(text, field);
        return;
    }
    text_append(text, "\"");
    for (; *field != '\0'; field++) {
        text_append_bytes(text, field, 1);
        if (*field == '"') {
            text_append(text, "\"");
        }
    }
    text_append(text, "\"");
}

static struct words steal(struct text *text) {
    size_t size = text->size;
    return (struct words){ text_steal(text), size };
}

/* The argument "count", else the first size. */
static uint32_t find_bytes(const struct acl_row *row) {
    uint32_t place = 0;
    uint32_t found = NO_BYTES;
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        const struct acl_parameter *parameter = &row->parameter[number];
        bool is_size = parameter->kind == ACL_SIZE;
        if (is_size && (found == NO_BYTES || strcmp(parameter->name, "count") == 0)) {
            found = place;
        }
        place += acl_kind_is_list(parameter->kind) ? 0 : acl_kind_width(parameter->kind);
    }
    return found;
}

static void *open_csv(struct trace_writer *writer) {
    const struct site *site = writer->source->machine->site;
    struct csv *csv = host_zeroed(1, sizeof *csv);
    struct text text = { 0 };
    csv->call_count = acl_row_count();
    csv->thread_count = site->thread_count;
    csv->call = host_zeroed(csv->call_count, sizeof *csv->call);
    csv->bytes = host_zeroed(csv->call_count, sizeof *csv->bytes);
    csv->thread = host_zeroed(csv->thread_count, sizeof *csv->thread);
    for (uint32_t row = 0; row < csv->call_count; row++) {
        append_field(&text, acl_row_get(row)->name);
        csv->call[row] = steal(&text);
        csv->bytes[row] = find_bytes(acl_row_get(row));
    }
    for (uint32_t thread = 0; thread < csv->thread_count; thread++) {
        text_append(&text, ",");
        append_field(&text, trace_process_name(writer, trace_process_of(writer, thread)));
        text_printf(&text, ",%u,", trace_thread_number(writer, thread));
        csv->thread[thread] = steal(&text);
    }
    trace_file_put(writer->file, header);
    return csv;
}

static void free_words(struct words *words, uint32_t count) {
    for (uint32_t place = 0; place < count; place++) {
        free(words[place].bytes);
    }
    free(words);
}

static void close_csv(struct trace_writer *writer) {
    struct csv *csv = writer->own;
    trace_file_put(writer->file, "end,");
    trace_file_put_number(writer->file, machine_now(writer->source->machine));
    trace_file_put(writer->file, behind_end);
    free_words(csv->call, csv->call_count);
    free_words(csv->thread, csv->thread_count);
    free(csv->bytes);
    free(csv);
}

static void put_step(struct trace_writer *writer, const struct fact *fact) {
    struct trace_step step = trace_step_of(writer, fact);
    struct text text = { 0 };
    if (step.label == NULL) {
        trace_file_put_number(writer->file, step.number);
        return;
    }
    append_field(&text, step.label);
    trace_file_put(writer->file, text_get(&text));
    text_fini(&text);
}

static char *put_words(char *at, const struct words *words) {
    memcpy(at, words->bytes, words->size);
    return at + words->size;
}

static char *put_code(char *at, int32_t code) {
    if (code < 0) {
        *at++ = '-';
    }
    return trace_file_digits(at, code < 0 ? 0 - (uint64_t)code : (uint64_t)code);
}

/* The hot path: everything that is not a number lies ready. */
static void write_call(struct trace_writer *writer, const struct fact *fact, const void *detail) {
    const struct csv *csv = writer->own;
    const struct acl_detail *call_detail = detail;
    const struct acl_record *record = call_detail->record;
    uint64_t asked_ns = call_detail->result->asked_ns;
    const struct words *thread = &csv->thread[fact->thread];
    const struct words *call = &csv->call[fact->row];
    struct trace_file *file = writer->file;
    uint64_t wait_ns = fact->value[4];
    uint64_t service_ns = fact->value[0];
    char *start = trace_file_room(file, ROW_BYTES + thread->size);
    char *at = start;
    memcpy(at, "call,", 5);
    at = trace_file_digits(at + 5, asked_ns);
    *at++ = ',';
    at = trace_file_digits(at, wait_ns);
    *at++ = ',';
    at = trace_file_digits(at, fact->time_ns - wait_ns - asked_ns);
    *at++ = ',';
    at = trace_file_digits(at, service_ns);
    *at++ = ',';
    at = trace_file_digits(at, fact->time_ns + service_ns);
    at = put_words(at, thread);
    file->used += (size_t)(at - start);
    put_step(writer, fact);
    start = trace_file_room(file, ROW_BYTES + call->size);
    at = start;
    *at++ = ',';
    at = put_words(at, call);
    *at++ = ',';
    at = put_code(at, fact->code);
    *at++ = ',';
    if (csv->bytes[fact->row] != NO_BYTES) {
        at = trace_file_digits(at, record->arg[csv->bytes[fact->row]]);
    }
    memcpy(at, behind_call, sizeof behind_call - 1);
    file->used += (size_t)(at - start) + sizeof behind_call - 1;
}

static void put_next(struct trace_file *file, uint64_t number) {
    trace_file_put_char(file, ',');
    trace_file_put_number(file, number);
}

static void put_part(struct trace_file *file, uint32_t parts) {
    trace_file_put_char(file, ',');
    trace_file_put_millionths(file, parts);
}

static void put_name(struct trace_file *file, const char *name) {
    struct text text = { 0 };
    append_field(&text, name);
    trace_file_put(file, text_get(&text));
    text_fini(&text);
}

static void put_bytes(struct trace_file *file, const struct trace_figures *figures) {
    put_next(file, figures->bytes.requested);
    put_next(file, figures->bytes.consumed);
    put_next(file, figures->bytes.reserved);
    put_next(file, figures->bytes.free);
}

static void write_pool(struct trace_writer *writer, const struct trace_figures *figures) {
    const struct site *site = writer->source->machine->site;
    struct trace_file *file = writer->file;
    struct text server = { 0 };
    trace_append_server(writer, site_server_of(site, figures->device), &server);
    trace_file_put(file, "device,");
    trace_file_put_number(file, figures->time_ns);
    trace_file_put(file, ",,,,,,,,,,,");
    put_name(file, text_get(&server));
    put_next(file, site_number_there(site, figures->device));
    trace_file_put_char(file, ',');
    trace_file_put(file, trace_medium_name(figures->medium));
    put_bytes(file, figures);
    trace_file_put_char(file, ',');
    put_part(file, metrics_internal(figures->bytes.requested, figures->bytes.consumed));
    trace_file_put_char(file, ',');
    for (uint32_t page = 0; page < PAGE_CLASSES; page++) {
        if (page == PAGE_GIANT && !figures->has_giant) {
            trace_file_put_char(file, ',');
        } else {
            put_part(file, metrics_part(figures->unusable[page], figures->bytes.free));
        }
    }
    trace_file_put_char(file, '\n');
    text_fini(&server);
}

static void write_figures(struct trace_writer *writer, const struct trace_figures *figures) {
    static const char *const names[] = { [TRACE_OF_POOL] = "device",
                                         [TRACE_OF_PROCESS] = "process",
                                         [TRACE_OF_HOST] = "host",
                                         [TRACE_OF_ALLOCATOR] = "allocator" };
    struct trace_file *file = writer->file;
    if (figures->kind == TRACE_OF_POOL) {
        write_pool(writer, figures);
        return;
    }
    trace_file_put(file, names[figures->kind]);
    put_next(file, figures->time_ns);
    trace_file_put(file, ",,,,,");
    put_name(file, trace_process_name(writer, figures->process));
    trace_file_put(file, ",,,,,,,,");
    if (figures->kind == TRACE_OF_HOST) {
        put_next(file, figures->bytes.requested);
        put_next(file, figures->bytes.consumed);
        trace_file_put(file, ",,,");
    } else {
        put_bytes(file, figures);
        put_next(file, figures->free_largest);
    }
    put_part(file, metrics_internal(figures->bytes.requested, figures->bytes.consumed));
    trace_file_put_char(file, ',');
    if (figures->kind != TRACE_OF_HOST) {
        trace_file_put_millionths(file,
                                  metrics_external(figures->bytes.free, figures->free_largest));
    }
    trace_file_put(file, ",,,\n");
}

const struct trace_format trace_csv = {
    .ending = ".csv",
    .meaning = "a table of calls and of memory: docs/traces.md",
    .kinds = TRACE_KIND(FACT_CALLED),
    .open = open_csv,
    .fact = write_call,
    .figures = write_figures,
    .close = close_csv,
};
