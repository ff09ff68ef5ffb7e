/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All tables of one run, as a value: it can be marked and rolled back, hashed, copied, compared.
 *
 * While a mark is open or hashing is on, the first edit of a record saves its old bytes; otherwise
 * an edit costs one predicted branch. The hash is the sum modulo 2^128 over all state records,
 * each under its name (table, owner, slot), so that it does not depend on the order of events.
 * Marks nest: the one opened last is closed first.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mix.h"
#include "store/table.h"

struct store_mark {
    uint64_t log_size;
    struct hash128 hash;
    uint32_t depth;
    bool hashing; /* whether the hash is that of the store at the mark */
};

struct store *store_new(void); /* caller owns, store_free() */
void store_free(struct store *store);

/* The table of a type, made when the store has none of that name. A copy has the same tables. */
struct table *store_table(struct store *store, const struct table_type *type);

struct store_mark store_mark(struct store *store);
void store_rollback(struct store *store, const struct store_mark *mark); /* it stays open */
void store_unmark(struct store *store, const struct store_mark *mark);   /* changes stay */

/*
 * The hash of all state records. The first call switches the incremental hash on; a rollback to a
 * mark from before that switches it off again, and the next call walks every record.
 */
struct hash128 store_hash(struct store *store);

/* The same by walking every record. */
struct hash128 store_hash_afresh(const struct store *store);

struct store *store_copy(const struct store *store); /* caller owns; no mark is open in it */

bool store_alike(const struct store *left, const struct store *right); /* state */
bool store_same(const struct store *left, const struct store *right);  /* state and notes */

/* Steps of table_next() so far, in all tables: how much was searched by walking. */
uint64_t store_walked(const struct store *store);

/* Host memory behind the records and the log. */
uint64_t store_bytes(const struct store *store);

#endif
