/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what the rules found. Each names the wrong call, the call that caused it, the thing and
 * the bytes. Equal ones (same rule, same two steps) are one finding with a count. They are notes of
 * the store: copied and rolled back with a run, and never a part of its state or its digest.
 */
#ifndef HAZARD_FINDING_H
#define HAZARD_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fact.h"
#include "store/store.h"

enum finding_severity { FINDING_ADVICE, FINDING_LEAK, FINDING_UNDEFINED, FINDING_ERROR };

enum { FINDINGS_MAX = 10000, FINDING_NUMBERS = 2 };

/* A rule, as it is told to people. */
struct finding_row {
    const char *name;
    enum finding_severity severity;
    const char *what;   /* one sentence */
    const char *why;    /* the rule that was broken, and where it is written */
    const char *repair; /* what to change */
    const char *number[FINDING_NUMBERS]; /* what its numbers are; NULL for those it has not */
};

/* What a finding is about. */
enum finding_thing {
    THING_NONE,
    THING_BLOCK,
    THING_HOST_BLOCK,
    THING_HANDLE,
    THING_SHARE,
    THING_RANGE,
    THING_MAPPING,
    THINGS
};

/* How much is known of a place. */
enum finding_known {
    PLACE_UNKNOWN, /* there is no such place, or nobody remembers it */
    PLACE_KNOWN,
    PLACE_STEP, /* which step, but not when */
    PLACE_END,  /* the end of the process */
};

/* A moment of a run: which call of whom. */
struct finding_place {
    uint64_t time_ns;
    uint64_t call; /* its number in the run; 0 outside of calls */
    uint32_t thread;
    uint32_t step;
    uint32_t row;      /* of the call table, or FACT_NO_ROW where it is not known */
    uint32_t known;    /* enum finding_known */
};

struct finding {
    uint32_t row;   /* of all rules (hazard_row) */
    uint32_t thing; /* enum finding_thing */
    struct finding_place wrong;
    struct finding_place cause;
    uint64_t value;   /* of the handle or share; the address of memory */
    uint64_t address; /* of the bytes that are concerned */
    uint64_t size;    /* of them; 0 where no bytes are */
    uint64_t number[FINDING_NUMBERS];
    uint64_t times;
    uint32_t forgotten; /* the cause is older than what is remembered */
    uint32_t unused;
};

struct findings {
    struct table *table; /* owner 0, in the order in which they were first found */
    struct table *left;  /* one note: how many distinct ones had no room */
};

struct findings findings_bind(struct store *store);

/* Adds a finding, or counts it: the bytes and numbers told are those of the first. */
void findings_add(struct findings *findings, const struct finding *finding);

uint32_t findings_count(const struct findings *findings);
const struct finding *findings_get(const struct findings *findings, uint32_t place);
uint64_t findings_left_out(const struct findings *findings);

const char *finding_severity_name(enum finding_severity severity);
const char *finding_thing_name(enum finding_thing thing);

/* Whether a run with a finding of this severity is not well. */
static inline bool finding_fails(enum finding_severity severity) {
    return severity != FINDING_ADVICE;
}

#endif
