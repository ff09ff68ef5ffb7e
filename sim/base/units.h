/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes such as "2MiB" and times such as "15us", to and from exact integers of bytes and
 * nanoseconds. Nothing is rounded: what does not fit 64 bits, has a fraction or a space, or names
 * an unknown unit is refused. Results are written only when a function returns true.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any size or time as text: 20 digits, a unit and the terminator. */
enum { UNITS_TEXT_SIZE = 24 };

struct unit {
    const char *name; /* "" for bytes */
    uint64_t factor;
    const char *meaning;
};

/* The units that are read, smallest first. */
const struct unit *units_get_sizes(size_t *count);
const struct unit *units_get_times(size_t *count);

bool units_read_size(const char *text, uint64_t *size_bytes);
bool units_read_time(const char *text, uint64_t *time_ns);

/* Write in the largest exact unit, and return the text. */
const char *units_write_size(uint64_t size_bytes, char text[UNITS_TEXT_SIZE]);
const char *units_write_time(uint64_t time_ns, char text[UNITS_TEXT_SIZE]);

/* Arithmetic that is false instead of wrapping around; the result is then not set. */
static inline bool units_add(uint64_t left, uint64_t right, uint64_t *sum) {
    uint64_t result = 0;
    if (__builtin_add_overflow(left, right, &result)) {
        return false;
    }
    *sum = result;
    return true;
}

static inline bool units_multiply(uint64_t left, uint64_t right, uint64_t *product) {
    uint64_t result = 0;
    if (__builtin_mul_overflow(left, right, &result)) {
        return false;
    }
    *product = result;
    return true;
}

/* The next multiple of alignment, which is not 0 and need not be a power of two. */
bool units_align_up(uint64_t value, uint64_t alignment, uint64_t *aligned);

#endif
