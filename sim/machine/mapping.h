/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations of a process, what is mapped into them, and who else may reach a mapping. */
#ifndef MACHINE_MAPPING_H
#define MACHINE_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

enum { RESERVATION_OWNED = 1, RESERVATION_IMPORTED = 2 };

struct reservation {
    uint64_t start;
    uint64_t size;
    uint32_t bound; /* device of the first mapping, plus 1; it stays when that is unmapped */
    uint32_t mappings;
    uint32_t holds; /* which sorts of handles are or were mapped: bits of the enum above */
    uint32_t generation;
    struct stamp made;
};

struct mapping {
    uint64_t start;
    uint64_t size;
    uint32_t handle;      /* slot */
    uint32_t reservation; /* slot */
    uint32_t device;      /* owner location: the handle's device; LOCATION_HOST */
    uint32_t accesses;    /* first access record, plus 1 */
    uint32_t generation;
    uint32_t no_access; /* the owner location has no access of itself (MapNoAccess) */
    struct stamp made;
};

struct access {
    uint32_t next; /* plus 1 */
    uint32_t type; /* aclrtMemLocationType */
    uint32_t device;
    uint32_t flags; /* aclrtMemAccessFlags */
};

/* A reservation at a free range of addresses. */
uint32_t mapping_reserve(struct machine *machine, struct process_id process, uint64_t start,
                         uint64_t size);
void mapping_unreserve(struct machine *machine, struct process_id process, uint32_t slot);
const struct reservation *mapping_reservation(const struct machine *machine,
                                              struct process_id process, uint32_t slot);
bool mapping_find_reservation(const struct machine *machine, struct process_id process,
                              uint64_t address, uint32_t *slot);

/* Maps the memory of a handle into a reservation, at a range that is unmapped. */
uint32_t mapping_map(struct machine *machine, struct process_id process, uint32_t reservation,
                     uint64_t start, uint64_t size, uint32_t handle);
void mapping_unmap(struct machine *machine, struct process_id process, uint32_t slot);
const struct mapping *mapping_get(const struct machine *machine, struct process_id process,
                                  uint32_t slot);

/* The mapping that holds an address. */
bool mapping_find(const struct machine *machine, struct process_id process, uint64_t address,
                  uint32_t *slot);

/* The access flags of a location (aclrtMemLocationType and device); 0 when it has none. */
uint32_t mapping_access(const struct machine *machine, struct process_id process, uint32_t slot,
                        uint32_t type, uint32_t device);
void mapping_add_access(struct machine *machine, struct process_id process, uint32_t slot,
                        uint32_t type, uint32_t device, uint32_t flags);

#endif
