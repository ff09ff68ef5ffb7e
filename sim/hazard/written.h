/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of device memory were ever written: of plain blocks by address, of physical memory by
 * its place in the allocation, whoever has it mapped. Only what was written costs memory.
 */
#ifndef HAZARD_WRITTEN_H
#define HAZARD_WRITTEN_H

#include "hazard/hazard_family.h"

/* Bytes of memory: on which line they are, and where. */
struct written_span {
    uint32_t line;
    uint64_t start;
    uint64_t size;
};

/* The span behind the first bytes of a range of addresses: whole blocks and mappings end it, so
 * that a range over several mappings is several spans. False where no device memory is. */
bool written_span_at(const struct hazard *hazard, struct process_id process, uint64_t address,
                     uint64_t size, struct written_span *span);

void written_add(struct hazard *hazard, struct written_span span);

/* The first bytes of the span that were never written; false when all were. */
bool written_find_gap(const struct hazard *hazard, struct written_span span,
                      struct written_span *gap);

/* Forgets the bytes of a block or an allocation that goes. */
void written_forget(struct hazard *hazard, struct written_span span);

struct written_span written_block(struct process_id process, uint64_t address, uint64_t size);
struct written_span written_allocation(const struct hazard *hazard, struct object_id allocation,
                                       uint64_t size);

#endif
