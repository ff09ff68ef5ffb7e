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

struct random_stream random_stream(struct store *store, uint64_t seed, const char *name) {
    struct table *table = store_table(store, &stream_type);
    uint64_t hash = mix128(seed, name, strlen(name)).low | 1;
    for (uint32_t slot = table_next(table, 0, 0); slot != SLOT_NONE;
         slot = table_next(table, 0, slot + 1)) {
        const struct stream *known = table_get(table, 0, slot);
        if (known->name == hash) {
            return (struct random_stream){ table, slot };
        }
    }
    uint32_t slot = table_add(table, 0);
    struct stream *stream = table_edit(table, 0, slot);
    gsl_rng generator;
    struct taus taus;
    stream->name = hash;
    lend(&generator, &taus, stream);
    gsl_rng_set(&generator, (unsigned long int)(hash >> 32 ^ (hash & UINT32_MAX)));
    take_back(stream, &taus);
    return (struct random_stream){ table, slot };
}

uint32_t random_draw(struct random_stream *stream) {
    struct stream *record = table_edit(stream->table, 0, stream->slot);
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
