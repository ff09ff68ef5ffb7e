/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/released.h"

struct head {
    uint64_t count;
};

struct released_ring released_bind(struct store *store) {
    struct released_ring ring = {
        .entry = store_table(store, &(const struct table_type){ "released", sizeof(struct released),
                                                                TABLE_NOTE, true }),
        .head = store_table(store, &(const struct table_type){ "released_head", sizeof(struct head),
                                                               TABLE_NOTE, true }),
    };
    return ring;
}

static uint64_t count_of(const struct released_ring *ring, uint32_t process) {
    return ((const struct head *)table_get(ring->head, 0, process))->count;
}

void released_add(struct released_ring *ring, uint32_t process, const struct released *released) {
    struct head *head = table_edit(ring->head, 0, process);
    uint32_t slot = (uint32_t)(head->count % RELEASED_MAX);
    head->count++;
    *(struct released *)table_edit(ring->entry, process, slot) = *released;
}

/* From the latest to the oldest that is remembered. */
static const struct released *find(const struct released_ring *ring, uint32_t process,
                                   enum finding_thing thing, uint64_t value, bool inside) {
    uint64_t count = count_of(ring, process);
    uint64_t oldest = count > RELEASED_MAX ? count - RELEASED_MAX : 0;
    for (uint64_t at = count; at-- > oldest;) {
        const struct released *entry =
            table_get(ring->entry, process, (uint32_t)(at % RELEASED_MAX));
        bool is_it = inside ? value - entry->value < entry->size : value == entry->value;
        if (entry->thing == thing && is_it) {
            return entry;
        }
    }
    return NULL;
}

const struct released *released_find(const struct released_ring *ring, uint32_t process,
                                     enum finding_thing thing, uint64_t value) {
    return find(ring, process, thing, value, false);
}

const struct released *released_find_address(const struct released_ring *ring, uint32_t process,
                                             enum finding_thing thing, uint64_t address) {
    return find(ring, process, thing, address, true);
}

bool released_has_forgotten(const struct released_ring *ring, uint32_t process) {
    return count_of(ring, process) > RELEASED_MAX;
}
