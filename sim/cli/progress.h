/* SPDX-License-Identifier: Apache-2.0 */
/* How far a long run is, on stderr when that is a terminal; the first second is silent. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* How far the work is, and how far it goes; asked for while it runs. */
typedef void progress_measure(const void *context, uint64_t *done, uint64_t *total);

struct progress {
    progress_measure *measure;
    const void *context; /* of measure, borrowed */
    const char *unit;    /* "steps" */
    uint64_t looks;
    uint64_t last_ms; /* when it last wrote */
    bool is_shown;    /* something stands on the terminal */
    bool is_on;
};

void progress_open(struct progress *progress, const char *unit, progress_measure *measure,
                   const void *context);

/* To be called often: looks at the clock now and then, and writes where it is time to. */
void progress_look(struct progress *progress);

void progress_close(struct progress *progress);

#endif
