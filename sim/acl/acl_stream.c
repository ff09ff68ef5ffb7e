/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_stream.h"
#include "acl/acl_frame.h"

enum { STREAM = 0 };

int32_t acl_find_stream(struct acl_frame *frame, uint64_t value, uint32_t *slot) {
    if (value == 0) {
        *slot = stream_default(frame->machine, frame->process, frame->presence);
        return ACL_SUCCESS;
    }
    if (!stream_resolve(frame->machine, frame->process, value, slot)) {
        return acl_refuse_with(frame, RULE_STREAM_UNKNOWN, value, 0);
    }
    uint32_t presence = stream_get(frame->machine, frame->process, *slot)->presence;
    return presence == frame->presence ? ACL_SUCCESS
                                       : acl_refuse_with(frame, RULE_STREAM_ELSEWHERE, value, 0);
}

static int32_t check_output(struct acl_frame *frame) {
    return acl_is_null(frame, STREAM) ? acl_refuse_null(frame, STREAM) : ACL_SUCCESS;
}

static int32_t check_stream(struct acl_frame *frame) {
    return acl_arg(frame, STREAM) == 0 ? acl_refuse_null(frame, STREAM) : ACL_SUCCESS;
}

/* Streams of the process on its device: a device has only so many. */
static uint32_t count_streams(const struct acl_frame *frame) {
    const struct table *table = frame->machine->stream;
    uint32_t count = 0;
    uint32_t slot = table_next(table, frame->process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(table, frame->process.index, slot + 1)) {
        count += stream_get(frame->machine, frame->process, slot)->presence == frame->presence;
    }
    return count;
}

static int32_t create(struct acl_frame *frame) {
    if (count_streams(frame) >= frame->product->streams_max) {
        return acl_refuse_with(frame, RULE_STREAMS_FULL, frame->product->streams_max, 0);
    }
    uint32_t slot = stream_make(frame->machine, frame->process, frame->presence, false);
    acl_put(frame, stream_value(frame->machine, frame->process, slot));
    return ACL_SUCCESS;
}

/* It waits for its work; the default stream goes with its device only (spec: malloc 14.4). */
static int32_t destroy(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_stream(frame, acl_arg(frame, STREAM), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (stream_get(frame->machine, frame->process, slot)->is_default != 0) {
        return acl_refuse(frame, RULE_STREAM_DEFAULT);
    }
    if (!stream_has_ended(frame->machine, frame->thread, slot)) {
        frame->waits = true;
        return ACL_SUCCESS;
    }
    stream_drop(frame->machine, frame->process, slot);
    return ACL_SUCCESS;
}

static int32_t answer_fault(const struct acl_frame *frame, int32_t fault) {
    return fault == ACL_SUCCESS ? ACL_SUCCESS
                                : acl_refuse_as(frame, (uint64_t)fault, RULE_WORK_FAULTED, 0, 0);
}

static int32_t synchronize(struct acl_frame *frame) {
    uint32_t slot = 0;
    int32_t code = acl_find_stream(frame, acl_arg(frame, STREAM), &slot);
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (!stream_has_ended(frame->machine, frame->thread, slot)) {
        frame->waits = true;
        return ACL_SUCCESS;
    }
    return answer_fault(frame, stream_take_fault(frame->machine, frame->process, slot));
}

/* Stream by stream, in the order of their slots. */
int32_t acl_synchronize_device(struct acl_frame *frame) {
    const struct table *table = frame->machine->stream;
    int32_t fault = ACL_SUCCESS;
    uint32_t slot = table_next(table, frame->process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(table, frame->process.index, slot + 1)) {
        const struct stream *stream = stream_get(frame->machine, frame->process, slot);
        if (stream->presence == frame->presence && stream->first != 0 &&
            !stream_has_ended(frame->machine, frame->thread, slot)) {
            frame->waits = true;
            return ACL_SUCCESS;
        }
    }
    slot = table_next(table, frame->process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(table, frame->process.index, slot + 1)) {
        if (stream_get(frame->machine, frame->process, slot)->presence == frame->presence) {
            int32_t code = stream_take_fault(frame->machine, frame->process, slot);
            fault = fault == ACL_SUCCESS ? code : fault;
        }
    }
    return answer_fault(frame, fault);
}

static const struct acl_row calls[] = {
    { .name = "aclrtCreateStream",
      .section = "malloc-and-friends 14.4",
      .python = "acl.rt.create_stream",
      .released_by = "aclrtDestroyStream",
      .parameter = { { "stream", ACL_OUT_STREAM, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_output,
      .body = create },
    { .name = "aclrtDestroyStream",
      .section = "malloc-and-friends 14.4",
      .python = "acl.rt.destroy_stream",
      .parameter = { { "stream", ACL_STREAM, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_stream,
      .body = destroy },
    { .name = "aclrtSynchronizeStream",
      .section = "malloc-and-friends 14.4",
      .python = "acl.rt.synchronize_stream",
      .parameter = { { "stream", ACL_STREAM, ACL_READ, ACL_OPTIONAL, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .body = synchronize },
    { .name = "aclrtSynchronizeDevice",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.synchronize_device",
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .body = acl_synchronize_device },
};
const struct acl_family acl_stream = ACL_FAMILY(calls);
