/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a run: a row for each, for the run as a whole, a process, a device, a call.
 * The JSON document, expectations and the schema are made from the rows.
 */
#ifndef SCENARIO_FIGURE_H
#define SCENARIO_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/run.h"

enum figure_scope { FIGURE_RUN, FIGURE_PROCESS, FIGURE_DEVICE, FIGURE_CALL, FIGURE_SCOPES };
enum figure_unit { FIGURE_COUNT, FIGURE_BYTES, FIGURE_NS };

/* What is counted over the run, and what is there in the end: of a process, when it ends. */
enum figure_group { FIGURE_TOTALS, FIGURE_FINALLY, FIGURE_GROUPS };

struct figure_row {
    const char *name; /* "calls"; NULL behind the last */
    enum figure_group group;
    enum figure_scope scope;
    enum figure_unit unit;
    size_t offset; /* in what holds the figures of the scope */
};

/* All rows, those of one scope in the order in which they are written. */
const struct figure_row *figure_rows(void);

/* Where the figures of a scope stand in a group, such as "processes"; NULL when it has none. */
const char *figure_scope_key(enum figure_group group, enum figure_scope scope);

/* "calls" of a group and scope; NULL when it has none of this name. */
const struct figure_row *figure_find(enum figure_group group, enum figure_scope scope,
                                     const char *name);

/* Appends the name that is nearest to one that is none, or else all that there are. */
void figure_write_known(enum figure_group group, enum figure_scope scope, const char *name,
                        struct text *text);

/* The value; the place is that of the process, of the device among all, or of the call's row. */
uint64_t figure_get(const struct run *run, const struct figure_row *row, uint32_t place);

/* "12", "4MiB", "15us" */
void figure_write(const struct figure_row *row, uint64_t value, struct text *text);

#endif
