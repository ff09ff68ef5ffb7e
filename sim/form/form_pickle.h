/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads pickles of plain values (protocols 0 to 5 of Python): None, bool, int, float, str, tuple,
 * list, dict. An opcode that could run code, or one that plain values never need, is refused by
 * name and offset. Values go to a consumer as they are put together and are not kept: memory is
 * 16 bytes for each value on the stack and in the memo.
 *
 * Strings are told by their place in a list of words that the consumer knows; all others are one.
 */
#ifndef FORM_FORM_PICKLE_H
#define FORM_FORM_PICKLE_H

#include <stdbool.h>
#include <stdint.h>

#include "form/form_source.h"

enum pickle_kind {
    PICKLE_NONE,
    PICKLE_BOOL,
    PICKLE_INTEGER,
    PICKLE_FLOAT,
    PICKLE_STRING,
    PICKLE_DICT,
    PICKLE_LIST,
    PICKLE_TUPLE,
};

#define PICKLE_OTHER_WORD UINT32_MAX

struct pickle_value {
    uint32_t kind;   /* enum pickle_kind */
    uint32_t word;   /* of a string: its place among the words, or PICKLE_OTHER_WORD */
    uint64_t number; /* of an integer, two's complement */
};

/*
 * What is told: a pair goes into a dict, an item onto a list. Number and word of a container are 0
 * at first and are the consumer's to change; a container that is taken from the memo has 0 again.
 * Items of tuples are not told.
 */
struct pickle_consumer {
    const char *const *words;
    uint32_t word_count;
    void (*set)(void *context, struct pickle_value *dict, const struct pickle_value *key,
                const struct pickle_value *value);
    void (*append)(void *context, struct pickle_value *list, const struct pickle_value *item);
    void *context;
};

/* Reads one pickle to its end; the value that it is. False, with a problem, when it is none. */
bool form_pickle_read(struct form_source *source, const struct pickle_consumer *consumer,
                      struct pickle_value *result, struct problem *problem);

#endif
