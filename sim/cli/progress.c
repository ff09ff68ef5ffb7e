/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS_AT_ONCE = 4096, FIRST_MS = 1000, NEXT_MS = 200, BAR = 30 };

static uint64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void show(struct progress *progress) {
    uint64_t total = 0;
    uint64_t done = 0;
    progress->measure(progress->context, &done, &total);
    int parts = total == 0 || done > total ? BAR : (int)((double)done / (double)total * BAR);
    (void)fprintf(stderr, "\r[%.*s%*s] %" PRIu64 " of %" PRIu64 " %s", parts,
                  "##############################", BAR - parts, "", done, total, progress->unit);
    (void)fflush(stderr);
    progress->is_shown = true;
}

void progress_look(struct progress *progress) {
    if (!progress->is_on || ++progress->looks % LOOKS_AT_ONCE != 0) {
        return;
    }
    uint64_t now = now_ms();
    if (now - progress->last_ms >= (progress->is_shown ? NEXT_MS : FIRST_MS)) {
        progress->last_ms = now;
        show(progress);
    }
}

void progress_open(struct progress *progress, const char *unit, progress_measure *measure,
                   const void *context) {
    *progress = (struct progress){
        .measure = measure,
        .context = context,
        .unit = unit,
        .last_ms = now_ms(),
        .is_on = isatty(STDERR_FILENO) != 0,
    };
}

void progress_close(struct progress *progress) {
    if (progress->is_shown) {
        (void)fprintf(stderr, "\r%*s\r", BAR + 60, "");
    }
}
