/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of a run, for a person: with the names that the scenario gives to places. */
#ifndef CLI_FINDING_PRINT_H
#define CLI_FINDING_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "scenario/run.h"

/* The call that was made at a step: its own, or that which ends a lifetime. */
uint32_t finding_row_at(const struct step *step, const struct finding_place *place);

/* Whether the findings are those that the scenario expects. */
bool finding_is_expected(const struct run *run);

/* Prints each finding, and how they differ from what is expected. */
void finding_print_all(const struct run *run, FILE *stream);

/* Appends where something happened: "B:import (line 17), aclrtMemImportFromShareableHandle". */
void finding_name_step(const void *scenario, const struct finding_place *place, struct text *text);

#endif
