/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which memory queued work was meant for. The same address may lead to other memory by the time
 * the work is done: same number is not same memory. Generations tell them apart.
 */
#ifndef HAZARD_IDENTITY_H
#define HAZARD_IDENTITY_H

#include "hazard/hazard_family.h"

/* What lies at an address of a process: the generation of the block or mapping; 0 for neither. */
uint32_t identity_at(const struct machine *machine, struct process_id process, uint64_t address);

struct table *identity_table(struct store *store);

/* Remembers what work, by its slot, is to touch. */
void identity_keep(struct hazard *hazard, struct process_id process, uint32_t task);

/* Whether the memory at an address that the work touches is another one than when it was queued. */
bool identity_has_changed(const struct hazard *hazard, struct process_id process, uint32_t task,
                          uint64_t address);

#endif
