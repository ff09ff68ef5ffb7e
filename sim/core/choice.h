/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one source of choice: whatever could have gone otherwise asks here and says what for.
 * Kinds that nobody turned on answer 0, which is what the clock would do.
 */
#ifndef CORE_CHOICE_H
#define CORE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/random.h"

enum choice_kind {
    CHOICE_NEXT,     /* who acts next */
    CHOICE_COMPLETE, /* when a stream's work ends */
    CHOICE_DIE,      /* where a process dies */
    CHOICE_FAIL,     /* which call fails, and how */
    CHOICE_DRAW,     /* how a random number falls */
    CHOICE_PLACE,    /* where an allocation lies */
    CHOICE_KINDS
};

/* Answers with a number below count, which is at least 2. */
typedef uint32_t choice_answer(void *context, enum choice_kind kind, uint32_t count);

struct choice {
    choice_answer *answer;
    void *context;
    uint32_t kinds; /* a bit for each kind that is asked */
};

const char *choice_name(enum choice_kind kind);

/* Always 0: what the clock policy does. */
struct choice choice_first(void);

/* Uniformly at random from a stream, which is borrowed. */
struct choice choice_random(struct random_stream *stream, uint32_t kinds);

static inline uint32_t choice_bit(enum choice_kind kind) {
    return (uint32_t)1 << kind;
}

/* Picks one of count possibilities; a single one is no choice and is not asked. */
static inline uint32_t choice_pick(struct choice *choice, enum choice_kind kind, uint32_t count) {
    if (count < 2 || (choice->kinds & choice_bit(kind)) == 0) {
        return 0;
    }
    return choice->answer(choice->context, kind, count);
}

#endif
