/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_write.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/host.h"
#include "base/must.h"

void json_write(struct text *text, const char *format, ...) {
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    must(size >= 0);
    char *bytes = host_resize(NULL, (size_t)size + 1, 1);
    (void)vsnprintf(bytes, (size_t)size + 1, format, again);
    va_end(again);
    for (char *at = bytes; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    text_append_bytes(text, bytes, (size_t)size);
    free(bytes);
}

void json_write_next(struct text *text) {
    char last = text->size == 0 ? '{' : text->bytes[text->size - 1];
    text_append(text, last == '{' || last == '[' ? "\n" : ",\n");
}

void json_write_value(struct text *text, const struct json *value) {
    bool is_object = json_type(value) == JSON_OBJECT;
    switch (json_type(value)) {
    case JSON_NULL:
        text_append(text, "null");
        return;
    case JSON_FALSE:
        text_append(text, "false");
        return;
    case JSON_TRUE:
        text_append(text, "true");
        return;
    case JSON_NUMBER:
        text_printf(text, "%lld", (long long)json_integer(value));
        return;
    case JSON_STRING:
        text_append_json_string(text, json_string(value));
        return;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    text_append(text, is_object ? "{" : "[");
    for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
        text_append(text, at == json_first(value) ? "" : ",");
        if (is_object) {
            text_append_json_string(text, json_key(at));
            text_append(text, ":");
        }
        json_write_value(text, at);
    }
    text_append(text, is_object ? "}" : "]");
}
