/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes, their threads, and the devices they use. A presence is what one process is on one
 * device: how often it set it, and the holder of its memory there. It stays when the process ends,
 * because memory that it exported may outlive it.
 */
#ifndef MACHINE_PROCESS_H
#define MACHINE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

enum process_life { PROCESS_WAITING, PROCESS_RUNNING, PROCESS_ENDED };
enum process_end { PROCESS_EXITED, PROCESS_KILLED };
enum { MEDIUM_MAIN, MEDIUM_DDR, MEDIA };
enum { PRESENCES = 512 };
#define PRESENCE_NONE UINT32_MAX

struct process {
    uint32_t life;        /* enum process_life */
    uint32_t incarnation; /* how often it was started */
    uint32_t inits;       /* aclInit without aclFinalize */
    uint32_t finalized;
    uint32_t generation; /* of its next object: tells it from earlier ones at the same slot */
    uint32_t opened;     /* it has set some device: the driver is open */
    uint64_t media_bytes;
    uint64_t unused;
};

struct thread {
    uint32_t current; /* presence it works on, plus 1; 0 when it has set no device */
    uint32_t unused;
};

struct thread_turn {
    uint32_t has_turn; /* it waited for the driver and is the next one */
    uint32_t next;     /* who waits behind it, plus 1 */
    uint32_t before;   /* who waits before it, plus 1; 0 for the first, and where nobody waits */
    uint32_t queue;    /* where it waits: the call may be the one that changes its device */
    uint64_t since_ns; /* when it began to wait */
};

struct thread_asked {
    uint64_t since_ns; /* plus 1; 0 when it does not wait */
};

struct presence {
    uint32_t device;
    uint32_t sets;           /* aclrtSetDevice without aclrtResetDevice */
    uint32_t default_stream; /* plus 1 */
    uint32_t unused;
};

struct warmth {
    uint64_t sets;
};

struct peer {
    uint64_t references;
};

void process_start(struct machine *machine, struct process_id process);

/* Ends a process: what it mapped, held, reserved and allocated is dropped, in that order. */
void process_end(struct machine *machine, struct process_id process, enum process_end reason);

static inline const struct process *process_get(const struct machine *machine,
                                                struct process_id process) {
    return table_get(machine->process, 0, process.index);
}

static inline struct process_id process_of_thread(const struct machine *machine,
                                                  struct thread_id thread) {
    return (struct process_id){ machine->site->thread[thread.index].process };
}

/* One more initialisation; the end of all of them. */
void process_initialise(struct machine *machine, struct process_id process);
void process_finalise(struct machine *machine, struct process_id process);

/* Media memory counts against a quota of the process. */
void process_add_media(struct machine *machine, struct process_id process, uint64_t bytes);
void process_remove_media(struct machine *machine, struct process_id process, uint64_t bytes);

/* The number that tells the process's next object from others at the same slot; never 0. */
static inline uint32_t process_next_generation(struct machine *machine, struct process_id process) {
    return ++((struct process *)table_edit(machine->process, 0, process.index))->generation;
}

/* The presence on a device, and making it on first use; PRESENCE_NONE when there is none. */
uint32_t process_find_presence(const struct machine *machine, struct process_id process,
                               struct device_id device);
uint32_t process_make_presence(struct machine *machine, struct process_id process,
                               struct device_id device);
static inline const struct presence *
process_presence(const struct machine *machine, struct process_id process, uint32_t presence) {
    return table_get(machine->presence, process.index, presence);
}

/* How the copy of a thread's synchronous call is known to the links. */
struct flow_end process_copy_end(const struct machine *machine, struct thread_id thread);

/* What a thread works on; PRESENCE_NONE when it has set no device. */
static inline uint32_t process_current(const struct machine *machine, struct thread_id thread) {
    return ((const struct thread *)table_get(machine->thread, 0, thread.index))->current - 1;
}

void process_set_current(struct machine *machine, struct thread_id thread, uint32_t presence);

void process_set_device(struct machine *machine, struct thread_id thread, uint32_t presence);

/* Whether some process ever set a device: the first time costs more. */
bool process_was_set(const struct machine *machine, struct device_id device);

/* The last reset of a device drops what the process has there. */
void process_reset_device(struct machine *machine, struct process_id process, uint32_t presence,
                          bool force);

/* The holder of a process's memory on a device and medium; the pool it takes from. */
static inline uint32_t process_holder(struct process_id process, uint32_t presence,
                                      uint32_t medium) {
    return (process.index * PRESENCES + presence) * MEDIA + medium;
}

uint32_t machine_pool(uint32_t device, uint32_t medium);
const struct product *machine_product(const struct machine *machine, uint32_t device);

#endif
