/* SPDX-License-Identifier: Apache-2.0 */
#include "store/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/mix.h"
#include "base/must.h"
#include "store/table_whole.h"
#include "store/undo.h"

enum {
    CACHE_LINE = 64,
    CHUNK_LARGE = 4 << 20, /* bytes from which on a chunk is for large pages */
};

const unsigned char table_zeros[TABLE_RECORD_SIZE];

/*
 * Records start on a cache line, so that one of 64 bytes never needs two. The word before them
 * remembers what free() wants to have back.
 */
static unsigned char *chunk_new(uint64_t size) {
    uint64_t total = size + CACHE_LINE + sizeof(unsigned char *);
    unsigned char *block = size < CHUNK_LARGE ? host_zeroed(total, 1) : host_zeroed_large(total);
    uintptr_t first = (uintptr_t)block + sizeof block;
    uint64_t skip = sizeof block + (CACHE_LINE - first % CACHE_LINE) % CACHE_LINE;
    memcpy(block + skip - sizeof block, &block, sizeof block);
    return block + skip;
}

static struct table_part *part_new(struct table *table, uint32_t owner) {
    must(owner < TABLE_OWNERS);
    uint32_t block = owner / TABLE_BLOCK;
    if (block >= table->block_count) {
        uint32_t count = block + 1 > table->block_count * 2 ? block + 1 : table->block_count * 2;
        table->block = host_resize(table->block, count, sizeof *table->block);
        memset(table->block + table->block_count, 0,
               (count - table->block_count) * sizeof *table->block);
        table->block_count = count;
    }
    if (table->block[block] == NULL) {
        table->block[block] = host_zeroed(TABLE_BLOCK, sizeof **table->block);
    }
    struct table_part *part = host_zeroed(1, sizeof *part);
    slots_init(&part->used);
    table->block[block][owner % TABLE_BLOCK] = part;
    return part;
}

struct table_part *table_reach(struct table *table, uint32_t owner, uint32_t slot) {
    struct table_part *part = table_part(table, owner);
    if (part == NULL) {
        part = part_new(table, owner);
    }
    while (slot >= part->capacity) {
        uint32_t chunk = part->chunk_count;
        must(chunk < TABLE_CHUNKS);
        uint64_t records = table_chunk_records(chunk);
        part->chunk[chunk] = chunk_new(records * (table->type.record_size + sizeof(uint32_t)));
        part->chunk_count = chunk + 1;
        part->capacity += (uint32_t)records;
    }
    if (!table->type.follows) {
        slots_grow(&part->used, (part->capacity + 63) / 64 * 64);
    }
    return part;
}

/* The stamp of a record: when it was last saved. Stamps stand behind the records of a chunk. */
static inline uint32_t *stamp_of(const struct table *table, const struct table_part *part,
                                 uint32_t slot) {
    uint32_t chunk = table_chunk_of(slot);
    void *stamps = part->chunk[chunk] + table_chunk_records(chunk) * table->type.record_size;
    return (uint32_t *)stamps + (slot - table_chunk_start(chunk));
}

/* Whether this is the first change of the record in this epoch. */
static inline bool is_first(const struct table *table, const struct table_part *part,
                            uint32_t slot) {
    uint32_t *stamp = stamp_of(table, part, slot);
    bool first = *stamp != *table->epoch;
    *stamp = *table->epoch;
    return first;
}

static struct undo_entry entry_of(const struct table *table, uint32_t owner, uint32_t slot,
                                  enum undo_kind kind, bool first) {
    return (struct undo_entry){
        .table = table->id,
        .owner = owner,
        .slot = slot,
        .kind = (uint16_t)kind,
        .first = first,
    };
}

void table_save(struct table *table, struct table_part *part, uint32_t owner, uint32_t slot) {
    if (is_first(table, part, slot)) {
        must(table->type.follows || slots_has(&part->used, slot));
        undo_append(table->store, entry_of(table, owner, slot, UNDO_EDIT, true),
                    table_place(table, part, slot), table->type.record_size);
    }
}

static void add(struct table *table, struct table_part *part, uint32_t owner, uint32_t slot) {
    slots_set(&part->used, slot);
    if (*table->epoch != 0) {
        undo_append(table->store,
                    entry_of(table, owner, slot, UNDO_ADD, is_first(table, part, slot)), NULL, 0);
    }
}

uint32_t table_add(struct table *table, uint32_t owner) {
    struct table_part *part = table_part(table, owner);
    if (part == NULL) {
        part = table_reach(table, owner, 0);
    }
    uint32_t slot = slots_find_free(&part->used);
    if (slot >= part->capacity) {
        part = table_reach(table, owner, slot);
    }
    add(table, part, owner, slot);
    return slot;
}

void table_add_at(struct table *table, uint32_t owner, uint32_t slot) {
    struct table_part *part = table_reach(table, owner, slot);
    must(!slots_has(&part->used, slot));
    add(table, part, owner, slot);
}

void table_remove(struct table *table, uint32_t owner, uint32_t slot) {
    struct table_part *part = table_part(table, owner);
    must(part != NULL && slots_has(&part->used, slot));
    if (*table->epoch != 0) {
        table_save(table, part, owner, slot);
        undo_append(table->store, entry_of(table, owner, slot, UNDO_REMOVE, false), NULL, 0);
    }
    memset(table_place(table, part, slot), 0, table->type.record_size);
    slots_clear(&part->used, slot);
}

uint32_t table_next(const struct table *table, uint32_t owner, uint32_t slot) {
    const struct table_part *part = table_part(table, owner);
    ++*table->walked;
    return part == NULL ? SLOT_NONE : slots_find_used(&part->used, slot);
}

uint32_t table_count(const struct table *table, uint32_t owner) {
    const struct table_part *part = table_part(table, owner);
    return part == NULL ? 0 : part->used.used;
}

uint32_t table_next_owner(const struct table *table, uint32_t owner) {
    uint32_t at = owner;
    while (at / TABLE_BLOCK < table->block_count) {
        struct table_part *const *block = table->block[at / TABLE_BLOCK];
        if (block != NULL && block[at % TABLE_BLOCK] != NULL) {
            return at;
        }
        at = block == NULL ? (at / TABLE_BLOCK + 1) * TABLE_BLOCK : at + 1;
    }
    return OWNER_NONE;
}

static void part_free(struct table_part *part) {
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        void *block = NULL;
        memcpy(&block, part->chunk[chunk] - sizeof block, sizeof block);
        free(block);
    }
    slots_fini(&part->used);
    free(part);
}

struct table *table_new(struct store *store, const uint32_t *epoch, uint64_t *walked,
                        struct table_type type, uint32_t id) {
    must(type.record_size % 8 == 0 && type.record_size > 0);
    must(type.record_size <= TABLE_RECORD_SIZE);
    must(!type.follows || type.sort != TABLE_STATE);
    struct table *table = host_zeroed(1, sizeof *table);
    table->store = store;
    table->epoch = epoch;
    table->walked = walked;
    table->id = id;
    table->seed = mix128(0, type.name, strlen(type.name)).low;
    table->type = type;
    return table;
}

void table_free(struct table *table) {
    if (table == NULL) {
        return;
    }
    for (uint32_t owner = table_next_owner(table, 0); owner != OWNER_NONE;
         owner = table_next_owner(table, owner + 1)) {
        struct table_part *part = table_part(table, owner);
        if (part != NULL) {
            part_free(part);
        }
    }
    for (uint32_t block = 0; block < table->block_count; block++) {
        free(table->block[block]);
    }
    free(table->block);
    free(table);
}

static void copy_part(struct table *to, const struct table_part *from, uint32_t owner) {
    struct table_part *part = table_reach(to, owner, from->capacity - 1);
    if (!to->type.follows) {
        slots_fini(&part->used);
        slots_copy(&part->used, &from->used);
    }
    for (uint32_t chunk = 0; chunk < from->chunk_count; chunk++) {
        memcpy(part->chunk[chunk], from->chunk[chunk],
               table_chunk_records(chunk) * to->type.record_size);
    }
}

void table_copy_records(struct table *to, const struct table *from) {
    for (uint32_t owner = table_next_owner(from, 0); owner != OWNER_NONE;
         owner = table_next_owner(from, owner + 1)) {
        const struct table_part *part = table_part(from, owner);
        if (part != NULL && part->capacity > 0) {
            copy_part(to, part, owner);
        }
    }
}

void table_unadd(struct table *table, uint32_t owner, uint32_t slot) {
    struct table_part *part = table_part(table, owner);
    memset(table_place(table, part, slot), 0, table->type.record_size);
    slots_clear(&part->used, slot);
}

void table_unremove(struct table *table, uint32_t owner, uint32_t slot) {
    slots_set(&table_part(table, owner)->used, slot);
}

void table_forget_stamps(struct table *table) {
    for (uint32_t owner = table_next_owner(table, 0); owner != OWNER_NONE;
         owner = table_next_owner(table, owner + 1)) {
        struct table_part *part = table_part(table, owner);
        for (uint32_t chunk = 0; part != NULL && chunk < part->chunk_count; chunk++) {
            memset(stamp_of(table, part, table_chunk_start(chunk)), 0,
                   table_chunk_records(chunk) * sizeof(uint32_t));
        }
    }
}

uint64_t table_bytes(const struct table *table) {
    uint64_t bytes = sizeof *table + table->block_count * sizeof *table->block;
    for (uint32_t owner = table_next_owner(table, 0); owner != OWNER_NONE;
         owner = table_next_owner(table, owner + 1)) {
        const struct table_part *part = table_part(table, owner);
        if (part != NULL) {
            bytes += sizeof *part +
                     (uint64_t)part->capacity * (table->type.record_size + sizeof(uint32_t));
        }
    }
    return bytes;
}
