/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what is expected: one value for all products, or an object of values by what holds. */
#ifndef SCENARIO_ALTERNATIVE_READ_H
#define SCENARIO_ALTERNATIVE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/step_read.h"

/* Reads one value; false when it complained. */
typedef bool alternative_read(struct step_reader *reader, const struct json *value,
                              int64_t *answer);

void alternative_read_all(struct step_reader *reader, const struct json *value,
                          alternative_read *read, struct step_code *code);

/* A number or the name of a code. */
bool alternative_read_code(struct step_reader *reader, const struct json *value, int64_t *answer);

#endif
