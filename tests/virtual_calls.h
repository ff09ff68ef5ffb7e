/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory in tests: calls that must work, in one line each, and calls that must not. */
#ifndef TESTS_VIRTUAL_CALLS_H
#define TESTS_VIRTUAL_CALLS_H

#include <stdint.h>

#include "tests/world.h"

/* aclrtMemAttr */
enum { HBM_HUGE = 4, HBM_GIANT = 10, MEM_NORMAL = 12, MEM_HUGE = 13, P2P_HUGE = 16 };

/* aclrtMemLocationType */
enum { ON_HOST = 0, ON_DEVICE = 1, UNREGISTERED = 2, MANAGED = 3, ON_NODE = 4 };

/* The handle of HBM_HUGE memory on device 0; of an attribute at a location. */
uint64_t virtual_create(struct world *world, uint32_t thread, uint64_t size);
uint64_t virtual_create_at(struct world *world, uint32_t thread, uint64_t size, uint64_t attribute,
                           uint64_t location, uint64_t id);

/* A reservation anywhere; one with memory of device 0 mapped at its start. */
uint64_t virtual_reserve(struct world *world, uint32_t thread, uint64_t size);
uint64_t virtual_mapped(struct world *world, uint32_t thread, uint64_t size);

/* The handle of a process for memory that another one made and exported, without the calls. */
uint64_t virtual_import(struct world *world, uint32_t exporter, uint64_t exported,
                        uint32_t importer, uint32_t device);

/* Makes a call and asserts that it left all state as it was and no outputs; returns its code. */
#define virtual_refusal(world, thread, name, ...) \
    virtual_refusal_values((world), (thread), (name), (const uint64_t[16]){ __VA_ARGS__ }, 0)
int32_t virtual_refusal_values(struct world *world, uint32_t thread, const char *name,
                               const uint64_t *value, uint32_t null_mask);

/* The same for a call with one list. */
int32_t virtual_list_refusal(struct world *world, uint32_t thread, const char *name,
                             const uint64_t *value, const uint64_t *list, uint32_t list_count);

/* Ends a world that must still be well. */
void virtual_fini(struct world *world);

const struct handle *virtual_handle(const struct world *world, uint32_t thread, uint64_t value);

#endif
