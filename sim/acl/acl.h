/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one door: a simulated call is a record, and acl_call() answers it. Scenarios, replayed
 * traces and libraries all come in here, so a rule is written once and every client meets it.
 *
 * NULL and enum checks (the ACL layer) answer at once and free of charge. All else is checked and
 * changed together, at the instant the service of the call begins; its cost follows.
 */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_row.h"
#include "acl/acl_rule.h"
#include "machine/machine.h"

enum { ACL_ARGS = 16, ACL_OUTS = 8 };

struct acl_record {
    uint16_t row;        /* of the call table */
    uint16_t list_count; /* values in list */
    uint32_t null_mask;  /* a bit for each parameter that is a NULL pointer, outputs included */
    struct thread_id thread;
    uint32_t step; /* scenario step, log line or return address: for messages only */
    uint32_t tag;  /* the client's name for what the call makes; 0 for none */
    uint32_t unused;
    uint64_t arg[ACL_ARGS]; /* scalars, enums, addresses; members of structs in header order */
    const uint64_t *list;   /* the call's array, flattened; borrowed until the call returns */
};

enum acl_progress { ACL_DONE, ACL_WAITS };

/* Outputs are there only after success, a rule only after a refusal. A call that waits is asked
 * again when the engine runs the thread's next step. */
struct acl_result {
    int32_t code;
    enum acl_progress progress;
    uint32_t out_count;
    enum acl_rule rule; /* that refused the call; ACL_NO_RULE */
    uint64_t cost_ns;   /* how long the caller is busy from now on */
    uint64_t waited_ns; /* in the driver queue, before it was served */
    uint64_t asked_ns;  /* when the thread made the call: earlier than now if it had to wait */
    uint64_t out[ACL_OUTS];
    uint64_t rule_value[ACL_RULE_VALUES]; /* what stands in the rule's sentence */
};

/* What a CALLED fact comes with. */
struct acl_detail {
    const struct acl_record *record;
    const struct acl_result *result;
};

struct acl;

/* Which families support each row, a bit each; NULL for all. Borrowed, like the machine. */
struct acl *acl_new(struct machine *machine, const uint8_t *support); /* caller owns, acl_free() */
void acl_free(struct acl *acl);

void acl_call(struct acl *acl, const struct acl_record *record, struct acl_result *result);

#endif
