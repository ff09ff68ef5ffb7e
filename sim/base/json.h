/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strict reading of JSON that a person wrote. cJSON builds the tree; a scanner over the same text
 * knows where each value stands, and refuses what JSON or we do not allow: duplicate keys,
 * numbers with a fraction or beyond 2^53, deep nesting, bytes that are not UTF-8, large files.
 * Complaints name file, JSON pointer, line and column.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

enum { JSON_DEPTH_MAX = 100, JSON_BYTES_MAX = 64 << 20 };

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json_document;
struct json; /* a value; borrowed from its document */

/*
 * NULL, with a problem, when the file can not be read or is no JSON. Of numbers that we do not
 * allow and of keys that stand twice there is a document beside the complaint, so that the reader
 * goes on and finds all mistakes; whether there were any, the problem says. A value that was
 * complained about gets no second complaint.
 */
struct json_document *json_read(const char *path, struct problem *problem);
struct json_document *json_parse(const char *name, const char *text, size_t size,
                                 struct problem *problem); /* caller owns, json_free() */
void json_free(struct json_document *document);
const struct json *json_root(const struct json_document *document);
const char *json_name(const struct json_document *document); /* of the file */

enum json_type json_type(const struct json *value);
const char *json_type_name(const struct json *value); /* "an object", "a number", … */
bool json_is_bool(const struct json *value);
const char *json_string(const struct json *value); /* of a JSON_STRING */
int64_t json_integer(const struct json *value);    /* of a JSON_NUMBER */
const char *json_key(const struct json *value);    /* of a member of an object */
uint32_t json_line(const struct json *value);
bool json_is_set(const struct json *value); /* by --set: it stands in no file */

/* The members or items, in the order of the file; NULL after the last. */
const struct json *json_first(const struct json *value);
const struct json *json_next(const struct json *value);
uint32_t json_count(const struct json *value);
const struct json *json_find(const struct json *object, const char *key); /* NULL if absent */

/* Appends the JSON pointer (RFC 6901) to a value. */
struct text;
void json_write_pointer(const struct json *value, struct text *pointer);

/* Adds a complaint about a value: what stands there and what was expected. */
void json_complain(const struct json *value, struct problem *problem, const char *format, ...);

/* The same, at the key of a member. */
void json_complain_of_key(const struct json *value, struct problem *problem, const char *format,
                          ...);

/* Complains about every member that is not among the keys, naming the nearest. */
bool json_check_keys(const struct json *object, const char *const *keys, size_t count,
                     struct problem *problem);

/* Complains unless the value has the type; `what` says what it is for. */
bool json_expect(const struct json *value, enum json_type type, const char *what,
                 struct problem *problem);

#endif
