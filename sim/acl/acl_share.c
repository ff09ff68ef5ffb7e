/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "acl/acl_virtual.h"
#include "base/host.h"
#include "base/must.h"
#include "machine/handle.h"
#include "machine/peer.h"
#include "machine/share.h"

enum { HANDLE_TYPE_NONE = 0, EXPORT_FLAG_DISABLE_PID_VALIDATION = 1 };

/* Places of arguments, and of parameters that are pointers. */
enum { EXPORT_HANDLE, EXPORT_TYPE, EXPORT_FLAGS, EXPORT_OUTPUT };
enum { LIST_SHARE, LIST_LENGTH };
enum { LIST_PIDS = 1 };
enum { IMPORT_SHARE, IMPORT_DEVICE, IMPORT_OUTPUT };
enum { TGID_OUTPUT };

static int32_t check_sharing(const struct acl_frame *frame) {
    const struct site_server *server = frame->server;
    if (server->quota_bytes != 0) {
        return acl_refuse(frame, RULE_SHARING_VIRTUAL);
    }
    return server->compute_group ? acl_refuse(frame, RULE_SHARING_GROUP) : ACL_SUCCESS;
}

static const struct site_process *site_of(const struct acl_frame *frame, uint32_t process) {
    return &frame->machine->site->process[process];
}

/* What a program's value names; a share is good on the server of its exporter only. */
static int32_t find_share(const struct acl_frame *frame, uint64_t value, struct object_id *share) {
    if (!share_resolve(frame->machine, value, share)) {
        return acl_refuse_as(frame, frame->product->share_gone_code, RULE_SHARE_UNKNOWN, value, 0);
    }
    if (site_of(frame, share->process)->server != site_of(frame, frame->process.index)->server) {
        return acl_refuse(frame, RULE_SHARE_ELSEWHERE);
    }
    return ACL_SUCCESS;
}

static int32_t check_export(struct acl_frame *frame) {
    if (acl_arg(frame, EXPORT_HANDLE) == 0) {
        return acl_refuse_null(frame, EXPORT_HANDLE);
    }
    if (acl_arg(frame, EXPORT_TYPE) != HANDLE_TYPE_NONE) {
        return acl_refuse(frame, RULE_EXPORT_TYPE);
    }
    return acl_check_output(frame, EXPORT_OUTPUT);
}

/* Only a handle whose memory the process made, and has not exported yet (spec: VMM 5.1). */
static int32_t check_owned(const struct acl_frame *frame, uint32_t slot) {
    switch ((enum handle_kind)handle_get(frame->machine, frame->process, slot)->kind) {
    case HANDLE_OWNED:
        return ACL_SUCCESS;
    case HANDLE_EXPORTED:
        return acl_refuse(frame, RULE_EXPORT_AGAIN);
    case HANDLE_IMPORTED:
        return acl_refuse(frame, RULE_EXPORT_IMPORTED);
    }
    return ACL_SUCCESS;
}

static int32_t export(struct acl_frame *frame) {
    struct machine *machine = frame->machine;
    uint64_t flags = acl_arg(frame, EXPORT_FLAGS);
    uint32_t slot = 0;
    if (flags > EXPORT_FLAG_DISABLE_PID_VALIDATION) {
        return acl_refuse(frame, RULE_EXPORT_FLAGS);
    }
    int32_t code = check_sharing(frame);
    if (code == ACL_SUCCESS) {
        code = acl_find_handle(frame, acl_arg(frame, EXPORT_HANDLE), &slot);
    }
    if (code == ACL_SUCCESS) {
        code = check_owned(frame, slot);
    }
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (!share_has_room(machine, frame->process)) {
        return acl_refuse(frame, RULE_SHARES_FULL);
    }
    bool validate = flags != EXPORT_FLAG_DISABLE_PID_VALIDATION;
    uint32_t share = share_make(machine, frame->process, slot, validate);
    acl_put(frame, share_value(machine, (struct object_id){ frame->process.index, share }));
    return ACL_SUCCESS;
}

static int compare_pids(const void *left, const void *right) {
    uint32_t first = *(const uint32_t *)left;
    uint32_t second = *(const uint32_t *)right;
    return (first > second) - (first < second);
}

/* How many different pids of the call are not on the list yet. */
static uint32_t count_new(const struct acl_frame *frame, struct object_id share, uint32_t count) {
    uint32_t *pids = host_resize(NULL, count, sizeof *pids);
    for (uint32_t place = 0; place < count; place++) {
        pids[place] = (uint32_t)frame->record->list[place];
    }
    qsort(pids, count, sizeof *pids, compare_pids);
    uint32_t found = 0;
    uint32_t last = 0;
    for (uint32_t place = 0; place < count; place++) {
        found +=
            pids[place] != last && share_find_listed(frame->machine, share, pids[place]) == NULL;
        last = pids[place];
    }
    free(pids);
    return found;
}

/* Spec: VMM 12, row 18: a list that would grow too long stays as it is. */
static bool fits(const struct acl_frame *frame, struct object_id share, uint32_t count) {
    uint64_t listed = share_get(frame->machine, share)->listed;
    uint64_t most = frame->product->whitelist_max;
    return listed + count <= most || listed + count_new(frame, share, count) <= most;
}

/* A process that was started anew has the exporter's place but exported nothing. */
static bool is_exporter(const struct acl_frame *frame, struct object_id share) {
    return share.process == frame->process.index &&
           share_get(frame->machine, share)->incarnation ==
               process_get(frame->machine, frame->process)->incarnation;
}

static int32_t check_set_pid(struct acl_frame *frame) {
    bool is_missing = acl_is_null(frame, LIST_PIDS) || acl_arg(frame, LIST_LENGTH) == 0;
    return is_missing ? acl_refuse(frame, RULE_PIDS_MISSING) : acl_refuse_rc_form(frame);
}

/* A length beyond the program's array has the verdict undefined, which is the same code. */
static int32_t check_list(struct acl_frame *frame, uint32_t count, struct object_id *share) {
    uint64_t most = frame->product->whitelist_max;
    if (count == 0 || count > most || count > frame->record->list_count) {
        return acl_refuse_with(frame, RULE_LIST_LENGTH, count, most);
    }
    int32_t code = check_sharing(frame);
    if (code == ACL_SUCCESS) {
        code = find_share(frame, acl_arg(frame, LIST_SHARE), share);
    }
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (!is_exporter(frame, *share)) {
        return acl_refuse_with(frame, RULE_NOT_EXPORTER, site_of(frame, share->process)->pid, 0);
    }
    if (share_get(frame->machine, *share)->validate == 0) {
        return acl_refuse(frame, RULE_VALIDATION_OFF);
    }
    return fits(frame, *share, count)
               ? ACL_SUCCESS
               : acl_refuse_with(frame, RULE_WHITELIST_FULL,
                                 share_get(frame->machine, *share)->listed, most);
}

static int32_t set_pid(struct acl_frame *frame) {
    /* Spec: VMM 5.2: the length is cut to 32 bits before it is looked at. */
    uint32_t count = (uint32_t)acl_arg(frame, LIST_LENGTH);
    struct object_id share;
    int32_t code = check_list(frame, count, &share);
    if (code != ACL_SUCCESS) {
        return code;
    }
    bool is_empty = true;
    for (uint32_t place = 0; place < count; place++) {
        uint32_t pid = (uint32_t)frame->record->list[place];
        if (pid != 0) {
            must(share_list(frame->machine, share, pid, frame->product->whitelist_max));
            is_empty = false;
        }
    }
    return is_empty ? acl_refuse(frame, RULE_PIDS_ZERO) : ACL_SUCCESS;
}

/*
 * Spec: VMM 8.5, row 22: peer access joins the exporter's device and the current one, whatever
 * device the handle is for. Section 12, row 13: it stays when the import fails later.
 */
static int32_t join_devices(struct acl_frame *frame, struct object_id share) {
    struct machine *machine = frame->machine;
    struct device_id here = { frame->device };
    struct device_id there = { share_get(machine, share)->device };
    if (!frame->product->import_enables_peers || there.index == LOCATION_HOST ||
        there.index == here.index) {
        return ACL_SUCCESS;
    }
    if (site_number(machine->site, frame->process.index, there.index) == SITE_NO_DEVICE) {
        return acl_refuse(frame, RULE_EXPORTER_HIDDEN);
    }
    if (!site_can_peer(machine->site, here.index, there.index)) {
        return acl_refuse_with(frame, RULE_PEERS_APART, acl_number(frame, here.index),
                               acl_number(frame, there.index));
    }
    peer_enable(machine, frame->process, here, there);
    peer_enable(machine, frame->process, there, here);
    return ACL_SUCCESS;
}

static int32_t check_whitelist(const struct acl_frame *frame, struct object_id share) {
    uint32_t pid = site_of(frame, frame->process.index)->pid;
    if (is_exporter(frame, share)) {
        return acl_refuse(frame, RULE_IMPORT_OWN);
    }
    if (share_get(frame->machine, share)->validate == 0) {
        return ACL_SUCCESS;
    }
    const struct listed *listed = share_find_listed(frame->machine, share, pid);
    if (listed == NULL) {
        return acl_refuse_with(frame, RULE_NOT_LISTED, pid,
                               share_get(frame->machine, share)->listed);
    }
    bool is_late = !frame->product->whitelist_time_rule ||
                   listed->incarnation == process_get(frame->machine, frame->process)->incarnation;
    return is_late ? ACL_SUCCESS : acl_refuse_with(frame, RULE_LISTED_EARLY, pid, 0);
}

/* A repeated import answers with the handle there is; the share has no further user by it. */
static uint32_t import_handle(struct acl_frame *frame, struct object_id share, uint32_t device) {
    struct machine *machine = frame->machine;
    uint32_t slot = 0;
    if (share_find_import(machine, share, frame->process, device, &slot)) {
        handle_retain(machine, frame->process, slot);
        return slot;
    }
    slot = handle_import(machine, frame->process, share, device);
    share_keep_import(machine, share, frame->process, device, slot);
    share_note_imported(machine, share, site_of(frame, frame->process.index)->pid);
    return slot;
}

static int32_t check_import(struct acl_frame *frame) {
    return acl_check_output(frame, IMPORT_OUTPUT);
}

/* The context is asked for here and not by a flag, because the device is looked at before. */
static int32_t import(struct acl_frame *frame) {
    uint32_t device = acl_device(frame, acl_arg(frame, IMPORT_DEVICE));
    struct object_id share;
    if (device == SITE_NO_DEVICE) {
        return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, acl_arg(frame, IMPORT_DEVICE), 0);
    }
    if (frame->presence == PRESENCE_NONE) {
        return acl_refuse(frame, RULE_NO_CONTEXT);
    }
    int32_t code = check_sharing(frame);
    if (code == ACL_SUCCESS) {
        code = find_share(frame, acl_arg(frame, IMPORT_SHARE), &share);
    }
    if (code == ACL_SUCCESS) {
        code = join_devices(frame, share);
    }
    if (code == ACL_SUCCESS) {
        code = check_whitelist(frame, share);
    }
    if (code != ACL_SUCCESS) {
        return code;
    }
    uint32_t slot = import_handle(frame, share, device);
    acl_put(frame, handle_value(frame->machine, frame->process, slot));
    return ACL_SUCCESS;
}

static int32_t check_bare_tgid(struct acl_frame *frame) {
    return acl_check_output(frame, TGID_OUTPUT);
}

static int32_t bare_tgid(struct acl_frame *frame) {
    acl_put(frame, site_of(frame, frame->process.index)->pid);
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtMemExportToShareableHandle",
      .section = "vmm-and-sharing 5.1",
      .python = "acl.rt.mem_export_to_shareable_handle",
      .parameter = { { "handle", ACL_HANDLE, ACL_WRITE, ACL_REQUIRED, 0 },
                     { "handleType", ACL_HANDLE_TYPE, ACL_NOTHING, ACL_OPTIONAL, HANDLE_TYPE_NONE },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 },
                     { "shareableHandle", ACL_OUT_SHARE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_EXPORT,
      .check = check_export,
      .body = export },
    { .name = "aclrtMemSetPidToShareableHandle",
      .section = "vmm-and-sharing 5.2",
      .python = "acl.rt.mem_set_pid_to_shareable_handle",
      .parameter = { { "shareableHandle", ACL_SHARE, ACL_WRITE, ACL_REQUIRED, 0 },
                     { "pid", ACL_PIDS, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "pidNum", ACL_LENGTH, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_CALL,
      .check = check_set_pid,
      .body = set_pid },
    { .name = "aclrtMemImportFromShareableHandle",
      .section = "vmm-and-sharing 5.3",
      .python = "acl.rt.mem_import_from_shareable_handle",
      .released_by = "aclrtFreePhysical",
      .parameter = { { "shareableHandle", ACL_SHARE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "deviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "handle", ACL_OUT_HANDLE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL,
      .cost = COST_IMPORT,
      .check = check_import,
      .body = import },
    { .name = "aclrtDeviceGetBareTgid",
      .section = "vmm-and-sharing 5.5",
      .python = "acl.rt.device_get_bare_tgid",
      .parameter = { { "pid", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_bare_tgid,
      .body = bare_tgid },
};

const struct acl_family acl_share = ACL_FAMILY(calls);
