/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_frame.h"
#include "machine/stream.h"

enum { DEVICE_ID = 0 };
enum { OUTPUT = 0 }; /* the only parameter of a query */

/* Spec: malloc 14.1: a repeated call is refused and counted all the same. */
static int32_t init(struct acl_frame *frame) {
    bool again = process_get(frame->machine, frame->process)->inits > 0;
    process_initialise(frame->machine, frame->process);
    return again ? acl_refuse(frame, RULE_INIT_AGAIN) : ACL_SUCCESS;
}

/* One call undoes them all; counting down is another call's business. */
static int32_t finalize(struct acl_frame *frame) {
    const struct process *process = process_get(frame->machine, frame->process);
    if (process->finalized != 0) {
        return acl_refuse(frame, RULE_FINALIZE_AGAIN);
    }
    if (process->inits == 0 && frame->product->strict_init) {
        return acl_refuse(frame, RULE_NOT_INITIALISED);
    }
    process_finalise(frame->machine, frame->process);
    return ACL_SUCCESS;
}

static int32_t set_device(struct acl_frame *frame) {
    struct device_id device = { acl_device(frame, acl_arg(frame, DEVICE_ID)) };
    if (device.index == SITE_NO_DEVICE) {
        return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, acl_arg(frame, DEVICE_ID), 0);
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
        return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, acl_arg(frame, DEVICE_ID), 0);
    }
    uint32_t presence = process_find_presence(frame->machine, frame->process, device);
    uint32_t sets = presence == PRESENCE_NONE
                        ? 0
                        : process_presence(frame->machine, frame->process, presence)->sets;
    if (sets == 0) {
        return acl_refuse_with(frame, RULE_DEVICE_NOT_SET, acl_arg(frame, DEVICE_ID), 0);
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
    return acl_is_null(frame, OUTPUT) ? acl_refuse_null(frame, OUTPUT) : ACL_SUCCESS;
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
      .section = "malloc-and-friends 14.1",
      .python = "acl.init",
      .parameter = { { "configPath", ACL_TEXT, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_NO_INIT,
      .cost = COST_CALL,
      .body = init },
    { .name = "aclFinalize",
      .section = "malloc-and-friends 14.1",
      .python = "acl.finalize",
      .flags = ACL_NO_INIT,
      .cost = COST_CALL,
      .body = finalize },
    { .name = "aclrtSetDevice",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.set_device",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_SET_DEVICE_REPEAT,
      .body = set_device },
    { .name = "aclrtResetDevice",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.reset_device",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CALL,
      .body = reset_device },
    { .name = "aclrtResetDeviceForce",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.reset_device_force",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_WRITE, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CALL,
      .body = reset_device_force },
    { .name = "aclrtGetDevice",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.get_device",
      .parameter = { { "deviceId", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_output,
      .body = get_device },
    { .name = "aclrtGetDeviceCount",
      .section = "malloc-and-friends 14.2",
      .python = "acl.rt.get_device_count",
      .parameter = { { "count", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_output,
      .body = get_device_count },
};

const struct acl_family acl_init = ACL_FAMILY(calls);
