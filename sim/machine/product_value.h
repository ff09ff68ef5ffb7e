/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a model: which member of a product it is, and where it is from. */
#ifndef MACHINE_PRODUCT_VALUE_H
#define MACHINE_PRODUCT_VALUE_H

#include "base/json.h"
#include "base/text.h"
#include "machine/product.h"

struct product_reader {
    struct product *product;
    const char *model;          /* whose file it is */
    const struct json *sources; /* of that file; NULL: none */
    struct problem *problem;
};

/* Reads a value, or all values inside an object; the pointer is restored. */
void product_read_value(struct product_reader *reader, const struct json *value,
                        struct text *pointer);

/* Notes a value and its source; complains when it has none. */
void product_note_source(struct product_reader *reader, const struct json *value,
                         const char *pointer, const char *written);

#endif
