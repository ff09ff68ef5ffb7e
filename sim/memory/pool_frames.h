/* SPDX-License-Identifier: Apache-2.0 */
/* Huge and giant pages: whole frames of a pool, the lowest that do, as a chain of extents. */
#ifndef MEMORY_POOL_FRAMES_H
#define MEMORY_POOL_FRAMES_H

#include <stdint.h>

#include "memory/pool.h"

/* Takes pages that must be there; returns the first extent, plus 1. */
uint32_t pool_frames_take(struct pools *pools, uint32_t holder, enum page_class page,
                          uint64_t count, uint32_t whose);

/* Gives a chain back; returns how many frames it had. */
uint32_t pool_frames_give(struct pools *pools, uint32_t holder, uint32_t extents);

#endif
