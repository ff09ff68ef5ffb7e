/* SPDX-License-Identifier: Apache-2.0 */
/* A set of slot numbers that always knows its lowest free member.
 *
 * One bit a slot, and above it one summary bit for every 64 bits that are all set. So the lowest
 * free slot is found in one step per level, and no history of earlier use hides in the set. */
#ifndef ACLSIM_STORE_SLOTS_H
#define ACLSIM_STORE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/must.h"

enum { SLOTS_LEVELS = 5 };
#define SLOT_NONE UINT32_MAX

struct slots {
    uint64_t *level[SLOTS_LEVELS]; /* level 0: one bit a slot; above: one bit a full word below */
    uint64_t small;                /* level 0 while capacity is at most 64 */
    uint32_t capacity;             /* slots that have a bit; a multiple of 64 */
    uint32_t first;                /* lowest word of level 0 that is not full */
    uint32_t used;                 /* bits set at level 0 */
};

void slots_init(struct slots *slots);
void slots_fini(struct slots *slots);
void slots_copy(struct slots *to, const struct slots *from); /* `to` is fresh from slots_init() */
void slots_grow(struct slots *slots, uint32_t capacity);     /* new slots are free */

uint32_t slots_find_used(const struct slots *slots, uint32_t from); /* SLOT_NONE when none */

/* For the inline functions below: a word has become full, or no longer is. */
void slots_note_full(struct slots *slots, uint32_t word);
void slots_note_open(struct slots *slots, uint32_t word);

static inline const uint64_t *slots_words(const struct slots *slots) {
    return slots->level[0] != NULL ? slots->level[0] : &slots->small;
}

static inline bool slots_has(const struct slots *slots, uint32_t slot) {
    return slot < slots->capacity && (slots_words(slots)[slot / 64] >> (slot % 64) & 1) != 0;
}

static inline uint64_t *slots_word(struct slots *slots, uint32_t slot) {
    return slots->level[0] != NULL ? &slots->level[0][slot / 64] : &slots->small;
}

/* The lowest free slot; capacity when there is none. */
static inline uint32_t slots_find_free(const struct slots *slots) {
    uint32_t start = slots->first * 64;
    return start == slots->capacity ? start
                                    : start + bits_lowest(~slots_words(slots)[slots->first]);
}

static inline void slots_set(struct slots *slots, uint32_t slot) {
    must(slot < slots->capacity && !slots_has(slots, slot));
    uint64_t *word = slots_word(slots, slot);
    slots->used++;
    *word |= (uint64_t)1 << (slot % 64);
    if (*word == UINT64_MAX) {
        slots_note_full(slots, slot / 64);
    }
}

static inline void slots_clear(struct slots *slots, uint32_t slot) {
    must(slots_has(slots, slot));
    uint64_t *word = slots_word(slots, slot);
    bool was_full = *word == UINT64_MAX;
    slots->used--;
    *word &= ~((uint64_t)1 << (slot % 64));
    if (was_full) {
        slots_note_open(slots, slot / 64);
    }
}

#endif
