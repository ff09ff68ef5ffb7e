/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/identity.h"

#include "machine/block.h"
#include "machine/mapping.h"
#include "machine/stream.h"

struct identity {
    uint32_t to;
    uint32_t from;
};

struct table *identity_table(struct store *store) {
    return store_table(store, &(const struct table_type){ "identity", sizeof(struct identity),
                                                          TABLE_NOTE, true });
}

uint32_t identity_at(const struct machine *machine, struct process_id process, uint64_t address) {
    uint32_t slot = 0;
    if (block_find(machine, process, address, &slot)) {
        return block_get(machine, process, slot)->generation;
    }
    if (block_find_host(machine, process, address, &slot)) {
        return block_get_host(machine, process, slot)->generation;
    }
    if (mapping_find(machine, process, address, &slot)) {
        return mapping_get(machine, process, slot)->generation;
    }
    return 0;
}

void identity_keep(struct hazard *hazard, struct process_id process, uint32_t task) {
    const struct machine *machine = hazard->machine;
    const struct task *queued = table_get(machine->task, process.index, task);
    struct identity *identity = table_edit(hazard->identity, process.index, task);
    *identity = (struct identity){
        .to = queued->to == 0 ? 0 : identity_at(machine, process, queued->to),
        .from = queued->from == 0 ? 0 : identity_at(machine, process, queued->from),
    };
}

bool identity_has_changed(const struct hazard *hazard, struct process_id process, uint32_t task,
                          uint64_t address) {
    const struct task *queued = table_get(hazard->machine->task, process.index, task);
    const struct identity *identity = table_get(hazard->identity, process.index, task);
    uint32_t then = queued->to == address ? identity->to : identity->from;
    return then != 0 && then != identity_at(hazard->machine, process, address);
}
