/* SPDX-License-Identifier: Apache-2.0 */
/* What a run came to, for a person: steps that did not go as expected, threads that wait in vain,
 * the summary, the digest. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include <stdbool.h>
#include <stdio.h>

#include "scenario/run.h"

enum { OUTCOME_FILE_MAX = 64 << 20 };

/* Prints what was not as expected, and a summary; NULL for nothing. True when all went well. */
bool outcome_print(struct run *run, FILE *stream);

/* "digest <32 hexadecimal digits>" */
void outcome_print_digest(struct run *run, FILE *stream);

#endif
