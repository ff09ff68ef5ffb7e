/* SPDX-License-Identifier: Apache-2.0 */
/* Normal pages: the lowest free ones of a holder's cut frames, then those of newly cut ones. */
#ifndef MEMORY_POOL_PAGES_H
#define MEMORY_POOL_PAGES_H

#include <stdint.h>

#include "memory/pool.h"

/* Takes pages->count pages, which must be there once so many frames are cut. */
void pool_pages_take(struct pools *pools, uint32_t holder, uint32_t frames, struct pages *pages);

/* Gives them back; returns how many frames went back to the pool. */
uint32_t pool_pages_give(struct pools *pools, uint32_t holder, const struct pages *pages);

#endif
