/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of a run, kept while it goes on: calls and their time by process, memory by process and
 * by device with the most there ever was. Memory is counted in the bytes of the pages it takes.
 * Shared memory counts for the process that made it, until its last user gives it back.
 */
#ifndef TRACE_TOTALS_H
#define TRACE_TOTALS_H

#include <stdint.h>

#include "machine/machine.h"

struct totals_level {
    uint64_t bytes; /* now */
    uint64_t peak;
    uint64_t peak_ns; /* when the peak was first reached */
};

/* What a process holds when it ends, or at the end of the run. */
struct totals_held {
    uint64_t blocks;
    uint64_t block_bytes;
    uint64_t host_blocks;
    uint64_t host_block_bytes;
    uint64_t handles;
    uint64_t reservations;
    uint64_t mappings;
    uint64_t shares; /* of what it exported */
    uint64_t streams;
    uint64_t events;
};

struct totals_process {
    uint64_t calls;
    uint64_t refused; /* of the calls */
    uint64_t call_ns; /* busy in calls */
    uint64_t queue_ns;
    uint64_t blocks_bytes; /* of device and host, what goes when the process ends */
    uint64_t host_blocks_bytes;
    struct totals_level device;
    struct totals_level host;
    struct totals_held held;
};

/* Of one call, by whoever made it. */
struct totals_call {
    uint64_t times;
    uint64_t refused;
    uint64_t call_ns;
    uint64_t queue_ns;
};

struct totals {
    const struct machine *machine; /* borrowed */
    struct totals_process *process;
    struct totals_level *device;
    struct totals_call *call; /* by row */
    uint64_t calls;
    uint64_t refused;
};

/* Reads the journal of a machine from now on. */
void totals_open(struct totals *totals, struct machine *machine);
/* At the end of a run: what processes hold that have not ended. */
void totals_settle(struct totals *totals);

void totals_close(struct totals *totals);

#endif
