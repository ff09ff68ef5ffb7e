/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing many values at once. Where the compiler may use SSE2 this takes a few instructions;
 * elsewhere a loop gives the same answer.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LANES = 24 };

/* One bit for each of LANES values that is at least so much; all are below 2^31. */
static inline uint32_t lanes_at_least_loop(const uint32_t *value, uint32_t least) {
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        found |= (uint32_t)(value[lane] >= least) << lane;
    }
    return found;
}

#ifdef __SSE2__
static inline __m128i lanes_compare(const uint32_t *value, __m128i below) {
    return _mm_cmpgt_epi32(_mm_loadu_si128((const __m128i *)(const void *)value), below);
}

static inline __m128i lanes_compare_eight(const uint32_t *value, __m128i below) {
    return _mm_packs_epi32(lanes_compare(value, below), lanes_compare(value + 4, below));
}

static inline uint32_t lanes_at_least(const uint32_t *value, uint32_t least) {
    __m128i below = _mm_set1_epi32((int32_t)least - 1);
    __m128i first = lanes_compare_eight(value, below);
    __m128i second = lanes_compare_eight(value + 8, below);
    __m128i third = lanes_compare_eight(value + 16, below);
    uint32_t low = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(first, second));
    uint32_t high = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(third, _mm_setzero_si128()));
    return low | high << 16;
}
#else
static inline uint32_t lanes_at_least(const uint32_t *value, uint32_t least) {
    return lanes_at_least_loop(value, least);
}
#endif

#endif
