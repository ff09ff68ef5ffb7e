/* SPDX-License-Identifier: Apache-2.0 */
/* Names of simulated things; who did what to them and when: moments, stamps, notes of a life. */
#ifndef MACHINE_MOMENT_H
#define MACHINE_MOMENT_H

#include <stdint.h>

struct process_id {
    uint32_t index;
};
struct thread_id {
    uint32_t index;
};
struct device_id {
    uint32_t index; /* over all servers of the site */
};

/* The name of an object: whose it is, and its slot there. */
struct object_id {
    uint32_t process;
    uint32_t slot;
};

/*
 * Who does something, in which call: what stamps and facts are made of. Work on a stream happens in
 * the name of the thread that queued it, outside of calls; what the end of a process drops, in the
 * name of its first thread.
 */
struct moment {
    uint64_t call; /* calls issued so far in the run; 0 outside of calls */
    uint16_t row;
    struct thread_id thread;
    uint32_t step;
    uint32_t task; /* slot of the work that is done, plus 1; 0 for none */
};

/* Who made a thing. State; the time and the number of the call are notes. */
struct stamp {
    uint32_t thread;
    uint32_t step;
};

/* When a thing was made, last changed and released. It stays until the slot is used again. */
struct life {
    uint64_t made_call;
    uint64_t made_ns;
    uint64_t released_call;
    uint64_t released_ns;
    struct stamp released;
    uint32_t extents; /* where its huge pages lie (pool_take), of things that have pages */
    uint32_t unused;
};

#endif
