/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/lifetime.h"

#include "base/must.h"

struct due {
    uint64_t time_ns;
};

struct order {
    uint64_t begun;
};

struct entry {
    uint64_t slot; /* of the life */
};

static const struct table_type lifetime_type = { "lifetime", sizeof(struct lifetime), TABLE_STATE,
                                                 false };
static const struct table_type due_type = { "lifetime_due", sizeof(struct due), TABLE_NOTE, true };
static const struct table_type order_type = { "lifetimes_begun", sizeof(struct order), TABLE_STATE,
                                              false };
static const struct table_type heap_type = { "lifetime_heap", sizeof(struct entry), TABLE_INDEX,
                                             false };

struct lifetimes lifetime_bind(struct store *store) {
    return (struct lifetimes){
        .life = store_table(store, &lifetime_type),
        .due = store_table(store, &due_type),
        .order = store_table(store, &order_type),
        .heap = store_table(store, &heap_type),
    };
}

static uint32_t slot_at(const struct lifetimes *lifetimes, uint32_t thread, uint32_t place) {
    return (uint32_t)((const struct entry *)table_get(lifetimes->heap, thread, place))->slot;
}

static void put(struct lifetimes *lifetimes, uint32_t thread, uint32_t place, uint32_t slot) {
    ((struct entry *)table_edit(lifetimes->heap, thread, place))->slot = slot;
}

static uint64_t due_of(const struct lifetimes *lifetimes, uint32_t thread, uint32_t slot) {
    return ((const struct due *)table_get(lifetimes->due, thread, slot))->time_ns;
}

static bool is_before(const struct lifetimes *lifetimes, uint32_t thread, uint32_t slot,
                      uint32_t other) {
    uint64_t due = due_of(lifetimes, thread, slot);
    uint64_t other_due = due_of(lifetimes, thread, other);
    return due != other_due ? due < other_due
                            : lifetime_get(lifetimes, thread, slot)->order <
                                  lifetime_get(lifetimes, thread, other)->order;
}

/* Puts a slot at a place of the heap or above it, behind those that are due before. */
static void rise(struct lifetimes *lifetimes, uint32_t thread, uint32_t place, uint32_t slot) {
    uint32_t at = place;
    while (at > 0) {
        uint32_t above = slot_at(lifetimes, thread, (at - 1) / 2);
        if (!is_before(lifetimes, thread, slot, above)) {
            break;
        }
        put(lifetimes, thread, at, above);
        at = (at - 1) / 2;
    }
    put(lifetimes, thread, at, slot);
}

/* The same from the top down. */
static void sink(struct lifetimes *lifetimes, uint32_t thread, uint32_t slot) {
    uint32_t count = lifetime_count(lifetimes, thread);
    uint32_t at = 0;
    for (uint32_t below = 1; below < count; below = 2 * at + 1) {
        uint32_t next = slot_at(lifetimes, thread, below);
        if (below + 1 < count &&
            is_before(lifetimes, thread, slot_at(lifetimes, thread, below + 1), next)) {
            next = slot_at(lifetimes, thread, ++below);
        }
        if (!is_before(lifetimes, thread, next, slot)) {
            break;
        }
        put(lifetimes, thread, at, next);
        at = below;
    }
    put(lifetimes, thread, at, slot);
}

void lifetime_begin(struct lifetimes *lifetimes, uint32_t thread, struct lifetime life,
                    uint64_t due_ns) {
    if (!table_has(lifetimes->order, 0, thread)) {
        table_add_at(lifetimes->order, 0, thread);
    }
    struct order *order = table_edit(lifetimes->order, 0, thread);
    uint32_t slot = table_add(lifetimes->life, thread);
    struct lifetime *edit = table_edit(lifetimes->life, thread, slot);
    *edit = life;
    edit->order = order->begun++;
    ((struct due *)table_edit(lifetimes->due, thread, slot))->time_ns = due_ns;
    rise(lifetimes, thread, table_add(lifetimes->heap, thread), slot);
}

uint32_t lifetime_count(const struct lifetimes *lifetimes, uint32_t thread) {
    return table_count(lifetimes->heap, thread);
}

uint64_t lifetime_due(const struct lifetimes *lifetimes, uint32_t thread) {
    must(lifetime_count(lifetimes, thread) > 0);
    return due_of(lifetimes, thread, slot_at(lifetimes, thread, 0));
}

uint32_t lifetime_take(struct lifetimes *lifetimes, uint32_t thread) {
    uint32_t count = lifetime_count(lifetimes, thread);
    must(count > 0);
    uint32_t first = slot_at(lifetimes, thread, 0);
    uint32_t last = slot_at(lifetimes, thread, count - 1);
    table_remove(lifetimes->heap, thread, count - 1);
    if (count > 1) {
        sink(lifetimes, thread, last);
    }
    return first;
}

const struct lifetime *lifetime_get(const struct lifetimes *lifetimes, uint32_t thread,
                                    uint32_t slot) {
    return table_get(lifetimes->life, thread, slot);
}

void lifetime_end(struct lifetimes *lifetimes, uint32_t thread, uint32_t slot) {
    table_remove(lifetimes->life, thread, slot);
}

void lifetime_forget(struct lifetimes *lifetimes, uint32_t thread) {
    struct table *const tables[] = { lifetimes->heap, lifetimes->life };
    for (size_t place = 0; place < sizeof tables / sizeof *tables; place++) {
        for (uint32_t slot = table_next(tables[place], thread, 0); slot != SLOT_NONE;
             slot = table_next(tables[place], thread, slot + 1)) {
            table_remove(tables[place], thread, slot);
        }
    }
}
