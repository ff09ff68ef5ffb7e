/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was released lately: a ring for each process, so that memory stays the same however long a
 * run is. Older releases are forgotten, and whoever asks is told that they may have been.
 */
#ifndef HAZARD_RELEASED_H
#define HAZARD_RELEASED_H

#include <stdbool.h>
#include <stdint.h>

#include "hazard/finding.h"

enum { RELEASED_MAX = 64 };

struct released {
    uint64_t value; /* of the thing; the address of memory */
    uint64_t size;  /* bytes; 0 for things that have no addresses */
    uint32_t thing; /* enum finding_thing */
    uint32_t unused;
    struct finding_place made;
    struct finding_place released;
};

struct released_ring {
    struct table *entry; /* by process */
    struct table *head;  /* by process: how many releases there ever were */
};

struct released_ring released_bind(struct store *store);
void released_add(struct released_ring *ring, uint32_t process, const struct released *released);

/* The latest release of the thing with this value, or of memory that held an address. NULL where
 * none is remembered. */
const struct released *released_find(const struct released_ring *ring, uint32_t process,
                                     enum finding_thing thing, uint64_t value);
const struct released *released_find_address(const struct released_ring *ring, uint32_t process,
                                             enum finding_thing thing, uint64_t address);

/* Whether some releases of the process are forgotten. */
bool released_has_forgotten(const struct released_ring *ring, uint32_t process);

#endif
