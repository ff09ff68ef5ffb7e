/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map from 64-bit keys to 32-bit values, in open addressing. Nothing walks it, so no result
 * depends on the order of its slots. It starts as struct number_map map = { 0 }.
 */
#ifndef BASE_NUMBER_MAP_H
#define BASE_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_map_entry;

struct number_map {
    struct number_map_entry *entries; /* a power of two of them; NULL at first */
    size_t capacity;
    size_t count;
};

void number_map_fini(struct number_map *map);

bool number_map_find(const struct number_map *map, uint64_t key, uint32_t *value);

/* Adds a key, or gives it another value. */
void number_map_put(struct number_map *map, uint64_t key, uint32_t value);
void number_map_remove(struct number_map *map, uint64_t key); /* no matter if it is there */

#endif
