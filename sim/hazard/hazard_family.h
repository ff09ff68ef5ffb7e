/* SPDX-License-Identifier: Apache-2.0 */
/* What a family of rules is made of and works with. For sim/hazard only. */
#ifndef HAZARD_HAZARD_FAMILY_H
#define HAZARD_HAZARD_FAMILY_H

#include "acl/acl_error.h"
#include "hazard/hazard.h"

/* What a watcher is told. */
struct hazard_event {
    const struct fact *fact;
    const struct acl_record *record; /* of CALLED; else NULL */
    const struct acl_result *result;
    struct process_id process; /* in which it happened */
};

typedef void hazard_see(struct hazard *hazard, const struct hazard_event *event);

struct hazard_watcher {
    enum fact_kind kind;
    const char *call; /* of CALLED: only this one; NULL for every one */
    hazard_see *see;
};

struct hazard_family {
    const struct finding_row *rows;
    const struct hazard_watcher *watchers;
    uint32_t row_count;
    uint32_t watcher_count;
};

#define HAZARD_FAMILY(rows, watchers) \
    { rows, watchers, sizeof(rows) / sizeof *(rows), sizeof(watchers) / sizeof *(watchers) }

/* Where a fact happened; where a thing was made or released, by its stamp and its note. */
struct finding_place hazard_here(const struct hazard *hazard, const struct hazard_event *event);
struct finding_place hazard_made(struct stamp stamp, const struct life *life);

/* A finding about what happens now; the cause and the rest are for the caller to fill in. */
struct finding hazard_finding(const struct hazard *hazard, const struct hazard_event *event,
                              const struct finding_row *row);

/* Takes the cause from a release; NULL says that it may be forgotten. */
void hazard_blame(const struct hazard *hazard, uint32_t process, struct finding *finding,
                  const struct released *released);
void hazard_report(struct hazard *hazard, const struct finding *finding);

/* The first value of a call's parameter of this kind; false when it has none. */
bool hazard_argument(const struct hazard_event *event, enum acl_kind kind, uint64_t *value);

#endif
