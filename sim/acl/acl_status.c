/* SPDX-License-Identifier: Apache-2.0 */
/* How things stand: work on streams, records of events, devices. */
#include "acl/acl_event.h"
#include "acl/acl_stream.h"

/* Values of the calls, and their outputs by parameter. */
enum { STREAM };
enum { EVENT };
enum { DEVICE };
enum { OUT_FIRST, OUT_SECOND };

/* aclrtRunMode, aclrtDeviceStatus (spec: malloc 14.2). */
enum { MODE_DEVICE = 0, MODE_HOST = 1 };
enum { DEVICE_NORMAL = 0 };

/* The status enums of streams and events have opposite polarity (spec: malloc 14.5). */
enum { STREAM_COMPLETE = 0, STREAM_NOT_READY = 1 };
enum { RECORDED_NOT_READY = 0, RECORDED_COMPLETE = 1 };
enum { EVENT_COMPLETE = 0, EVENT_NOT_READY = 1 };

static int32_t check_second(struct acl_frame *frame) {
    return acl_is_null(frame, OUT_SECOND) ? acl_refuse_null(frame, OUT_SECOND) : ACL_SUCCESS;
}

static int32_t check_event(struct acl_frame *frame) {
    return acl_arg(frame, EVENT) == 0 ? acl_refuse_null(frame, EVENT) : check_second(frame);
}

static int32_t query_stream(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_stream(frame, acl_arg(frame, STREAM), &slot);
    if (code == ACL_SUCCESS) {
        const struct stream *stream = stream_get(frame->machine, frame->process, slot);
        acl_put(frame, stream->ended == stream->queued ? STREAM_COMPLETE : STREAM_NOT_READY);
    }
    return code;
}

static int32_t get_stream_id(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_stream(frame, acl_arg(frame, STREAM), &slot);
    if (code == ACL_SUCCESS) {
        acl_put(frame, slot);
    }
    return code;
}

/* An event that was never recorded is not ready (docs/modelling-choices.md). */
static int32_t query(struct acl_frame *frame, uint64_t complete, uint64_t not_ready) {
    uint32_t slot = 0;
    int32_t code = acl_find_event(frame, acl_arg(frame, EVENT), &slot);
    if (code == ACL_SUCCESS) {
        const struct event_mark *event = event_get(frame->machine, frame->process, slot);
        bool is_complete = event->records > 0 && event->ended == event->records;
        acl_put(frame, is_complete ? complete : not_ready);
    }
    return code;
}

static int32_t query_event_status(struct acl_frame *frame) {
    return query(frame, RECORDED_COMPLETE, RECORDED_NOT_READY);
}

static int32_t query_event(struct acl_frame *frame) {
    return query(frame, EVENT_COMPLETE, EVENT_NOT_READY);
}

static int32_t get_event_id(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_event(frame, acl_arg(frame, EVENT), &slot);
    if (code == ACL_SUCCESS) {
        acl_put(frame, slot);
    }
    return code;
}

/* Simulated devices do not break. */
static int32_t query_device(struct acl_frame *frame) {
    uint64_t number = acl_arg(frame, DEVICE);
    if (acl_device(frame, number) == SITE_NO_DEVICE) {
        return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, number, 0);
    }
    acl_put(frame, DEVICE_NORMAL);
    return ACL_SUCCESS;
}

static int32_t check_mode(struct acl_frame *frame) {
    return acl_is_null(frame, OUT_FIRST) ? acl_refuse_null(frame, OUT_FIRST) : ACL_SUCCESS;
}

static int32_t get_run_mode(struct acl_frame *frame) {
    acl_put(frame, frame->server->rc_form ? MODE_DEVICE : MODE_HOST);
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtStreamQuery",
      .section = "malloc-and-friends 14.4",
      .python = "acl.rt.stream_query",
      .parameter = { { "stream", ACL_STREAM, ACL_READ, ACL_OPTIONAL, 0 },
                     { "status", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_second,
      .body = query_stream },
    { .name = "aclrtStreamGetId",
      .section = "malloc-and-friends 14.4",
      .python = "acl.rt.stream_get_id",
      .parameter = { { "stream", ACL_STREAM, ACL_READ, ACL_OPTIONAL, 0 },
                     { "streamId", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_second,
      .body = get_stream_id },
    { .name = "aclrtQueryEventStatus",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.query_event_status",
      .parameter = { { "event", ACL_EVENT, ACL_READ, ACL_REQUIRED, 0 },
                     { "status", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_event,
      .body = query_event_status },
    { .name = "aclrtQueryEvent",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.query_event",
      .parameter = { { "event", ACL_EVENT, ACL_READ, ACL_REQUIRED, 0 },
                     { "status", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_event,
      .body = query_event },
    { .name = "aclrtGetEventId",
      .section = "malloc-and-friends 14.5",
      .python = "acl.rt.get_event_id",
      .parameter = { { "event", ACL_EVENT, ACL_READ, ACL_REQUIRED, 0 },
                     { "eventId", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_event,
      .body = get_event_id },
    { .name = "aclrtQueryDeviceStatus",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.query_device_status",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_READ, ACL_REQUIRED, 0 },
                     { "deviceStatus", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_second,
      .body = query_device },
    { .name = "aclrtGetRunMode",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.get_run_mode",
      .parameter = { { "runMode", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_mode,
      .body = get_run_mode },
};

const struct acl_family acl_status = ACL_FAMILY(calls);
