/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The undo log of a store: what each record was before its first change in an epoch. A mark, a
 * rollback and a hash begin a new epoch. Old bytes stand before their entry, so that the log is
 * read from its end.
 */
#ifndef STORE_UNDO_H
#define STORE_UNDO_H

#include <stddef.h>
#include <stdint.h>

struct store;

enum undo_kind {
    UNDO_EDIT,   /* the record was in use; its old bytes stand before the entry */
    UNDO_ADD,    /* the slot was free */
    UNDO_REMOVE, /* the record was in use; an earlier entry has its bytes */
};

struct undo_entry {
    uint32_t table;
    uint32_t owner;
    uint32_t slot;
    uint16_t kind;
    uint16_t first; /* 1 when it tells what the record was at the start of its epoch */
};

struct undo_log {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
    size_t hashed;  /* entries below this place are in the store's hash */
    uint32_t epoch; /* 0 while nothing need be saved */
    uint32_t epoch_last;
};

/* Appends an entry, and before it the old bytes when it has some. */
void undo_append(struct store *store, struct undo_entry entry, const void *old, uint32_t old_size);

#endif
