/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of a line as a sorted array that is searched from its start: what a range map must equal.
 */
#ifndef TESTS_PLAIN_RANGES_H
#define TESTS_PLAIN_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/range.h"

enum { PLAIN_RANGES = 4000 };

struct plain_ranges {
    uint64_t start;
    uint64_t end;
    uint32_t count;
    struct range used[PLAIN_RANGES];
};

/* The range at a unit of the line, used or free. */
struct range plain_ranges_at(const struct plain_ranges *plain, uint64_t unit);
bool plain_ranges_next(const struct plain_ranges *plain, uint64_t unit, struct range *range);
bool plain_ranges_fit(const struct plain_ranges *plain, struct range_window window, uint64_t size,
                      uint64_t alignment, uint64_t *start);
void plain_ranges_take(struct plain_ranges *plain, struct range range);
void plain_ranges_give(struct plain_ranges *plain, uint64_t start, uint64_t size);
struct range_totals plain_ranges_totals(const struct plain_ranges *plain);
uint64_t plain_ranges_longest(const struct plain_ranges *plain, struct range_window window);

#endif
