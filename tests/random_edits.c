/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/random_edits.h"

#include <check.h>
#include <string.h>

const struct table_type random_edits_types[RANDOM_EDITS_TYPES] = {
    { "state of 8", 8, TABLE_STATE, false },
    { "state of 16", 16, TABLE_STATE, false },
    { "state of 64", 64, TABLE_STATE, false },
    { "state of 256", 256, TABLE_STATE, false },
    { "note of 16", 16, TABLE_NOTE, false },
    { "note of 64 that follows", 64, TABLE_NOTE, true },
    { "index of 8", 8, TABLE_INDEX, false },
    { "index of 64", 64, TABLE_INDEX, false },
    { "index of 16 that follows", 16, TABLE_INDEX, true },
};

const struct random_edits random_edits_shapes[RANDOM_EDITS_SHAPES] = {
    { .seed = 31, .owner_first = 0, .owner_step = 1, .owner_count = 2, .slot_count = 3 },
    { .seed = 32, .owner_first = 7, .owner_step = 1, .owner_count = 3, .slot_count = 400 },
    { .seed = 33, .owner_first = 0, .owner_step = 3, .owner_count = 100, .slot_count = 10 },
    { .seed = 34, .owner_first = 10, .owner_step = 1000, .owner_count = 16, .slot_count = 40 },
};

uint64_t random_edits_next(struct random_edits *edits) {
    edits->seed ^= edits->seed >> 12;
    edits->seed ^= edits->seed << 25;
    edits->seed ^= edits->seed >> 27;
    return edits->seed * UINT64_C(2685821657736338717);
}

uint32_t random_edits_below(struct random_edits *edits, uint32_t limit) {
    return (uint32_t)((random_edits_next(edits) >> 32) * limit >> 32);
}

struct store *random_edits_store_new(void) {
    struct store *store = store_new();
    for (int type = 0; type < RANDOM_EDITS_TYPES; type++) {
        store_table(store, &random_edits_types[type]);
    }
    return store;
}

void random_edits_fill(struct random_edits *edits, void *record, uint32_t size) {
    unsigned char *bytes = record;
    if (random_edits_below(edits, 2) == 0) {
        uint32_t place = random_edits_below(edits, size);
        bytes[place] ^= (unsigned char)(1 + random_edits_below(edits, 255));
        return;
    }
    for (uint32_t place = 0; place < size; place += (uint32_t)sizeof(uint64_t)) {
        uint64_t number = random_edits_next(edits);
        memcpy(bytes + place, &number, sizeof number);
    }
}

/* Adds a record at the lowest free slot, or at any free one. */
static void add(struct random_edits *edits, struct table *table, uint32_t owner) {
    uint32_t slot = random_edits_below(edits, edits->slot_count);
    if (random_edits_below(edits, 2) == 0 || table_has(table, owner, slot)) {
        table_add(table, owner);
    } else {
        table_add_at(table, owner, slot);
    }
}

/* One change of a record, or several that stay in the same epoch. */
static void change(struct random_edits *edits, struct table *table, uint32_t owner, uint32_t slot) {
    uint32_t size = table->type.record_size;
    switch (random_edits_below(edits, 8)) {
    case 0:
    case 1:
        table_remove(table, owner, slot);
        break;
    case 2:
        table_remove(table, owner, slot);
        table_add_at(table, owner, slot);
        break;
    case 3:
        table_remove(table, owner, slot);
        table_add_at(table, owner, slot);
        random_edits_fill(edits, table_edit(table, owner, slot), size);
        break;
    case 4:
        table_edit(table, owner, slot);
        break;
    default:
        random_edits_fill(edits, table_edit(table, owner, slot), size);
        break;
    }
}

static void edit_some_record(struct random_edits *edits, struct table *table) {
    uint32_t place = random_edits_below(edits, edits->owner_count);
    uint32_t owner = edits->owner_first + place * edits->owner_step;
    uint32_t slot = random_edits_below(edits, edits->slot_count);
    uint32_t count = table_count(table, owner);

    if (table->type.follows) {
        random_edits_fill(edits, table_edit(table, owner, slot), table->type.record_size);
    } else if (count == 0 || (count < edits->slot_count && random_edits_below(edits, 3) == 0)) {
        add(edits, table, owner);
    } else {
        uint32_t used = table_next(table, owner, slot);
        change(edits, table, owner, used != SLOT_NONE ? used : table_next(table, owner, 0));
    }
}

void random_edits_apply(struct random_edits *edits, struct store *store, int count) {
    for (int edit = 0; edit < count; edit++) {
        uint32_t type = random_edits_below(edits, RANDOM_EDITS_TYPES);
        edit_some_record(edits, store_table(store, &random_edits_types[type]));
    }
}

static bool owners_equal(const struct table *left, const struct table *right, uint32_t owner,
                         uint32_t slot_count) {
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        if (table_has(left, owner, slot) != table_has(right, owner, slot) ||
            memcmp(table_get(left, owner, slot), table_get(right, owner, slot),
                   left->type.record_size) != 0) {
            return false;
        }
    }
    return table_count(left, owner) == table_count(right, owner);
}

/* Every byte of every sort, looked up one record at a time. */
static bool stores_equal(const struct random_edits *edits, struct store *left,
                         struct store *right) {
    for (int type = 0; type < RANDOM_EDITS_TYPES; type++) {
        const struct table *one = store_table(left, &random_edits_types[type]);
        const struct table *other = store_table(right, &random_edits_types[type]);
        for (uint32_t place = 0; place < edits->owner_count; place++) {
            uint32_t owner = edits->owner_first + place * edits->owner_step;
            if (!owners_equal(one, other, owner, edits->slot_count)) {
                return false;
            }
        }
    }
    return true;
}

void random_edits_check_same(const struct random_edits *edits, struct store *left,
                             struct store *right) {
    ck_assert(stores_equal(edits, left, right));
    ck_assert(store_same(left, right));
    ck_assert(store_alike(left, right));
    ck_assert(hash128_equal(store_hash_afresh(left), store_hash_afresh(right)));
}

void random_edits_check_hash(struct store *store) {
    ck_assert(hash128_equal(store_hash(store), store_hash_afresh(store)));
}
