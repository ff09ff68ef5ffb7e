/* SPDX-License-Identifier: Apache-2.0 */
#include "core/random.h"

#include <string.h>

#include <gsl/gsl_rng.h>

#include "base/mix.h"
#include "base/must.h"

enum { TAUS_WORDS = 3 };

struct stream {
    uint64_t name; /* hash of the name */
    uint64_t word[TAUS_WORDS];
};

static const struct table_type stream_type = {
    .name = "random",
    .record_size = sizeof(struct stream),
    .sort = TABLE_STATE,
};

/* The generator's own state, whatever the width of the host's long is. */
struct taus {
    unsigned long int word[TAUS_WORDS];
};

static void lend(gsl_rng *generator, struct taus *taus, const struct stream *stream) {
    must(gsl_rng_taus2->size == sizeof *taus);
    for (int word = 0; word < TAUS_WORDS; word++) {
        taus->word[word] = (unsigned long int)stream->word[word];
    }
    generator->type = gsl_rng_taus2;
    generator->state = taus;
}

static void take_back(struct stream *stream, const struct taus *taus) {
    for (int word = 0; word < TAUS_WORDS; word++) {
        stream->word[word] = taus->word[word];
    }
}

/* One lane of a hash alone has short names and seeds that cancel each other. */
uint64_t random_start(uint64_t seed, const char *name) {
    struct hash128 hash = mix128(seed, name, strlen(name));
    return mix64(hash.low, hash.high);
}

static void begin(struct stream *stream, uint64_t hash) {
    gsl_rng generator;
    struct taus taus;
    stream->name = hash;
    lend(&generator, &taus, stream);
    gsl_rng_set(&generator, (unsigned long int)(hash >> 32 ^ (hash & UINT32_MAX)));
    take_back(stream, &taus);
}

struct table *random_table(struct store *store) {
    return store_table(store, &stream_type);
}

struct random_stream random_stream(struct store *store, uint64_t seed, const char *name) {
    struct table *table = random_table(store);
    uint64_t hash = random_start(seed, name) | 1;
    for (uint32_t slot = table_next(table, 0, 0); slot != SLOT_NONE;
         slot = table_next(table, 0, slot + 1)) {
        const struct stream *known = table_get(table, 0, slot);
        if (known->name == hash) {
            return (struct random_stream){ table, 0, slot };
        }
    }
    uint32_t slot = table_add(table, 0);
    begin(table_edit(table, 0, slot), hash);
    return (struct random_stream){ table, 0, slot };
}

struct random_stream random_stream_at(struct table *table, uint32_t owner, uint32_t slot,
                                      uint64_t start) {
    must(owner > 0);
    if (!table_has(table, owner, slot)) {
        table_add_at(table, owner, slot);
        begin(table_edit(table, owner, slot), start | 1);
    }
    return (struct random_stream){ table, owner, slot };
}

uint32_t random_draw(struct random_stream *stream) {
    struct stream *record = table_edit(stream->table, stream->owner, stream->slot);
    gsl_rng generator;
    struct taus taus;
    lend(&generator, &taus, record);
    uint32_t bits = (uint32_t)gsl_rng_get(&generator);
    take_back(record, &taus);
    return bits;
}

uint64_t random_below(struct random_stream *stream, uint64_t limit) {
    must(limit > 0);
    /* Draws from the incomplete last round of the limit would favour low values: draw again. */
    uint64_t rest = (UINT64_MAX % limit + 1) % limit;
    for (;;) {
        uint64_t high = random_draw(stream);
        uint64_t bits = high << 32 | random_draw(stream);
        if (bits <= UINT64_MAX - rest) {
            return bits % limit;
        }
    }
}
