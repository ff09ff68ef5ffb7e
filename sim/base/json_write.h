/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as a program writes it: in formats, ' stands for ". */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include "base/json.h"
#include "base/text.h"

/* Appends what printf() would write, with each ' of the format or its arguments as ". */
void json_write(struct text *text, const char *format, ...);

/* Appends a value that was read, on one line. */
void json_write_value(struct text *text, const struct json *value);

/* Appends a comma and a line break, but for the first item behind a bracket. */
void json_write_next(struct text *text);

#endif
