/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small world for tests of the machine and the calls: one server with four devices of a product
 * written by hand, processes of one thread each, running and initialised. Calls are made by name.
 */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl.h"
#include "acl/acl_error.h"
#include "machine/process.h"

enum { WORLD_PROCESSES = 4, WORLD_THREADS = 8, WORLD_DEVICES = 8, WORLD_SERVERS = 2 };

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)

struct world {
    struct product *product;
    struct site_server server[WORLD_SERVERS];
    struct site_container container[WORLD_PROCESSES];
    uint32_t visible[WORLD_DEVICES];
    struct site_process process[WORLD_PROCESSES];
    struct site_thread thread[WORLD_THREADS];
    struct site site;
    struct store *store;
    struct machine machine;
    struct acl *acl;
    struct acl_result result; /* of the last call */
    enum engine_policy policy;
    bool places_are_state;
};

/* The product by hand: 910B1-like, 62,432 MiB, 1 GiB pages, every cost different from 0. */
struct product *world_product(void);

/* Fills in site and product; a test may change them before world_start(). */
void world_prepare(struct world *world);

/* Makes the machine, starts every process, calls aclInit and, for a process with a device in the
 * site, aclrtSetDevice. */
void world_start(struct world *world);

void world_init(struct world *world); /* both */
void world_fini(struct world *world);

/*
 * Calls by C name as a thread (thread i belongs to process i unless the test changed the site).
 * The values are those of the record, in order; missing ones are 0. Time passes by the cost.
 * Returns the code; outputs are in world->result.out.
 */
#define world_call(world, thread, name, ...) \
    world_call_values((world), (thread), (name), (const uint64_t[16]){ __VA_ARGS__ }, NULL, 0, 0)
int32_t world_call_values(struct world *world, uint32_t thread, const char *name,
                          const uint64_t *value, const uint64_t *list, uint32_t list_count,
                          uint32_t null_mask);

/* What a device still has free, by the pool. */
uint64_t world_free_bytes(const struct world *world, uint32_t device);

#endif
