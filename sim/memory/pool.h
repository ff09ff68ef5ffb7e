/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Physical memory: a pool is the frames of one device and medium; a holder is whoever takes pages
 * from one pool (a process on that pool). Huge and giant pages are whole frames. Normal pages are
 * cut from frames, lowest free page first, and a cut frame belongs to one holder (assumed, so that
 * holders that work independently commute); it returns to the pool when its last page is free.
 * The pages of a frame are alike, so they are counted: what can be seen is that of numbered ones.
 *
 * How many frames are free, and how many pages of a cut frame are used, is state. Which frames they
 * are is a note, unless the run says that places are state (giant pages, fragmentation).
 */
#ifndef MEMORY_POOL_H
#define MEMORY_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/page.h"
#include "memory/range.h"
#include "store/store.h"

enum { PAGES_PARTS = 19 };

/* Pages that were taken together. Lies in the state of what they are for. */
struct pages {
    uint32_t page_class;        /* enum page_class */
    uint32_t count;             /* of pages */
    uint32_t part[PAGES_PARTS]; /* normal pages: how many lie in which cut frame (pool_record.h) */
    uint32_t parts;             /* the first record of the further parts, plus 1; 0 for none */
};

/* What a take comes to; of several reasons against it the first. */
enum pool_answer {
    POOL_DONE,
    POOL_SHORT,      /* not enough bytes are free */
    POOL_CLASS_FULL, /* the share of the page class is used up */
    POOL_SCATTERED,  /* enough are free, but no giant page is whole */
};

struct pools {
    struct table *pool;   /* by pool: frames, free and used */
    struct table *holder; /* by holder: its pool, cut frames, pages used */
    struct table *frame;  /* by holder: how many pages of its cut frames are used */
    struct table *open;   /* by holder: which cut frames have a free page */
    struct table *part;   /* by holder: further parts of normal pages */
    struct table *place;  /* by holder: which frame of the pool a cut frame is */
    struct table *extent; /* by holder: which frames huge and giant pages are */
    struct range_map map; /* by pool: frames in use */
};

enum { POOL_FRAMES = 1 << 17 }; /* at most in a pool: 256 GiB */

struct pool_size {
    uint32_t frames;              /* all there are */
    uint32_t limit[PAGE_CLASSES]; /* frames a class may use; `frames` when they share */
};

/* What may be seen of a pool without walking it. */
struct pool_usage {
    uint32_t frames;
    uint32_t frames_free;
    uint32_t frames_used[PAGE_CLASSES]; /* cut frames count as normal */
    uint32_t limit[PAGE_CLASSES];
    uint64_t pages_free_in_cut_frames; /* normal pages that no other holder can have */
    uint32_t giant_free;               /* giant pages that are whole */
};

struct pools pools_bind(struct store *store, bool places_are_state);

void pool_make(struct pools *pools, uint32_t pool, struct pool_size size);
struct pool_usage pool_usage(const struct pools *pools, uint32_t pool);

/* A holder exists from its first use on; its number is the caller's, and names the pool for good.
 */
void pool_add_holder(struct pools *pools, uint32_t holder, uint32_t pool);
bool pool_has_holder(const struct pools *pools, uint32_t holder);
uint64_t pool_bytes_held(const struct pools *pools, uint32_t holder); /* cut frames count whole */

/* Whether so many pages could be taken now: the answer pool_take() would give. */
enum pool_answer pool_can_take(const struct pools *pools, uint32_t holder, enum page_class page,
                               uint64_t count);

/*
 * Takes pages, all or nothing. `whose` names what they are for, in the note or state of their
 * place; *extents goes with that thing's notes and comes back in pool_give().
 */
enum pool_answer pool_take(struct pools *pools, uint32_t holder, enum page_class page,
                           uint64_t count, uint32_t whose, struct pages *pages, uint32_t *extents);
void pool_give(struct pools *pools, uint32_t holder, const struct pages *pages, uint32_t extents);

/* Tells the processor that pages will be given soon: their record may be far from the cache. */
static inline void pool_prefetch(const struct pools *pools, uint32_t holder,
                                 const struct pages *pages) {
    if (pages->parts != 0) {
        table_prefetch(pools->part, holder, pages->parts - 1);
    }
}

/* The frames behind pages, first to last, for a picture; false when there is no such place. */
bool pool_extent(const struct pools *pools, uint32_t holder, uint32_t extents, uint32_t place,
                 struct range *frames);

/* Makes the indexes anew (open frames, the map) and says whether they equal the kept ones. */
bool pool_index_is_true(const struct pools *pools);

#endif
