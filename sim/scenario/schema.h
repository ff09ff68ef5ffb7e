/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema (2020-12) of a scenario, made from the tables of parts, steps and calls. */
#ifndef SCENARIO_SCHEMA_H
#define SCENARIO_SCHEMA_H

#include "base/text.h"

void schema_write(struct text *text);

/* For schema.c: steps and calls, each a definition. */
void schema_write_steps(struct text *text);

/* For schema.c: figures that may be expected. */
void schema_write_figures(struct text *text);

#endif
