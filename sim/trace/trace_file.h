/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a trace: a whole file behind a large buffer. What fails is kept until the end, and
 * what follows it is not written. Numbers are written without printf(): a trace has millions of
 * lines.
 */
#ifndef TRACE_TRACE_FILE_H
#define TRACE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/whole_file.h"

enum {
    TRACE_FILE_BUFFER = 1 << 18,
    TRACE_FILE_DIGITS = 20, /* of a number, at most */
};

struct trace_file {
    struct whole_file whole;
    char *buffer;
    size_t used;
};

/* Like the functions of a whole file. */
bool trace_file_open(struct trace_file *file, const char *path, struct problem *problem);
bool trace_file_close(struct trace_file *file, struct problem *problem);
void trace_file_abandon(struct trace_file *file);

/* Makes room for so many bytes, at most TRACE_FILE_BUFFER. */
void trace_file_flush(struct trace_file *file);
static inline char *trace_file_room(struct trace_file *file, size_t bytes) {
    if (TRACE_FILE_BUFFER - file->used < bytes) {
        trace_file_flush(file);
    }
    return file->buffer + file->used;
}

/* Writes bytes of any number; a string; a character; a number in decimal. */
void trace_file_put_bytes(struct trace_file *file, const char *bytes, size_t size);

static inline void trace_file_put(struct trace_file *file, const char *string) {
    trace_file_put_bytes(file, string, strlen(string));
}

static inline void trace_file_put_char(struct trace_file *file, char character) {
    *trace_file_room(file, 1) = character;
    file->used++;
}

void trace_file_put_number(struct trace_file *file, uint64_t number);
void trace_file_put_signed(struct trace_file *file, int64_t number);

/* A fraction in parts of a million: "0.250000". */
void trace_file_put_millionths(struct trace_file *file, uint32_t parts);

/* Microseconds with three decimals: "12.345". */
void trace_file_put_micros(struct trace_file *file, uint64_t time_ns);

/* Writes a number at a place with room for TRACE_FILE_DIGITS; what is behind it. */
char *trace_file_digits(char *at, uint64_t number);

#endif
