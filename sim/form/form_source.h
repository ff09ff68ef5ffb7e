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

struct form_source;

/* NULL, with a problem, when the file can not be opened. The path is borrowed. */
struct form_source *form_source_open(const char *path, struct problem *problem);
void form_source_close(struct form_source *source);

/* Back to the first byte. False, with a problem, when the file can not be read again. */
bool form_source_rewind(struct form_source *source, struct problem *problem);

/* The next byte; -1 at the end, and when reading failed (form_source_failed). */
int form_source_byte(struct form_source *source);

/* The next bytes, all of them or false; NULL passes them over. */
bool form_source_bytes(struct form_source *source, unsigned char *bytes, uint64_t size);

/* The first bytes, before anything was read: at most so many; how many there are. */
size_t form_source_peek(struct form_source *source, unsigned char *bytes, size_t size);

uint64_t form_source_offset(const struct form_source *source); /* of the next byte */
const char *form_source_path(const struct form_source *source);

/* Whether reading failed, as against reached the end; then adds the problem. */
bool form_source_complain(struct form_source *source, struct problem *problem);

#endif
