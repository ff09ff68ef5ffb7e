/* SPDX-License-Identifier: Apache-2.0 */
/* The traces and pictures of a run that options ask for. */
#ifndef CLI_RUN_TRACE_H
#define CLI_RUN_TRACE_H

#include <stdbool.h>

#include "base/problem.h"
#include "base/text.h"
#include "cli/command.h"
#include "scenario/run.h"
#include "trace/trace.h"

struct run_trace {
    struct run *run;      /* borrowed */
    struct trace *trace;  /* NULL when nothing is asked for */
    const char *folder;   /* of pictures; NULL */
    struct text for_plot; /* the CSV that they are drawn from */
};

/* Opens the files of --trace and --plot, for a run that has not begun; false with a problem. */
bool run_trace_open(struct run_trace *trace, const struct invocation *invocation,
                    const char *product, struct run *run, struct problem *problem);

/* Adds what was found, puts the files in place and draws; false with a problem. */
bool run_trace_finish(struct run_trace *trace, struct problem *problem);
void run_trace_close(struct run_trace *trace);

#endif
