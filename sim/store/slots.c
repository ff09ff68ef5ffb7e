/* SPDX-License-Identifier: Apache-2.0 */
#include "store/slots.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/host.h"
#include "base/must.h"

static const uint64_t FULL = UINT64_MAX;

static uint32_t words_at(uint32_t capacity, int level) {
    uint64_t bits = capacity;
    for (int above = 0; above < level; above++)
        bits = (bits + 63) / 64;
    return (uint32_t)((bits + 63) / 64);
}

void slots_init(struct slots *slots) {
    memset(slots, 0, sizeof *slots);
}

void slots_fini(struct slots *slots) {
    for (int level = 0; level < SLOTS_LEVELS; level++)
        free(slots->level[level]);
    slots_init(slots);
}

void slots_copy(struct slots *to, const struct slots *from) {
    slots_grow(to, from->capacity);
    to->small = from->small;
    to->used = from->used;
    to->first = from->first;
    for (int level = 0; level < SLOTS_LEVELS && from->level[level] != NULL; level++)
        memcpy(to->level[level], from->level[level],
               words_at(from->capacity, level) * sizeof(uint64_t));
}

static void grow_level(struct slots *slots, int level, uint32_t capacity) {
    uint32_t had = slots->level[level] == NULL ? 0 : words_at(slots->capacity, level);
    uint32_t needs = words_at(capacity, level);
    uint64_t *words = host_resize(slots->level[level], needs, sizeof *words);
    memset(words + had, 0, (needs - had) * sizeof *words);
    if (level == 0 && had == 0)
        words[0] = slots->small;
    if (level > 0 && had == 0)
        for (uint32_t below = 0; below < words_at(capacity, level - 1); below++)
            if (slots->level[level - 1][below] == FULL)
                words[below / 64] |= (uint64_t)1 << (below % 64);
    slots->level[level] = words;
}

void slots_grow(struct slots *slots, uint32_t capacity) {
    must(capacity % 64 == 0);
    must(words_at(capacity, SLOTS_LEVELS - 1) <= 1);
    if (capacity <= slots->capacity)
        return;
    if (capacity > 64)
        for (int level = 0; level < SLOTS_LEVELS; level++) {
            grow_level(slots, level, capacity);
            if (words_at(capacity, level) == 1)
                break;
        }
    slots->capacity = capacity;
}

/* The lowest word that is not full; the number of words when there is none. */
static uint32_t find_open_word(const struct slots *slots) {
    uint32_t words = slots->capacity / 64;
    int level = 1;
    while (level + 1 < SLOTS_LEVELS && slots->level[level + 1] != NULL)
        level++;
    uint64_t position = 0;
    for (; level > 0; level--) {
        uint64_t word = slots->level[level][position];
        if (word == FULL)
            return words;
        position = position * 64 + bits_lowest(~word);
        if (position >= words_at(slots->capacity, level - 1))
            return words;
    }
    return (uint32_t)position;
}

uint32_t slots_find_used(const struct slots *slots, uint32_t from) {
    if (from >= slots->capacity)
        return SLOT_NONE;
    const uint64_t *words = slots_words(slots);
    uint32_t at = from / 64;
    uint64_t word = words[at] & FULL << (from % 64);
    while (word == 0) {
        if (++at == slots->capacity / 64)
            return SLOT_NONE;
        word = words[at];
    }
    return at * 64 + bits_lowest(word);
}

void slots_note_full(struct slots *slots, uint32_t word) {
    uint32_t place = word;
    for (int level = 1; level < SLOTS_LEVELS && slots->level[level] != NULL; level++) {
        uint64_t *above = &slots->level[level][place / 64];
        *above |= (uint64_t)1 << (place % 64);
        if (*above != FULL)
            break;
        place /= 64;
    }
    if (word == slots->first)
        slots->first = slots->level[0] == NULL ? 1 : find_open_word(slots);
}

void slots_note_open(struct slots *slots, uint32_t word) {
    uint32_t place = word;
    for (int level = 1; level < SLOTS_LEVELS && slots->level[level] != NULL; level++) {
        uint64_t *above = &slots->level[level][place / 64];
        bool was_full = *above == FULL;
        *above &= ~((uint64_t)1 << (place % 64));
        if (!was_full)
            break;
        place /= 64;
    }
    if (word < slots->first)
        slots->first = word;
}
