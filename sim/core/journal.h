/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one ordered journal of a run. A fact goes to the readers that asked for its kind and into
 * the digest, and is not kept. The digest is 128 bits over the facts in order, times included; it
 * does not depend on readers, and lies in the store, so that it is marked and rolled back.
 */
#ifndef CORE_JOURNAL_H
#define CORE_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mix.h"
#include "core/fact.h"
#include "store/store.h"

enum { JOURNAL_READERS = 16 };

/* detail is what the kind of fact comes with, or NULL; both are borrowed for the time of the call.
 */
typedef void journal_read(void *context, const struct fact *fact, const void *detail);

struct journal_reader {
    journal_read *read;
    void *context;
    uint64_t kinds; /* a bit for each kind it asked for */
};

struct digest {
    struct hash128 lanes;
    uint64_t count;
    uint64_t unused;
};

struct journal {
    struct table *table;   /* one record, */
    struct digest *digest; /* which is this one: records never move */
    uint64_t kinds;        /* the union over the readers */
    uint32_t reader_count;
    bool digesting;
    struct journal_reader reader[JOURNAL_READERS];
};

/* Binds to the digest of a store; no readers, digest on. */
struct journal journal_bind(struct store *store);

/* Adds a reader for the kinds whose bits are set: UINT64_MAX is all. */
void journal_add_reader(struct journal *journal, uint64_t kinds, journal_read *read, void *context);

void journal_record(struct journal *journal, const struct fact *fact, const void *detail);

struct hash128 journal_digest(const struct journal *journal);
uint64_t journal_count(const struct journal *journal); /* facts in the digest */

static inline uint64_t journal_kind(enum fact_kind kind) {
    return (uint64_t)1 << kind;
}

/* Whether a fact of this kind would leave a trace at all; if not, it need not be made up. */
static inline bool journal_wants(const struct journal *journal, enum fact_kind kind) {
    return journal->digesting || (journal->kinds & journal_kind(kind)) != 0;
}

#endif
