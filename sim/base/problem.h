/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with a user's input, for a person to read. A problem collects several complaints,
 * so that one reading of a file shows them all; it starts as struct problem problem = { 0 } and is
 * for bad input only, never for our own bugs.
 */
#ifndef BASE_PROBLEM_H
#define BASE_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/array.h"

/* Where a complaint belongs; NULL and 0 stand for unknown. */
struct problem_place {
    const char *file;
    const char *place; /* a JSON pointer or another name for a part of the file */
    uint32_t line;     /* from 1 */
    uint32_t column;   /* from 1, and only beside a line */
};

struct problem_complaint {
    struct problem_place place; /* its strings are owned */
    char *message;              /* owned */
};

struct problem {
    ARRAY(struct problem_complaint) complaints;
};

void problem_fini(struct problem *problem);
bool problem_is_empty(const struct problem *problem);

/* Adds a complaint; the place is copied, the message is written as by printf(). */
void problem_add(struct problem *problem, struct problem_place place, const char *format, ...);

/* Prints one line per complaint, such as "x.json:3:9: /costs/map: "3 weeks" is not a time". */
void problem_print(const struct problem *problem, FILE *stream);

/* The candidate most like the word (the first of equals), borrowed; NULL when none is near. */
const char *problem_nearest(const char *word, const char *const *candidates, size_t count);

#endif
