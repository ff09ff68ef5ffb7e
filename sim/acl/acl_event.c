/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_event.h"
#include "acl/acl_stream.h"

enum { EVENT = 0, FLAG = 0 };
enum { RECORD_EVENT = 0, RECORD_STREAM = 1 };
enum { WAIT_STREAM = 0, WAIT_EVENT = 1 };

/* Bits of aclrtCreateEventWithFlag (spec: malloc 14.5). */
enum { FLAG_SYNC = 0x1, FLAGS_KNOWN = 0x1 | 0x2 | 0x8 | 0x10 | 0x20 | 0x40 };

/* Which call made an event: each allows other uses. */
enum event_kind { EVENT_PLAIN, EVENT_WITH_FLAG };

static int32_t check_output(struct acl_frame *frame) {
    return acl_is_null(frame, EVENT) ? acl_refuse_null(frame, EVENT) : ACL_SUCCESS;
}

static int32_t check_event(struct acl_frame *frame) {
    return acl_arg(frame, EVENT) == 0 ? acl_refuse_null(frame, EVENT) : ACL_SUCCESS;
}

static int32_t check_wait(struct acl_frame *frame) {
    return acl_arg(frame, WAIT_EVENT) == 0 ? acl_refuse_null(frame, WAIT_EVENT) : ACL_SUCCESS;
}

int32_t acl_find_event(const struct acl_frame *frame, uint64_t value, uint32_t *slot) {
    return event_resolve(frame->machine, frame->process, value, slot)
               ? ACL_SUCCESS
               : acl_refuse_with(frame, RULE_EVENT_UNKNOWN, value, 0);
}

static int32_t make(struct acl_frame *frame, uint64_t flags, enum event_kind kind) {
    struct machine *machine = frame->machine;
    if (table_count(machine->event, frame->process.index) >= frame->product->events_max) {
        return acl_refuse_with(frame, RULE_EVENTS_FULL, frame->product->events_max, 0);
    }
    uint32_t slot = event_make(machine, frame->process, (uint32_t)flags, kind);
    acl_put(frame, event_value(machine, frame->process, slot));
    return ACL_SUCCESS;
}

static int32_t create(struct acl_frame *frame) {
    return make(frame, FLAG_SYNC, EVENT_PLAIN);
}

static int32_t create_with_flag(struct acl_frame *frame) {
    uint64_t flags = acl_arg(frame, FLAG);
    return flags == 0 || (flags & ~(uint64_t)FLAGS_KNOWN) != 0
               ? acl_refuse(frame, RULE_EVENT_FLAGS)
               : make(frame, flags, EVENT_WITH_FLAG);
}

static int32_t destroy(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_event(frame, acl_arg(frame, EVENT), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    event_drop(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}

static int32_t record(struct acl_frame *frame) {
    uint32_t slot = 0;
    uint32_t stream = 0;
    int32_t code = acl_find_event(frame, acl_arg(frame, RECORD_EVENT), &slot);
    if (code == ACL_SUCCESS) {
        code = acl_find_stream(frame, acl_arg(frame, RECORD_STREAM), &stream);
    }
    if (code == ACL_SUCCESS) {
        event_record(frame->machine, frame->process, slot, stream);
    }
    return code;
}

/* Made with flags, an event without SYNC may not hold a stream back. */
static int32_t wait(struct acl_frame *frame) {
    uint32_t slot = 0;
    uint32_t stream = 0;
    int32_t code = acl_find_event(frame, acl_arg(frame, WAIT_EVENT), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    if ((event_get(frame->machine, frame->process, slot)->flags & FLAG_SYNC) == 0) {
        return acl_refuse(frame, RULE_EVENT_NO_SYNC);
    }
    code = acl_find_stream(frame, acl_arg(frame, WAIT_STREAM), &stream);
    if (code == ACL_SUCCESS) {
        event_wait(frame->machine, frame->process, slot, stream);
    }
    return code;
}

static int32_t synchronize(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_event(frame, acl_arg(frame, EVENT), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    frame->waits = !event_has_ended(frame->machine, frame->thread, slot);
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtCreateEvent",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.create_event",
      .released_by = "aclrtDestroyEvent",
      .parameter = { { "event", ACL_OUT_EVENT, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_output,
      .body = create },
    { .name = "aclrtCreateEventWithFlag",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.create_event_with_flag",
      .released_by = "aclrtDestroyEvent",
      .parameter = { { "event", ACL_OUT_EVENT, ACL_WRITE, ACL_REQUIRED, 0 },
                     { "flag", ACL_FLAGS, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_output,
      .body = create_with_flag },
    { .name = "aclrtDestroyEvent",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.destroy_event",
      .parameter = { { "event", ACL_EVENT, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_event,
      .body = destroy },
    { .name = "aclrtRecordEvent",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.record_event",
      .parameter = { { "event", ACL_EVENT, ACL_WRITE, ACL_REQUIRED, 0 },
                     { "stream", ACL_STREAM, ACL_WRITE, ACL_OPTIONAL, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_event,
      .body = record },
    { .name = "aclrtStreamWaitEvent",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.stream_wait_event",
      .parameter = { { "stream", ACL_STREAM, ACL_WRITE, ACL_OPTIONAL, 0 },
                     { "event", ACL_EVENT, ACL_READ, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_wait,
      .body = wait },
    { .name = "aclrtSynchronizeEvent",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.synchronize_event",
      .parameter = { { "event", ACL_EVENT, ACL_READ, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_event,
      .body = synchronize },
};
const struct acl_family acl_event = ACL_FAMILY(calls);
