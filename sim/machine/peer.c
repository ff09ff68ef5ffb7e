/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/peer.h"

#include "base/must.h"
#include "machine/process.h"

static uint32_t owner_of(struct process_id process, uint32_t presence) {
    return process.index * PRESENCES + presence;
}

static void change(struct table *table, uint32_t owner, uint32_t slot, int64_t by) {
    if (!table_has(table, owner, slot)) {
        table_add_at(table, owner, slot);
    }
    struct peer *peer = table_edit(table, owner, slot);
    peer->references += (uint64_t)by;
    if (peer->references == 0) {
        table_remove(table, owner, slot);
    }
}

void peer_enable(struct machine *machine, struct process_id process, struct device_id from,
                 struct device_id to) {
    uint32_t owner = owner_of(process, process_make_presence(machine, process, from));
    change(machine->peer, owner, to.index, 1);
    change(machine->peer_sum, from.index, to.index, 1);
    const struct peer *peer = table_get(machine->peer, owner, to.index);
    machine_record(machine, FACT_PEER_ENABLED, from.index, to.index, peer->references, 0);
}

bool peer_disable(struct machine *machine, struct process_id process, struct device_id from,
                  struct device_id to) {
    uint32_t presence = process_find_presence(machine, process, from);
    uint32_t owner = owner_of(process, presence);
    if (presence == PRESENCE_NONE || !table_has(machine->peer, owner, to.index)) {
        return false;
    }
    const struct peer *peer = table_get(machine->peer, owner, to.index);
    machine_record(machine, FACT_PEER_DISABLED, from.index, to.index, peer->references - 1, 0);
    change(machine->peer, owner, to.index, -1);
    change(machine->peer_sum, from.index, to.index, -1);
    return true;
}

bool peer_is_enabled(const struct machine *machine, struct process_id process,
                     struct device_id from, struct device_id to) {
    uint32_t presence = process_find_presence(machine, process, from);
    return from.index == to.index ||
           (presence != PRESENCE_NONE &&
            table_has(machine->peer, owner_of(process, presence), to.index));
}

bool peer_is_open(const struct machine *machine, struct device_id from, struct device_id to) {
    return from.index == to.index || table_has(machine->peer_sum, from.index, to.index);
}

void peer_drop(struct machine *machine, struct process_id process, uint32_t presence) {
    struct device_id from = { process_presence(machine, process, presence)->device };
    uint32_t owner = owner_of(process, presence);
    uint32_t to = table_next(machine->peer, owner, 0);
    for (; to != SLOT_NONE; to = table_next(machine->peer, owner, to)) {
        must(peer_disable(machine, process, from, (struct device_id){ to }));
    }
}
