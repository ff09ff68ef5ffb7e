/* SPDX-License-Identifier: Apache-2.0 */
/* What the body of a call works with. For the families of calls only. */
#ifndef ACL_ACL_FRAME_H
#define ACL_ACL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl.h"
#include "acl/acl_error.h"
#include "machine/process.h"

struct acl_frame {
    struct machine *machine;
    const struct acl_row *row;
    const struct acl_record *record;
    struct acl_result *result;
    const struct product *product; /* of the current device; else of the process's server */
    const struct site_server *server;
    struct process_id process;
    struct thread_id thread;
    uint32_t presence;    /* what the thread works on; PRESENCE_NONE when it has set no device */
    uint32_t device;      /* of the presence; SITE_NO_DEVICE */
    bool waits;           /* set by a body that cannot go on yet; its return value is ignored */
    enum page_class page; /* what the cost counts; set by a body that touches pages */
    uint64_t pages;
    uint64_t times;     /* the cost is charged so often; 1 unless a body says otherwise */
    uint64_t busy_ns;   /* beyond the cost: a copy that the caller waits for */
    enum cost_key cost; /* of the row unless a body says otherwise */
};

/* The value of an argument by its place in the record; whether a parameter is a NULL pointer. */
static inline uint64_t acl_arg(const struct acl_frame *frame, uint32_t place) {
    return frame->record->arg[place];
}

static inline bool acl_is_null(const struct acl_frame *frame, uint32_t parameter) {
    return (frame->record->null_mask >> parameter & 1) != 0;
}

/* Sets the next output. Bodies set outputs after nothing can fail any more. */
static inline void acl_put(struct acl_frame *frame, uint64_t value) {
    frame->result->out[frame->result->out_count++] = value;
}

/* The device behind a number that the program uses; SITE_NO_DEVICE when it has no such device. */
static inline uint32_t acl_device(const struct acl_frame *frame, uint64_t number) {
    return number > UINT32_MAX
               ? SITE_NO_DEVICE
               : site_device(frame->machine->site, frame->process.index, (uint32_t)number);
}

/* The number that the program uses for a device. */
static inline uint64_t acl_number(const struct acl_frame *frame, uint32_t device) {
    return site_number(frame->machine->site, frame->process.index, device);
}

/*
 * Refuse the call: note the rule, and the values that stand in its sentence, and return its code;
 * the third form is for rules whose code the product says, the last for a parameter that is NULL.
 */
int32_t acl_refuse(const struct acl_frame *frame, enum acl_rule rule);
int32_t acl_refuse_with(const struct acl_frame *frame, enum acl_rule rule, uint64_t first,
                        uint64_t second);
int32_t acl_refuse_as(const struct acl_frame *frame, uint64_t code, enum acl_rule rule,
                      uint64_t first, uint64_t second);
int32_t acl_refuse_null(const struct acl_frame *frame, uint32_t parameter);

#endif
