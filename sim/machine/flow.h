/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that are under way, and how they share: by progressive filling, every link end being one
 * whole that its copies split. For link.c; the tables are notes of a server.
 */
#ifndef MACHINE_FLOW_H
#define MACHINE_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/link.h"

#define FLOW_NO_LINK UINT32_MAX

/* Time is counted in 2^-16 ns of a copy that has its links alone. */
enum { FLOW_WHOLE = 1 << 16 };

struct flow {
    uint32_t end_owner;
    uint32_t end_slot;
    uint32_t end_is_thread;
    uint32_t share;    /* of FLOW_WHOLE: how fast it goes now */
    uint64_t left;     /* of its time alone, in 2^-16 ns, when it last changed speed */
    uint64_t since_ns; /* when that was */
    uint32_t way[2];   /* ends of links that it occupies; FLOW_NO_LINK for none */
};

uint64_t flow_start(struct machine *machine, struct link_way way, uint32_t rule, uint64_t alone_ns,
                    struct flow_end end);
void flow_stop(struct machine *machine, struct flow_end end);
void flow_perform(struct machine *machine, uint32_t server, uint32_t flow);

#endif
