/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a JSON text and notes where each value begins. For json.c. */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/problem.h"

struct json_position {
    uint32_t line;   /* from 1 */
    uint32_t column; /* bytes, from 1 */
};

/* A key of an object that is open, by its bytes in the text. */
struct json_scan_key {
    size_t start;
    size_t size;
};

struct json_scan {
    const char *name; /* of the file */
    const char *text;
    size_t size;
    struct problem *problem;
    ARRAY(struct json_position) positions; /* of all values, in the order of the text */
    ARRAY(struct json_scan_key) keys;      /* of the objects that are open, outermost first */
    size_t at;
    size_t line_start;
    uint32_t line;
    uint32_t depth;
    bool is_bad; /* a complaint was made; what can go on does */
};

/* False, with complaints, when the text is not what it should be. */
bool json_scan(struct json_scan *scan);
void json_scan_fini(struct json_scan *scan);

#endif
