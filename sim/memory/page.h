/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page classes of device memory. Everything a device has is cut from frames of 2 MiB: a huge page
 * is one frame, a giant page 512 aligned ones, and a frame that is cut gives 512 normal pages.
 */
#ifndef MEMORY_PAGE_H
#define MEMORY_PAGE_H

#include <stdint.h>

#include "base/bits.h"

enum page_class { PAGE_NORMAL, PAGE_HUGE, PAGE_GIANT, PAGE_CLASSES };

#define PAGE_NORMAL_BYTES ((uint64_t)4 << 10)
#define PAGE_HUGE_BYTES ((uint64_t)2 << 20)
#define PAGE_GIANT_BYTES ((uint64_t)1 << 30)

enum {
    PAGES_PER_FRAME = 512,  /* normal pages in a frame */
    FRAMES_PER_GIANT = 512, /* frames in a giant page */
};

/* Bytes of one page. */
static inline uint64_t page_bytes(enum page_class page) {
    static const uint64_t bytes[PAGE_CLASSES] = {
        PAGE_NORMAL_BYTES,
        PAGE_HUGE_BYTES,
        PAGE_GIANT_BYTES,
    };
    return bytes[page];
}

/* Pages that hold a number of bytes; never overflows. */
static inline uint64_t page_count(enum page_class page, uint64_t bytes) {
    uint64_t size = page_bytes(page); /* a power of two */
    return (bytes >> bits_lowest(size)) + ((bytes & (size - 1)) != 0);
}

const char *page_name(enum page_class page); /* "normal", "huge", "giant" */

#endif
