/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fragmentation: how much of what a program asked for, pages, devices and addresses come to. The
 * figures are counted when memory is made and freed, or read off what pools and spaces keep; none
 * is searched for. docs/metrics.md has the formulae. Fractions are parts of METRICS_WHOLE, rounded
 * down; of nothing they are 0.
 */
#ifndef TRACE_METRICS_H
#define TRACE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "machine/machine.h"
#include "memory/range.h"

enum { METRICS_WHOLE = 1000000 };

/* Asked for <= in whole pages <= taken from the device; and what nobody has taken. */
struct metrics_bytes {
    uint64_t requested;
    uint64_t consumed;
    uint64_t reserved;
    uint64_t free;
};

/* One medium of a device. */
struct metrics_pool {
    struct metrics_bytes bytes;      /* free: not consumed, also in cut frames */
    uint64_t unusable[PAGE_CLASSES]; /* of the free bytes: no whole page of the class fits in */
    bool has_giant;                  /* giant pages exist on this product */
};

/* The addresses of a process at which its product places reservations first. */
struct metrics_space {
    uint64_t used;
    uint64_t free;
    uint64_t free_largest; /* in one range */
};

/* What an allocator on top of the calls says of itself: held is what it took with calls. */
struct metrics_allocator {
    uint64_t requested; /* bytes that its users asked for and have */
    uint64_t consumed;  /* in the pieces it gave them */
    uint64_t held;
    uint64_t free;         /* held and not in a piece */
    uint64_t free_largest; /* the largest piece it could give without a call */
};

/* Memory of one process, by who made it. */
struct metrics_process {
    uint64_t requested; /* on devices */
    uint64_t consumed;
    uint64_t host_requested;
    uint64_t host_consumed;
    uint64_t addresses; /* bytes of those for reservations that something lies at */
    bool has_host;      /* it ever had memory of the host */
    bool is_listed;     /* among those that changed */
};

struct metrics {
    const struct machine *machine; /* borrowed */
    struct metrics_process *process;
    uint64_t *requested; /* by pool */
    bool *pool_is_listed;
    uint64_t changes; /* how often memory was made or freed, addresses taken or given back */
    ARRAY(uint32_t) changed_pools; /* since they were last taken */
    ARRAY(uint32_t) changed_processes;
};

/* Counts what there is, and reads the journal of the machine from now on. */
void metrics_open(struct metrics *metrics, struct machine *machine);
void metrics_close(struct metrics *metrics);

/* A medium of a device (MEDIUM_MAIN, MEDIUM_DDR); false when the device has none of it. */
bool metrics_pool(const struct metrics *metrics, uint32_t device, uint32_t medium,
                  struct metrics_pool *pool);
struct metrics_space metrics_space(const struct metrics *metrics, uint32_t process);

/* Takes the next pool (machine_pool) or process of those that changed; false when none is left. */
bool metrics_take_pool(struct metrics *metrics, uint32_t *pool);
bool metrics_take_process(struct metrics *metrics, uint32_t *process);

/* part / whole in parts of METRICS_WHOLE; for part <= whole. */
uint32_t metrics_part(uint64_t part, uint64_t whole);

/* 1 - requested / consumed; unusable / free; 1 - largest / free. */
uint32_t metrics_internal(uint64_t requested, uint64_t consumed);
uint32_t metrics_external(uint64_t free, uint64_t free_largest);

#endif
