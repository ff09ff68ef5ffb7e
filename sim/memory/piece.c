/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/piece.h"

#include <stdlib.h>

#include "base/host.h"
#include "base/must.h"
#include "base/units.h"

enum { ROUNDING = 32, ALIGNMENT = 64, ALIGNMENT_MEDIA = 128 };

/* A piece in the order of starts. */
struct place {
    uint64_t start;
    uint64_t size;
    uint32_t piece;
};

struct check {
    const struct piece_block *block;
    piece_report *report;
    void *context;
    uint32_t count;
};

static uint64_t add(uint64_t left, uint64_t right) {
    uint64_t sum = 0;
    return units_add(left, right, &sum) ? sum : UINT64_MAX;
}

static uint64_t align_up(uint64_t size, uint64_t unit) {
    uint64_t aligned = 0;
    return units_align_up(size, unit, &aligned) ? aligned : UINT64_MAX;
}

const char *piece_breach_name(enum piece_breach breach) {
    static const char *const names[PIECE_BREACHES] = {
        [PIECE_START_UNALIGNED] = "sub_start_unaligned",
        [PIECE_TOO_SMALL] = "sub_too_small",
        [PIECE_OVERLAP] = "sub_overlap",
        [PIECE_OUT_OF_BLOCK] = "sub_out_of_block",
        [PIECE_EMPTY] = "sub_empty",
    };
    must(breach < PIECE_BREACHES);
    return names[breach];
}

uint64_t piece_alignment(bool media) {
    return media ? ALIGNMENT_MEDIA : ALIGNMENT;
}

uint64_t piece_need(uint64_t size, uint64_t extra) {
    return add(align_up(size, ROUNDING), extra);
}

uint64_t piece_stride(uint64_t size, uint64_t extra, bool media) {
    return align_up(piece_need(size, extra), piece_alignment(media));
}

static int by_start(const void *left, const void *right) {
    const struct place *first = left;
    const struct place *second = right;
    if (first->start != second->start) {
        return first->start < second->start ? -1 : 1;
    }
    return (first->piece > second->piece) - (first->piece < second->piece);
}

static void report(struct check *check, struct piece_finding finding) {
    check->report(check->context, &finding);
    check->count++;
}

static void check_start(struct check *check, const struct place *at) {
    const struct piece_block *block = check->block;
    if (at->start % piece_alignment(block->media) != 0) {
        report(check, (struct piece_finding){ PIECE_START_UNALIGNED, at->piece, 0, 0, 0 });
    }
    if (at->start < block->start || add(at->start, at->size) > add(block->start, block->size)) {
        report(check, (struct piece_finding){ PIECE_OUT_OF_BLOCK, at->piece, 0, 0, 0 });
    }
}

static void check_room(struct check *check, const struct place *at, const struct place *next) {
    uint64_t end = add(check->block->start, check->block->size);
    uint64_t stop = at->start < end ? end : UINT64_MAX;
    if (next != NULL && next->start < stop) {
        stop = next->start;
    }
    uint64_t needs = piece_need(at->size, check->block->extra);
    uint64_t has = stop - at->start;
    if (has < needs) {
        report(check, (struct piece_finding){ PIECE_TOO_SMALL, at->piece, 0, has, needs });
    }
}

static void check_in_order(struct check *check, const struct place *place, uint32_t count) {
    const struct place *furthest = NULL;
    for (uint32_t order = 0; order < count; order++) {
        const struct place *at = &place[order];
        check_start(check, at);
        if (furthest != NULL && at->start < add(furthest->start, furthest->size)) {
            report(check,
                   (struct piece_finding){ PIECE_OVERLAP, at->piece, furthest->piece, 0, 0 });
        }
        check_room(check, at, order + 1 < count ? at + 1 : NULL);
        if (furthest == NULL || add(at->start, at->size) > add(furthest->start, furthest->size)) {
            furthest = at;
        }
    }
}

uint32_t piece_check(const struct piece_block *block, const struct piece *pieces, uint32_t count,
                     piece_report *report_breach, void *context) {
    struct check check = { block, report_breach, context, 0 };
    struct place *place = host_resize(NULL, count, sizeof *place);
    uint32_t kept = 0;
    for (uint32_t piece = 0; piece < count; piece++) {
        if (pieces[piece].size == 0) {
            report(&check, (struct piece_finding){ PIECE_EMPTY, piece, 0, 0, 0 });
        } else {
            place[kept++] = (struct place){ pieces[piece].start, pieces[piece].size, piece };
        }
    }
    qsort(place, kept, sizeof *place, by_start);
    check_in_order(&check, place, kept);
    free(place);
    return check.count;
}
