/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exported allocations: who may import them, and who has. A share ends, and the pages with it,
 * when the exporter's handle and every imported one are destroyed (spec: VMM 8.2). A whitelist
 * entry names a process id and the incarnation it had when it was listed.
 */
#ifndef MACHINE_SHARE_H
#define MACHINE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

enum { SHARE_SLOTS = 1 << 16 };

struct share {
    uint32_t allocation; /* slot, of the exporter */
    uint32_t handle;     /* the exporter's, plus 1; 0 when it is destroyed */
    uint32_t users;      /* the exporter's handle and each imported one */
    uint32_t imported;   /* how often it was imported, ever */
    uint32_t validate;   /* the whitelist is checked */
    uint32_t listed;     /* entries of the whitelist */
    uint32_t generation;
    uint32_t device; /* of the memory; LOCATION_HOST */
    struct stamp made;
    uint32_t incarnation; /* of the exporter, when it exported */
    uint32_t unused;
};

struct listed {
    uint32_t share; /* slot */
    uint32_t pid;
    uint32_t incarnation; /* of the process with that pid, running when it was listed; else 0 */
    uint32_t imported;    /* it has imported the share */
    struct stamp made;
};

/* Exports the allocation of an OWNED handle, which becomes EXPORTED; there must be room. */
bool share_has_room(const struct machine *machine, struct process_id exporter);
uint32_t share_make(struct machine *machine, struct process_id exporter, uint32_t handle,
                    bool validate);

/* Puts a process id on the whitelist, or sets its entry anew; false when the list is full. */
bool share_list(struct machine *machine, struct object_id share, uint32_t pid, uint32_t most);
const struct listed *share_find_listed(const struct machine *machine, struct object_id share,
                                       uint32_t pid);

/* Whether an entry is found by its share, and by the process that it names: for the audit. */
bool share_is_listed(const struct machine *machine, struct object_id share, uint32_t slot);
void share_note_imported(struct machine *machine, struct object_id share, uint32_t pid);

/* Takes a process that ends off every whitelist of its server. */
void share_unlist_process(struct machine *machine, struct process_id process);

/* One more imported handle; one less; the exporter's own. The last one ends the share. */
void share_enter(struct machine *machine, struct object_id share);
void share_leave(struct machine *machine, struct object_id share, struct process_id importer,
                 uint32_t device);
void share_leave_exporter(struct machine *machine, struct object_id share);

/* The handle by which a process has imported a share on a device; false when it has not. */
bool share_find_import(const struct machine *machine, struct object_id share,
                       struct process_id importer, uint32_t device, uint32_t *handle);
void share_keep_import(struct machine *machine, struct object_id share, struct process_id importer,
                       uint32_t device, uint32_t handle);

const struct share *share_get(const struct machine *machine, struct object_id id);

/* The V1 value: generation, device, exporter and slot. What a value names; false when nothing. */
uint64_t share_value(const struct machine *machine, struct object_id id);
bool share_resolve(const struct machine *machine, uint64_t value, struct object_id *id);

#endif
