/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver queues: calls that reach the kernel are served one after the other, first come first
 * served, per device, process or server as the product says. That is timing only, so it is all
 * notes. Under a schedule nobody waits but the start moves; under the free policy time stands
 * still.
 */
#ifndef MACHINE_DRIVER_H
#define MACHINE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

struct driver {
    uint64_t busy_until_ns;
    uint32_t first; /* thread that waits longest, plus 1 */
    uint32_t last;
};

/* Whether the thread's call on a device (or SITE_NO_DEVICE) may be served now, in which queue, and
 * how long it waited there; if not, the engine wakes it when it is its turn. */
bool driver_enter(struct machine *machine, struct thread_id thread, uint32_t device,
                  uint32_t *queue, uint64_t *waited_ns);

/* The call that entered a queue keeps it busy for so long. */
void driver_leave(struct machine *machine, uint32_t queue, uint64_t cost_ns);

/* A thread that ends no longer waits. */
void driver_abandon(struct machine *machine, struct thread_id thread);

#endif
