/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/host.h"
#include "base/must.h"

/* Makes room for more bytes and a terminator. */
static void reserve(struct text *text, size_t more) {
    if (more >= SIZE_MAX - text->size) {
        host_out_of_memory();
    }
    text->bytes = array_resize(text->bytes, text->size + more + 1, &text->capacity, 1);
}

void text_fini(struct text *text) {
    free(text->bytes);
    *text = (struct text){ 0 };
}

void text_clear(struct text *text) {
    text->size = 0;
    if (text->bytes != NULL) {
        text->bytes[0] = '\0';
    }
}

const char *text_get(const struct text *text) {
    return text->bytes != NULL ? text->bytes : "";
}

void text_append_bytes(struct text *text, const char *bytes, size_t size) {
    reserve(text, size);
    if (size > 0) {
        memcpy(text->bytes + text->size, bytes, size);
    }
    text->size += size;
    text->bytes[text->size] = '\0';
}

void text_append(struct text *text, const char *string) {
    text_append_bytes(text, string, strlen(string));
}

void text_printf(struct text *text, const char *format, ...) {
    va_list arguments;
    va_list again;

    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    must(length >= 0);
    size_t size = (size_t)length;
    reserve(text, size);
    (void)vsnprintf(text->bytes + text->size, size + 1, format, again);
    text->size += size;
    va_end(again);
    va_end(arguments);
}

/* The letter that follows the backslash in a short escape, or 0. */
static char short_escape(char byte) {
    switch (byte) {
    case '"':
    case '\\':
        return byte;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return 0;
    }
}

static void append_json_byte(struct text *text, char byte) {
    char letter = short_escape(byte);
    if (letter != 0) {
        text_append_bytes(text, (const char[]){ '\\', letter }, 2);
    } else if ((unsigned char)byte < 0x20) {
        text_printf(text, "\\u%04x", (unsigned)(unsigned char)byte);
    } else {
        text_append_bytes(text, &byte, 1);
    }
}

void text_append_json_string(struct text *text, const char *string) {
    text_append(text, "\"");
    for (const char *next = string; *next != '\0'; next++) {
        append_json_byte(text, *next);
    }
    text_append(text, "\"");
}

char *text_steal(struct text *text) {
    reserve(text, 0);
    char *bytes = text->bytes;
    bytes[text->size] = '\0';
    *text = (struct text){ 0 };
    return bytes;
}
