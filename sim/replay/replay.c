/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/replay.h"

#include <stdlib.h>

#include "acl/acl_error.h"
#include "acl/acl_policy.h"
#include "acl/acl_row.h"
#include "base/host.h"
#include "base/must.h"
#include "machine/process.h"

struct replay {
    const struct request_source *source;
    struct replay_options options;
    struct site_server server;
    struct site_process process;
    struct site_thread thread;
    struct site site;
    struct store *store;
    struct machine machine;
    struct acl *acl;
    struct strategy strategy;
    struct replay_report report;
    uint64_t start_ns;  /* when the process was ready */
    uint64_t requested; /* bytes that live now */
    bool is_over;
};

/* Nothing but calls happens in a replay. */
static void perform(void *context, struct action action) {
    struct replay *replay = context;
    engine_withdraw(&replay->machine.engine, action);
}

static void make_site(struct replay *replay) {
    replay->server = (struct site_server){
        .product = replay->options.product,
        .device_count = 1,
    };
    replay->process = (struct site_process){
        .name = "replay",
        .container = SITE_NO_CONTAINER,
        .pid = SITE_PID_FIRST,
        .pid_inside = SITE_PID_FIRST,
        .thread_count = 1,
    };
    replay->site = (struct site){
        .server = &replay->server,
        .process = &replay->process,
        .thread = &replay->thread,
        .server_count = 1,
        .process_count = 1,
        .thread_count = 1,
        .device_count = 1,
    };
}

static void call_once(struct replay *replay, const char *name) {
    struct acl_result result;
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    const struct acl_record record = { .row = (uint16_t)row };
    acl_call(replay->acl, &record, &result);
    must(result.code == ACL_SUCCESS);
    engine_pass(&replay->machine.engine, result.cost_ns);
}

void replay_free(struct replay *replay) {
    if (replay != NULL) {
        acl_free(replay->acl);
        store_free(replay->store);
        free(replay);
    }
}

static struct replay_call *call_named(struct replay *replay, const char *name) {
    struct replay_report *report = &replay->report;
    uint32_t place = 0;
    while (place < report->call_count && report->call[place].name != name) {
        place++;
    }
    if (place == report->call_count) {
        must(place < REPLAY_CALLS);
        report->call_count++;
        report->call[place].name = name;
    }
    return &report->call[place];
}

/* A call's step is the event of the request, for messages and traces. */
static void make_call(struct replay *replay, const struct request *request,
                      struct acl_result *result) {
    struct acl_record *record = &replay->strategy.call;
    record->step = request->event > UINT32_MAX ? UINT32_MAX : (uint32_t)request->event;
    acl_call(replay->acl, record, result);
    must(result->progress == ACL_DONE);
    engine_pass(&replay->machine.engine, result->cost_ns);
    struct replay_call *call = call_named(replay, acl_row_get(record->row)->name);
    call->count++;
    call->refused += result->code != ACL_SUCCESS;
    call->cost_ns += result->cost_ns;
    replay->report.code = result->code;
}

static uint32_t ratio(uint64_t part, uint64_t whole) {
    __extension__ unsigned __int128 scaled = (unsigned __int128)part * REPLAY_WHOLE;
    return whole == 0 ? 0 : (uint32_t)(scaled / whole);
}

static struct replay_loss loss_of(const struct replay *replay, const struct replay_sample *sample,
                                  const struct pool_usage *usage) {
    struct strategy_holdings have = replay->strategy.row->holdings(&replay->strategy);
    const struct space *space = &replay->machine.space;
    uint64_t addresses = space_free_bytes(space, 0);
    uint64_t scraps = usage->pages_free_in_cut_frames * PAGE_NORMAL_BYTES;
    return (struct replay_loss){
        .internal =
            ratio(sample->consumed -
                      (sample->requested < sample->consumed ? sample->requested : sample->consumed),
                  sample->consumed),
        .allocator = ratio(have.held - have.used - have.free_largest, have.held - have.used),
        .device = ratio(scraps, sample->free),
        .addresses = ratio(addresses - space_free_largest(space, 0), addresses),
    };
}

static struct replay_sample look(const struct replay *replay, const struct request *request) {
    struct strategy_holdings have = replay->strategy.row->holdings(&replay->strategy);
    struct pool_usage usage = pool_usage(&replay->machine.pools, machine_pool(0, MEDIUM_MAIN));
    struct replay_sample sample = {
        .event = request->event,
        .time_ns = request->time_ns,
        .clock_ns = machine_now(&replay->machine) - replay->start_ns,
        .requested = replay->requested,
        .used = have.used,
        .held = have.held,
        .free = (uint64_t)usage.frames_free * PAGE_HUGE_BYTES +
                usage.pages_free_in_cut_frames * PAGE_NORMAL_BYTES,
    };
    sample.consumed = replay->report.capacity - sample.free;
    sample.loss = loss_of(replay, &sample, &usage);
    return sample;
}

struct replay *replay_new(const struct request_source *source,
                          const struct replay_options *options) {
    struct replay *replay = host_zeroed(1, sizeof *replay);
    replay->source = source;
    replay->options = *options;
    make_site(replay);
    replay->store = store_new();
    struct engine engine =
        engine_bind(replay->store, ENGINE_CLOCK, choice_first(), perform, replay);
    replay->machine = machine_bind(replay->store, &replay->site, engine, false);
    replay->acl =
        acl_new(&replay->machine, options->support == NULL ? NULL : options->support->rows);
    process_start(&replay->machine, (struct process_id){ 0 });
    call_once(replay, "aclInit");
    call_once(replay, "aclrtSetDevice");
    replay->start_ns = machine_now(&replay->machine);
    replay->strategy = strategy_bind(replay->store, options->strategy);
    replay->report.capacity =
        (uint64_t)pool_usage(&replay->machine.pools, machine_pool(0, MEDIUM_MAIN)).frames_free *
        PAGE_HUGE_BYTES;
    replay->report.last = look(replay, &(struct request){ .event = REQUEST_NO_EVENT });
    return replay;
}

static void worsen(uint32_t *worst, uint32_t now) {
    *worst = now > *worst ? now : *worst;
}

static void note(struct replay *replay, const struct request *request) {
    struct replay_report *report = &replay->report;
    struct replay_sample sample = look(replay, request);
    report->last = sample;
    if (sample.requested > report->peak_requested) {
        report->peak_requested = sample.requested;
        report->peak_requested_event = sample.event;
    }
    if (sample.consumed > report->peak_consumed) {
        report->peak_consumed = sample.consumed;
        report->peak_consumed_event = sample.event;
        report->at_peak = sample.loss;
    }
    worsen(&report->worst.internal, sample.loss.internal);
    worsen(&report->worst.allocator, sample.loss.allocator);
    worsen(&report->worst.device, sample.loss.device);
    worsen(&report->worst.addresses, sample.loss.addresses);
    if (replay->options.sample != NULL) {
        replay->options.sample(replay->options.context, request, &sample);
    }
}

/* Of several reasons the first: bytes, then pages, then addresses. */
static enum replay_verdict judge(struct replay *replay, const struct request *request) {
    struct replay_sample now = look(replay, request);
    replay->report.last = now; /* What the strategy gave back before it gave up is free. */
    if (request->size > replay->report.capacity || replay->report.code == ACL_SUCCESS) {
        return REPLAY_IMPOSSIBLE;
    }
    uint64_t asked = replay->strategy.call.arg[0];
    struct acl_plan plan;
    bool is_planned =
        acl_policy_plan(replay->options.product, ACL_MALLOC_HUGE_FIRST, asked, 0, &plan);
    if (!is_planned || plan.rounded > now.free) {
        return REPLAY_SHORT;
    }
    uint64_t free_pages = now.free / PAGE_HUGE_BYTES * PAGE_HUGE_BYTES;
    if (plan.rounded > free_pages ||
        page_count(plan.page, plan.rounded) * page_bytes(plan.page) > now.free) {
        return REPLAY_FRAGMENTED;
    }
    return space_free_largest(&replay->machine.space, 0) < plan.rounded ? REPLAY_ADDRESSES
                                                                        : REPLAY_FRAGMENTED;
}

bool replay_one(struct replay *replay) {
    struct request request;
    struct acl_result result;
    if (replay->is_over || !replay->source->next(replay->source->context, &request)) {
        return false;
    }
    const struct strategy_request wish = {
        .block = request.block,
        .is_free = request.kind == REQUEST_FREE,
        .size = request.size == 0 ? 1 : request.size,
    };
    replay->report.code = ACL_SUCCESS;
    enum strategy_answer answer = replay->strategy.row->begin(&replay->strategy, &wish);
    while (answer == STRATEGY_CALLS) {
        make_call(replay, &request, &result);
        answer = replay->strategy.row->go_on(&replay->strategy, &result);
    }
    if (answer == STRATEGY_FAILED) {
        replay->report.verdict = judge(replay, &request);
        replay->report.failed = request;
        replay->is_over = true;
        return false;
    }
    replay->requested =
        wish.is_free != 0 ? replay->requested - request.size : replay->requested + request.size;
    replay->report.requests++;
    note(replay, &request);
    return true;
}

struct strategy_holdings replay_holdings(const struct replay *replay) {
    return replay->strategy.row->holdings(&replay->strategy);
}

uint64_t replay_requested(const struct replay *replay) {
    return replay->requested;
}

const struct request_trace *replay_trace(const struct replay *replay) {
    return replay->source->trace;
}

const struct replay_report *replay_report(const struct replay *replay) {
    return &replay->report;
}

struct hash128 replay_digest(const struct replay *replay) {
    return journal_digest(&replay->machine.journal);
}

struct machine *replay_machine(struct replay *replay) {
    return &replay->machine;
}

const char *replay_verdict_text(enum replay_verdict verdict) {
    static const char *const texts[] = {
        [REPLAY_FITS] = "it fits",
        [REPLAY_SHORT] = "it does not fit: fewer bytes are free than were asked for",
        [REPLAY_FRAGMENTED] = "it does not fit: enough bytes are free, but not in whole pages",
        [REPLAY_ADDRESSES] = "it does not fit: no free range of addresses is long enough",
        [REPLAY_IMPOSSIBLE] = "it does not fit: the device never has so many bytes",
    };
    return texts[verdict];
}
