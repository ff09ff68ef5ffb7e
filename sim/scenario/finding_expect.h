/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings against what a scenario expects. A list is exact for all that makes a run fail: errors,
 * undefined behaviour, leaks; advice counts where it is listed. Without a list nothing may be
 * found but advice.
 */
#ifndef SCENARIO_FINDING_EXPECT_H
#define SCENARIO_FINDING_EXPECT_H

#include "scenario/part_read.h"
#include "scenario/run.h"

/* Reads one entry of the list: a name, or {"name": how often}. */
void finding_expect_read(struct part_reader *reader, const struct json *json);

struct finding_difference {
    uint32_t row; /* of all rules */
    uint64_t expected;
    uint64_t found;
};

/* The first difference at or after a rule; false when there is none. */
bool finding_expect_next(const struct run *run, uint32_t row,
                         struct finding_difference *difference);

#endif
