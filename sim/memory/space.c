/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/space.h"

#include "base/must.h"
#include "memory/page.h"

enum {
    SPACE_BITS = 48, /* of an address */
    KIND_SHIFT = 29, /* in the id of a region; below it lies the caller's */
};

static uint64_t pages(uint64_t bytes) {
    must(bytes % PAGE_NORMAL_BYTES == 0);
    return bytes / PAGE_NORMAL_BYTES;
}

static struct range packed(struct space_range range) {
    must(range.kind > SPACE_FREE && range.kind < SPACE_KINDS);
    must(range.id < SPACE_IDS);
    return (struct range){ pages(range.start), pages(range.size),
                           (uint32_t)range.kind << KIND_SHIFT | range.id };
}

static struct space_range unpacked(struct range range) {
    return (struct space_range){
        .start = range.start * PAGE_NORMAL_BYTES,
        .size = range.size * PAGE_NORMAL_BYTES,
        .kind = (enum space_kind)(range.id >> KIND_SHIFT),
        .id = range.id & (SPACE_IDS - 1),
    };
}

/* Whether the addresses lie in one free range of a map. */
static bool is_free(const struct range_map *map, uint32_t process, uint64_t start, uint64_t size) {
    struct range range;
    uint64_t first = pages(start);
    return range_at(map, process, first, &range) && range.id == 0 &&
           pages(size) <= range.start + range.size - first;
}

/* What lies at an address in a map; false when it is free. */
static bool find(const struct range_map *map, uint32_t process, uint64_t address,
                 struct space_range *found) {
    struct range range;
    if (!range_at(map, process, address / PAGE_NORMAL_BYTES, &range) || range.id == 0) {
        return false;
    }
    *found = unpacked(range);
    return true;
}

struct space space_bind(struct store *store) {
    return (struct space){
        .regions = range_map_bind(store, "regions"),
        .mappings = range_map_bind(store, "mappings_by_address"),
    };
}

void space_make(struct space *space, uint32_t process) {
    uint64_t size = pages((uint64_t)1 << SPACE_BITS);
    range_map_make(&space->regions, process, 0, size);
    range_map_make(&space->mappings, process, 0, size);
}

void space_drop(struct space *space, uint32_t process) {
    range_map_drop(&space->regions, process);
    range_map_drop(&space->mappings, process);
}

/* A window in pages. */
static struct range_window inner(struct range_window window) {
    return (struct range_window){ page_count(PAGE_NORMAL, window.from),
                                  window.to / PAGE_NORMAL_BYTES };
}

bool space_fit(const struct space *space, uint32_t process, struct range_window window,
               uint64_t size, uint64_t alignment, uint64_t *start) {
    if (!range_fit(&space->regions, process, inner(window), pages(size), pages(alignment), start)) {
        return false;
    }
    *start *= PAGE_NORMAL_BYTES;
    return true;
}

bool space_add_fit(struct space *space, uint32_t process, struct range_window window,
                   uint64_t alignment, struct space_range *range) {
    struct range place = packed(*range);
    if (!range_take_fit(&space->regions, process, inner(window), pages(alignment), &place)) {
        return false;
    }
    range->start = place.start * PAGE_NORMAL_BYTES;
    return true;
}

bool space_is_free(const struct space *space, uint32_t process, uint64_t start, uint64_t size) {
    return is_free(&space->regions, process, start, size);
}

void space_add(struct space *space, uint32_t process, struct space_range range) {
    range_take(&space->regions, process, packed(range));
}

void space_remove(struct space *space, uint32_t process, uint64_t start) {
    range_give(&space->regions, process, pages(start));
}

bool space_find(const struct space *space, uint32_t process, uint64_t address,
                struct space_range *range) {
    return find(&space->regions, process, address, range);
}

bool space_find_spot(const struct space *space, uint32_t process, uint64_t address,
                     struct range_spot *spot, struct space_range *range) {
    struct range found;
    if (!range_find_spot(&space->regions, process, address / PAGE_NORMAL_BYTES, spot, &found) ||
        found.id == 0) {
        return false;
    }
    *range = unpacked(found);
    return true;
}

void space_remove_spot(struct range_spot *spot) {
    range_give_spot(spot);
}

bool space_is_unmapped(const struct space *space, uint32_t process, uint64_t start, uint64_t size) {
    return is_free(&space->mappings, process, start, size);
}

void space_map(struct space *space, uint32_t process, uint64_t start, uint64_t size, uint32_t id) {
    struct space_range mapping = { start, size, SPACE_RESERVATION, id };
    range_take(&space->mappings, process, packed(mapping));
}

void space_unmap(struct space *space, uint32_t process, uint64_t start) {
    range_give(&space->mappings, process, pages(start));
}

bool space_find_mapping(const struct space *space, uint32_t process, uint64_t address,
                        struct space_range *range) {
    return find(&space->mappings, process, address, range);
}

bool space_next_mapping(const struct space *space, uint32_t process, uint64_t address,
                        struct space_range *range) {
    struct range next;
    if (!range_next_used(&space->mappings, process, address / PAGE_NORMAL_BYTES, &next)) {
        return false;
    }
    *range = unpacked(next);
    return true;
}

uint64_t space_free_bytes(const struct space *space, uint32_t process) {
    return range_totals(&space->regions, process).free * PAGE_NORMAL_BYTES;
}

uint64_t space_free_largest(const struct space *space, uint32_t process) {
    return range_totals(&space->regions, process).free_largest * PAGE_NORMAL_BYTES;
}

uint64_t space_free_longest(const struct space *space, uint32_t process,
                            struct range_window window) {
    return range_longest(&space->regions, process, inner(window)) * PAGE_NORMAL_BYTES;
}
