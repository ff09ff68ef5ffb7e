/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_virtual.h"
#include "machine/peer.h"

enum { PHYSICAL_IDS = 64 }; /* spec: VMM 6 */

/* Places of arguments, and of parameters that are pointers. */
enum { PAIR_DEVICE, PAIR_PEER };
enum { EDGE_PEER, EDGE_FLAGS };
enum { CAN_OUTPUT = 0, STATUS_OUTPUT = 2 };

static bool has_peers(const struct acl_frame *frame) {
    return frame->product->peer_access && !frame->server->rc_form;
}

static int32_t check_can_access(struct acl_frame *frame) {
    bool is_same = acl_arg(frame, PAIR_DEVICE) == acl_arg(frame, PAIR_PEER);
    return is_same ? ACL_ERROR_INVALID_PARAM : acl_refuse_rc_form(frame);
}

/* The runtime looks at its own conditions first; the ids are the driver's. */
static int32_t can_access(struct acl_frame *frame) {
    uint32_t from = acl_device(frame, acl_arg(frame, PAIR_DEVICE));
    uint32_t to = acl_device(frame, acl_arg(frame, PAIR_PEER));
    if (acl_is_null(frame, CAN_OUTPUT)) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    if (!has_peers(frame)) {
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    }
    if (from == SITE_NO_DEVICE || to == SITE_NO_DEVICE) {
        return ACL_ERROR_RT_INVALID_DEVICEID;
    }
    acl_put(frame, site_can_peer(frame->machine->site, from, to));
    return ACL_SUCCESS;
}

/* The peer that a call names, another device than the current one. */
static int32_t find_peer(const struct acl_frame *frame, struct device_id *peer) {
    peer->index = acl_device(frame, acl_arg(frame, EDGE_PEER));
    if (peer->index == frame->device) {
        return ACL_ERROR_INVALID_PARAM;
    }
    if (peer->index == SITE_NO_DEVICE) {
        return ACL_ERROR_RT_INVALID_DEVICEID;
    }
    return peer->index - frame->server->device_first < PHYSICAL_IDS ? ACL_SUCCESS
                                                                    : ACL_ERROR_RT_PARAM_INVALID;
}

static int32_t check_enable(struct acl_frame *frame) {
    return acl_arg(frame, EDGE_FLAGS) != 0 ? ACL_ERROR_FEATURE_UNSUPPORTED : ACL_SUCCESS;
}

static int32_t enable(struct acl_frame *frame) {
    struct device_id here = { frame->device };
    struct device_id peer;
    int32_t code = find_peer(frame, &peer);
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (!has_peers(frame) || !site_can_peer(frame->machine->site, here.index, peer.index)) {
        return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    }
    peer_enable(frame->machine, frame->process, here, peer);
    return ACL_SUCCESS;
}

static int32_t disable(struct acl_frame *frame) {
    struct device_id here = { frame->device };
    struct device_id peer;
    int32_t code = find_peer(frame, &peer);
    if (code != ACL_SUCCESS) {
        return code;
    }
    return peer_disable(frame->machine, frame->process, here, peer) ? ACL_SUCCESS
                                                                    : ACL_ERROR_RT_PARAM_INVALID;
}

static int32_t check_status(struct acl_frame *frame) {
    return acl_is_null(frame, STATUS_OUTPUT) ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}

/* Spec: VMM 6: the peer's id goes to the driver as it is, so it counts the server's devices. */
static int32_t status(struct acl_frame *frame) {
    struct device_id from = { acl_device(frame, acl_arg(frame, PAIR_DEVICE)) };
    uint64_t number = acl_arg(frame, PAIR_PEER);
    if (from.index == SITE_NO_DEVICE || number >= frame->server->device_count) {
        return ACL_ERROR_RT_PARAM_INVALID;
    }
    struct device_id to = { frame->server->device_first + (uint32_t)number };
    acl_put(frame,
            peer_is_open(frame->machine, from, to) && peer_is_open(frame->machine, to, from));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtDeviceCanAccessPeer",
      .python = "acl.rt.device_can_access_peer",
      .parameter = { { "canAccessPeer", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "deviceId", ACL_DEVICE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "peerDeviceId", ACL_DEVICE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_can_access,
      .body = can_access },
    { .name = "aclrtDeviceEnablePeerAccess",
      .python = "acl.rt.device_enable_peer_access",
      .parameter = { { "peerDeviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_PEER_ENABLE,
      .check = check_enable,
      .body = enable },
    { .name = "aclrtDeviceDisablePeerAccess",
      .python = "acl.rt.device_disable_peer_access",
      .parameter = { { "peerDeviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_CALL,
      .body = disable },
    { .name = "aclrtDevicePeerAccessStatus",
      .python = "acl.rt.device_peer_access_status",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_READ, ACL_REQUIRED, 0 },
                     { "peerDeviceId", ACL_DEVICE, ACL_READ, ACL_REQUIRED, 0 },
                     { "status", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_status,
      .body = status },
};

const struct acl_family acl_peer = ACL_FAMILY(calls);
