/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ordered maps of ranges: which units of a line are in use, and by what. One map an owner. The
 * whole line is tiled by ranges in use (id not 0) and free ones; free neighbours are always one
 * range. A tree of records finds the range at a unit and the lowest free place that fits.
 *
 * Besides single units there are coarse units, aligned groups of RANGE_COARSE: the largest free
 * run of both sorts and their totals are kept, never searched. The maps are an index.
 */
#ifndef MEMORY_RANGE_H
#define MEMORY_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

enum { RANGE_COARSE = 512 };

struct range {
    uint64_t start;
    uint64_t size;
    uint32_t id; /* what it is in use by; 0 when free */
};

struct range_map {
    struct table *node; /* of the trees; the first record of an owner is its root */
};

struct range_totals {
    uint64_t free;           /* units that are free */
    uint64_t free_largest;   /* in one run */
    uint64_t coarse_free;    /* aligned groups of RANGE_COARSE that are wholly free */
    uint64_t coarse_largest; /* such groups in one run */
    uint64_t ranges;         /* in use */
};

/* Binds to the maps of this kind in a store; kinds have names of their own. */
struct range_map range_map_bind(struct store *store, const char *name);

/* Makes an owner's map: one free range from start. Not when it has one already. */
void range_map_make(struct range_map *map, uint32_t owner, uint64_t start, uint64_t size);
bool range_map_exists(const struct range_map *map, uint32_t owner);
void range_map_drop(struct range_map *map, uint32_t owner); /* gives every node back */

/* The range at a unit, in use or free; false outside the line. */
bool range_at(const struct range_map *map, uint32_t owner, uint64_t unit, struct range *range);

/* The first range in use that ends after a unit. */
bool range_next_used(const struct range_map *map, uint32_t owner, uint64_t unit,
                     struct range *range);

/* The lowest aligned start in [from, to) where size units up to `to` are free. */
struct range_window {
    uint64_t from;
    uint64_t to;
};
bool range_fit(const struct range_map *map, uint32_t owner, struct range_window window,
               uint64_t size, uint64_t alignment, uint64_t *start);

/* Takes a range that is free; gives back one in use, by its start. */
void range_take(struct range_map *map, uint32_t owner, struct range range);
void range_give(struct range_map *map, uint32_t owner, uint64_t start);

/* Takes a range of a size and id where range_fit() finds a place for it; sets its start. */
bool range_take_fit(struct range_map *map, uint32_t owner, struct range_window window,
                    uint64_t alignment, struct range *range);

/* As range_at() and range_give(), for who gives what it found: the way is gone only once. */
struct range_spot;
bool range_find_spot(const struct range_map *map, uint32_t owner, uint64_t unit,
                     struct range_spot *spot, struct range *range);
void range_give_spot(struct range_spot *spot);

/* Takes the lowest free units, at most `most` and in one run; false when nothing is free. */
bool range_take_lowest(struct range_map *map, uint32_t owner, uint64_t most, uint32_t id,
                       struct range *taken);

/* Gives back part of a range in use, which must hold it whole; the rest stays in use. */
void range_give_part(struct range_map *map, uint32_t owner, uint64_t start, uint64_t size);

struct range_totals range_totals(const struct range_map *map, uint32_t owner);

/* The longest free run of what lies in a window; looks at the nodes on the window's edges only. */
uint64_t range_longest(const struct range_map *map, uint32_t owner, struct range_window window);

#endif
