/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the lists of a model that are not links: devices of a server with other memory, and the
 * templates of virtual NPUs. A list replaces that of the model it extends; the values of an item
 * have the source of the longest pointer to it.
 */
#ifndef MACHINE_PRODUCT_LISTS_H
#define MACHINE_PRODUCT_LISTS_H

#include "machine/product_value.h"

/* True of a pointer that is one of these lists, which it reads. */
bool product_lists_read(struct product_reader *reader, const struct json *list,
                        const char *pointer);

#endif
