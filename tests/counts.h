/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counts of handles and shares in the notation of the specification's traces (VMM 8.4), and
 * the invariants that stand there, counted anew from the records.
 */
#ifndef TESTS_COUNTS_H
#define TESTS_COUNTS_H

#include <stddef.h>

#include "tests/sharing.h"

/* What each device had free before the trace. */
struct counts {
    uint64_t free_bytes[WORLD_DEVICES];
};

struct counts counts_begin(const struct world *world);

/*
 * Fails the test when the state is another one, or breaks an invariant: "h(2,1) h'(1,0) S(2) P".
 * h stands for handles of process A, h' for those of the others, each with references and maps, S
 * for shares with their users, P for each 2 MiB that devices lack.
 */
void counts_check(const struct counts *counts, const struct world *world, const char *expected,
                  size_t step);

#endif
