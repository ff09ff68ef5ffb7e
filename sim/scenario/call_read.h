/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a call step: arguments by the names of the C prototype or of the Python function. */
#ifndef SCENARIO_CALL_READ_H
#define SCENARIO_CALL_READ_H

#include "scenario/step_read.h"

/* Complains that there is no call of this name, which is the value or in its key, and names the
 * nearest. */
void call_complain(struct step_reader *reader, const struct json *value, const char *name);

void call_read(struct step_reader *reader, const struct json *json, struct step *step);

#endif
