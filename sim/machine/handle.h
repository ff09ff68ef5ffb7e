/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Physical memory and the names that processes have for it. An allocation is pages that live and
 * die together; a handle is one process's name for it, with counted references (spec: VMM 8.2).
 * The pages go when the OWNED handle is destroyed, or with the last user of the share.
 */
#ifndef MACHINE_HANDLE_H
#define MACHINE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

enum handle_kind { HANDLE_OWNED = 1, HANDLE_EXPORTED, HANDLE_IMPORTED };
#define LOCATION_HOST UINT32_MAX

struct allocation {
    uint64_t size; /* bytes, whole pages */
    struct pages pages;
    uint32_t presence; /* of the process that made it; its holder has the pages */
    uint32_t medium;
    uint32_t device;    /* LOCATION_HOST for host memory, which no pool holds */
    uint32_t attribute; /* aclrtMemAttr that was asked for */
    uint32_t location;  /* aclrtMemLocationType */
    uint32_t tag;
    struct stamp made;
    uint32_t node; /* of the host, where the location names one */
    uint32_t unused;
};

struct handle {
    uint32_t kind;
    uint32_t references;
    uint32_t maps;   /* of the references */
    uint32_t device; /* it counts for; LOCATION_HOST */
    struct object_id allocation;
    struct object_id share; /* of EXPORTED and IMPORTED handles */
    uint32_t generation;
    uint32_t freed; /* aclrtFreePhysical was called though mappings keep it */
    struct stamp made;
    uint64_t unused;
};

/* What a value that a program passes as a handle is. */
enum handle_sort { HANDLE_LIVE, HANDLE_STALE, HANDLE_FOREIGN, HANDLE_NONSENSE };

struct allocation_wish {
    uint32_t presence; /* PRESENCE_NONE for host memory */
    uint32_t medium;
    enum page_class page;
    uint64_t size;
    uint32_t attribute;
    uint32_t location;
    uint32_t node;
    uint32_t tag;
};

/* Makes an allocation and the OWNED handle of it, all or nothing. */
enum pool_answer handle_make(struct machine *machine, struct process_id process,
                             const struct allocation_wish *wish, uint32_t *slot);

/* Makes an IMPORTED handle: one more user of the share. */
uint32_t handle_import(struct machine *machine, struct process_id process, struct object_id share,
                       uint32_t device);

void handle_retain(struct machine *machine, struct process_id process, uint32_t slot);
void handle_map(struct machine *machine, struct process_id process, uint32_t slot);
void handle_unmap(struct machine *machine, struct process_id process, uint32_t slot);

/* Drops a reference that is not a mapping's; there must be one. */
void handle_release(struct machine *machine, struct process_id process, uint32_t slot);

/* Destroys the handle whatever its references: the end of a process, after its mappings. */
void handle_drop(struct machine *machine, struct process_id process, uint32_t slot);

const struct handle *handle_get(const struct machine *machine, struct process_id process,
                                uint32_t slot);
const struct allocation *handle_allocation(const struct machine *machine, struct object_id id);

/* Gives the pages of an allocation back; for shares, when their last user is gone. */
void handle_free_allocation(struct machine *machine, struct object_id id);

/* The value a program sees, and what a value is to a process; *slot when it is live or stale. */
uint64_t handle_value(const struct machine *machine, struct process_id process, uint32_t slot);
enum handle_sort handle_resolve(const struct machine *machine, struct process_id process,
                                uint64_t value, uint32_t *slot);

#endif
