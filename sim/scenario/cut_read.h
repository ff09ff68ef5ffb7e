/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the pieces of a cut step. For step_read.c. */
#ifndef SCENARIO_CUT_READ_H
#define SCENARIO_CUT_READ_H

#include "scenario/step_read.h"

enum { CUT_PIECES_MAX = 1000000 }; /* of one step */

/* A list of { "size": VALUE, "at": VALUE, "count": N, "as": "name" }; only the size must be given.
 */
void cut_read_pieces(struct step_reader *reader, const struct json *list, struct step *step);

#endif
