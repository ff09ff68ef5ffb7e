/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growable string. It starts as struct text text = { 0 } and is always terminated; what is
 * appended must not lie inside the text itself.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

struct text {
    char *bytes; /* NULL until something is appended; text_get() is never NULL */
    size_t size;
    size_t capacity;
};

void text_fini(struct text *text);

/* Empties the text and keeps its room. */
void text_clear(struct text *text);

/* Borrowed until the text changes; "" when empty. */
const char *text_get(const struct text *text);

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const char *bytes, size_t size);
void text_printf(struct text *text, const char *format, ...);

/* Appends the UTF-8 string as a JSON string, quotes and escapes included. */
void text_append_json_string(struct text *text, const char *string);

/* Hands the string to the caller, who frees it with free(); the text is empty afterwards. */
char *text_steal(struct text *text);

#endif
