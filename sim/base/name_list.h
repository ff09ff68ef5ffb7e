/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names by number, in the order in which they were added, with an index: to find one costs the same
 * however many there are. A name belongs to a scope; in another one it is another name. It starts
 * as struct name_list names = { 0 }.
 */
#ifndef BASE_NAME_LIST_H
#define BASE_NAME_LIST_H

#include "base/array.h"
#include "base/number_map.h"

#define NAME_NONE UINT32_MAX

struct name_list {
    const char **items; /* borrowed */
    size_t count;
    size_t capacity;
    ARRAY(uint64_t) scopes; /* as many */
    struct number_map map;  /* numbers by a hash of scope and name */
};

void name_list_fini(struct name_list *list);

/* The number that it gets. Of a name that is there already the first is found. */
uint32_t name_list_add(struct name_list *list, uint64_t scope, const char *name);

uint32_t name_list_find(const struct name_list *list, uint64_t scope, const char *name);

#endif
