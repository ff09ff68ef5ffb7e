/* SPDX-License-Identifier: Apache-2.0 */
/* What a table is: its type, and where the records of each owner lie. */
#ifndef STORE_TABLE_TYPE_H
#define STORE_TABLE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/slots.h"

enum table_sort {
    TABLE_STATE, /* can change a later result: hashed and compared */
    TABLE_NOTE,  /* tells how things came about: compared by store_same() only */
    TABLE_INDEX, /* can be rebuilt from the others: copied and rolled back, never compared */
};

/*
 * A table that follows another one has a record at every slot, without a set of its own: any slot
 * may be read (zeros when never written) and edited, and it stays when the other's slot is freed.
 */
struct table_type {
    const char *name;
    uint32_t record_size; /* a multiple of 8, at most TABLE_RECORD_SIZE */
    enum table_sort sort;
    bool follows;
};

enum {
    TABLE_RECORD_SIZE = 512,
    TABLE_FIRST_CHUNK = 4, /* records in an owner's first chunk; the next one has twice as many */
    TABLE_CHUNKS = 28,
    TABLE_BLOCK = 64,       /* owners in one block of the directory */
    TABLE_OWNERS = 1 << 30, /* owners are below this */
};

/* The records of one owner. */
struct table_part {
    struct slots used;
    uint32_t capacity;
    uint32_t chunk_count;
    unsigned char *chunk[TABLE_CHUNKS];
};

#define OWNER_NONE UINT32_MAX

struct store;

struct table {
    struct store *store;
    const uint32_t *epoch; /* of the store's undo log; 0 while nothing need be saved */
    uint64_t *walked;      /* of the store: steps of walks over records and owners */
    struct table_part ***block;
    uint32_t block_count;
    uint32_t id;   /* place in the store */
    uint64_t seed; /* of record hashes, made from the name */
    struct table_type type;
};

#endif
