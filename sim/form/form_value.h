/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain values as readers of pickles and of JSON tell them, one after the other and never kept.
 * Strings are told by their place in a list of words that the consumer knows; all others are one.
 */
#ifndef FORM_FORM_VALUE_H
#define FORM_FORM_VALUE_H

#include <stddef.h>
#include <stdint.h>

enum form_kind {
    FORM_NONE,
    FORM_BOOL,
    FORM_INTEGER,
    FORM_FLOAT,
    FORM_STRING,
    FORM_DICT,
    FORM_LIST,
    FORM_TUPLE,
};

#define FORM_OTHER_WORD UINT32_MAX

enum { FORM_WORD_SIZE = 64 }; /* bytes of the longest word that a consumer may know */

struct form_value {
    uint32_t kind;   /* enum form_kind */
    uint32_t word;   /* of a string: its place among the words, or FORM_OTHER_WORD */
    uint64_t number; /* of an integer, two's complement */
};

/*
 * What is told: a pair goes into a dict, an item onto a list. Number and word of a container are 0
 * at first and are the consumer's to change; a container that is taken from the memo of a pickle
 * has 0 again. Items of tuples are not told.
 */
struct form_consumer {
    const char *const *words;
    uint32_t word_count;
    void (*set)(void *context, struct form_value *dict, const struct form_value *key,
                const struct form_value *value);
    void (*append)(void *context, struct form_value *list, const struct form_value *item);
    void *context;
};

/* The place of a word, or FORM_OTHER_WORD. */
uint32_t form_word_find(const struct form_consumer *consumer, const char *bytes, size_t size);

#endif
