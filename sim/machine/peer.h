/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer access: directed, counted for each process and pair of devices. Data flows both ways only
 * when both directions have a reference, from whichever process (spec: VMM 6).
 */
#ifndef MACHINE_PEER_H
#define MACHINE_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

void peer_enable(struct machine *machine, struct process_id process, struct device_id from,
                 struct device_id to);

/* Drops a reference; false when the process has none. */
bool peer_disable(struct machine *machine, struct process_id process, struct device_id from,
                  struct device_id to);

/* Whether the process may go from a device to another one; to itself it always may. */
bool peer_is_enabled(const struct machine *machine, struct process_id process,
                     struct device_id from, struct device_id to);

/* Whether some process has enabled this direction. */
bool peer_is_open(const struct machine *machine, struct device_id from, struct device_id to);

/* Drops all references that a process has on a device. */
void peer_drop(struct machine *machine, struct process_id process, uint32_t presence);

#endif
