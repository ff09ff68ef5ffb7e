/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the benchmarks share: sections by name, a help text, the clock, medians and verdicts. Each
 * figure stands beside that of a floor in the same run, because a machine is never twice as fast.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_section {
    const char *name;
    const char *what; /* it measures, and its target */
    void (*run)(void);
    bool is_long; /* only when it is named */
};

/* Runs the sections that are named, or all that are not long; --help tells of them. */
int bench_main(int argc, char **argv, const char *title, const struct bench_section *sections,
               size_t count);

double bench_seconds(void); /* of processor time */
double bench_median(double *value, size_t count);
uint64_t bench_draw(uint64_t *state); /* a random word; the state is never 0 */
double bench_peak_mib(void);          /* of memory of this process so far */
const char *bench_verdict(bool is_met);

enum { BENCH_SEED = 88172645 };

#endif
