/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and copies in tests: what must work in one line each, and work that is done. */
#ifndef TESTS_STREAMING_H
#define TESTS_STREAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/world.h"

/* aclrtMemcpyKind */
enum { HOST_HOST, HOST_DEVICE, DEVICE_HOST, DEVICE_DEVICE, BY_ADDRESS, STAGED, INSIDE, ACROSS };

/* A host address that ACL knows nothing of. */
#define PAGEABLE ((uint64_t)0x7000)

/* What the calls that make one give; they must work. */
uint64_t streaming_block(struct world *world, uint32_t thread, uint64_t size);
uint64_t streaming_host_block(struct world *world, uint32_t thread, uint64_t size);
uint64_t streaming_stream(struct world *world, uint32_t thread);
uint64_t streaming_event(struct world *world, uint32_t thread);

/* aclrtMemcpyAsync of all of a range of 4 KiB. */
int32_t streaming_copy(struct world *world, uint32_t thread, uint64_t to, uint64_t from,
                       uint64_t kind, uint64_t stream);

/* Whether the last call waits instead of being done. */
bool streaming_waits(const struct world *world);

/* Whether a thread that waited has been woken and may ask again. */
bool streaming_is_awake(const struct world *world, uint32_t thread);

/* Lets everything that is ready happen. */
void streaming_run(struct world *world);

#endif
