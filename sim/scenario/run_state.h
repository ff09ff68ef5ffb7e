/* SPDX-License-Identifier: Apache-2.0 */
/* What a run holds. For run.c and run_step.c. */
#ifndef SCENARIO_RUN_STATE_H
#define SCENARIO_RUN_STATE_H

#include "hazard/hazard.h"
#include "scenario/lifetime.h"
#include "scenario/run.h"

enum cursor_wait {
    CURSOR_RUNS,
    CURSOR_RECEIVES,
    CURSOR_AT_BARRIER,
    CURSOR_OUTLIVES, /* has no step left, but something to release later */
    CURSOR_ENDED
};

/* Where a thread is. */
struct cursor {
    uint32_t at;       /* step within its program */
    uint32_t wait;     /* enum cursor_wait */
    uint32_t releases; /* slot of what it is releasing, plus 1; 0 for nothing */
    uint32_t unused;
};

/* Of a thread whose things have lifetimes. A note. */
struct pause {
    uint64_t resume_ns; /* when its next step is due */
    uint64_t busy_ns;   /* until when its last call keeps it busy */
};

/* Rounds of a loop that are done; owner: the thread. */
struct counter {
    uint64_t done;
};

/* The value of a name; owner: the process. */
struct variable {
    uint64_t value;
};

/* Messages to a process, oldest first. */
struct mailbox {
    uint32_t first; /* plus 1 */
    uint32_t last;
};
struct message {
    uint64_t value;
    uint32_t from; /* process */
    uint32_t next; /* plus 1 */
};

/* How many threads are at a barrier. */
struct barrier {
    uint64_t arrived;
};

/* The threads that name it. */
struct barrier_threads {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

struct run {
    const struct scenario *scenario;
    struct run_options options;
    struct site site;
    struct site_server *servers;
    struct site_container *containers;
    struct site_process *processes;
    struct site_thread *threads;
    struct product **owned; /* products with fields of their own, by server; NULL for none */
    struct barrier_threads *barriers; /* by name */
    struct store *store;
    struct machine machine;
    struct acl *acl;
    struct hazard hazard;
    struct totals totals;
    struct table *cursor;
    struct table *counter;
    struct table *variable;
    struct table *mailbox;
    struct table *message;
    struct table *barrier;
    struct table *random; /* streams, by thread plus 1 and distribution */
    struct table *pause;  /* by thread */
    struct lifetimes lifetimes;
    struct table *progress; /* one note: steps so far */
    ARRAY(struct run_mismatch) mismatches;
    uint64_t unasked_failures;
    struct problem *problem; /* of the run under way */
    bool has_failed;
};

/* Takes the next step of a thread; releases what of it has lived its time. */
void run_step(struct run *run, uint32_t thread);
void run_release(struct run *run, uint32_t thread);

/* Starts a process: its threads are ready, its device is set if the scenario says so. */
void run_start_process(struct run *run, uint32_t process);

const struct program *run_program(const struct run *run, uint32_t thread);

#endif
