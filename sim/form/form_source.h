/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a file, one after the other. What gzip packed is unpacked on the way; which it is,
 * the first bytes tell. Offsets count unpacked bytes.
 */
#ifndef FORM_FORM_SOURCE_H
#define FORM_FORM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

/* What functions of this header share; others leave it alone. */
struct form_source {
    const unsigned char *at; /* the next of the bytes that were read and not taken */
    const unsigned char *end;
    uint64_t end_offset;
    struct form_file *file;
};

/* NULL, with a problem, when the file can not be opened. The path is borrowed. */
struct form_source *form_source_open(const char *path, struct problem *problem);
void form_source_close(struct form_source *source);

/* Back to the first byte. False, with a problem, when the file can not be read again. */
bool form_source_rewind(struct form_source *source, struct problem *problem);

/* Reads on when all bytes were taken: the next byte, or -1. */
int form_source_more(struct form_source *source);

/* The next byte; -1 at the end, and when reading failed (form_source_complain). */
static inline int form_source_byte(struct form_source *source) {
    return source->at < source->end ? *source->at++ : form_source_more(source);
}

/* The next bytes, all of them or false; NULL passes them over. */
bool form_source_bytes(struct form_source *source, unsigned char *bytes, uint64_t size);

/* As many of the next bytes in place, or NULL when they do not lie together; for small sizes. */
static inline const unsigned char *form_source_take(struct form_source *source, size_t size) {
    if ((size_t)(source->end - source->at) < size) {
        return NULL;
    }
    source->at += size;
    return source->at - size;
}

/* The first bytes, before anything was read: at most so many; how many there are. */
size_t form_source_peek(struct form_source *source, unsigned char *bytes, size_t size);

/* Of the next byte. */
static inline uint64_t form_source_offset(const struct form_source *source) {
    return source->end_offset - (uint64_t)(source->end - source->at);
}

const char *form_source_path(const struct form_source *source);

/* Whether reading failed, as against reached the end; then adds the problem. */
bool form_source_complain(struct form_source *source, struct problem *problem);

#endif
