/* SPDX-License-Identifier: Apache-2.0 */
/* Files of bytes in tests, and what a pickle of them says, as text. */
#ifndef TESTS_PICKLED_H
#define TESTS_PICKLED_H

#include <stddef.h>

#include "base/problem.h"

/* Writes the bytes into a file of the test's own and gives its name; pickled_remove() ends it. */
const char *pickled_file(const void *bytes, size_t size);
void pickled_remove(void);

/*
 * Reads the bytes as a pickle. What was told: "set KEY=VALUE;" and "append VALUE;" in order, then
 * "result VALUE"; or "bad: " and the complaint without the name of the file. The text lives until
 * the next call. Words are "red" and "blue".
 */
const char *pickled_tale(const void *bytes, size_t size);
const char *json_tale(const void *bytes, size_t size); /* the same of JSON */
#define pickled(literal) pickled_tale((literal), sizeof(literal) - 1)

#endif
