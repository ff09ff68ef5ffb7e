/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/piece.h"

#include <check.h>
#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { EXTRA = 32, FINDINGS = 16 };
#define BASE UINT64_C(0x100000000000)

struct found {
    uint32_t count;
    struct piece_finding finding[FINDINGS];
};

static void keep(void *context, const struct piece_finding *finding) {
    struct found *found = context;
    ck_assert_uint_lt(found->count, FINDINGS);
    found->finding[found->count++] = *finding;
}

static void count(void *context, const struct piece_finding *finding) {
    ((uint32_t *)context)[finding->breach]++;
}

static struct piece_block plain(uint64_t size) {
    return (struct piece_block){ BASE, size, EXTRA, false };
}

static struct piece_block media(uint64_t size) {
    return (struct piece_block){ BASE, size, EXTRA, true };
}

/* Checks pieces whose starts count from the start of the block. */
static struct found check_pieces(struct piece_block block, const struct piece *pieces,
                                 uint32_t piece_count) {
    struct found found = { 0 };
    struct piece moved[FINDINGS];
    for (uint32_t piece = 0; piece < piece_count; piece++) {
        moved[piece] = (struct piece){ block.start + pieces[piece].start, pieces[piece].size };
    }
    ck_assert_uint_eq(piece_check(&block, moved, piece_count, keep, &found), found.count);
    return found;
}

static bool has(const struct found *found, enum piece_breach breach, uint32_t piece) {
    bool is_there = false;
    for (uint32_t place = 0; place < found->count; place++) {
        is_there |= found->finding[place].breach == breach && found->finding[place].piece == piece;
    }
    return is_there;
}

struct length {
    uint64_t length, need, stride, stride_media;
};

static const struct length lengths[] = {
    { 1, 64, 64, 128 },         { 32, 64, 64, 128 },
    { 33, 96, 128, 128 },       { 64, 96, 128, 128 },
    { 100, 160, 192, 256 },     { 224, 256, 256, 256 },
    { 4096, 4128, 4160, 4224 }, { 1048576, 1048608, 1048640, 1048704 },
};

START_TEST(a_piece_needs_its_length_rounded_and_some_extra) {
    const struct length *at = &lengths[_i];
    ck_assert_uint_eq(piece_need(at->length, EXTRA), at->need);
    ck_assert_uint_eq(piece_stride(at->length, EXTRA, false), at->stride);
    ck_assert_uint_eq(piece_stride(at->length, EXTRA, true), at->stride_media);
}
END_TEST

START_TEST(a_later_edition_needs_no_extra) {
    ck_assert_uint_eq(piece_need(100, 0), 128);
    ck_assert_uint_eq(piece_stride(100, 0, false), 128);
    ck_assert_uint_eq(piece_stride(33, 0, true), 128);
}
END_TEST

START_TEST(sizes_near_the_end_of_the_numbers_saturate) {
    ck_assert_uint_eq(piece_need(UINT64_MAX - 40, EXTRA), UINT64_MAX);
    ck_assert_uint_eq(piece_need(UINT64_MAX, 0), UINT64_MAX);
    ck_assert_uint_eq(piece_stride(UINT64_MAX - 100, EXTRA, true), UINT64_MAX);
    const struct piece huge[] = { { 0, UINT64_MAX } };
    struct found found = check_pieces(plain(4096), huge, 1);
    ck_assert(has(&found, PIECE_OUT_OF_BLOCK, 0));
    ck_assert(has(&found, PIECE_TOO_SMALL, 0));
    ck_assert_uint_eq(found.count, 2);
}
END_TEST

static const struct piece example_a[] = { { 0, 100 }, { 192, 33 }, { 320, 1 } };

START_TEST(pieces_packed_by_the_rule_are_well) {
    ck_assert_uint_eq(check_pieces(plain(384), example_a, 3).count, 0);
}
END_TEST

START_TEST(the_last_piece_needs_its_bytes_before_the_block_ends) {
    struct found found = check_pieces(plain(383), example_a, 3);
    ck_assert_uint_eq(found.count, 1);
    ck_assert_int_eq(found.finding[0].breach, PIECE_TOO_SMALL);
    ck_assert_uint_eq(found.finding[0].piece, 2);
    ck_assert_uint_eq(found.finding[0].has, 63);
    ck_assert_uint_eq(found.finding[0].needs, 64);
}
END_TEST

START_TEST(media_pieces_start_at_multiples_of_128) {
    const struct piece example_b[] = { { 0, 224 }, { 256, 224 }, { 512, 224 }, { 768, 224 } };
    ck_assert_uint_eq(check_pieces(media(1024), example_b, 4).count, 0);
    ck_assert_uint_eq(check_pieces(media(1023), example_b, 4).count, 1);
    const struct piece at_64[] = { { 64, 32 } };
    ck_assert_uint_eq(check_pieces(plain(4096), at_64, 1).count, 0);
    struct found found = check_pieces(media(4096), at_64, 1);
    ck_assert_uint_eq(found.count, 1);
    ck_assert(has(&found, PIECE_START_UNALIGNED, 0));
}
END_TEST

START_TEST(pieces_without_the_extra_are_two_findings) {
    const struct piece example_c[] = { { 0, 32 }, { 32, 32 } };
    struct found found = check_pieces(plain(4096), example_c, 2);
    ck_assert_uint_eq(found.count, 2);
    ck_assert(has(&found, PIECE_TOO_SMALL, 0));
    ck_assert(has(&found, PIECE_START_UNALIGNED, 1));
    ck_assert_uint_eq(found.finding[0].has, 32);
}
END_TEST

START_TEST(alignment_counts_from_address_0_not_from_the_block) {
    struct piece_block block = { BASE + 32, 4096, EXTRA, false };
    const struct piece at_start[] = { { 0, 1 } };
    const struct piece behind[] = { { 32, 1 } };
    ck_assert_uint_eq(check_pieces(block, at_start, 1).count, 1);
    ck_assert_uint_eq(check_pieces(block, behind, 1).count, 0);
}
END_TEST

START_TEST(pieces_that_share_bytes_overlap) {
    const struct piece pieces[] = { { 64, 100 }, { 0, 65 } };
    struct found found = check_pieces(plain(4096), pieces, 2);
    ck_assert_uint_eq(found.count, 2);
    ck_assert(has(&found, PIECE_TOO_SMALL, 1));
    ck_assert(has(&found, PIECE_OVERLAP, 0));
    ck_assert_uint_eq(found.finding[1].other, 1);
}
END_TEST

START_TEST(pieces_that_touch_do_not_overlap) {
    const struct piece pieces[] = { { 0, 64 }, { 64, 32 } };
    struct found found = check_pieces(plain(4096), pieces, 2);
    ck_assert_uint_eq(found.count, 1);
    ck_assert(has(&found, PIECE_TOO_SMALL, 0));
}
END_TEST

START_TEST(an_overlap_names_the_piece_that_reaches_furthest) {
    const struct piece pieces[] = { { 0, 4096 }, { 64, 16 }, { 2048, 16 }, { 8192, 16 } };
    struct found found = check_pieces(plain(16384), pieces, 4);
    ck_assert(has(&found, PIECE_OVERLAP, 1));
    ck_assert(has(&found, PIECE_OVERLAP, 2));
    ck_assert(!has(&found, PIECE_OVERLAP, 3));
    for (uint32_t place = 0; place < found.count; place++) {
        ck_assert_uint_eq(found.finding[place].other, 0);
    }
}
END_TEST

START_TEST(pieces_at_one_place_overlap_once) {
    const struct piece pieces[] = { { 128, 32 }, { 128, 32 } };
    struct found found = check_pieces(plain(4096), pieces, 2);
    ck_assert(has(&found, PIECE_OVERLAP, 1));
    ck_assert(!has(&found, PIECE_OVERLAP, 0));
    ck_assert(has(&found, PIECE_TOO_SMALL, 0));
    ck_assert_uint_eq(found.count, 2);
}
END_TEST

START_TEST(a_piece_before_or_behind_the_block_is_out_of_it) {
    struct piece_block block = { BASE + 4096, 4096, EXTRA, false };
    const struct piece behind[] = { { 4096, 32 } };
    struct found found = check_pieces(block, behind, 1);
    ck_assert_uint_eq(found.count, 1);
    ck_assert(has(&found, PIECE_OUT_OF_BLOCK, 0));
    const struct piece before[] = { { (uint64_t)-64, 32 } };
    found = check_pieces(block, before, 1);
    ck_assert_uint_eq(found.count, 1);
    ck_assert(has(&found, PIECE_OUT_OF_BLOCK, 0));
    const struct piece across[] = { { 4032, 65 } };
    found = check_pieces(block, across, 1);
    ck_assert_uint_eq(found.count, 2);
    ck_assert(has(&found, PIECE_OUT_OF_BLOCK, 0));
    ck_assert(has(&found, PIECE_TOO_SMALL, 0));
}
END_TEST

START_TEST(a_piece_of_no_bytes_is_refused_and_bothers_no_other) {
    const struct piece pieces[] = { { 0, 64 }, { 64, 0 } };
    struct found found = check_pieces(plain(96), pieces, 2);
    ck_assert_uint_eq(found.count, 1);
    ck_assert(has(&found, PIECE_EMPTY, 1));
}
END_TEST

START_TEST(no_pieces_are_well) {
    ck_assert_uint_eq(check_pieces(plain(4096), NULL, 0).count, 0);
}
END_TEST

/* Every pair against every other, the slow way. */
static uint32_t count_overlapping(const struct piece *piece, uint32_t pieces) {
    uint32_t overlapping = 0;
    for (uint32_t at = 0; at < pieces; at++) {
        bool meets = false;
        for (uint32_t other = 0; other < pieces; other++) {
            bool first = piece[other].start < piece[at].start ||
                         (piece[other].start == piece[at].start && other < at);
            meets |= first && piece[other].start + piece[other].size > piece[at].start;
        }
        overlapping += meets;
    }
    return overlapping;
}

START_TEST(overlaps_of_random_pieces_agree_with_all_pairs) {
    enum { PIECES = 60 };
    uint64_t state = 88172645463325252 + (uint64_t)_i;
    struct piece piece[PIECES];
    for (uint32_t at = 0; at < PIECES; at++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        piece[at] = (struct piece){ BASE + state % 8192, (state >> 32 & 127) | 1 };
    }
    struct piece_block block = plain(UINT64_C(1) << 20);
    uint32_t breaches[PIECE_BREACHES] = { 0 };
    piece_check(&block, piece, PIECES, count, breaches);
    ck_assert_uint_eq(breaches[PIECE_OVERLAP], count_overlapping(piece, PIECES));
    ck_assert_uint_eq(breaches[PIECE_OUT_OF_BLOCK], 0);
}
END_TEST

START_TEST(a_hundred_thousand_pieces_are_checked_at_once) {
    enum { PIECES = 100000 };
    struct piece *piece = calloc(PIECES, sizeof *piece);
    for (uint32_t at = 0; at < PIECES; at++) {
        piece[at] = (struct piece){ BASE + (uint64_t)(PIECES - at) * 128, 96 };
    }
    struct piece_block block = plain(UINT64_C(1) << 30);
    uint32_t breaches[PIECE_BREACHES] = { 0 };
    ck_assert_uint_eq(piece_check(&block, piece, PIECES, count, breaches), 0);
    free(piece);
}
END_TEST

START_TEST(breaches_have_names) {
    ck_assert_str_eq(piece_breach_name(PIECE_START_UNALIGNED), "sub_start_unaligned");
    ck_assert_str_eq(piece_breach_name(PIECE_TOO_SMALL), "sub_too_small");
    ck_assert_str_eq(piece_breach_name(PIECE_OVERLAP), "sub_overlap");
    ck_assert_str_eq(piece_breach_name(PIECE_OUT_OF_BLOCK), "sub_out_of_block");
    ck_assert_str_eq(piece_breach_name(PIECE_EMPTY), "sub_empty");
}
END_TEST

Suite *test_piece(void);

Suite *test_piece(void) {
    Suite *suite = suite_create("piece");
    TCase *tests = tcase_create("piece");
    tcase_add_loop_test(tests, a_piece_needs_its_length_rounded_and_some_extra, 0,
                        (int)COUNT(lengths));
    tcase_add_test(tests, a_later_edition_needs_no_extra);
    tcase_add_test(tests, sizes_near_the_end_of_the_numbers_saturate);
    tcase_add_test(tests, pieces_packed_by_the_rule_are_well);
    tcase_add_test(tests, the_last_piece_needs_its_bytes_before_the_block_ends);
    tcase_add_test(tests, media_pieces_start_at_multiples_of_128);
    tcase_add_test(tests, pieces_without_the_extra_are_two_findings);
    tcase_add_test(tests, alignment_counts_from_address_0_not_from_the_block);
    tcase_add_test(tests, pieces_that_share_bytes_overlap);
    tcase_add_test(tests, pieces_that_touch_do_not_overlap);
    tcase_add_test(tests, an_overlap_names_the_piece_that_reaches_furthest);
    tcase_add_test(tests, pieces_at_one_place_overlap_once);
    tcase_add_test(tests, a_piece_before_or_behind_the_block_is_out_of_it);
    tcase_add_test(tests, a_piece_of_no_bytes_is_refused_and_bothers_no_other);
    tcase_add_test(tests, no_pieces_are_well);
    tcase_add_loop_test(tests, overlaps_of_random_pieces_agree_with_all_pairs, 0, 20);
    tcase_add_test(tests, a_hundred_thousand_pieces_are_checked_at_once);
    tcase_add_test(tests, breaches_have_names);
    suite_add_tcase(suite, tests);
    return suite;
}
