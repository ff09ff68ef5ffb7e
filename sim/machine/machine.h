/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything simulated in one run. The machine is a view of a store: it holds tables, not objects,
 * and binds to a copy of the store like to the original. What does not change during a run (the
 * site: servers, devices and their products) is borrowed.
 *
 * Objects are named by their process and a slot of it; a machine function is told which. It
 * changes state and records facts; whether a program may do so is decided by the calls above.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/engine.h"
#include "core/journal.h"
#include "machine/moment.h"
#include "machine/site.h"
#include "memory/pool.h"
#include "memory/space.h"
#include "store/store.h"

struct calls {
    uint64_t count;
};

struct machine {
    const struct site *site;
    struct store *store;
    struct engine engine;
    struct journal journal;
    struct pools pools;
    struct space space;
    struct moment moment;
    struct table *calls;    /* one note: how many so far; */
    struct calls *issued;   /* it is this one */
    struct table *process;  /* owner 0 */
    struct table *thread;   /* owner 0 */
    struct table *turn;     /* a note of each thread: its place in a driver queue */
    struct table *asked;    /* a note of each thread: since when its call waits */
    struct table *driver;   /* note, owner 0: the driver queues */
    struct table *presence; /* by process: the devices it uses */
    struct table *warmth;   /* note, owner 0: devices that some process has ever set */
    struct table *peer;     /* by presence: to which devices it may go */
    struct table *peer_sum; /* by device: the same, of all processes together */
    struct table *block;    /* by process: plain, media device memory */
    struct table *block_life;
    struct table *host; /* by process: pinned host memory */
    struct table *host_life;
    struct table *allocation; /* by the process that made it: physical memory */
    struct table *allocation_life;
    struct table *handle; /* by process */
    struct table *handle_life;
    struct table *reservation; /* by process */
    struct table *reservation_life;
    struct table *mapping; /* by process */
    struct table *mapping_life;
    struct table *access; /* by process: who else may reach a mapping */
    struct table *share;  /* by exporter */
    struct table *share_life;
    struct table *listed;      /* by exporter: who is on a whitelist */
    struct range_map listings; /* by exporter: where on the whitelists a process is */
    struct range_map listers;  /* by process: the shares on whose whitelists it is */
    struct range_map imports;  /* by importer: its handle of a share on a device */
    struct table *stream;      /* by process */
    struct table *task;        /* by process: work on its streams */
    struct table *task_life;
    struct table *flow;  /* note, by server: copies that are under way */
    struct table *event; /* by process */
    struct table *event_life;
    struct table *wait; /* of each thread: what it waits for */
    struct table *stream_life;
};

/* Binds to a store; makes pools, processes and threads of the site when it is new. */
struct machine machine_bind(struct store *store, const struct site *site, struct engine engine,
                            bool places_are_state);

/* Performs what the engine ran: everything but the steps of threads. */
void machine_perform(struct machine *machine, struct action action);

static inline uint64_t machine_now(const struct machine *machine) {
    return engine_now(&machine->engine);
}

/* Calls issued so far; one more, and its number, from 1. */
static inline uint64_t machine_calls(const struct machine *machine) {
    return machine->issued->count;
}
static inline uint64_t machine_count_call(struct machine *machine) {
    table_touch(machine->calls, 0, 0);
    return ++machine->issued->count;
}

/* Records a fact of the present moment; values beyond those of its kind are 0. */
void machine_record(struct machine *machine, enum fact_kind kind, uint64_t first, uint64_t second,
                    uint64_t third, uint64_t fourth);
void machine_record_all(struct machine *machine, enum fact_kind kind, uint64_t first,
                        uint64_t second, uint64_t third, uint64_t fourth, uint64_t fifth);

static inline struct stamp machine_stamp(const struct machine *machine) {
    return (struct stamp){ machine->moment.thread.index, machine->moment.step };
}

/* Notes of a thing that is made, and that is released. */
static inline struct life *machine_note_made(struct machine *machine, struct table *life,
                                             uint32_t owner, uint32_t slot) {
    struct life *note = table_edit(life, owner, slot);
    *note = (struct life){ .made_call = machine->moment.call, .made_ns = machine_now(machine) };
    return note;
}

static inline void machine_note_released(struct machine *machine, struct table *life,
                                         uint32_t owner, uint32_t slot) {
    struct life *note = table_edit(life, owner, slot);
    note->released_call = machine->moment.call;
    note->released_ns = machine_now(machine);
    note->released = machine_stamp(machine);
}

#endif
