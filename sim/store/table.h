/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of fixed-size records, addressed by (owner, slot).
 *
 * A record has no padding, is zero when free, holds ids and never pointers, and never moves.
 * table_edit(), table_add() and table_remove() are the only ways to write, so that the store can
 * undo and hash every change. A new record takes its owner's lowest free slot: owners that work
 * independently reach the same tables in either order.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "store/table_type.h"

extern const unsigned char table_zeros[TABLE_RECORD_SIZE];

/* For the inline functions below: saves the old bytes, and makes room in a table that follows. */
void table_save(struct table *table, struct table_part *part, uint32_t owner, uint32_t slot);
struct table_part *table_reach(struct table *table, uint32_t owner, uint32_t slot);

/* The records of an owner; NULL when it never had one. */
static inline struct table_part *table_part(const struct table *table, uint32_t owner) {
    uint32_t block = owner / TABLE_BLOCK;
    if (block >= table->block_count || table->block[block] == NULL) {
        return NULL;
    }
    return table->block[block][owner % TABLE_BLOCK];
}

/* The chunk of a slot; its first slot: counted from TABLE_FIRST_CHUNK on, a power of two. */
static inline uint32_t table_chunk_of(uint32_t slot) {
    return bits_highest((slot + TABLE_FIRST_CHUNK) / TABLE_FIRST_CHUNK);
}

static inline uint32_t table_chunk_start(uint32_t chunk) {
    return ((uint32_t)TABLE_FIRST_CHUNK << chunk) - TABLE_FIRST_CHUNK;
}

static inline uint64_t table_chunk_records(uint32_t chunk) {
    return (uint64_t)TABLE_FIRST_CHUNK << chunk;
}

/* Where a record of a size lies. */
static inline unsigned char *table_part_place(const struct table_part *part, uint32_t slot,
                                              uint32_t record_size) {
    uint32_t chunk = table_chunk_of(slot);
    uint64_t place = slot - table_chunk_start(chunk);
    return part->chunk[chunk] + place * record_size;
}

static inline unsigned char *table_place(const struct table *table, const struct table_part *part,
                                         uint32_t slot) {
    return table_part_place(part, slot, table->type.record_size);
}

/* Whether the slot holds a record. */
static inline bool table_has(const struct table *table, uint32_t owner, uint32_t slot) {
    const struct table_part *part = table_part(table, owner);
    return part != NULL && slots_has(&part->used, slot);
}

/* The record, borrowed: it keeps its place while it is in use. NULL where there is none. */
static inline const void *table_find(const struct table *table, uint32_t owner, uint32_t slot) {
    const struct table_part *part = table_part(table, owner);
    return part != NULL && slots_has(&part->used, slot) ? table_place(table, part, slot) : NULL;
}

/* The record, which must exist; in a table that follows, zeros where nothing was written. */
static inline const void *table_get(const struct table *table, uint32_t owner, uint32_t slot) {
    const struct table_part *part = table_part(table, owner);
    return part != NULL && slot < part->capacity ? table_place(table, part, slot) : table_zeros;
}

/* The record for writing, which must exist; good until the next mark, rollback or hash. */
static inline void *table_edit(struct table *table, uint32_t owner, uint32_t slot) {
    struct table_part *part = table_part(table, owner);
    if (part == NULL || slot >= part->capacity) {
        part = table_reach(table, owner, slot);
    }
    if (*table->epoch != 0) {
        table_save(table, part, owner, slot);
    }
    return table_place(table, part, slot);
}

/* What table_edit() does for a record whose place is known: to be called before it is written. */
static inline void table_touch(struct table *table, uint32_t owner, uint32_t slot) {
    if (*table->epoch != 0) {
        (void)table_edit(table, owner, slot);
    }
}

/* Tells the processor that a record of one or two lines will be wanted soon: many are far away. */
static inline void table_prefetch(const struct table *table, uint32_t owner, uint32_t slot) {
    const unsigned char *record = table_get(table, owner, slot);
    __builtin_prefetch(record);
    __builtin_prefetch(record + table->type.record_size - 1);
}

/* Adds a zero record at the owner's lowest free slot, or at one that must be free. */
uint32_t table_add(struct table *table, uint32_t owner);
void table_add_at(struct table *table, uint32_t owner, uint32_t slot);

/* Frees a record; its bytes become zero. */
void table_remove(struct table *table, uint32_t owner, uint32_t slot);

/* The first record at or after a slot; SLOT_NONE when there is none. */
uint32_t table_next(const struct table *table, uint32_t owner, uint32_t slot);

uint32_t table_count(const struct table *table, uint32_t owner); /* records of an owner */

/* The first owner at or after a number that ever had a record; OWNER_NONE when there is none. */
uint32_t table_next_owner(const struct table *table, uint32_t owner);

#endif
