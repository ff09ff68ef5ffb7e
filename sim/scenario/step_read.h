/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the steps of a thread. For scenario.c. */
#ifndef SCENARIO_STEP_READ_H
#define SCENARIO_STEP_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/scenario.h"

struct step_reader {
    struct scenario *scenario;
    struct problem *problem;
    uint32_t process;
    uint32_t number; /* of the next step in its thread, from 1 */
    uint32_t loops;  /* that are open */
    uint64_t rounds; /* of the open loops, multiplied */
    uint64_t total;  /* steps that the thread makes */
    bool is_bad;
};

/* Appends the steps of a list to the scenario; loops inside loops follow each other. */
void step_read_all(struct step_reader *reader, const struct json *list);

/* Compiles a value; the number of a name that a step binds, new or known. */
bool step_read_value(struct step_reader *reader, const struct json *value, bool as_time,
                     struct expression *expression);
uint32_t step_bind(struct step_reader *reader, const struct json *value);

/* Binds a name, or a list of names where null passes an output over; how many there are. Also
 * where nothing else of the step is known, so that later steps may use the names. */
uint32_t step_bind_all(struct step_reader *reader, const struct json *as, struct step *step);

/* The number of a barrier, phase or tag. */
uint32_t step_name(struct step_reader *reader, const struct json *value, const char *what);

#endif
