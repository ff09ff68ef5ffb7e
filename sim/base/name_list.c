/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name_list.h"

#include <string.h>

#include "base/mix.h"

void name_list_fini(struct name_list *list) {
    array_fini(list);
    array_fini(&list->scopes);
    number_map_fini(&list->map);
}

static uint64_t key_of(uint64_t scope, const char *name) {
    struct hash128 hash = mix128(scope, name, strlen(name));
    return mix64(hash.low, hash.high);
}

static bool is_it(const struct name_list *list, uint32_t number, uint64_t scope, const char *name) {
    return list->scopes.items[number] == scope && strcmp(list->items[number], name) == 0;
}

/* The key under which a name stands, or the free one where it belongs: names of one hash follow
 * each other. */
static uint64_t place_of(const struct name_list *list, uint64_t scope, const char *name,
                         uint32_t *number) {
    uint64_t key = key_of(scope, name);
    while (number_map_find(&list->map, key, number)) {
        if (is_it(list, *number, scope, name)) {
            return key;
        }
        key++;
    }
    *number = NAME_NONE;
    return key;
}

uint32_t name_list_add(struct name_list *list, uint64_t scope, const char *name) {
    uint32_t before = NAME_NONE;
    uint64_t key = place_of(list, scope, name, &before);
    array_add(list, name);
    array_add(&list->scopes, scope);
    if (before == NAME_NONE) {
        number_map_put(&list->map, key, (uint32_t)list->count - 1);
    }
    return (uint32_t)list->count - 1;
}

uint32_t name_list_find(const struct name_list *list, uint64_t scope, const char *name) {
    uint32_t number = NAME_NONE;
    (void)place_of(list, scope, name, &number);
    return number;
}
