/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transcript of a run: a line for each call, when and by whom, what it was and what it gave; in
 * steps also, behind each call that changed it, the table of who holds what.
 */
#ifndef TRACE_TRANSCRIPT_H
#define TRACE_TRANSCRIPT_H

#include <stdio.h>

#include "base/text.h"
#include "machine/machine.h"
#include "trace/holdings.h"

enum { TRANSCRIPT_GIVEN = 6 };

/* What an ending process gave back, of one sort. */
struct transcript_given {
    uint64_t count;
    uint64_t bytes;
};

struct transcript {
    struct machine *machine; /* borrowed */
    FILE *stream;            /* borrowed */
    struct text line;
    struct transcript_given given[TRANSCRIPT_GIVEN];
    struct holdings holdings;
    bool steps;
    bool colour;
};

struct transcript_form {
    bool steps;  /* with tables of who holds what */
    bool colour; /* for a terminal */
};

/* Reads the journal of a machine from now on. */
void transcript_open(struct transcript *transcript, struct machine *machine, FILE *stream,
                     struct transcript_form form);
void transcript_close(struct transcript *transcript);

#endif
