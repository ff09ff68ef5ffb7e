/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A typed growable array. ARRAY(struct page) pages = { 0 } is an empty one; its items are read as
 * pages.items[index], for indices below pages.count. Adding may move the items, so a pointer to one
 * lives until the next array_add(). The macros use their first argument several times.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/host.h"

#define ARRAY(type)      \
    struct {             \
        type *items;     \
        size_t count;    \
        size_t capacity; \
    }

/* Makes room for at least the given number of items in total. */
#define array_reserve(array, total)                                                    \
    ((void)((array)->items = array_resize((array)->items, (total), &(array)->capacity, \
                                          sizeof *(array)->items)))

/* Appends a copy of the item, which may be a compound literal. */
#define array_add(array, ...)                    \
    (array_reserve((array), (array)->count + 1), \
     (void)((array)->items[(array)->count++] = (__VA_ARGS__)))

/* Forgets all items and keeps the room. */
#define array_clear(array) ((void)((array)->count = 0))

/* Releases the room; the array is empty and usable afterwards. */
#define array_fini(array) \
    (free((array)->items), (array)->items = NULL, (array)->count = 0, (void)((array)->capacity = 0))

/* Grows by doubling, which keeps a long series of additions linear; for the macros above only. */
static inline void *array_resize(void *items, size_t total, size_t *capacity, size_t size) {
    if (total <= *capacity) {
        return items;
    }
    size_t doubled = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;
    size_t wanted = doubled > total ? doubled : total;
    *capacity = wanted > 8 ? wanted : 8;
    return host_resize(items, *capacity, size);
}

#endif
