/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the distributions of a scenario, and writes what the schema says of one. */
#ifndef SCENARIO_DISTRIBUTION_READ_H
#define SCENARIO_DISTRIBUTION_READ_H

#include "base/text.h"
#include "scenario/part_read.h"

/* Adds one by its name; complaints when its table can not be made. */
void distribution_read(struct part_reader *reader, const struct json *json);

/* The definitions "distribution" and what it is made of. */
void distribution_write_schema(struct text *text);

#endif
