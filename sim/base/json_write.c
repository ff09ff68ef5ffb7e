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
