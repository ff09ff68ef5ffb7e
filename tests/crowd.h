/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many processes of one thread each on many servers, all running and initialised with a device
 * set: process p is on server p % servers. For what must not grow with their number.
 */
#ifndef TESTS_CROWD_H
#define TESTS_CROWD_H

#include <stdint.h>

#include "acl/acl.h"

struct crowd_size {
    uint32_t servers;
    uint32_t devices; /* on each server */
    uint32_t processes;
};

struct crowd {
    struct product *product;
    struct site_server *server;
    struct site_process *process;
    struct site_thread *thread;
    struct site site;
    struct store *store;
    struct machine machine;
    struct acl *acl;
};

/* Caller owns, crowd_free(). */
struct crowd *crowd_new(struct crowd_size size, enum engine_policy policy);
void crowd_free(struct crowd *crowd);

/* Makes a call as a process, which must succeed or wait; returns its first output. */
uint64_t crowd_call(struct crowd *crowd, uint32_t process, const char *name,
                    const struct acl_record *values);

#endif
