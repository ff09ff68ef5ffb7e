/* SPDX-License-Identifier: Apache-2.0 */
/* The bit searches that C11 has no word for. GCC and Clang both know these builtins. */
#ifndef ACLSIM_BASE_BITS_H
#define ACLSIM_BASE_BITS_H

#include <stdint.h>

/* Position of the lowest set bit; the word is not zero. */
static inline uint32_t bits_lowest(uint64_t word) {
    return (uint32_t)__builtin_ctzll(word);
}

/* Position of the highest set bit; the word is not zero. */
static inline uint32_t bits_highest(uint64_t word) {
    return 63 - (uint32_t)__builtin_clzll(word);
}

static inline uint32_t bits_count(uint64_t word) {
    return (uint32_t)__builtin_popcountll(word);
}

#endif
