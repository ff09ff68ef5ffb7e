/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds what, as a small table: a line for each block, handle, reservation, mapping and share
 * of a process, with bytes and references. Compared with the table before, each line is new (+),
 * changed (~), gone (-) or as it was.
 */
#ifndef TRACE_HOLDINGS_H
#define TRACE_HOLDINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"
#include "machine/machine.h"

enum { HOLDINGS_LINES_MAX = 60 }; /* a longer table shows what changed only */

/* One thing that is held: its place in the table, and what is said of it. */
struct holding {
    uint64_t key[2]; /* process and sort, slot and generation */
    char *text;      /* owned */
};

struct holdings {
    const struct machine *machine; /* borrowed */
    bool colour;
    ARRAY(struct holding) lines; /* as last printed, in the order of their keys */
};

void holdings_open(struct holdings *holdings, const struct machine *machine, bool colour);
void holdings_close(struct holdings *holdings);

/* Prints the table as it is now, unless nothing changed since it was last printed. */
void holdings_print(struct holdings *holdings, FILE *stream);

#endif
