/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a JSON text and notes where each value begins. For json.c. */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/problem.h"

/* Where a value begins, and its key when it has one. */
struct json_position {
    uint32_t line;   /* from 1 */
    uint32_t column; /* bytes, from 1 */
    uint32_t key_line;
    uint32_t key_column;
    bool is_set; /* it does not stand in the text: it was set by --set */
    bool is_bad; /* a complaint about this value was made: it is no whole number, or too large */
};

struct json_scan {
    const char *name; /* of the file */
    const char *text;
    size_t size;
    struct problem *problem;
    ARRAY(struct json_position) positions; /* of all values, in the order of the text */
    size_t at;
    size_t line_start;
    uint32_t line;
    uint32_t depth;
};

/* False, with a complaint, when the text is no JSON. Numbers that we do not allow are complained
 * about and marked, and the rest is read on. */
bool json_scan(struct json_scan *scan);
void json_scan_fini(struct json_scan *scan);

/* Bytes of the UTF-8 character at a place; 0 when it is none (RFC 3629). */
size_t json_utf8_size(const char *text, size_t left);

#endif
