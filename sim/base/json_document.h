/* SPDX-License-Identifier: Apache-2.0 */
/* How a document is held. For json.c and json_set.c. */
#ifndef BASE_JSON_DOCUMENT_H
#define BASE_JSON_DOCUMENT_H

#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/json_scan.h"

struct json {
    const struct json_document *document;
    const cJSON *item;
    const struct json *parent;
    uint32_t place; /* among the members or items of the parent */
    uint32_t next;  /* values up to the one after this and all inside it */
    struct json_position position;
};

struct json_document {
    char *name;
    cJSON *tree;
    struct json *values; /* in the order of the text */
    size_t count;
};

/* Makes the values of the tree, which come in the order of their positions. */
void json_number_values(struct json_document *document, const struct json_position *positions,
                        size_t count);

/* What a person can read on one line, whatever bytes the string has. */
void json_append_shown(struct text *text, const char *string);

#endif
