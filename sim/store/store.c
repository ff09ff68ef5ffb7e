/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/host.h"
#include "base/must.h"
#include "store/table_whole.h"
#include "store/undo.h"

struct store {
    struct undo_log log;
    ARRAY(struct table *) tables;
    struct hash128 hash;
    bool hashing;
    uint32_t depth; /* marks that are open */
    uint64_t walked;
};

struct store *store_new(void) {
    return host_zeroed(1, sizeof(struct store));
}

void store_free(struct store *store) {
    if (store == NULL) {
        return;
    }
    for (size_t id = 0; id < store->tables.count; id++) {
        table_free(store->tables.items[id]);
    }
    array_fini(&store->tables);
    free(store->log.bytes);
    free(store);
}

struct table *store_table(struct store *store, const struct table_type *type) {
    for (size_t id = 0; id < store->tables.count; id++) {
        struct table *table = store->tables.items[id];
        if (strcmp(table->type.name, type->name) == 0) {
            must(table->type.record_size == type->record_size);
            must(table->type.sort == type->sort);
            must(table->type.follows == type->follows);
            return table;
        }
    }
    struct table *table =
        table_new(store, &store->log.epoch, &store->walked, *type, (uint32_t)store->tables.count);
    array_add(&store->tables, table);
    return table;
}

void undo_append(struct store *store, struct undo_entry entry, const void *old, uint32_t old_size) {
    struct undo_log *log = &store->log;
    size_t needs = log->size + old_size + sizeof entry;
    if (needs > log->capacity) {
        log->capacity = needs > log->capacity * 2 ? needs * 2 : log->capacity * 2;
        log->bytes = host_resize(log->bytes, log->capacity, 1);
    }
    unsigned char *end = log->bytes + log->size;
    if (old_size > 0) {
        memcpy(end, old, old_size);
    }
    memcpy(end + old_size, &entry, sizeof entry);
    log->size = needs;
}

/* The entry that ends at a place of the log; *start is where it, or its bytes, begin. */
static struct undo_entry entry_before(const struct store *store, size_t end, size_t *start) {
    struct undo_entry entry;
    must(end >= sizeof entry);
    memcpy(&entry, store->log.bytes + end - sizeof entry, sizeof entry);
    *start = end - sizeof entry;
    if (entry.kind == UNDO_EDIT) {
        *start -= store->tables.items[entry.table]->type.record_size;
    }
    return entry;
}

/* Starts a new epoch: every record is saved again at its next change. */
static void begin_epoch(struct store *store) {
    if (store->log.epoch_last == UINT32_MAX) {
        for (size_t id = 0; id < store->tables.count; id++) {
            table_forget_stamps(store->tables.items[id]);
        }
        store->log.epoch_last = 0;
    }
    store->log.epoch = ++store->log.epoch_last;
}

static struct hash128 record_hash(const struct table *table, uint32_t owner, uint32_t slot,
                                  const void *record) {
    uint64_t name = mix64(table->seed ^ owner, MIX_LOW + slot);
    return mix128(name, record, table->type.record_size);
}

/* Takes what changed since the last hash into the hash. One epoch at the most lies there. */
static void settle_hash(struct store *store) {
    size_t start = store->log.size;
    while (start > store->log.hashed) {
        struct undo_entry entry = entry_before(store, start, &start);
        const struct table *table = store->tables.items[entry.table];
        if (table->type.sort != TABLE_STATE || entry.first == 0) {
            continue;
        }
        if (entry.kind == UNDO_EDIT) {
            struct hash128 old =
                record_hash(table, entry.owner, entry.slot, store->log.bytes + start);
            store->hash = hash128_subtract(store->hash, old);
        }
        const void *record = table_find(table, entry.owner, entry.slot);
        if (record != NULL) {
            struct hash128 new = record_hash(table, entry.owner, entry.slot, record);
            store->hash = hash128_add(store->hash, new);
        }
    }
    if (store->depth == 0) {
        store->log.size = 0;
    }
    store->log.hashed = store->log.size;
    begin_epoch(store);
}

struct hash128 store_hash(struct store *store) {
    if (store->hashing) {
        settle_hash(store);
    } else {
        store->hashing = true;
        store->hash = store_hash_afresh(store);
        store->log.hashed = store->log.size;
        begin_epoch(store);
    }
    return store->hash;
}

struct store_mark store_mark(struct store *store) {
    if (store->hashing && store->log.size > store->log.hashed) {
        settle_hash(store);
    }
    begin_epoch(store);
    store->depth++;
    return (struct store_mark){ store->log.size, store->hash, store->depth, store->hashing };
}

static void undo(struct store *store) {
    size_t start = 0;
    struct undo_entry entry = entry_before(store, store->log.size, &start);
    struct table *table = store->tables.items[entry.table];
    switch ((enum undo_kind)entry.kind) {
    case UNDO_EDIT:
        memcpy(table_place(table, table_part(table, entry.owner), entry.slot),
               store->log.bytes + start, table->type.record_size);
        break;
    case UNDO_ADD:
        table_unadd(table, entry.owner, entry.slot);
        break;
    case UNDO_REMOVE:
        table_unremove(table, entry.owner, entry.slot);
        break;
    }
    store->log.size = start;
}

void store_rollback(struct store *store, const struct store_mark *mark) {
    must(mark->depth > 0 && mark->depth <= store->depth);
    while (store->log.size > mark->log_size) {
        undo(store);
    }
    must(store->log.size == mark->log_size);
    store->depth = mark->depth;
    store->hash = mark->hash;
    store->hashing = mark->hashing;
    store->log.hashed = store->log.size;
    begin_epoch(store);
}

void store_unmark(struct store *store, const struct store_mark *mark) {
    must(mark->depth > 0 && mark->depth == store->depth);
    if (mark->depth > 1) {
        store->depth--;
        return;
    }
    if (store->hashing) {
        settle_hash(store);
    }
    store->depth = 0;
    store->log.size = 0;
    store->log.hashed = 0;
    if (!store->hashing) {
        store->log.epoch = 0;
    }
}

struct store *store_copy(const struct store *store) {
    struct store *copy = store_new();
    for (size_t id = 0; id < store->tables.count; id++) {
        const struct table *from = store->tables.items[id];
        table_copy_records(store_table(copy, &from->type), from);
    }
    return copy;
}

struct hash128 store_hash_afresh(const struct store *store) {
    struct hash128 sum = { 0, 0 };
    for (size_t id = 0; id < store->tables.count; id++) {
        const struct table *table = store->tables.items[id];
        if (table->type.sort != TABLE_STATE) {
            continue;
        }
        for (uint32_t owner = table_next_owner(table, 0); owner != OWNER_NONE;
             owner = table_next_owner(table, owner + 1)) {
            for (uint32_t slot = table_next(table, owner, 0); slot != SLOT_NONE;
                 slot = table_next(table, owner, slot + 1)) {
                const void *record = table_get(table, owner, slot);
                sum = hash128_add(sum, record_hash(table, owner, slot, record));
            }
        }
    }
    return sum;
}

static uint32_t capacity_of(const struct table *table, uint32_t owner) {
    const struct table_part *part = table_part(table, owner);
    return part == NULL ? 0 : part->capacity;
}

/* Equal records at equal slots; a record that was never written counts as zeros. */
static bool owners_equal(const struct table *left, const struct table *right, uint32_t owner) {
    uint32_t slot = left->type.follows ? 0 : table_next(left, owner, 0);
    uint32_t other = right->type.follows ? 0 : table_next(right, owner, 0);
    uint32_t end = SLOT_NONE;
    if (left->type.follows) {
        end = capacity_of(left, owner) > capacity_of(right, owner) ? capacity_of(left, owner)
                                                                   : capacity_of(right, owner);
    }
    while (slot != end) {
        if (slot != other || memcmp(table_get(left, owner, slot), table_get(right, owner, slot),
                                    left->type.record_size) != 0) {
            return false;
        }
        slot = left->type.follows ? slot + 1 : table_next(left, owner, slot + 1);
        other = right->type.follows ? other + 1 : table_next(right, owner, other + 1);
    }
    return left->type.follows || other == SLOT_NONE;
}

/* Every owner of the left one has equal records on the right. */
static bool has_equal_owners(const struct table *left, const struct table *right) {
    for (uint32_t owner = table_next_owner(left, 0); owner != OWNER_NONE;
         owner = table_next_owner(left, owner + 1)) {
        if (!owners_equal(left, right, owner)) {
            return false;
        }
    }
    return true;
}

/* Both ways, because an owner may have records on one side only. */
static bool tables_equal(const struct table *left, const struct table *right) {
    return has_equal_owners(left, right) && has_equal_owners(right, left);
}

static bool equal_up_to(const struct store *left, const struct store *right, enum table_sort sort) {
    must(left->tables.count == right->tables.count);
    for (size_t id = 0; id < left->tables.count; id++) {
        const struct table *table = left->tables.items[id];
        const struct table *other = right->tables.items[id];
        must(strcmp(table->type.name, other->type.name) == 0);
        if (table->type.sort <= sort && !tables_equal(table, other)) {
            return false;
        }
    }
    return true;
}

bool store_alike(const struct store *left, const struct store *right) {
    return equal_up_to(left, right, TABLE_STATE);
}

bool store_same(const struct store *left, const struct store *right) {
    return equal_up_to(left, right, TABLE_NOTE);
}

uint64_t store_walked(const struct store *store) {
    return store->walked;
}

uint64_t store_bytes(const struct store *store) {
    uint64_t bytes = sizeof *store + store->log.capacity;
    for (size_t id = 0; id < store->tables.count; id++) {
        bytes += table_bytes(store->tables.items[id]);
    }
    return bytes;
}
