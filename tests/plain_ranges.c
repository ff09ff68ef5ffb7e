/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/plain_ranges.h"

#include <check.h>
#include <string.h>

/* The free range before a range in use, or before the end of the line; its size may be 0. */
static struct range gap_before(const struct plain_ranges *plain, uint32_t index) {
    uint64_t start = plain->start;
    if (index > 0) {
        start = plain->used[index - 1].start + plain->used[index - 1].size;
    }
    uint64_t end = index < plain->count ? plain->used[index].start : plain->end;
    return (struct range){ start, end - start, 0 };
}

static bool holds(struct range range, uint64_t unit) {
    return unit >= range.start && unit - range.start < range.size;
}

struct range plain_ranges_at(const struct plain_ranges *plain, uint64_t unit) {
    for (uint32_t index = 0; index < plain->count; index++) {
        if (holds(plain->used[index], unit)) {
            return plain->used[index];
        }
    }
    for (uint32_t index = 0; index <= plain->count; index++) {
        if (holds(gap_before(plain, index), unit)) {
            return gap_before(plain, index);
        }
    }
    ck_abort_msg("the unit is not in the line");
    return (struct range){ 0, 0, 0 };
}

bool plain_ranges_next(const struct plain_ranges *plain, uint64_t unit, struct range *range) {
    for (uint32_t index = 0; index < plain->count; index++) {
        if (plain->used[index].start + plain->used[index].size > unit) {
            *range = plain->used[index];
            return true;
        }
    }
    return false;
}

bool plain_ranges_fit(const struct plain_ranges *plain, struct range_window window, uint64_t size,
                      uint64_t alignment, uint64_t *start) {
    for (uint32_t index = 0; index <= plain->count; index++) {
        struct range gap = gap_before(plain, index);
        uint64_t end = gap.start + gap.size < window.to ? gap.start + gap.size : window.to;
        uint64_t first = gap.start > window.from ? gap.start : window.from;
        uint64_t aligned = (first / alignment + (first % alignment != 0)) * alignment;
        if (aligned >= first && aligned < end && end - aligned >= size) {
            *start = aligned;
            return true;
        }
    }
    return false;
}

void plain_ranges_take(struct plain_ranges *plain, struct range range) {
    uint32_t index = 0;
    while (index < plain->count && plain->used[index].start < range.start) {
        index++;
    }
    ck_assert_uint_lt(plain->count, PLAIN_RANGES);
    memmove(plain->used + index + 1, plain->used + index,
            (plain->count - index) * sizeof plain->used[0]);
    plain->used[index] = range;
    plain->count++;
}

static void remove_at(struct plain_ranges *plain, uint64_t start) {
    uint32_t index = 0;
    while (plain->used[index].start != start) {
        index++;
    }
    plain->count--;
    memmove(plain->used + index, plain->used + index + 1,
            (plain->count - index) * sizeof plain->used[0]);
}

void plain_ranges_give(struct plain_ranges *plain, uint64_t start, uint64_t size) {
    struct range whole = plain_ranges_at(plain, start);
    uint64_t behind = whole.start + whole.size - (start + size);
    remove_at(plain, whole.start);
    if (start > whole.start) {
        plain_ranges_take(plain, (struct range){ whole.start, start - whole.start, whole.id });
    }
    if (behind > 0) {
        plain_ranges_take(plain, (struct range){ start + size, behind, whole.id });
    }
}

static uint64_t max(uint64_t left, uint64_t right) {
    return left > right ? left : right;
}

struct range_totals plain_ranges_totals(const struct plain_ranges *plain) {
    struct range_totals totals = { .ranges = plain->count };
    for (uint32_t index = 0; index <= plain->count; index++) {
        struct range gap = gap_before(plain, index);
        uint64_t first = gap.start / RANGE_COARSE + (gap.start % RANGE_COARSE != 0);
        uint64_t last = (gap.start + gap.size) / RANGE_COARSE;
        uint64_t coarse = last > first ? last - first : 0;
        totals.free += gap.size;
        totals.coarse_free += coarse;
        totals.free_largest = max(totals.free_largest, gap.size);
        totals.coarse_largest = max(totals.coarse_largest, coarse);
    }
    return totals;
}

uint64_t plain_ranges_longest(const struct plain_ranges *plain, struct range_window window) {
    uint64_t longest = 0;
    for (uint32_t index = 0; index <= plain->count; index++) {
        struct range gap = gap_before(plain, index);
        uint64_t from = max(gap.start, window.from);
        uint64_t end = gap.start + gap.size;
        uint64_t to = end < window.to ? end : window.to;
        longest = to > from ? max(longest, to - from) : longest;
    }
    return longest;
}
