/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that tests of sharing and of peer access have in common. */
#ifndef TESTS_SHARING_H
#define TESTS_SHARING_H

#include "machine/handle.h"
#include "machine/share.h"
#include "tests/world.h"

/* Processes and threads of the world, by name. */
enum { A, B, C, D };

#define SHARING_SIZE (2 * MIB)

/* The value of a new handle, of memory on the process's first device or on the host. */
uint64_t sharing_make_memory(struct world *world, uint32_t process);
uint64_t sharing_make_host_memory(struct world *world, uint32_t process);

/* Calls that must succeed; what they return. */
uint64_t sharing_export(struct world *world, uint32_t process, uint64_t handle, uint64_t flags);
uint64_t sharing_import(struct world *world, uint32_t process, uint64_t share, uint32_t device);

/* Lists one process id; the code. */
int32_t sharing_list(struct world *world, uint32_t process, uint64_t share, uint32_t pid);

/* New memory of A, exported, with B on the whitelist; the share. */
uint64_t sharing_prepare(struct world *world);

uint32_t sharing_pid(const struct world *world, uint32_t process); /* on the host */
const struct handle *sharing_handle(const struct world *world, uint32_t process, uint64_t value);
const struct share *sharing_share(const struct world *world, uint64_t value);

/* Drops one reference of a handle, as freeing it does. */
void sharing_free(struct world *world, uint32_t process, uint64_t handle);

/* Ends a process; starts it anew with everything done that the world does at its start. */
void sharing_end(struct world *world, uint32_t process);
void sharing_restart(struct world *world, uint32_t process);

/* Makes a call that must return the code, no output, and leave all state as it was. */
#define sharing_refuses(world, code, thread, name, ...)       \
    sharing_refuses_values((world), (code), (thread), (name), \
                           (const struct acl_record){ .arg = { __VA_ARGS__ } })
void sharing_refuses_values(struct world *world, int32_t code, uint32_t thread, const char *name,
                            struct acl_record record);

#endif
