/* SPDX-License-Identifier: Apache-2.0 */
#include "core/journal.h"

#include "base/must.h"

static const struct table_type digest_type = {
    .name = "journal",
    .record_size = sizeof(struct digest),
    .sort = TABLE_NOTE,
};

struct journal journal_bind(struct store *store) {
    struct journal journal = { .table = store_table(store, &digest_type), .digesting = true };
    bool is_new = !table_has(journal.table, 0, 0);
    if (is_new) {
        table_add(journal.table, 0);
    }
    journal.digest = table_edit(journal.table, 0, 0);
    if (is_new) {
        /* From zeros, a first fact that begins with zeros would leave a lane at zero. */
        journal.digest->lanes = (struct hash128){ MIX_HIGH_END, MIX_LOW_END };
    }
    return journal;
}

void journal_add_reader(struct journal *journal, uint64_t kinds, journal_read *read,
                        void *context) {
    must(journal->reader_count < JOURNAL_READERS);
    journal->reader[journal->reader_count++] =
        (struct journal_reader){ .read = read, .context = context, .kinds = kinds };
    journal->kinds |= kinds;
}

static struct hash128 take(struct hash128 lanes, uint64_t first, uint64_t second) {
    return (struct hash128){
        .low = mix64(lanes.low ^ first, MIX_LOW ^ second),
        .high = mix64(lanes.high ^ second, MIX_HIGH ^ first),
    };
}

/* Takes the fact as numbers, not as bytes, so that the digest is the same on every machine. */
static void digest_fact(struct digest *digest, const struct fact *fact) {
    uint64_t what = (uint64_t)fact->kind | (uint64_t)fact->row << 16 | (uint64_t)fact->thread << 32;
    uint64_t how = (uint64_t)fact->step | (uint64_t)(uint32_t)fact->code << 32;
    struct hash128 lanes = take(digest->lanes, fact->time_ns, what);
    lanes = take(lanes, how, fact->value[0]);
    lanes = take(lanes, fact->value[1], fact->value[2]);
    digest->lanes = take(lanes, fact->value[3], fact->value[4]);
    digest->count++;
}

void journal_record(struct journal *journal, const struct fact *fact, const void *detail) {
    must(fact->kind < FACT_KINDS);
    if (journal->digesting) {
        table_touch(journal->table, 0, 0);
        digest_fact(journal->digest, fact);
    }
    uint64_t kind = journal_kind(fact->kind);
    if ((journal->kinds & kind) == 0) {
        return;
    }
    for (uint32_t reader = 0; reader < journal->reader_count; reader++) {
        if ((journal->reader[reader].kinds & kind) != 0) {
            journal->reader[reader].read(journal->reader[reader].context, fact, detail);
        }
    }
}

struct hash128 journal_digest(const struct journal *journal) {
    return take(journal->digest->lanes, journal->digest->count, MIX_LOW_END);
}

uint64_t journal_count(const struct journal *journal) {
    return journal->digest->count;
}
