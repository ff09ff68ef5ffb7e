/* SPDX-License-Identifier: Apache-2.0 */
/* How far a long run is, on stderr when that is a terminal; the first second is silent. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "scenario/run.h"

struct progress {
    struct run *run;    /* borrowed */
    uint64_t asked;     /* how often it was asked */
    uint64_t last_ms;   /* when it last wrote */
    bool is_shown;      /* something stands on the terminal */
    bool is_on;
};

void progress_open(struct progress *progress, struct run *run);
void progress_close(struct progress *progress);

#endif
