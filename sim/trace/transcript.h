/* SPDX-License-Identifier: Apache-2.0 */
/* The transcript of a run: a line for each call, when and by whom, what it was and what it gave. */
#ifndef TRACE_TRANSCRIPT_H
#define TRACE_TRANSCRIPT_H

#include <stdio.h>

#include "base/text.h"
#include "machine/machine.h"

struct transcript {
    struct machine *machine; /* borrowed */
    FILE *stream;            /* borrowed */
    struct text line;
};

/* Reads the journal of a machine from now on. */
void transcript_open(struct transcript *transcript, struct machine *machine, FILE *stream);
void transcript_close(struct transcript *transcript);

#endif
