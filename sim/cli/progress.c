/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { CALLS_PER_LOOK = 4096, FIRST_MS = 1000, NEXT_MS = 200, BAR = 30 };

static uint64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Steps of all threads, loops included. */
static uint64_t steps_of(const struct scenario *scenario) {
    uint64_t total = 0;
    for (size_t place = 0; place < scenario->programs.count; place++) {
        total += scenario->programs.items[place].steps_total;
    }
    return total;
}

static void show(struct progress *progress) {
    uint64_t total = steps_of(run_scenario(progress->run));
    uint64_t done = run_steps(progress->run);
    int parts = total == 0 || done > total ? BAR : (int)((double)done / (double)total * BAR);
    (void)fprintf(stderr, "\r[%.*s%*s] %" PRIu64 " of %" PRIu64 " steps", parts,
                  "##############################", BAR - parts, "", done, total);
    (void)fflush(stderr);
    progress->is_shown = true;
}

static void read_call(void *context, const struct fact *fact, const void *detail) {
    struct progress *progress = context;
    (void)fact;
    (void)detail;
    if (++progress->asked % CALLS_PER_LOOK != 0) {
        return;
    }
    uint64_t now = now_ms();
    if (now - progress->last_ms >= (progress->is_shown ? NEXT_MS : FIRST_MS)) {
        progress->last_ms = now;
        show(progress);
    }
}

void progress_open(struct progress *progress, struct run *run) {
    *progress = (struct progress){ .run = run, .is_on = isatty(STDERR_FILENO) != 0 };
    if (progress->is_on) {
        progress->last_ms = now_ms();
        journal_add_reader(&run_machine(run)->journal, journal_kind(FACT_CALLED), read_call,
                           progress);
    }
}

void progress_close(struct progress *progress) {
    if (progress->is_shown) {
        (void)fprintf(stderr, "\r%*s\r", BAR + 60, "");
    }
}
