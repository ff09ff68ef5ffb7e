/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "acl/acl_row.h"
#include "base/units.h"
#include "machine/object.h"
#include "machine/process.h"
#include "machine/stream.h"
#include "machine/touch.h"
#include "trace/timeline.h"

static void append_end(struct text *name, uint32_t end) {
    if (end == LINK_TO_HOST) {
        text_append(name, "host");
    } else {
        text_printf(name, "device %" PRIu32, end);
    }
}

/* Where the bytes go, if a link is on their way. */
static struct timeline_copy find_copy(const struct machine *machine, struct link_way way,
                                      uint64_t bytes) {
    struct timeline_copy copy = { .server = way.server, .bytes = bytes };
    const struct product *product = machine->site->server[way.server].product;
    const struct link *link = way.from == way.to ? NULL : link_between(product, way.from, way.to);
    struct text name = { 0 };
    if (link != NULL) {
        text_printf(&name, "%s ", link->name);
        append_end(&name, way.from);
        text_append(&name, " to ");
        append_end(&name, way.to);
        copy.name = text_steal(&name);
    }
    return copy;
}

/* A span of its own on the track of its name: copies on a link may overlap. */
static void write_copy(struct trace_writer *writer, const struct timeline_copy *copy,
                       uint64_t start_ns, uint64_t end_ns) {
    struct timeline *timeline = writer->own;
    uint32_t process = TIMELINE_LINKS + copy->server;
    struct text name = { 0 };
    if (copy->name == NULL) {
        return;
    }
    if (!timeline->has_links[copy->server]) {
        timeline->has_links[copy->server] = true;
        text_append(&name, "links of ");
        trace_append_server(writer, copy->server, &name);
        timeline_name(writer, "process_name", process, 0, text_get(&name));
        text_fini(&name);
    }
    timeline->copies++;
    for (int end = 0; end < 2; end++) {
        struct text *line =
            timeline_begin(writer, end == 0 ? "b" : "e", process, 0, end == 0 ? start_ns : end_ns);
        text_printf(line, ",\"cat\":\"link\",\"id\":%" PRIu64 ",\"name\":", timeline->copies);
        text_append_json_string(line, copy->name);
        if (end == 0) {
            text_printf(line, ",\"args\":{\"bytes\":%" PRIu64 "}", copy->bytes);
        }
        timeline_end(writer);
    }
}

/* The track of a stream; named on first use. */
static struct timeline_stream *find_stream(struct trace_writer *writer, const struct fact *fact) {
    struct timeline *timeline = writer->own;
    const struct machine *machine = writer->source->machine;
    struct object_value object = { 0, 0, 0 };
    uint32_t place = 0;
    if (number_map_find(&timeline->stream_at, fact->value[0], &place)) {
        return &timeline->streams.items[place];
    }
    (void)object_unpack(fact->value[0], &object);
    struct process_id process = { object.process };
    const struct stream *stream = stream_get(machine, process, object.slot);
    place = (uint32_t)timeline->streams.count;
    array_add(&timeline->streams,
              (struct timeline_stream){
                  .value = fact->value[0],
                  .process = process.index,
                  .device = process_presence(machine, process, stream->presence)->device,
              });
    number_map_put(&timeline->stream_at, fact->value[0], place);
    struct timeline_stream *track = &timeline->streams.items[place];
    struct text name = { 0 };
    text_printf(&name, "%s %sstream 0x%" PRIx64, trace_process_name(writer, process.index),
                stream->is_default != 0 ? "default " : "", track->value);
    timeline_name(writer, "thread_name", timeline_device(writer, track->device), place + 1,
                  text_get(&name));
    text_fini(&name);
    return track;
}

static void start_work(struct trace_writer *writer, const struct fact *fact) {
    const struct machine *machine = writer->source->machine;
    struct timeline_stream *track = find_stream(writer, fact);
    struct object_value object = { 0, 0, 0 };
    (void)object_unpack(fact->value[0], &object);
    struct process_id process = { object.process };
    const struct stream *stream = stream_get(machine, process, object.slot);
    const struct task *task = table_get(machine->task, process.index, stream->first - 1);
    track->is_busy = true;
    track->kind = task->kind;
    track->size = task->size;
    track->started_ns = fact->time_ns;
    track->copy = (struct timeline_copy){ .name = NULL };
    if (task->kind == TASK_COPY) {
        track->copy = find_copy(
            machine, touch_way(machine, process, track->device, task->to, task->from), task->size);
    }
}

/* The work at the head is over at a time, well or not. */
static void end_work(struct trace_writer *writer, struct timeline_stream *track, uint64_t end_ns,
                     const char *how, uint64_t code) {
    struct timeline *timeline = writer->own;
    uint32_t number = (uint32_t)(track - timeline->streams.items) + 1;
    char size[UNITS_TEXT_SIZE];
    if (!track->is_busy) {
        return;
    }
    struct text *line = timeline_begin(writer, "X", timeline_device(writer, track->device), number,
                                       track->started_ns);
    timeline_append_duration(line, end_ns - track->started_ns);
    text_printf(line, ",\"cat\":\"work\",\"name\":\"%s%s%s\"", trace_task_name(track->kind),
                track->size > 0 ? " " : "",
                track->size > 0 ? units_write_size(track->size, size) : "");
    text_printf(line, ",\"args\":{\"bytes\":%" PRIu64 ",\"code\":%" PRIu64 ",\"end\":\"%s\"}",
                track->size, code, how);
    timeline_end(writer);
    write_copy(writer, &track->copy, track->started_ns, end_ns);
    free(track->copy.name);
    track->copy.name = NULL;
    track->is_busy = false;
}

void timeline_read_work(struct trace_writer *writer, const struct fact *fact) {
    if (fact->kind == FACT_TASK_STARTED) {
        start_work(writer, fact);
    } else if (fact->kind == FACT_TASK_ENDED) {
        end_work(writer, find_stream(writer, fact), fact->time_ns, "done", fact->value[2]);
    } else if (fact->kind == FACT_STREAM_MADE) {
        (void)find_stream(writer, fact);
    } else {
        end_work(writer, find_stream(writer, fact), fact->time_ns, "dropped", 0);
    }
}

void timeline_close_work(struct trace_writer *writer) {
    struct timeline *timeline = writer->own;
    for (size_t place = 0; place < timeline->streams.count; place++) {
        end_work(writer, &timeline->streams.items[place], machine_now(writer->source->machine),
                 "under way", 0);
    }
    array_fini(&timeline->streams);
    number_map_fini(&timeline->stream_at);
}

/* A call with "dst", "src" and "count" and no stream copies while its caller waits. */
void timeline_find_copies(struct timeline *timeline) {
    for (uint32_t number = 0; number < acl_row_count(); number++) {
        const struct acl_row *row = acl_row_get(number);
        struct timeline_places *places = &timeline->places[number];
        uint32_t found = 0;
        uint8_t place = 0;
        for (uint32_t at = 0; at < acl_row_parameters(row); at++) {
            const struct acl_parameter *parameter = &row->parameter[at];
            uint8_t *const named = strcmp(parameter->name, "dst") == 0     ? &places->to
                                   : strcmp(parameter->name, "src") == 0   ? &places->from
                                   : strcmp(parameter->name, "count") == 0 ? &places->count
                                                                           : NULL;
            if (named != NULL) {
                *named = place;
                found++;
            }
            found += parameter->kind == ACL_STREAM ? 10 : 0;
            place = (uint8_t)(place + (acl_kind_is_list(parameter->kind)
                                           ? 0
                                           : acl_kind_width(parameter->kind)));
        }
        places->copies = found == 3;
    }
}

void timeline_read_copy(struct trace_writer *writer, const struct fact *fact,
                        const struct acl_record *record) {
    const struct timeline *timeline = writer->own;
    const struct machine *machine = writer->source->machine;
    const struct timeline_places *places = &timeline->places[fact->row];
    uint32_t presence = process_current(machine, record->thread);
    if (!places->copies || fact->code != 0 || presence == PRESENCE_NONE) {
        return;
    }
    struct process_id process = process_of_thread(machine, record->thread);
    uint32_t device = process_presence(machine, process, presence)->device;
    struct link_way way =
        touch_way(machine, process, device, record->arg[places->to], record->arg[places->from]);
    struct timeline_copy copy = find_copy(machine, way, record->arg[places->count]);
    write_copy(writer, &copy, fact->time_ns, fact->time_ns + fact->value[0]);
    free(copy.name);
}
