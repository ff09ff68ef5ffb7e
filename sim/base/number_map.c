/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number_map.h"

#include <stdlib.h>

#include "base/host.h"
#include "base/mix.h"

struct number_map_entry {
    uint64_t key;
    uint32_t value;
    uint32_t used;
};

void number_map_fini(struct number_map *map) {
    free(map->entries);
    *map = (struct number_map){ 0 };
}

static size_t home_of(const struct number_map *map, uint64_t key) {
    return (size_t)mix64(key, MIX_LOW) & (map->capacity - 1);
}

/* The entry of a key, or the free one where it belongs. */
static size_t place_of(const struct number_map *map, uint64_t key) {
    size_t place = home_of(map, key);
    while (map->entries[place].used != 0 && map->entries[place].key != key) {
        place = (place + 1) & (map->capacity - 1);
    }
    return place;
}

bool number_map_find(const struct number_map *map, uint64_t key, uint32_t *value) {
    if (map->capacity == 0) {
        return false;
    }
    const struct number_map_entry *entry = &map->entries[place_of(map, key)];
    *value = entry->value;
    return entry->used != 0;
}

/* At most two thirds are in use. */
static void grow(struct number_map *map) {
    struct number_map larger = { .capacity = map->capacity == 0 ? 16 : map->capacity * 2 };
    larger.entries = host_zeroed(larger.capacity, sizeof *larger.entries);
    for (size_t place = 0; place < map->capacity; place++) {
        if (map->entries[place].used != 0) {
            larger.entries[place_of(&larger, map->entries[place].key)] = map->entries[place];
        }
    }
    larger.count = map->count;
    free(map->entries);
    *map = larger;
}

void number_map_put(struct number_map *map, uint64_t key, uint32_t value) {
    if (3 * (map->count + 1) > 2 * map->capacity) {
        grow(map);
    }
    struct number_map_entry *entry = &map->entries[place_of(map, key)];
    map->count += entry->used == 0;
    *entry = (struct number_map_entry){ key, value, 1 };
}

/* What stands behind the hole moves up as far as its home allows, so that chains stay whole. */
void number_map_remove(struct number_map *map, uint64_t key) {
    if (map->capacity == 0) {
        return;
    }
    size_t hole = place_of(map, key);
    if (map->entries[hole].used == 0) {
        return;
    }
    size_t mask = map->capacity - 1;
    for (size_t at = (hole + 1) & mask; map->entries[at].used != 0; at = (at + 1) & mask) {
        size_t home = home_of(map, map->entries[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->entries[hole] = map->entries[at];
            hole = at;
        }
    }
    map->entries[hole] = (struct number_map_entry){ 0 };
    map->count--;
}
