/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: device work that outlives the call that queued it, in order. The work at the head of a
 * stream has started; what touches memory is checked at its start, and its end is an action of the
 * engine. A fault stays with the stream until someone synchronises it.
 *
 * Events are marks in streams. A record counts up when it is queued and completes in its turn; a
 * wait holds its stream back until the record it saw has completed.
 */
#ifndef MACHINE_STREAM_H
#define MACHINE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

enum task_kind {
    TASK_COPY,
    TASK_SET,
    TASK_COMPUTE, /* a kernel: reads or writes one range for some time */
    TASK_RECORD,
    TASK_WAIT,
    TASK_MEDIA, /* like a kernel, by the media units */
};

struct stream {
    uint32_t presence;
    uint32_t first; /* task at the head, plus 1 */
    uint32_t last;
    uint32_t started; /* the head has */
    uint32_t fault;   /* code for the next synchronise; 0 for none */
    uint32_t is_default;
    uint32_t generation;
    uint32_t waiter; /* first thread that waits for it, plus 1 */
    uint32_t queued; /* tasks ever */
    uint32_t ended;
    struct stamp made;
    uint32_t waits_for; /* event that its head waits for, plus 1 */
    uint32_t behind;    /* the next stream that waits for that event, plus 1 */
};

struct task {
    uint32_t next; /* plus 1 */
    uint32_t kind;
    uint64_t to; /* address that is written, or 0 */
    uint64_t from;
    uint64_t size;
    uint64_t duration_ns; /* of TASK_COMPUTE, TASK_MEDIA */
    uint32_t event;       /* slot */
    uint32_t record;      /* which record of the event it is or waits for */
    uint32_t code;        /* the fault it ends with; 0 for none */
    uint32_t generation;  /* of the event */
    struct stamp made;
};

struct event_mark {
    uint32_t flags;
    uint32_t records; /* queued ever */
    uint32_t ended;   /* the last one that completed */
    uint32_t generation;
    struct stamp made;
    uint32_t kind;   /* which call made it */
    uint32_t waiter; /* first stream whose head waits for it, plus 1 */
    uint32_t thread; /* first thread that waits for it, plus 1 */
    uint32_t unused;
};

/* What a thread waits for: a stream or an event, until so many of its tasks or records ended. */
struct stream_wait {
    uint32_t next;   /* thread behind it at the same one, plus 1 */
    uint32_t stream; /* plus 1; 0 when it does not wait for a stream */
    uint32_t event;  /* plus 1; 0 when it does not wait for an event */
    uint32_t target;
};

uint32_t stream_make(struct machine *machine, struct process_id process, uint32_t presence,
                     bool is_default);

/* Drops a stream with whatever is queued. */
void stream_drop(struct machine *machine, struct process_id process, uint32_t slot);
const struct stream *stream_get(const struct machine *machine, struct process_id process,
                                uint32_t slot);

/* The default stream of a presence, made on first use. */
uint32_t stream_default(struct machine *machine, struct process_id process, uint32_t presence);

/* The value a program sees; the slot behind a value, false when it is stale or never was. */
uint64_t stream_value(const struct machine *machine, struct process_id process, uint32_t slot);
bool stream_resolve(const struct machine *machine, struct process_id process, uint64_t value,
                    uint32_t *slot);

void stream_queue(struct machine *machine, struct process_id process, uint32_t slot,
                  const struct task *task);

/* ACTION_WORK: the work at the head ends, and the next one starts. */
void stream_perform(struct machine *machine, struct process_id process, uint32_t slot);

/*
 * Whether all that was queued (recorded) when the thread first asked has ended; if not, the engine
 * wakes the thread to ask again. Taking the fault clears it.
 */
bool stream_has_ended(struct machine *machine, struct thread_id thread, uint32_t slot);
bool event_has_ended(struct machine *machine, struct thread_id thread, uint32_t slot);

/* The same for every stream of a presence, one after the other in the order of their slots. */
bool stream_have_all_ended(struct machine *machine, struct thread_id thread, uint32_t presence);
int32_t stream_take_fault(struct machine *machine, struct process_id process, uint32_t slot);
void stream_abandon(struct machine *machine, struct thread_id thread);

uint32_t event_make(struct machine *machine, struct process_id process, uint32_t flags,
                    uint32_t kind);
void event_drop(struct machine *machine, struct process_id process, uint32_t slot);
const struct event_mark *event_get(const struct machine *machine, struct process_id process,
                                   uint32_t slot);
uint64_t event_value(const struct machine *machine, struct process_id process, uint32_t slot);
bool event_resolve(const struct machine *machine, struct process_id process, uint64_t value,
                   uint32_t *slot);

/* Queues a record; queues a wait for the last record that was queued, if there is one. */
void event_record(struct machine *machine, struct process_id process, uint32_t slot,
                  uint32_t stream);
void event_wait(struct machine *machine, struct process_id process, uint32_t slot, uint32_t stream);

#endif
