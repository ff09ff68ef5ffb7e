/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine knows actions, and performs one after the other: the next step of a thread, the end
 * of what lies at the head of a stream. Who is next is a policy. Clock: the earliest due time, and
 * order of insertion where times are equal. Schedule: a list of named steps, each started at the
 * later of its readiness and the previous start. Free: choice_pick() among all that are ready,
 * while the clock stands still.
 *
 * That an action is ready is state; when it is due is a note; the queue is an index.
 */
#ifndef CORE_ENGINE_H
#define CORE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/choice.h"
#include "core/event.h"

enum { ENGINE_OWNERS = 1 << 28 };

/* Something that may happen next: a kind of action, and whose. */
struct action {
    uint8_t kind;   /* below ACTION_KINDS */
    uint32_t owner; /* below ENGINE_OWNERS */
    uint32_t slot;
};

enum action_kind {
    ACTION_STEP,    /* owner 0, slot: a thread takes its next step */
    ACTION_RELEASE, /* owner 0, slot: a thread releases what has lived its time */
    ACTION_WORK,    /* the work at the head of a stream ends */
    ACTION_LINK,    /* the first of the copies on a link ends */
    ACTION_KINDS
};

enum engine_policy { ENGINE_CLOCK, ENGINE_SCHEDULE, ENGINE_FREE };

typedef void engine_perform(void *context, struct action action);

struct engine_clock {
    uint64_t now_ns;
    uint64_t insertions;
};

struct engine {
    enum engine_policy policy;
    struct choice choice;
    engine_perform *perform;
    void *context;
    struct table *clock;       /* one record, */
    struct engine_clock *time; /* which is this one: records never move */
    struct table *ready[ACTION_KINDS];
    struct table *due[ACTION_KINDS];
    struct event_queue queue;
    struct table *queued[ACTION_KINDS]; /* how an action stands in the queue */
    struct table *ticket;               /* stand-ins in the queue for names of actions */
    struct table *behind;               /* one record: events left behind in the queue */
};

/* Binds to the engine of a store, making one at time 0 when there is none. */
struct engine engine_bind(struct store *store, enum engine_policy policy, struct choice choice,
                          engine_perform *perform, void *context);

static inline uint64_t engine_now(const struct engine *engine) {
    return engine->time->now_ns;
}

/* Moves the clock forward, for a client that has no other actions. Clock policy only. */
void engine_pass(struct engine *engine, uint64_t duration_ns);

/* Moves the clock to a time unless it is later already: a start that a schedule delays. */
void engine_advance(struct engine *engine, uint64_t time_ns);

/* Makes an action ready at a time, or changes when a ready one is due. Not before now. */
void engine_ready(struct engine *engine, struct action action, uint64_t due_ns);

void engine_withdraw(struct engine *engine, struct action action); /* no matter if it is ready */
bool engine_is_ready(const struct engine *engine, struct action action);
uint64_t engine_due(const struct engine *engine, struct action action);

/* The ready action after another one, in order of kind, owner, slot; first with NULL. */
bool engine_next(const struct engine *engine, const struct action *after, struct action *next);
uint32_t engine_count(const struct engine *engine);

/* Performs one action by the policy; false when none is ready. */
bool engine_run(struct engine *engine);

/* Performs this one, which is ready: what a schedule does. */
void engine_run_action(struct engine *engine, struct action action);

/* Makes the queue anew from what is ready: the equal of the kept one. The clock policy needs it
 * after another policy ran. */
void engine_rebuild(struct engine *engine);

#endif
