/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assertions that stay on in every build. A claim that does not hold is our bug, never the user's:
 * the program prints where, what and its last words, and aborts.
 */
#ifndef BASE_MUST_H
#define BASE_MUST_H

#include <stdio.h>

#define must(claim) ((claim) ? (void)0 : must_fail(__FILE__, __LINE__, #claim))

typedef void must_last_words(FILE *stream, void *context);

/* Sets what is printed before an abort, such as the simulated time; NULL for nothing. */
void must_set_last_words(must_last_words *hook, void *context);

/* Ends the program; called by must() only. */
_Noreturn void must_fail(const char *file, int line, const char *claim);

#endif
