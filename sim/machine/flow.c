/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/flow.h"

#include "base/array.h"
#include "base/must.h"
#include "machine/machine.h"

/* An end of a link: the rule, the device (or the host's side of it), out or in. */
static uint32_t end_of(uint32_t rule, uint32_t device, uint32_t other, bool in) {
    uint32_t at = device == LINK_TO_HOST ? other : device;
    uint32_t side = device == LINK_TO_HOST ? 2 : 0;
    return rule == FLOW_NO_LINK ? FLOW_NO_LINK : (at * LINKS + rule) * 4 + side + in;
}

static const struct flow *get(const struct machine *machine, uint32_t server, uint32_t slot) {
    return table_get(machine->flow, server, slot);
}

static uint64_t left_at(const struct flow *flow, uint64_t now_ns) {
    uint64_t passed = now_ns - flow->since_ns;
    uint64_t done =
        flow->share == 0 || passed <= UINT64_MAX / flow->share ? passed * flow->share : UINT64_MAX;
    return done >= flow->left ? 0 : flow->left - done;
}

struct filling {
    uint32_t slot;
    bool is_set;
    uint32_t share;
};

struct filler {
    const struct machine *machine;
    uint32_t server;
    ARRAY(struct filling) flows;
};

static bool uses(const struct flow *flow, uint32_t way) {
    return flow->way[0] == way || flow->way[1] == way;
}

/* What each copy that is not set yet would get on one end of a link. */
static uint32_t fair_share(const struct filler *filler, uint32_t way) {
    uint32_t left = FLOW_WHOLE;
    uint32_t open = 0;
    for (size_t place = 0; place < filler->flows.count; place++) {
        const struct filling *filling = &filler->flows.items[place];
        if (uses(get(filler->machine, filler->server, filling->slot), way)) {
            left -= filling->is_set ? filling->share : 0;
            open += !filling->is_set;
        }
    }
    return open == 0 ? FLOW_WHOLE : left / open;
}

/* The tightest end of those that unset copies use, and what it leaves each of them. */
static bool find_tightest(const struct filler *filler, uint32_t *way, uint32_t *share) {
    bool found = false;
    for (size_t place = 0; place < filler->flows.count; place++) {
        const struct filling *filling = &filler->flows.items[place];
        const struct flow *flow = get(filler->machine, filler->server, filling->slot);
        for (int side = 0; side < 2 && !filling->is_set; side++) {
            uint32_t fair = fair_share(filler, flow->way[side]);
            if (!found || fair < *share) {
                *way = flow->way[side];
                *share = fair;
                found = true;
            }
        }
    }
    return found;
}

/* Max-min: the tightest end decides for the copies on it, then the next one for the rest. */
static void fill(struct filler *filler) {
    uint32_t way = 0;
    uint32_t share = 0;
    while (find_tightest(filler, &way, &share)) {
        for (size_t place = 0; place < filler->flows.count; place++) {
            struct filling *filling = &filler->flows.items[place];
            if (!filling->is_set &&
                uses(get(filler->machine, filler->server, filling->slot), way)) {
                filling->is_set = true;
                filling->share = share > 0 ? share : 1;
            }
        }
    }
}

static struct action action_of(const struct flow *flow, uint32_t server, uint32_t slot) {
    return flow->end_is_thread != 0
               ? (struct action){ ACTION_LINK, server, slot }
               : (struct action){ ACTION_WORK, flow->end_owner, flow->end_slot };
}

static uint64_t due_of(const struct flow *flow) {
    uint64_t rest = flow->left / flow->share + (flow->left % flow->share != 0);
    return rest > UINT64_MAX - flow->since_ns ? UINT64_MAX : flow->since_ns + rest;
}

static void set_speed(struct machine *machine, uint32_t server, uint32_t slot, uint32_t share) {
    struct flow *flow = table_edit(machine->flow, server, slot);
    uint64_t now_ns = machine_now(machine);
    flow->left = left_at(flow, now_ns);
    flow->since_ns = now_ns;
    flow->share = share;
    uint64_t due_ns = due_of(flow);
    struct action step = { ACTION_STEP, 0, flow->end_slot };
    engine_ready(&machine->engine, action_of(flow, server, slot), due_ns);
    if (flow->end_is_thread != 0 && engine_is_ready(&machine->engine, step) &&
        engine_due(&machine->engine, step) < due_ns) {
        engine_ready(&machine->engine, step, due_ns);
    }
}

/* Sets the speed of every copy of a server anew; those that keep theirs are left alone. */
static void share_out(struct machine *machine, uint32_t server) {
    struct filler filler = { machine, server, { NULL, 0, 0 } };
    uint32_t slot = table_next(machine->flow, server, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->flow, server, slot + 1)) {
        bool alone = get(machine, server, slot)->way[0] == FLOW_NO_LINK;
        array_add(&filler.flows, (struct filling){ slot, alone, FLOW_WHOLE });
    }
    fill(&filler);
    for (size_t place = 0; place < filler.flows.count; place++) {
        const struct filling *filling = &filler.flows.items[place];
        if (get(machine, server, filling->slot)->share != filling->share) {
            set_speed(machine, server, filling->slot, filling->share);
        }
    }
    array_fini(&filler.flows);
}

uint64_t flow_start(struct machine *machine, struct link_way way, uint32_t rule, uint64_t alone_ns,
                    struct flow_end end) {
    uint32_t slot = table_add(machine->flow, way.server);
    struct flow *flow = table_edit(machine->flow, way.server, slot);
    *flow = (struct flow){
        .end_owner = end.owner,
        .end_slot = end.slot,
        .end_is_thread = end.is_thread,
        .left = alone_ns <= UINT64_MAX / FLOW_WHOLE ? alone_ns * FLOW_WHOLE : UINT64_MAX,
        .since_ns = machine_now(machine),
        .way = { end_of(rule, way.from, way.to, false), end_of(rule, way.to, way.from, true) },
    };
    share_out(machine, way.server);
    return due_of(flow);
}

static void end_flow(struct machine *machine, uint32_t server, uint32_t slot) {
    table_remove(machine->flow, server, slot);
    share_out(machine, server);
}

void flow_stop(struct machine *machine, struct flow_end end) {
    uint32_t slot = table_next(machine->flow, end.server, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->flow, end.server, slot + 1)) {
        const struct flow *flow = get(machine, end.server, slot);
        if (flow->end_is_thread == end.is_thread && flow->end_owner == end.owner &&
            flow->end_slot == end.slot) {
            engine_withdraw(&machine->engine, action_of(flow, end.server, slot));
            end_flow(machine, end.server, slot);
            return;
        }
    }
}

void flow_perform(struct machine *machine, uint32_t server, uint32_t flow) {
    end_flow(machine, server, flow);
}
