/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorded workload on a simulated device: each request goes through an allocation strategy, and
 * each call of the strategy through acl_call(). The replay stops at the first request that can not
 * be served, and says why.
 *
 * Ratios are in millionths, rounded down, so that they are the same everywhere.
 */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_support.h"
#include "machine/machine.h"
#include "replay/request.h"
#include "strategy/strategy.h"

enum { REPLAY_CALLS = 8, REPLAY_WHOLE = 1000000 };

struct replay;

/* What is lost how, in millionths (docs/replay.md has the formulae). */
struct replay_loss {
    uint32_t internal;  /* of consumed bytes, those that nobody asked for */
    uint32_t allocator; /* of free bytes of the strategy, those that no one block can have */
    uint32_t device;    /* of free bytes of the device, those that no whole huge page can have */
    uint32_t addresses; /* of free addresses, those outside of the largest range */
};

/* How things stand after a request. */
struct replay_sample {
    uint64_t event;     /* of the request; REQUEST_NO_EVENT before the log */
    uint64_t time_ns;   /* of the log */
    uint64_t clock_ns;  /* of the simulation: the cost of all calls so far */
    uint64_t requested; /* bytes of live blocks, as requested */
    uint64_t used;      /* the same as the strategy rounds them */
    uint64_t held;      /* bytes that the strategy has taken */
    uint64_t consumed;  /* bytes that the device has given */
    uint64_t free;      /* bytes that the device has left */
    struct replay_loss loss;
};

/* The calls of one name. */
struct replay_call {
    const char *name;
    uint64_t count;
    uint64_t refused;
    uint64_t cost_ns;
};

enum replay_verdict {
    REPLAY_FITS,
    REPLAY_SHORT,      /* fewer bytes are free than were asked for */
    REPLAY_FRAGMENTED, /* enough bytes are free, but not in pages that the call needs */
    REPLAY_ADDRESSES,  /* no range of addresses is long enough */
    REPLAY_IMPOSSIBLE, /* the strategy or the device can not give so much at a time */
};

struct replay_report {
    enum replay_verdict verdict;
    struct request failed; /* the request that could not be served */
    int32_t code;          /* of its last call; 0 when there was none */
    uint64_t requests;     /* served */
    uint64_t peak_requested;
    uint64_t peak_requested_event;
    uint64_t peak_consumed;
    uint64_t peak_consumed_event;
    struct replay_loss at_peak; /* when most was consumed */
    struct replay_loss worst;   /* each figure at its worst */
    struct replay_sample last;
    uint64_t capacity; /* bytes of the device before the first request */
    struct replay_call call[REPLAY_CALLS];
    uint32_t call_count;
};

/* All is borrowed. The sample function, which may be NULL, is called after each request. */
struct replay_options {
    const struct product *product;
    const struct acl_support *support; /* NULL: every call is supported */
    const struct strategy_row *strategy;
    void (*sample)(void *context, const struct request *request,
                   const struct replay_sample *sample);
    void *context;
};

struct replay *replay_new(const struct request_source *source,
                          const struct replay_options *options); /* caller owns, replay_free() */
void replay_free(struct replay *replay);

/* Serves the next request; false at the end and after one that could not be served. */
bool replay_one(struct replay *replay);

/* What the strategy has at present, and the bytes that live in it as they were requested. */
struct strategy_holdings replay_holdings(const struct replay *replay);
uint64_t replay_requested(const struct replay *replay);

const struct request_trace *replay_trace(const struct replay *replay);
const struct replay_report *replay_report(const struct replay *replay);
struct hash128 replay_digest(const struct replay *replay);
struct machine *replay_machine(struct replay *replay);

/* A verdict in words: "it fits". */
const char *replay_verdict_text(enum replay_verdict verdict);

#endif
