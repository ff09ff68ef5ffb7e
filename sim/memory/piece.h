/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule for programs that cut a block into pieces: where a piece may start, and how many bytes
 * it needs to itself because hardware reads past its end (spec: malloc 4). Nothing enforces the
 * rule when a program runs, so breaches are reported.
 */
#ifndef MEMORY_PIECE_H
#define MEMORY_PIECE_H

#include <stdbool.h>
#include <stdint.h>

enum piece_breach {
    PIECE_START_UNALIGNED,
    PIECE_TOO_SMALL, /* the next piece or the end of the block comes too early */
    PIECE_OVERLAP,
    PIECE_OUT_OF_BLOCK,
    PIECE_EMPTY, /* the rule does not cover pieces of 0 bytes */
    PIECE_BREACHES
};

struct piece {
    uint64_t start; /* address */
    uint64_t size;
};

struct piece_block {
    uint64_t start;
    uint64_t size;
    uint64_t extra; /* bytes that a piece needs on top */
    bool media;     /* it is media memory: starts are aligned more coarsely */
};

struct piece_finding {
    enum piece_breach breach;
    uint32_t piece; /* its place in the caller's array */
    uint32_t other; /* of an overlap: the earlier piece that reaches furthest */
    uint64_t has;   /* too small: bytes it has, and needs */
    uint64_t needs;
};

typedef void piece_report(void *context, const struct piece_finding *finding);

const char *piece_breach_name(enum piece_breach breach); /* "sub_too_small" */

uint64_t piece_alignment(bool media);
uint64_t piece_need(uint64_t size, uint64_t extra); /* bytes to itself; saturates */

/* From one start to the next when pieces lie close together; saturates. */
uint64_t piece_stride(uint64_t size, uint64_t extra, bool media);

/* Reports every breach in the order of starts; how many. */
uint32_t piece_check(const struct piece_block *block, const struct piece *pieces, uint32_t count,
                     piece_report *report, void *context);

#endif
