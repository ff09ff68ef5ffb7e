/* SPDX-License-Identifier: Apache-2.0 */
/* Plain memory: what the malloc family hands out on a device, and pinned memory on the host. */
#ifndef MACHINE_BLOCK_H
#define MACHINE_BLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

enum block_kind {
    BLOCK_PLAIN,
    BLOCK_MEDIA,
    BLOCK_MEDIA_V2,
    BLOCK_PINNED, /* host memory where the chip is its own host */
};
enum block_flag { BLOCK_P2P = 1, BLOCK_READ_ONLY = 2 };

struct block {
    uint64_t address;
    uint64_t requested; /* bytes the caller asked for */
    struct pages pages;
    struct stamp made;
    uint32_t generation;
    uint32_t tag;
    uint16_t presence;
    uint8_t kind;   /* enum block_kind */
    uint8_t medium; /* MEDIUM_MAIN, MEDIUM_DDR */
    uint8_t flags;  /* enum block_flag */
    uint8_t unused[3];
};
static_assert(sizeof(struct block) == 128, "two cache lines");

struct host_block {
    uint64_t address;
    uint64_t requested;
    uint64_t size; /* whole pages of 4 KiB */
    uint32_t generation;
    uint32_t tag;
    struct stamp made;
};

enum block_answer {
    BLOCK_DONE,
    BLOCK_SHORT,        /* not enough bytes are free */
    BLOCK_CLASS_FULL,   /* the share of the page class is used up */
    BLOCK_SCATTERED,    /* no giant page is whole */
    BLOCK_NO_ADDRESSES, /* no range of addresses is long enough */
};

/* What is wanted. */
struct block_wish {
    uint32_t presence;
    uint32_t medium;
    enum block_kind kind;
    uint32_t flags;
    enum page_class page;
    uint64_t requested;
    uint64_t rounded; /* what the call makes of it */
    uint32_t tag;
};

/* Takes pages and addresses, all or nothing; the slot of the block. */
enum block_answer block_make(struct machine *machine, struct process_id process,
                             const struct block_wish *wish, uint32_t *slot);
void block_free(struct machine *machine, struct process_id process, uint32_t slot);

/* The block that holds an address; false when none does. */
bool block_find(const struct machine *machine, struct process_id process, uint64_t address,
                uint32_t *slot);

/* The same for who will look at the block and may free it then, before anything else changes. */
struct block_place {
    uint32_t slot;
    struct range_spot spot;
};
bool block_find_place(const struct machine *machine, struct process_id process, uint64_t address,
                      struct block_place *place);
void block_free_place(struct machine *machine, struct process_id process,
                      struct block_place *place);

static inline const struct block *block_get(const struct machine *machine,
                                            struct process_id process, uint32_t slot) {
    return table_get(machine->block, process.index, slot);
}

/* What it takes from the device. */
static inline uint64_t block_bytes(const struct block *block) {
    return block->pages.count * page_bytes((enum page_class)block->pages.page_class);
}

/* Pinned memory of a host of its own, which nothing limits: of the wish only sizes and tag count.
 */
bool block_make_host(struct machine *machine, struct process_id process,
                     const struct block_wish *wish, uint32_t *slot);
bool block_find_host(const struct machine *machine, struct process_id process, uint64_t address,
                     uint32_t *slot);
void block_free_host(struct machine *machine, struct process_id process, uint32_t slot);
const struct host_block *block_get_host(const struct machine *machine, struct process_id process,
                                        uint32_t slot);

#endif
