/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address space of one process: where its blocks, host memory and reservations lie, and what
 * is mapped into the reservations. It knows addresses and sizes; what lies at them are ids of the
 * caller. Ranges are pages of 4 KiB inside, bytes outside. Automatic places are the lowest ones
 * that fit.
 */
#ifndef MEMORY_SPACE_H
#define MEMORY_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/range.h"
#include "memory/range_tree.h"
#include "store/store.h"

/* What a range of addresses is; the id within its kind is the caller's, below SPACE_IDS. */
enum space_kind { SPACE_FREE, SPACE_BLOCK, SPACE_HOST, SPACE_RESERVATION, SPACE_KINDS };
enum { SPACE_IDS = 1 << 29 };

struct space_range {
    uint64_t start; /* bytes */
    uint64_t size;
    enum space_kind kind;
    uint32_t id;
};

struct space {
    struct range_map regions;  /* blocks, host memory, reservations */
    struct range_map mappings; /* ids of the caller */
};

struct space space_bind(struct store *store);

void space_make(struct space *space, uint32_t process); /* empty, 48 bits of addresses */
void space_drop(struct space *space, uint32_t process);

/* The lowest free address in a window that fits; sizes and alignments are whole pages of 4 KiB. */
bool space_fit(const struct space *space, uint32_t process, struct range_window window,
               uint64_t size, uint64_t alignment, uint64_t *start);
bool space_is_free(const struct space *space, uint32_t process, uint64_t start, uint64_t size);

/* Adds a region of a size, kind and id at the lowest such address; sets its start. */
bool space_add_fit(struct space *space, uint32_t process, struct range_window window,
                   uint64_t alignment, struct space_range *range);

void space_add(struct space *space, uint32_t process, struct space_range range);
void space_remove(struct space *space, uint32_t process, uint64_t start);

/* The region that holds an address; false when none does. */
bool space_find(const struct space *space, uint32_t process, uint64_t address,
                struct space_range *range);

/* The same for who may remove the region then, before anything else changes. */
bool space_find_spot(const struct space *space, uint32_t process, uint64_t address,
                     struct range_spot *spot, struct space_range *range);
void space_remove_spot(struct range_spot *spot);

/* Mappings lie inside one reservation and do not overlap: the caller asks before it adds. */
bool space_is_unmapped(const struct space *space, uint32_t process, uint64_t start, uint64_t size);
void space_map(struct space *space, uint32_t process, uint64_t start, uint64_t size, uint32_t id);
void space_unmap(struct space *space, uint32_t process, uint64_t start);
bool space_find_mapping(const struct space *space, uint32_t process, uint64_t address,
                        struct space_range *range);

/* The first mapping that ends after an address. */
bool space_next_mapping(const struct space *space, uint32_t process, uint64_t address,
                        struct space_range *range);

/* Free bytes of addresses, and in one run: 1 - largest / free is the fragmentation. */
uint64_t space_free_bytes(const struct space *space, uint32_t process);
uint64_t space_free_largest(const struct space *space, uint32_t process);

/* The largest free range of addresses in a window. */
uint64_t space_free_longest(const struct space *space, uint32_t process,
                            struct range_window window);

#endif
