/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/stream.h"

#include "base/must.h"
#include "machine/link.h"
#include "machine/object.h"
#include "machine/process.h"
#include "machine/touch.h"

/* What the next synchronise returns after a fault (spec: VMM 12, row 2). */
enum { FAULT_COPY = 507013, FAULT_COMPUTE = 507015 };

static struct stream *edit(struct machine *machine, struct process_id process, uint32_t slot) {
    return table_edit(machine->stream, process.index, slot);
}

const struct stream *stream_get(const struct machine *machine, struct process_id process,
                                uint32_t slot) {
    return table_get(machine->stream, process.index, slot);
}

uint64_t stream_value(const struct machine *machine, struct process_id process, uint32_t slot) {
    uint32_t generation = stream_get(machine, process, slot)->generation;
    return object_pack((struct object_value){ process.index, slot, generation });
}

bool stream_resolve(const struct machine *machine, struct process_id process, uint64_t value,
                    uint32_t *slot) {
    struct object_value named;
    if (!object_unpack(value, &named) || named.process != process.index) {
        return false;
    }
    const struct stream *stream = table_find(machine->stream, process.index, named.slot);
    *slot = named.slot;
    return stream != NULL && object_generation(stream->generation) == named.generation;
}

uint32_t stream_make(struct machine *machine, struct process_id process, uint32_t presence,
                     bool is_default) {
    uint32_t slot = table_add(machine->stream, process.index);
    struct stream *stream = edit(machine, process, slot);
    stream->presence = presence;
    stream->is_default = is_default;
    stream->generation = process_next_generation(machine, process);
    stream->made = machine_stamp(machine);
    machine_note_made(machine, machine->stream_life, process.index, slot);
    machine_record(machine, FACT_STREAM_MADE, stream_value(machine, process, slot),
                   process_presence(machine, process, presence)->device, 0, 0);
    return slot;
}

uint32_t stream_default(struct machine *machine, struct process_id process, uint32_t presence) {
    uint32_t kept = process_presence(machine, process, presence)->default_stream;
    if (kept == 0) {
        kept = stream_make(machine, process, presence, true) + 1;
        ((struct presence *)table_edit(machine->presence, process.index, presence))
            ->default_stream = kept;
    }
    return kept - 1;
}

static uint32_t device_of(const struct machine *machine, struct process_id process,
                          const struct stream *stream) {
    return process_presence(machine, process, stream->presence)->device;
}

static struct action work_of(struct process_id process, uint32_t slot) {
    return (struct action){ ACTION_WORK, process.index, slot };
}

static struct flow_end flow_of(const struct machine *machine, struct process_id process,
                               uint32_t slot) {
    uint32_t device = device_of(machine, process, stream_get(machine, process, slot));
    return (struct flow_end){ site_server_of(machine->site, device), false, process.index, slot };
}

static struct touch_work touches_of(const struct task *task) {
    return (struct touch_work){
        .from = task->from,
        .to = task->to,
        .size = task->size,
        .is_media = task->kind == TASK_MEDIA,
    };
}

/* Whether the stream's device reaches what a task touches; a task that faults moves nothing. */
static bool may_run(struct machine *machine, struct process_id process, uint32_t device,
                    const struct task *task) {
    const struct touch_work work = touches_of(task);
    return touch_do(machine, process, device, &work) == 0;
}

static bool has_memory(const struct task *task) {
    return task->kind != TASK_RECORD && task->kind != TASK_WAIT;
}

/* Work whose time does not come from the links. */
static bool has_duration(const struct task *task) {
    return task->kind == TASK_COMPUTE || task->kind == TASK_MEDIA;
}

static uint32_t fault_of(const struct task *task) {
    return has_duration(task) ? FAULT_COMPUTE : FAULT_COPY;
}

/* Memory that went away under the work makes it fault (spec: VMM 8.5, row 36; 12, row 2). */
static uint32_t fault_at_end(struct machine *machine, struct process_id process, uint32_t device,
                             const struct task *task) {
    const struct touch_work work = touches_of(task);
    bool is_well = !has_memory(task) || touch_is_left(machine, process, device, &work);
    return is_well ? 0 : fault_of(task);
}

/* Work is done in the name of who queued it, at no call; the moment to come back to. */
static struct moment begin_work(struct machine *machine, const struct task *task, uint32_t place) {
    struct moment before = machine->moment;
    machine->moment = (struct moment){
        .row = FACT_NO_ROW,
        .thread = { task->made.thread },
        .step = task->made.step,
        .task = place + 1,
    };
    return before;
}

static void start_touching(struct machine *machine, struct process_id process, uint32_t slot,
                           struct task *task) {
    uint32_t device = device_of(machine, process, stream_get(machine, process, slot));
    uint64_t now_ns = machine_now(machine);
    if (!may_run(machine, process, device, task)) {
        task->code = fault_of(task);
        engine_ready(&machine->engine, work_of(process, slot), now_ns);
    } else if (has_duration(task) || machine->engine.policy == ENGINE_FREE) {
        engine_ready(&machine->engine, work_of(process, slot), now_ns + task->duration_ns);
    } else {
        uint64_t from = task->kind == TASK_SET ? task->to : task->from;
        struct link_way way = touch_way(machine, process, device, task->to, from);
        link_start(machine, way, task->size, flow_of(machine, process, slot));
    }
}

static struct event_mark *edit_event(struct machine *machine, struct process_id process,
                                     uint32_t slot) {
    return table_edit(machine->event, process.index, slot);
}

/* The event of a task; NULL when it was destroyed meanwhile. */
static const struct event_mark *event_of(const struct machine *machine, struct process_id process,
                                         const struct task *task) {
    const struct event_mark *event = table_find(machine->event, process.index, task->event);
    return event != NULL && event->generation == task->generation ? event : NULL;
}

/* A wait whose event was destroyed waits for nothing. */
static bool is_over(const struct machine *machine, struct process_id process,
                    const struct task *task) {
    const struct event_mark *event = event_of(machine, process, task);
    return event == NULL || event->ended >= task->record;
}

/* Puts a stream behind those that wait for the event of its head. */
static void line_up(struct machine *machine, struct process_id process, uint32_t slot,
                    const struct task *task) {
    struct stream *stream = edit(machine, process, slot);
    if (stream->waits_for == 0) {
        struct event_mark *event = edit_event(machine, process, task->event);
        stream->waits_for = task->event + 1;
        stream->behind = event->waiter;
        event->waiter = slot + 1;
    }
}

/* Starts the head of a stream that has not started; a wait that is not over stays unstarted. */
static void start_head(struct machine *machine, struct process_id process, uint32_t slot) {
    struct stream *stream = edit(machine, process, slot);
    if (stream->first == 0 || stream->started != 0) {
        return;
    }
    struct task *task = table_edit(machine->task, process.index, stream->first - 1);
    if (task->kind == TASK_WAIT && !is_over(machine, process, task)) {
        line_up(machine, process, slot, task);
        return;
    }
    stream->started = 1;
    struct moment before = begin_work(machine, task, stream->first - 1);
    machine_record(machine, FACT_TASK_STARTED, stream_value(machine, process, slot),
                   stream->ended + 1, 0, 0);
    if (task->kind == TASK_RECORD || task->kind == TASK_WAIT) {
        engine_ready(&machine->engine, work_of(process, slot), machine_now(machine));
    } else {
        start_touching(machine, process, slot, task);
    }
    machine->moment = before;
}

void stream_queue(struct machine *machine, struct process_id process, uint32_t slot,
                  const struct task *task) {
    struct stream *stream = edit(machine, process, slot);
    uint32_t place = table_add(machine->task, process.index);
    struct task *queued = table_edit(machine->task, process.index, place);
    *queued = *task;
    queued->next = 0;
    queued->made = machine_stamp(machine);
    machine_note_made(machine, machine->task_life, process.index, place);
    if (stream->first == 0) {
        stream->first = place + 1;
    } else {
        ((struct task *)table_edit(machine->task, process.index, stream->last - 1))->next =
            place + 1;
    }
    stream->last = place + 1;
    stream->queued++;
    machine_record(machine, FACT_TASK_QUEUED, stream_value(machine, process, slot), stream->queued,
                   task->kind, task->size);
    start_head(machine, process, slot);
}

/* Streams that wait for an event look again whether they may go on. */
static void start_waiting(struct machine *machine, struct process_id process, uint32_t event) {
    uint32_t at = edit_event(machine, process, event)->waiter;
    edit_event(machine, process, event)->waiter = 0;
    while (at != 0) {
        struct stream *stream = edit(machine, process, at - 1);
        uint32_t behind = stream->behind;
        stream->waits_for = 0;
        stream->behind = 0;
        start_head(machine, process, at - 1);
        at = behind;
    }
}

static void leave_line(struct machine *machine, struct process_id process, uint32_t slot) {
    struct stream *stream = edit(machine, process, slot);
    if (stream->waits_for == 0) {
        return;
    }
    uint32_t *link = &edit_event(machine, process, stream->waits_for - 1)->waiter;
    while (*link != slot + 1) {
        link = &edit(machine, process, *link - 1)->behind;
    }
    *link = stream->behind;
    stream->waits_for = 0;
    stream->behind = 0;
}

static struct stream_wait *edit_wait(struct machine *machine, uint32_t thread) {
    return table_edit(machine->wait, 0, thread);
}

/* Wakes the threads of a line whose target is reached; the others keep their order. */
static void wake(struct machine *machine, uint32_t *line, uint32_t ended) {
    while (*line != 0) {
        uint32_t thread = *line - 1;
        struct stream_wait *wait = edit_wait(machine, thread);
        if (wait->target > ended) {
            line = &wait->next;
            continue;
        }
        *line = wait->next;
        wait->next = 0;
        engine_ready(&machine->engine, (struct action){ ACTION_STEP, 0, thread },
                     machine_now(machine));
    }
}

/* What they wait for goes away: they wake, and find out when they ask again. */
static void wake_all(struct machine *machine, uint32_t *line) {
    for (uint32_t at = *line; at != 0; at = edit_wait(machine, at - 1)->next) {
        edit_wait(machine, at - 1)->stream = 0;
        edit_wait(machine, at - 1)->event = 0;
    }
    wake(machine, line, UINT32_MAX);
}

/* Puts a thread at the end of a line, which it finds by itself. */
static void join_line(struct machine *machine, uint32_t *line, uint32_t thread) {
    edit_wait(machine, thread)->next = 0;
    while (*line != 0) {
        line = &edit_wait(machine, *line - 1)->next;
    }
    *line = thread + 1;
}

static void take_head(struct machine *machine, struct process_id process, uint32_t slot,
                      struct task *task) {
    struct stream *stream = edit(machine, process, slot);
    uint32_t head = stream->first - 1;
    *task = *(const struct task *)table_get(machine->task, process.index, head);
    table_remove(machine->task, process.index, head);
    stream->first = task->next;
    stream->last = task->next == 0 ? 0 : stream->last;
    stream->started = 0;
    stream->ended++;
    if (task->code != 0 && stream->fault == 0) {
        stream->fault = task->code;
    }
}

void stream_perform(struct machine *machine, struct process_id process, uint32_t slot) {
    struct task task;
    const struct stream *before = stream_get(machine, process, slot);
    must(before->started != 0);
    link_stop(machine, flow_of(machine, process, slot));
    struct task *head = table_edit(machine->task, process.index, before->first - 1);
    struct moment moment = begin_work(machine, head, before->first - 1);
    if (head->code == 0) {
        head->code = fault_at_end(machine, process, device_of(machine, process, before), head);
    }
    take_head(machine, process, slot, &task);
    machine_record(machine, FACT_TASK_ENDED, stream_value(machine, process, slot),
                   stream_get(machine, process, slot)->ended, task.code, 0);
    if (task.kind == TASK_RECORD && event_of(machine, process, &task) != NULL) {
        struct event_mark *event = edit_event(machine, process, task.event);
        event->ended = task.record;
        wake(machine, &event->thread, event->ended);
        start_waiting(machine, process, task.event);
    }
    struct stream *stream = edit(machine, process, slot);
    wake(machine, &stream->waiter, stream->ended);
    machine->moment = moment;
    start_head(machine, process, slot);
}

void stream_drop(struct machine *machine, struct process_id process, uint32_t slot) {
    struct stream *stream = edit(machine, process, slot);
    uint32_t presence = stream->presence;
    bool is_default = stream->is_default != 0;
    leave_line(machine, process, slot);
    link_stop(machine, flow_of(machine, process, slot));
    engine_withdraw(&machine->engine, work_of(process, slot));
    machine_record(machine, FACT_STREAM_DESTROYED, stream_value(machine, process, slot),
                   device_of(machine, process, stream), 0, 0);
    while (stream->first != 0) {
        struct task task;
        take_head(machine, process, slot, &task);
    }
    wake_all(machine, &stream->waiter);
    machine_note_released(machine, machine->stream_life, process.index, slot);
    table_remove(machine->stream, process.index, slot);
    if (is_default) {
        ((struct presence *)table_edit(machine->presence, process.index, presence))
            ->default_stream = 0;
    }
}

bool stream_has_ended(struct machine *machine, struct thread_id thread, uint32_t slot) {
    struct process_id process = process_of_thread(machine, thread);
    struct stream_wait *wait = edit_wait(machine, thread.index);
    struct stream *stream = edit(machine, process, slot);
    if (wait->stream != slot + 1) {
        *wait = (struct stream_wait){ .stream = slot + 1, .target = stream->queued };
    }
    if (stream->ended >= wait->target) {
        *wait = (struct stream_wait){ 0, 0, 0, 0 };
        return true;
    }
    join_line(machine, &stream->waiter, thread.index);
    return false;
}

bool stream_have_all_ended(struct machine *machine, struct thread_id thread, uint32_t presence) {
    struct process_id process = process_of_thread(machine, thread);
    uint32_t slot = table_next(machine->stream, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->stream, process.index, slot + 1)) {
        const struct stream *stream = stream_get(machine, process, slot);
        if (stream->presence == presence && stream->first != 0 &&
            !stream_has_ended(machine, thread, slot)) {
            return false;
        }
    }
    return true;
}

bool event_has_ended(struct machine *machine, struct thread_id thread, uint32_t slot) {
    struct process_id process = process_of_thread(machine, thread);
    struct stream_wait *wait = edit_wait(machine, thread.index);
    struct event_mark *event = edit_event(machine, process, slot);
    if (wait->event != slot + 1) {
        *wait = (struct stream_wait){ .event = slot + 1, .target = event->records };
    }
    if (event->ended >= wait->target) {
        *wait = (struct stream_wait){ 0, 0, 0, 0 };
        return true;
    }
    join_line(machine, &event->thread, thread.index);
    return false;
}

int32_t stream_take_fault(struct machine *machine, struct process_id process, uint32_t slot) {
    struct stream *stream = edit(machine, process, slot);
    int32_t fault = (int32_t)stream->fault;
    stream->fault = 0;
    return fault;
}

void stream_abandon(struct machine *machine, struct thread_id thread) {
    struct process_id process = process_of_thread(machine, thread);
    struct stream_wait *wait = edit_wait(machine, thread.index);
    uint32_t *line = NULL;
    if (wait->stream != 0) {
        line = &edit(machine, process, wait->stream - 1)->waiter;
    } else if (wait->event != 0) {
        line = &edit_event(machine, process, wait->event - 1)->thread;
    }
    while (line != NULL && *line != 0 && *line != thread.index + 1) {
        line = &edit_wait(machine, *line - 1)->next;
    }
    if (line != NULL && *line != 0) {
        *line = wait->next;
    }
    *wait = (struct stream_wait){ 0, 0, 0, 0 };
}

uint32_t event_make(struct machine *machine, struct process_id process, uint32_t flags,
                    uint32_t kind) {
    uint32_t slot = table_add(machine->event, process.index);
    struct event_mark *event = edit_event(machine, process, slot);
    event->flags = flags;
    event->kind = kind;
    event->generation = process_next_generation(machine, process);
    event->made = machine_stamp(machine);
    machine_note_made(machine, machine->event_life, process.index, slot);
    machine_record(machine, FACT_EVENT_MADE, event_value(machine, process, slot), 0, 0, 0);
    return slot;
}

void event_drop(struct machine *machine, struct process_id process, uint32_t slot) {
    machine_record(machine, FACT_EVENT_DESTROYED, event_value(machine, process, slot), 0, 0, 0);
    edit_event(machine, process, slot)->ended = UINT32_MAX;
    wake_all(machine, &edit_event(machine, process, slot)->thread);
    start_waiting(machine, process, slot);
    machine_note_released(machine, machine->event_life, process.index, slot);
    table_remove(machine->event, process.index, slot);
}

const struct event_mark *event_get(const struct machine *machine, struct process_id process,
                                   uint32_t slot) {
    return table_get(machine->event, process.index, slot);
}

uint64_t event_value(const struct machine *machine, struct process_id process, uint32_t slot) {
    uint32_t generation = event_get(machine, process, slot)->generation;
    return object_pack((struct object_value){ process.index, slot, generation });
}

bool event_resolve(const struct machine *machine, struct process_id process, uint64_t value,
                   uint32_t *slot) {
    struct object_value named;
    if (!object_unpack(value, &named) || named.process != process.index) {
        return false;
    }
    const struct event_mark *event = table_find(machine->event, process.index, named.slot);
    *slot = named.slot;
    return event != NULL && object_generation(event->generation) == named.generation;
}

void event_record(struct machine *machine, struct process_id process, uint32_t slot,
                  uint32_t stream) {
    uint32_t record = ++edit_event(machine, process, slot)->records;
    machine_record(machine, FACT_EVENT_RECORDED, event_value(machine, process, slot),
                   stream_value(machine, process, stream), 0, 0);
    struct task task = { .kind = TASK_RECORD,
                         .event = slot,
                         .record = record,
                         .generation = event_get(machine, process, slot)->generation };
    stream_queue(machine, process, stream, &task);
}

void event_wait(struct machine *machine, struct process_id process, uint32_t slot,
                uint32_t stream) {
    uint32_t record = event_get(machine, process, slot)->records;
    if (record > 0) {
        struct task task = { .kind = TASK_WAIT,
                             .event = slot,
                             .record = record,
                             .generation = event_get(machine, process, slot)->generation };
        stream_queue(machine, process, stream, &task);
    }
}
