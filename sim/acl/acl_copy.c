/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_frame.h"
#include "acl/acl_stream.h"
#include "machine/link.h"
#include "machine/touch.h"

enum { TO = 0, TO_SIZE = 1, FROM = 2, COUNT = 3, KIND = 4, COPY_STREAM = 5 };
enum { SET_TO = 0, SET_SIZE = 1, SET_COUNT = 3, SET_STREAM = 4 };

/* aclrtMemcpyKind (spec: malloc 8.2). */
enum copy_kind {
    HOST_TO_HOST,
    HOST_TO_DEVICE,
    DEVICE_TO_HOST,
    DEVICE_TO_DEVICE,
    COPY_DEFAULT,
    HOST_TO_BUF_TO_DEVICE,
    INNER_DEVICE_TO_DEVICE,
    INTER_DEVICE_TO_DEVICE,
};

/* The order of the spec: no bytes are a success whatever the rest is (malloc 8.3). */
static int32_t check_copy_up_to(struct acl_frame *frame, enum copy_kind last) {
    if (acl_arg(frame, COUNT) == 0) {
        return ACL_SUCCESS;
    }
    if (acl_arg(frame, TO) == 0 || acl_arg(frame, FROM) == 0) {
        return acl_refuse_null(frame, acl_arg(frame, TO) == 0 ? TO : FROM);
    }
    return acl_arg(frame, KIND) > (uint64_t)last
               ? acl_refuse_with(frame, RULE_COPY_KIND, (uint64_t)last, 0)
               : ACL_SUCCESS;
}

static int32_t check_copy(struct acl_frame *frame) {
    return check_copy_up_to(frame, HOST_TO_BUF_TO_DEVICE);
}

static int32_t check_copy_async(struct acl_frame *frame) {
    return check_copy_up_to(frame, INTER_DEVICE_TO_DEVICE);
}

static int32_t check_set(struct acl_frame *frame) {
    bool is_bad = acl_arg(frame, SET_COUNT) != 0 && acl_arg(frame, SET_TO) == 0;
    return is_bad ? acl_refuse_null(frame, SET_TO) : ACL_SUCCESS;
}

/* Both ranges must be reachable; one answer stands for every fault (spec: VMM 12, rows 2, 9). */
static int32_t touch_both(struct acl_frame *frame, uint64_t to, uint64_t from, uint64_t count) {
    const struct touch_work work = { .from = from, .to = to, .size = count };
    uint64_t bad = touch_do(frame->machine, frame->process, frame->device, &work);
    return bad == 0
               ? ACL_SUCCESS
               : acl_refuse_with(frame, RULE_ACCESS_FAULT, acl_number(frame, frame->device), bad);
}

/* The caller is busy until the copy ends; it may end later when others share its link. */
static int32_t move_now(struct acl_frame *frame, uint64_t to, uint64_t from, uint64_t count) {
    struct machine *machine = frame->machine;
    int32_t code = touch_both(frame, to, from, count);
    if (code != ACL_SUCCESS || machine->engine.policy == ENGINE_FREE) {
        return code;
    }
    struct link_way way =
        touch_way(machine, frame->process, frame->device, to, from == 0 ? to : from);
    uint64_t end_ns = link_start(machine, way, count, process_copy_end(machine, frame->thread));
    frame->busy_ns = end_ns - machine_now(machine);
    return ACL_SUCCESS;
}

static int32_t check_sizes(const struct acl_frame *frame) {
    if (acl_arg(frame, TO_SIZE) == 0) {
        return acl_refuse(frame, RULE_ROOM_ZERO);
    }
    return acl_arg(frame, COUNT) > acl_arg(frame, TO_SIZE)
               ? acl_refuse_with(frame, RULE_COUNT_BEYOND, acl_arg(frame, TO_SIZE), 0)
               : ACL_SUCCESS;
}

static int32_t copy(struct acl_frame *frame) {
    uint64_t count = acl_arg(frame, COUNT);
    if (count == 0) {
        return ACL_SUCCESS;
    }
    if (frame->presence == PRESENCE_NONE) {
        return acl_refuse(frame, RULE_NO_CONTEXT);
    }
    int32_t code = check_sizes(frame);
    if (code != ACL_SUCCESS || acl_arg(frame, TO) == acl_arg(frame, FROM)) {
        return code;
    }
    return move_now(frame, acl_arg(frame, TO), acl_arg(frame, FROM), count);
}

static bool is_host(enum touch_place place) {
    return place == TOUCH_PINNED || place == TOUCH_PAGEABLE;
}

/* Which kinds go with which places (spec: malloc 8.4); a fault is left to the work itself. */
static int32_t check_kind(const struct acl_frame *frame, enum touch_place to,
                          enum touch_place from) {
    enum copy_kind kind = (enum copy_kind)acl_arg(frame, KIND);
    if (to == TOUCH_NOWHERE || from == TOUCH_NOWHERE) {
        return ACL_SUCCESS;
    }
    if (kind == HOST_TO_HOST || (is_host(to) && is_host(from))) {
        return acl_refuse(frame, RULE_HOST_TO_HOST);
    }
    if (kind == HOST_TO_BUF_TO_DEVICE) {
        return is_host(from) && to == TOUCH_DEVICE ? ACL_SUCCESS
                                                   : acl_refuse(frame, RULE_COPY_STAGED);
    }
    bool is_inside = kind == DEVICE_TO_DEVICE || kind >= INNER_DEVICE_TO_DEVICE;
    if (to == TOUCH_DEVICE && from == TOUCH_DEVICE) {
        return is_inside || kind == COPY_DEFAULT ? ACL_SUCCESS
                                                 : acl_refuse(frame, RULE_COPY_MISMATCH);
    }
    /* Between pinned memory and a device the real direction counts, whatever was said. */
    if (to == TOUCH_PINNED || from == TOUCH_PINNED || kind == COPY_DEFAULT || is_inside) {
        return ACL_SUCCESS;
    }
    enum copy_kind real = to == TOUCH_DEVICE ? HOST_TO_DEVICE : DEVICE_TO_HOST;
    return kind == real ? ACL_SUCCESS : acl_refuse(frame, RULE_COPY_MISMATCH);
}

static int32_t queue_copy(struct acl_frame *frame, uint32_t stream) {
    struct task task = {
        .kind = TASK_COPY,
        .to = acl_arg(frame, TO),
        .from = acl_arg(frame, FROM),
        .size = acl_arg(frame, COUNT),
    };
    stream_queue(frame->machine, frame->process, stream, &task);
    return ACL_SUCCESS;
}

/* Pageable host memory: the stream is drained first, then the copy is synchronous. */
static int32_t copy_after(struct acl_frame *frame, uint32_t stream) {
    if (!stream_has_ended(frame->machine, frame->thread, stream)) {
        frame->waits = true;
        return ACL_SUCCESS;
    }
    return move_now(frame, acl_arg(frame, TO), acl_arg(frame, FROM), acl_arg(frame, COUNT));
}

static int32_t copy_async(struct acl_frame *frame) {
    uint32_t stream = 0;
    if (acl_arg(frame, COUNT) == 0) {
        return ACL_SUCCESS;
    }
    if (frame->presence == PRESENCE_NONE) {
        return acl_refuse(frame, RULE_NO_CONTEXT);
    }
    int32_t code = check_sizes(frame);
    if (code != ACL_SUCCESS || acl_arg(frame, TO) == acl_arg(frame, FROM)) {
        return code;
    }
    enum touch_place to = touch_find(frame->machine, frame->process, acl_arg(frame, TO), 1).place;
    enum touch_place from =
        touch_find(frame->machine, frame->process, acl_arg(frame, FROM), 1).place;
    enum copy_kind kind = (enum copy_kind)acl_arg(frame, KIND);
    code = check_kind(frame, to, from);
    if (code == ACL_SUCCESS) {
        code = acl_find_stream(frame, acl_arg(frame, COPY_STREAM), &stream);
    }
    if (code != ACL_SUCCESS) {
        return code;
    }
    bool is_pageable = to == TOUCH_PAGEABLE || from == TOUCH_PAGEABLE;
    return is_pageable && kind != HOST_TO_BUF_TO_DEVICE ? copy_after(frame, stream)
                                                        : queue_copy(frame, stream);
}

static int32_t check_set_size(const struct acl_frame *frame) {
    if (frame->presence == PRESENCE_NONE) {
        return acl_refuse(frame, RULE_NO_CONTEXT);
    }
    return acl_arg(frame, SET_COUNT) > acl_arg(frame, SET_SIZE)
               ? acl_refuse_with(frame, RULE_COUNT_BEYOND, acl_arg(frame, SET_SIZE), 0)
               : ACL_SUCCESS;
}

static int32_t set(struct acl_frame *frame) {
    if (acl_arg(frame, SET_COUNT) == 0) {
        return ACL_SUCCESS;
    }
    int32_t code = check_set_size(frame);
    return code != ACL_SUCCESS
               ? code
               : move_now(frame, acl_arg(frame, SET_TO), 0, acl_arg(frame, SET_COUNT));
}

static int32_t set_async(struct acl_frame *frame) {
    uint32_t stream = 0;
    if (acl_arg(frame, SET_COUNT) == 0) {
        return ACL_SUCCESS;
    }
    int32_t code = check_set_size(frame);
    if (code == ACL_SUCCESS) {
        code = acl_find_stream(frame, acl_arg(frame, SET_STREAM), &stream);
    }
    if (code == ACL_SUCCESS) {
        struct task task = {
            .kind = TASK_SET,
            .to = acl_arg(frame, SET_TO),
            .size = acl_arg(frame, SET_COUNT),
        };
        stream_queue(frame->machine, frame->process, stream, &task);
    }
    return code;
}

#define COPY_PARAMETERS                                                \
    { "dst", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 },                \
        { "destMax", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },         \
        { "src", ACL_ADDRESS, ACL_READ, ACL_REQUIRED, 0 },             \
        { "count", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 }, {         \
        "kind", ACL_COPY_KIND, ACL_NOTHING, ACL_OPTIONAL, COPY_DEFAULT \
    }

#define SET_PARAMETERS                                            \
    { "devPtr", ACL_ADDRESS, ACL_WRITE, ACL_REQUIRED, 0 },        \
        { "maxCount", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },   \
        { "value", ACL_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 }, { \
        "count", ACL_SIZE, ACL_NOTHING, ACL_REQUIRED, 0           \
    }

static const struct acl_row calls[] = {
    { .name = "aclrtMemcpy",
      .section = "malloc-and-friends 8.3",
      .python = "acl.rt.memcpy",
      .parameter = { COPY_PARAMETERS },
      .cost = COST_CALL,
      .check = check_copy,
      .body = copy },
    { .name = "aclrtMemcpyAsync",
      .section = "malloc-and-friends 8.4",
      .python = "acl.rt.memcpy_async",
      .parameter = { COPY_PARAMETERS, { "stream", ACL_STREAM, ACL_WRITE, ACL_OPTIONAL, 0 } },
      .cost = COST_ASYNC_SUBMIT,
      .check = check_copy_async,
      .body = copy_async },
    { .name = "aclrtMemset",
      .section = "malloc-and-friends 8.1",
      .python = "acl.rt.memset",
      .parameter = { SET_PARAMETERS },
      .cost = COST_CALL,
      .check = check_set,
      .body = set },
    { .name = "aclrtMemsetAsync",
      .section = "malloc-and-friends 8.1",
      .python = "acl.rt.memset_async",
      .parameter = { SET_PARAMETERS, { "stream", ACL_STREAM, ACL_WRITE, ACL_OPTIONAL, 0 } },
      .cost = COST_ASYNC_SUBMIT,
      .check = check_set,
      .body = set_async },
};
const struct acl_family acl_copy = ACL_FAMILY(calls);
