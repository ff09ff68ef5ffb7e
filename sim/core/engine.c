/* SPDX-License-Identifier: Apache-2.0 */
#include "core/engine.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/must.h"

struct ready {
    uint64_t is_ready;
};

struct due {
    uint64_t due_ns;
    uint64_t insertion;
};

/*
 * How an action stands in the queue. An event cannot be taken out, so that of an action which is
 * withdrawn or gets another due time is left behind. While one is, the action's next event stands
 * under a ticket: under the action's name it could be mistaken for the other, at the same time.
 */
struct queued {
    uint32_t ticket; /* one more than its slot; 0 when the event stands under the action's name */
    uint32_t left;   /* events left behind */
};

struct ticket {
    uint64_t action; /* packed */
};

struct behind {
    uint64_t count; /* events left behind, of all actions */
};

/* The lowest event that is a ticket: its kind is beyond the last. */
static const uint64_t FIRST_TICKET = (uint64_t)ACTION_KINDS << 60;

static const struct table_type clock_type = {
    .name = "clock",
    .record_size = sizeof(struct engine_clock),
    .sort = TABLE_NOTE,
};

static const struct table_type ready_types[ACTION_KINDS] = {
    [ACTION_STEP] = { "ready_step", sizeof(struct ready), TABLE_STATE, false },
    [ACTION_RELEASE] = { "ready_release", sizeof(struct ready), TABLE_STATE, false },
    [ACTION_WORK] = { "ready_work", sizeof(struct ready), TABLE_STATE, false },
    [ACTION_LINK] = { "ready_link", sizeof(struct ready), TABLE_NOTE, false },
};

static const struct table_type due_types[ACTION_KINDS] = {
    [ACTION_STEP] = { "due_step", sizeof(struct due), TABLE_NOTE, true },
    [ACTION_RELEASE] = { "due_release", sizeof(struct due), TABLE_NOTE, true },
    [ACTION_WORK] = { "due_work", sizeof(struct due), TABLE_NOTE, true },
    [ACTION_LINK] = { "due_link", sizeof(struct due), TABLE_NOTE, true },
};

static const struct table_type queued_types[ACTION_KINDS] = {
    [ACTION_STEP] = { "queued_step", sizeof(struct queued), TABLE_INDEX, true },
    [ACTION_RELEASE] = { "queued_release", sizeof(struct queued), TABLE_INDEX, true },
    [ACTION_WORK] = { "queued_work", sizeof(struct queued), TABLE_INDEX, true },
    [ACTION_LINK] = { "queued_link", sizeof(struct queued), TABLE_INDEX, true },
};

static const struct table_type ticket_type = {
    .name = "queue_ticket",
    .record_size = sizeof(struct ticket),
    .sort = TABLE_INDEX,
};

static const struct table_type behind_type = {
    .name = "queue_behind",
    .record_size = sizeof(struct behind),
    .sort = TABLE_INDEX,
};

static uint64_t pack(struct action action) {
    return (uint64_t)action.kind << 60 | (uint64_t)action.owner << 32 | action.slot;
}

static struct action unpack(uint64_t what) {
    return (struct action){
        .kind = (uint8_t)(what >> 60),
        .owner = (uint32_t)(what >> 32) % ENGINE_OWNERS,
        .slot = (uint32_t)what,
    };
}

struct engine engine_bind(struct store *store, enum engine_policy policy, struct choice choice,
                          engine_perform *perform, void *context) {
    struct engine engine = {
        .policy = policy,
        .choice = choice,
        .perform = perform,
        .context = context,
        .clock = store_table(store, &clock_type),
        .ticket = store_table(store, &ticket_type),
        .behind = store_table(store, &behind_type),
        .queue = event_queue_bind(store),
    };
    if (!table_has(engine.clock, 0, 0)) {
        table_add(engine.clock, 0);
        table_add(engine.behind, 0);
    }
    engine.time = table_edit(engine.clock, 0, 0);
    for (int kind = 0; kind < ACTION_KINDS; kind++) {
        engine.ready[kind] = store_table(store, &ready_types[kind]);
        engine.due[kind] = store_table(store, &due_types[kind]);
        engine.queued[kind] = store_table(store, &queued_types[kind]);
    }
    return engine;
}

static const struct due *due_of(const struct engine *engine, struct action action) {
    return table_get(engine->due[action.kind], action.owner, action.slot);
}

static void set_now(struct engine *engine, uint64_t now_ns) {
    must(now_ns >= engine->time->now_ns);
    table_touch(engine->clock, 0, 0);
    engine->time->now_ns = now_ns;
}

void engine_pass(struct engine *engine, uint64_t duration_ns) {
    if (engine->policy == ENGINE_CLOCK) {
        set_now(engine, engine_now(engine) + duration_ns);
    }
}

void engine_advance(struct engine *engine, uint64_t time_ns) {
    if (time_ns > engine_now(engine)) {
        set_now(engine, time_ns);
    }
}

/* What an event says: the action, and the ticket when it stands under one. */
struct entry {
    struct action action;
    uint32_t ticket;
};

static inline struct entry read_event(const struct engine *engine, struct event event) {
    if (event.what < FIRST_TICKET) {
        return (struct entry){ unpack(event.what), 0 };
    }
    uint32_t number = (uint32_t)event.what;
    const struct ticket *ticket = table_get(engine->ticket, 0, number - 1);
    return (struct entry){ unpack(ticket->action), number };
}

static struct queued *edit_queued(struct engine *engine, struct action action) {
    return table_edit(engine->queued[action.kind], action.owner, action.slot);
}

static const struct queued *queued_of(const struct engine *engine, struct action action) {
    return table_get(engine->queued[action.kind], action.owner, action.slot);
}

static uint64_t left_behind(const struct engine *engine) {
    return ((const struct behind *)table_get(engine->behind, 0, 0))->count;
}

static bool is_live(const struct engine *engine, struct entry entry) {
    return engine_is_ready(engine, entry.action) &&
           queued_of(engine, entry.action)->ticket == entry.ticket;
}

static uint32_t take_ticket(struct engine *engine, struct action action) {
    uint32_t slot = table_add(engine->ticket, 0);
    struct ticket *ticket = table_edit(engine->ticket, 0, slot);
    ticket->action = pack(action);
    return slot + 1;
}

static void return_ticket(struct engine *engine, uint32_t ticket) {
    if (ticket > 0) {
        table_remove(engine->ticket, 0, ticket - 1);
    }
}

static void enqueue(struct engine *engine, struct action action, uint64_t due_ns) {
    uint64_t what = pack(action);
    if (queued_of(engine, action)->left > 0) {
        struct queued *queued = edit_queued(engine, action);
        queued->ticket = take_ticket(engine, action);
        what = FIRST_TICKET | queued->ticket;
    }
    event_push(&engine->queue, (struct event){ due_ns, what });
}

/* Gives up the event of an action that was withdrawn, or is about to be queued again. */
static void leave_behind(struct engine *engine, struct action action) {
    struct queued *queued = edit_queued(engine, action);
    struct behind *behind = table_edit(engine->behind, 0, 0);
    queued->ticket = 0;
    queued->left++;
    behind->count++;
}

/* An event that was left behind is out of the queue. */
static void forget(struct engine *engine, struct entry entry) {
    struct queued *queued = edit_queued(engine, entry.action);
    struct behind *behind = table_edit(engine->behind, 0, 0);
    must(queued->left > 0);
    queued->left--;
    behind->count--;
    return_ticket(engine, entry.ticket);
}

static bool keep_or_forget(struct event event, void *context) {
    struct entry entry = read_event(context, event);
    bool live = is_live(context, entry);
    if (!live) {
        forget(context, entry);
    }
    return live;
}

/* Sweeps when most of the queue was left behind: a constant cost for each event that was. */
static void tidy_up(struct engine *engine) {
    uint64_t count = left_behind(engine);
    if (count > 64 && count > event_count(&engine->queue) / 2) {
        event_sweep(&engine->queue, keep_or_forget, engine);
    }
}

void engine_ready(struct engine *engine, struct action action, uint64_t due_ns) {
    must(action.kind < ACTION_KINDS);
    must(action.owner < ENGINE_OWNERS);
    must(due_ns >= engine_now(engine));
    bool was_ready = engine_is_ready(engine, action);
    if (was_ready && due_of(engine, action)->due_ns == due_ns) {
        return;
    }
    if (!was_ready) {
        table_add_at(engine->ready[action.kind], action.owner, action.slot);
        struct ready *ready = table_edit(engine->ready[action.kind], action.owner, action.slot);
        ready->is_ready = 1;
    }
    struct engine_clock *clock = table_edit(engine->clock, 0, 0);
    struct due *due = table_edit(engine->due[action.kind], action.owner, action.slot);
    due->due_ns = due_ns;
    due->insertion = clock->insertions++;
    if (engine->policy != ENGINE_CLOCK) {
        return;
    }
    if (was_ready) {
        leave_behind(engine, action);
    }
    enqueue(engine, action, due_ns);
    if (was_ready) {
        tidy_up(engine);
    }
}

static void unready(struct engine *engine, struct action action) {
    table_remove(engine->ready[action.kind], action.owner, action.slot);
}

void engine_withdraw(struct engine *engine, struct action action) {
    if (engine_is_ready(engine, action)) {
        unready(engine, action);
        if (engine->policy == ENGINE_CLOCK) {
            leave_behind(engine, action);
            tidy_up(engine);
        }
    }
}

bool engine_is_ready(const struct engine *engine, struct action action) {
    return table_has(engine->ready[action.kind], action.owner, action.slot);
}

uint64_t engine_due(const struct engine *engine, struct action action) {
    return due_of(engine, action)->due_ns;
}

bool engine_next(const struct engine *engine, const struct action *after, struct action *next) {
    struct action at = { 0, 0, 0 };
    if (after != NULL) {
        at = *after;
        at.slot++;
    }
    for (; at.kind < ACTION_KINDS; at.kind++, at.owner = 0, at.slot = 0) {
        const struct table *ready = engine->ready[at.kind];
        for (uint32_t owner = table_next_owner(ready, at.owner); owner != OWNER_NONE;
             owner = table_next_owner(ready, owner + 1)) {
            uint32_t slot = table_next(ready, owner, owner == at.owner ? at.slot : 0);
            if (slot != SLOT_NONE) {
                *next = (struct action){ at.kind, owner, slot };
                return true;
            }
        }
    }
    return false;
}

uint32_t engine_count(const struct engine *engine) {
    uint32_t count = 0;
    for (int kind = 0; kind < ACTION_KINDS; kind++) {
        for (uint32_t owner = table_next_owner(engine->ready[kind], 0); owner != OWNER_NONE;
             owner = table_next_owner(engine->ready[kind], owner + 1)) {
            count += table_count(engine->ready[kind], owner);
        }
    }
    return count;
}

static void perform(struct engine *engine, struct action action) {
    unready(engine, action);
    engine->perform(engine->context, action);
}

static void perform_event(struct engine *engine, struct entry entry, uint64_t time_ns) {
    if (entry.ticket > 0) {
        return_ticket(engine, entry.ticket);
        edit_queued(engine, entry.action)->ticket = 0;
    }
    /* A client that passed time by itself may be later than what waited meanwhile. */
    struct engine_clock *clock = table_edit(engine->clock, 0, 0);
    if (time_ns > clock->now_ns) {
        clock->now_ns = time_ns;
    }
    perform(engine, entry.action);
}

/* To pop when all was left behind would move the clock of the queue beyond ours. */
static bool has_live(const struct engine *engine) {
    return left_behind(engine) == 0 || left_behind(engine) < event_count(&engine->queue);
}

static bool run_by_clock(struct engine *engine) {
    struct event event;
    while (has_live(engine) && event_pop(&engine->queue, &event)) {
        struct entry entry = read_event(engine, event);
        if (is_live(engine, entry)) {
            perform_event(engine, entry, event.time_ns);
            return true;
        }
        forget(engine, entry);
    }
    return false;
}

static bool run_freely(struct engine *engine) {
    uint32_t pick = choice_pick(&engine->choice, CHOICE_NEXT, engine_count(engine));
    struct action action;
    if (!engine_next(engine, NULL, &action)) {
        return false;
    }
    for (uint32_t skipped = 0; skipped < pick; skipped++) {
        must(engine_next(engine, &action, &action));
    }
    perform(engine, action);
    return true;
}

/* Beyond the schedule's last step: the earliest due, as the clock would have it. */
static bool run_earliest(struct engine *engine) {
    struct action action = { 0, 0, 0 };
    bool found = engine_next(engine, NULL, &action);
    struct action best = action;
    for (bool more = found; more; more = engine_next(engine, &action, &action)) {
        const struct due *due = due_of(engine, action);
        const struct due *earliest = due_of(engine, best);
        if (due->due_ns < earliest->due_ns ||
            (due->due_ns == earliest->due_ns && due->insertion < earliest->insertion)) {
            best = action;
        }
    }
    if (found) {
        engine_run_action(engine, best);
    }
    return found;
}

bool engine_run(struct engine *engine) {
    switch (engine->policy) {
    case ENGINE_CLOCK:
        return run_by_clock(engine);
    case ENGINE_SCHEDULE:
        return run_earliest(engine);
    case ENGINE_FREE:
        return run_freely(engine);
    }
    return false;
}

void engine_run_action(struct engine *engine, struct action action) {
    must(engine_is_ready(engine, action));
    if (engine->policy == ENGINE_SCHEDULE && engine_due(engine, action) > engine_now(engine)) {
        set_now(engine, engine_due(engine, action));
    }
    if (engine->policy == ENGINE_CLOCK) {
        leave_behind(engine, action);
    }
    perform(engine, action);
}

struct waiting {
    struct action action;
    struct due due;
};

static int by_insertion(const void *left, const void *right) {
    const struct waiting *first = left;
    const struct waiting *second = right;
    return (first->due.insertion > second->due.insertion) -
           (first->due.insertion < second->due.insertion);
}

/* Whatever the queue held, all of it is over; also what another policy did meanwhile. */
static bool keep_nothing(struct event event, void *context) {
    struct engine *engine = context;
    struct entry entry = read_event(engine, event);
    *edit_queued(engine, entry.action) = (struct queued){ 0, 0 };
    return_ticket(engine, entry.ticket);
    return false;
}

void engine_rebuild(struct engine *engine) {
    ARRAY(struct waiting) waiting = { 0 };
    struct action action;
    for (bool more = engine_next(engine, NULL, &action); more;
         more = engine_next(engine, &action, &action)) {
        array_add(&waiting, (struct waiting){ action, *due_of(engine, action) });
    }
    if (waiting.count > 0) {
        qsort(waiting.items, waiting.count, sizeof *waiting.items, by_insertion);
    }
    event_sweep(&engine->queue, keep_nothing, engine);
    ((struct behind *)table_edit(engine->behind, 0, 0))->count = 0;
    for (size_t place = 0; place < waiting.count; place++) {
        enqueue(engine, waiting.items[place].action, waiting.items[place].due.due_ns);
    }
    array_fini(&waiting);
}
