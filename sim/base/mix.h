/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 128-bit hashes that are the same on every machine. Two 64-bit lanes each multiply pairs of
 * little-endian words and fold the 128-bit product; every byte enters both lanes. Hashes add up
 * modulo 2^128, so that a sum over records does not depend on their order. Not for secrets.
 */
#ifndef BASE_MIX_H
#define BASE_MIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hash128 {
    uint64_t low;
    uint64_t high;
};

/* Odd numbers without pattern: the fractions of the roots of small primes. */
#define MIX_LOW UINT64_C(0x9e3779b97f4a7c15)
#define MIX_HIGH UINT64_C(0xbb67ae8584caa73b)
#define MIX_LOW_END UINT64_C(0xa54ff53a5f1d36f1)
#define MIX_HIGH_END UINT64_C(0x510e527fade682d1)

static inline struct hash128 hash128_add(struct hash128 left, struct hash128 right) {
    struct hash128 sum = { left.low + right.low, left.high + right.high };
    sum.high += sum.low < left.low;
    return sum;
}

static inline struct hash128 hash128_subtract(struct hash128 left, struct hash128 right) {
    struct hash128 difference = { left.low - right.low, left.high - right.high };
    difference.high -= left.low < right.low;
    return difference;
}

static inline bool hash128_equal(struct hash128 left, struct hash128 right) {
    return left.low == right.low && left.high == right.high;
}

/* The full product by four half-word multiplications, for compilers without a wide type. */
static inline struct hash128 mix_multiply_halves(uint64_t left, uint64_t right) {
    uint64_t left_low = left & UINT32_MAX, left_high = left >> 32;
    uint64_t right_low = right & UINT32_MAX, right_high = right >> 32;
    uint64_t bottom = left_low * right_low;
    uint64_t cross = left_high * right_low + (bottom >> 32);
    uint64_t middle = left_low * right_high + (cross & UINT32_MAX);
    return (struct hash128){
        .low = middle << 32 | (bottom & UINT32_MAX),
        .high = left_high * right_high + (cross >> 32) + (middle >> 32),
    };
}

static inline struct hash128 mix_multiply(uint64_t left, uint64_t right) {
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)left * right;
    return (struct hash128){ (uint64_t)product, (uint64_t)(product >> 64) };
#else
    return mix_multiply_halves(left, right);
#endif
}

/* A 64-bit mix of two words. */
static inline uint64_t mix64(uint64_t left, uint64_t right) {
    struct hash128 product = mix_multiply(left, right);
    return product.low ^ product.high;
}

/* Eight bytes as a little-endian word; compilers turn this into one load. */
static inline uint64_t mix_read_word(const unsigned char *bytes) {
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* Takes sixteen bytes into both lanes. */
static inline struct hash128 mix_block(struct hash128 lanes, const unsigned char *bytes) {
    uint64_t first = mix_read_word(bytes);
    uint64_t second = mix_read_word(bytes + 8);
    return (struct hash128){
        .low = mix64(lanes.low ^ first, MIX_LOW ^ second),
        .high = mix64(lanes.high ^ second, MIX_HIGH ^ first),
    };
}

/* Hashes the bytes under a seed; different seeds give unrelated hashes. */
static inline struct hash128 mix128(uint64_t seed, const void *bytes, size_t size) {
    const unsigned char *next = bytes;
    size_t left = size;
    struct hash128 lanes = { seed ^ MIX_HIGH_END, seed + MIX_LOW_END };

    for (; left >= 16; left -= 16, next += 16) {
        lanes = mix_block(lanes, next);
    }
    if (left > 0) {
        unsigned char padded[16] = { 0 };
        memcpy(padded, next, left);
        lanes = mix_block(lanes, padded);
    }

    /* The size tells padding from zero bytes, and the last product spreads the last block. */
    return (struct hash128){
        .low = mix64(lanes.low ^ size, MIX_LOW_END),
        .high = mix64(lanes.high + size, MIX_HIGH_END),
    };
}

#endif
