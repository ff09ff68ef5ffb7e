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
    return is_same ? acl_refuse(frame, RULE_SAME_DEVICE) : acl_refuse_rc_form(frame);
}

/* The runtime looks at its own conditions first; the ids are the driver's. */
static int32_t can_access(struct acl_frame *frame) {
    uint32_t from = acl_device(frame, acl_arg(frame, PAIR_DEVICE));
    uint32_t to = acl_device(frame, acl_arg(frame, PAIR_PEER));
    if (acl_is_null(frame, CAN_OUTPUT)) {
        return acl_refuse(frame, RULE_PEER_POINTER_NULL);
    }
    if (!has_peers(frame)) {
        return acl_refuse(frame, RULE_PEER_LACKS);
    }
    if (from == SITE_NO_DEVICE || to == SITE_NO_DEVICE) {
        uint32_t wrong = from == SITE_NO_DEVICE ? PAIR_DEVICE : PAIR_PEER;
        return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, acl_arg(frame, wrong), 0);
    }
    acl_put(frame, site_can_peer(frame->machine->site, from, to));
    return ACL_SUCCESS;
}

/* The peer that a call names, another device than the current one. */
static int32_t find_peer(const struct acl_frame *frame, struct device_id *peer) {
    peer->index = acl_device(frame, acl_arg(frame, EDGE_PEER));
    if (peer->index == frame->device) {
        return acl_refuse(frame, RULE_SAME_DEVICE);
    }
    if (peer->index == SITE_NO_DEVICE) {
        return acl_refuse_with(frame, RULE_DEVICE_UNKNOWN, acl_arg(frame, EDGE_PEER), 0);
    }
    uint32_t physical = peer->index - frame->server->device_first;
    return physical < PHYSICAL_IDS ? ACL_SUCCESS
                                   : acl_refuse_with(frame, RULE_PEER_NUMBER, physical, 0);
}

static int32_t check_enable(struct acl_frame *frame) {
    return acl_arg(frame, EDGE_FLAGS) != 0 ? acl_refuse(frame, RULE_PEER_FLAGS) : ACL_SUCCESS;
}

static int32_t enable(struct acl_frame *frame) {
    struct device_id here = { frame->device };
    struct device_id peer;
    int32_t code = find_peer(frame, &peer);
    if (code != ACL_SUCCESS) {
        return code;
    }
    if (!has_peers(frame)) {
        return acl_refuse(frame, RULE_PEER_LACKS);
    }
    if (!site_can_peer(frame->machine->site, here.index, peer.index)) {
        return acl_refuse_with(frame, RULE_PEERS_APART, acl_number(frame, here.index),
                               acl_number(frame, peer.index));
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
    return peer_disable(frame->machine, frame->process, here, peer)
               ? ACL_SUCCESS
               : acl_refuse(frame, RULE_PEER_NOT_ENABLED);
}

static int32_t check_status(struct acl_frame *frame) {
    return acl_is_null(frame, STATUS_OUTPUT) ? acl_refuse_null(frame, STATUS_OUTPUT) : ACL_SUCCESS;
}

/* Spec: VMM 6: the peer's id goes to the driver as it is, so it counts the server's devices. */
static int32_t status(struct acl_frame *frame) {
    struct device_id from = { acl_device(frame, acl_arg(frame, PAIR_DEVICE)) };
    uint64_t number = acl_arg(frame, PAIR_PEER);
    if (from.index == SITE_NO_DEVICE || number >= frame->server->device_count) {
        return acl_refuse(frame, RULE_PEER_STATUS_DEVICE);
    }
    struct device_id to = { frame->server->device_first + (uint32_t)number };
    acl_put(frame,
            peer_is_open(frame->machine, from, to) && peer_is_open(frame->machine, to, from));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtDeviceCanAccessPeer",
      .section = "vmm-and-sharing 6",
      .python = "acl.rt.device_can_access_peer",
      .parameter = { { "canAccessPeer", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "deviceId", ACL_DEVICE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "peerDeviceId", ACL_DEVICE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_can_access,
      .body = can_access },
    { .name = "aclrtDeviceEnablePeerAccess",
      .section = "vmm-and-sharing 6",
      .python = "acl.rt.device_enable_peer_access",
      .parameter = { { "peerDeviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 },
                     { "flags", ACL_FLAGS, ACL_NOTHING, ACL_OPTIONAL, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_PEER_ENABLE,
      .check = check_enable,
      .body = enable },
    { .name = "aclrtDeviceDisablePeerAccess",
      .section = "vmm-and-sharing 6",
      .python = "acl.rt.device_disable_peer_access",
      .parameter = { { "peerDeviceId", ACL_DEVICE, ACL_ADD, ACL_REQUIRED, 0 } },
      .flags = ACL_KERNEL | ACL_CONTEXT,
      .cost = COST_CALL,
      .body = disable },
    { .name = "aclrtDevicePeerAccessStatus",
      .section = "vmm-and-sharing 6",
      .python = "acl.rt.device_peer_access_status",
      .parameter = { { "deviceId", ACL_DEVICE, ACL_READ, ACL_REQUIRED, 0 },
                     { "peerDeviceId", ACL_DEVICE, ACL_READ, ACL_REQUIRED, 0 },
                     { "status", ACL_OUT_INTEGER, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .cost = COST_CALL,
      .check = check_status,
      .body = status },
};

const struct acl_family acl_peer = ACL_FAMILY(calls);
