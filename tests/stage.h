/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios inside of tests. JSON is written with ' for ". What happens in a run is noted as words:
 * "A:one@20" is the phase "one" of process A at 20 ns, "A>B=5@20" a value sent to B, "B<A=5@20" its
 * arrival, "A:end@20" and "A:killed@20" the end of A, "A:start@20" its beginning. "A:writes-1@20":
 * media units write memory of that source. "A:cut=3/1@20": three pieces and one breach, and before
 * it "A:sub_too_small=64/96@20": what a piece has and needs.
 */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "base/text.h"
#include "scenario/run.h"

struct stage {
    struct product *product; /* that of world.h, unless a test changes it */
    struct scenario *scenario;
    struct run *run;
    struct run_options options;
    struct problem problem;
    struct text happened; /* words with a blank behind each */
};

void stage_init(struct stage *stage);
void stage_fini(struct stage *stage);

/* Reads a scenario; the complaints, one a line, "" for none. The text lives as long as the stage.
 */
const char *stage_read(struct stage *stage, const char *json);

/* The same with "processes" alone, or with the steps of one process A on device 0. */
const char *stage_read_processes(struct stage *stage, const char *json);
const char *stage_read_steps(struct stage *stage, const char *json);

/* Runs what was read to its end; the complaints. */
const char *stage_run(struct stage *stage);

/* Reads processes or steps without a complaint, runs them without one, and gives what happened. */
const char *stage_play(struct stage *stage, const char *processes);
const char *stage_play_steps(struct stage *stage, const char *steps);

/* The digest of the run, as 32 digits; overwritten by the next. */
const char *stage_digest(const struct stage *stage);

/* The complaints of a problem, one a line; the caller frees them. */
char *stage_complaints(const struct problem *problem);

#endif
