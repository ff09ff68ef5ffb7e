/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_frame.h"
#include "machine/stream.h"

enum { DEVICE_ID = 0 };
enum { OUTPUT = 0 }; /* the only parameter of a query */

/* Spec: malloc 14.1: a repeated call is refused and counted all the same. */
static int32_t init(struct acl_frame *frame) {
    bool again = process_get(frame->machine, frame->process)->inits > 0;
    process_initialise(frame->machine, frame->process);
    return again ? ACL_ERROR_REPEAT_INITIALIZE : ACL_SUCCESS;
}

/* One call undoes them all; counting down is another call's business. */
static int32_t finalize(struct acl_frame *frame) {
    const struct process *process = process_get(frame->machine, frame->process);
    if (process->finalized != 0) {
        return ACL_ERROR_REPEAT_FINALIZE;
    }
    if (process->inits == 0 && frame->product->strict_init) {
        return ACL_ERROR_UNINITIALIZE;
    }
    process_finalise(frame->machine, frame->process);
    return ACL_SUCCESS;
}

static int32_t set_device(struct acl_frame *frame) {
    struct device_id device = { acl_device(frame, acl_arg(frame, DEVICE_ID)) };
    if (device.index == SITE_NO_DEVICE) {
        return ACL_ERROR_RT_INVALID_DEVICEID;
    }
    if (!process_was_set(frame->machine, device)) {
        frame->cost = COST_SET_DEVICE_COLD;
    } else if (process_get(frame->machine, frame->process)->opened == 0) {
        frame->cost = COST_SET_DEVICE_WARM;
    }
    uint32_t presence = process_make_presence(frame->machine, frame->process, device);
    process_set_device(frame->machine, frame->thread, presence);
    return ACL_SUCCESS;
}

static int32_t reset(struct acl_frame *frame, bool force) {
    struct device_id device = { acl_device(frame, acl_arg(frame, DEVICE_ID)) };
    if (device.index == SITE_NO_DEVICE) {
        return ACL_ERROR_RT_INVALID_DEVICEID;
    }
    uint32_t presence = process_find_presence(frame->machine, frame->process, device);
    uint32_t sets = presence == PRESENCE_NONE
                        ? 0
                        : process_presence(frame->machine, frame->process, presence)->sets;
    if (sets == 0) {
        return ACL_ERROR_RT_CONTEXT_RELEASE_ERROR;
    }
    /* The last one waits for the work there, a forced one too (spec: malloc 14.2). */
    if ((force || sets == 1) && !stream_have_all_ended(frame->machine, frame->thread, presence)) {
        frame->waits = true;
        return ACL_SUCCESS;
    }
    process_reset_device(frame->machine, frame->process, presence, force);
    return ACL_SUCCESS;
}

static int32_t reset_device(struct acl_frame *frame) {
    return reset(frame, false);
}

static int32_t reset_device_force(struct acl_frame *frame) {
    return reset(frame, true);
}

static int32_t check_output(struct acl_frame *frame) {
    return acl_is_null(frame, OUTPUT) ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}

static int32_t get_device(struct acl_frame *frame) {
    acl_put(frame, site_number(frame->machine->site, frame->process.index, frame->device));
    return ACL_SUCCESS;
}

static int32_t get_device_count(struct acl_frame *frame) {
    acl_put(frame, site_visible_count(frame->machine->site, frame->process.index));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclInit",
      .python = "acl.init",
      .parameter = { { "configPath", ACL_TEXT, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_NO_INIT,
      .cost = COST_CALL,
      .body = init },
    { .name = "aclFinalize",
      .python = "acl.finalize",
      .flags = ACL_NO_INIT,
      .cost = COST_CALL,
      .body = finalize },
    { .name = "aclrtSetDevice",
      .python = "acl.rt.set_device",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_SET_DEVICE_REPEAT,
      .body = set_device },
    { .name = "aclrtResetDevice",
      .python = "acl.rt.reset_device",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CALL,
      .body = reset_device },
    { .name = "aclrtResetDeviceForce",
      .python = "acl.rt.reset_device_force",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CALL,
      .body = reset_device_force },
    { .name = "aclrtGetDevice",
      .python = "acl.rt.get_device",
      .parameter = { { "deviceId", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_output,
      .body = get_device },
    { .name = "aclrtGetDeviceCount",
      .python = "acl.rt.get_device_count",
      .parameter = { { "count", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_output,
      .body = get_device_count },
};

const struct acl_family acl_init = ACL_FAMILY(calls);
