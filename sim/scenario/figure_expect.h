/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a run against what a scenario expects: exact ones, and bounds. */
#ifndef SCENARIO_FIGURE_EXPECT_H
#define SCENARIO_FIGURE_EXPECT_H

#include "scenario/figure.h"
#include "scenario/part_read.h"

/* Reads the figures of a group: "totals" or "finally". */
void figure_expect_read(struct part_reader *reader, const struct json *json,
                        enum figure_group group);

struct figure_difference {
    const struct scenario_figure *expected;
    const struct figure_row *row;
    bool is_there;  /* false: the product has no such device */
    uint64_t bound; /* what is expected on this product */
    uint64_t found;
};

/* The first figure at or after a place that is not as expected; the place of the one behind it, 0
 * for none. */
size_t figure_expect_next(const struct run *run, size_t place,
                          struct figure_difference *difference);

/* "/expect/totals/calls is 13, expected exactly 12 (line 30)"; "(--set)" where a setting says so */
void figure_expect_write(const struct figure_difference *difference, struct text *text);

/* "exactly", "at least", "at most" */
const char *figure_expect_bound(const struct scenario_figure *expected);

#endif
