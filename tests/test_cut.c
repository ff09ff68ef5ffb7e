/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that a scenario cuts into pieces, and what the rule for pieces finds. */
#include "scenario/cut_read.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stage.h"

static struct stage stage;

static void set_up(void) {
    stage_init(&stage);
}

static void tear_down(void) {
    stage_fini(&stage);
}

#define TAKE(call, size) "{'call':'" call "','size':" size ",'as':'p'},"

/* What happens in a process that takes a block and cuts it, without its beginning, end and times.
 */
static void check_cut(const char *call, const char *size, const char *pieces,
                      const char *expected) {
    struct text steps = { 0 };
    struct text words = { 0 };
    text_printf(&steps, "{'call':'%s','size':'%s','as':'p'},{'cut':'$p','pieces':[%s]}", call, size,
                pieces);
    const char *happened = stage_play_steps(&stage, text_get(&steps));
    for (const char *at = happened; *at != '\0'; at += strcspn(at, " ") + 1) {
        size_t length = strcspn(at, "@");
        if (strncmp(at, "A:start", length) != 0 && strncmp(at, "A:end", length) != 0) {
            text_append_bytes(&words, at + 2, length - 2);
            text_append(&words, " ");
        }
    }
    ck_assert_str_eq(text_get(&words), expected);
    text_fini(&steps);
    text_fini(&words);
}

/* Example A of the rule: pieces of 100, 33 and 1 bytes start at 0, 192, 320 and need 384. */
START_TEST(pieces_at_the_places_of_the_rule_breach_nothing) {
    check_cut("aclrtMallocAlign32", "384",
              "{'size':100,'at':0},{'size':33,'at':192},{'size':1,'at':320}", "cut=3/0 ");
}
END_TEST

START_TEST(pieces_without_an_offset_are_packed_by_the_rule) {
    check_cut("aclrtMallocAlign32", "384", "{'size':100},{'size':33},{'size':1}", "cut=3/0 ");
    check_cut("aclrtMallocAlign32", "383", "{'size':100},{'size':33},{'size':1}",
              "sub_too_small=63/64 cut=3/1 ");
}
END_TEST

/* Example C: 32 and 32 bytes at 0 and 32. */
START_TEST(each_breach_is_told_with_what_the_piece_has_and_needs) {
    check_cut("aclrtMallocAlign32", "1KiB", "{'size':32,'at':0},{'size':32,'at':32}",
              "sub_too_small=32/64 sub_start_unaligned=0/0 cut=2/2 ");
}
END_TEST

START_TEST(pieces_that_leave_the_block_or_overlap_are_told) {
    check_cut("aclrtMallocAlign32", "128", "{'size':32,'at':128}", "sub_out_of_block=0/0 cut=1/1 ");
    const char *happened = stage_play_steps(
        &stage, TAKE("aclrtMallocAlign32",
                     "1024") "{'cut':'$p','pieces':[{'size':100,'at':0},{'size':100,'at':64}]},"
                             "{'send':'$p','to':'A'}");
    ck_assert_ptr_nonnull(strstr(happened, "sub_overlap="));
    /* An overlap names the other piece by its address: the one at the start of the block. */
    const char *sent = strstr(happened, "A>A=") + 4;
    const char *other = strstr(happened, "sub_overlap=") + 12;
    ck_assert_uint_eq(strtoull(sent, NULL, 10), strtoull(other, NULL, 10));
}
END_TEST

/* Example B: 4 media pieces of 224 bytes lie 256 apart and need 1024; other pieces may start at
 * 64, those of media may not. */
START_TEST(pieces_of_media_memory_start_at_multiples_of_128) {
    check_cut("acldvppMalloc", "1024", "{'size':224,'count':4}", "cut=4/0 ");
    check_cut("acldvppMalloc", "1024", "{'size':32,'at':64}", "sub_start_unaligned=0/0 cut=1/1 ");
    check_cut("aclrtMallocAlign32", "1024", "{'size':32,'at':64}", "cut=1/0 ");
    check_cut("hi_mpi_dvpp_malloc", "1024", "{'size':32,'count':8}", "cut=8/0 ");
}
END_TEST

START_TEST(what_a_piece_needs_on_top_is_the_products) {
    stage.product->piece_extra = 0;
    check_cut("aclrtMallocAlign32", "128", "{'size':64,'count':2}", "cut=2/0 ");
    stage.product->piece_extra = 32;
    check_cut("aclrtMallocAlign32", "128", "{'size':64,'count':2}",
              "sub_out_of_block=0/0 cut=2/1 ");
}
END_TEST

START_TEST(many_equal_pieces_lie_side_by_side_and_the_first_has_a_name) {
    const char *happened = stage_play_steps(
        &stage, TAKE("aclrtMallocAlign32",
                     "'1MiB'") "{'cut':'$p','pieces':[{'size':'1KiB','count':10,'as':'first'},"
                               "{'size':1,'as':'behind'}]},"
                               "{'send':'$first - $p','to':'A'},{'send':'$behind - $p','to':'A'}");
    ck_assert_ptr_nonnull(strstr(happened, "A:cut=11/0"));
    ck_assert_ptr_nonnull(strstr(happened, "A>A=0@"));
    ck_assert_ptr_nonnull(strstr(happened, "A>A=10880@"));
}
END_TEST

START_TEST(all_pieces_of_what_is_no_block_are_out_of_it) {
    check_cut("aclrtMallocAlign32", "0", "{'size':1,'count':2}",
              "sub_out_of_block=0/0 sub_out_of_block=0/0 cut=2/2 ");
}
END_TEST

START_TEST(a_piece_of_no_bytes_or_beyond_all_addresses_stops_the_run) {
    ck_assert_str_eq(stage_read_steps(&stage, "{'cut':0,'pieces':[{'size':'1 - 1'}]}"), "");
    ck_assert_str_eq(stage_run(&stage),
                     "x.json:1:51: /processes/A/steps/0: A:1: a piece has 0 bytes, which the rule "
                     "for pieces does not cover\n");
    ck_assert_str_eq(
        stage_read_steps(&stage,
                         "{'cut':0,'pieces':[{'size':1,'at':'0xffffffffffffffff','count':2}]}"),
        "");
    ck_assert_ptr_nonnull(strstr(stage_run(&stage), "beyond the last address"));
}
END_TEST

START_TEST(mistakes_in_pieces_are_told_where_they_stand) {
    ck_assert_str_eq(
        stage_read_steps(&stage,
                         "{'cut':0},\n{'cut':0,'pieces':{}},\n{'cut':0,'pieces':[7,{'at':0}]},\n"
                         "{'cut':0,'pieces':[{'size':1,'count':0}]},\n"
                         "{'cut':0,'pieces':[{'size':'$q','as':'q'}]}"),
        "x.json:1:51: /processes/A/steps/0: a cut lists its \"pieces\"\n"
        "x.json:2:19: /processes/A/steps/1/pieces: pieces is an object; expected a list\n"
        "x.json:3:20: /processes/A/steps/2/pieces/0: a piece is a whole number; expected an "
        "object\n"
        "x.json:3:22: /processes/A/steps/2/pieces/1: a piece has a \"size\"\n"
        "x.json:4:38: /processes/A/steps/3/pieces/0/count: a count of pieces is a number from 1 to "
        "1000000\n"
        "x.json:5:28: /processes/A/steps/4/pieces/0/size: \"$q\" is not bound here\n");
    ck_assert_ptr_nonnull(strstr(
        stage_read_steps(&stage, "{'cut':0,'pieces':[{'size':1,'count':1000000},{'size':1}]}"),
        "a block is cut into at most 1000000 pieces"));
}
END_TEST

Suite *test_cut(void);

Suite *test_cut(void) {
    Suite *suite = suite_create("cut");
    TCase *tests = tcase_create("cut");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, pieces_at_the_places_of_the_rule_breach_nothing);
    tcase_add_test(tests, pieces_without_an_offset_are_packed_by_the_rule);
    tcase_add_test(tests, each_breach_is_told_with_what_the_piece_has_and_needs);
    tcase_add_test(tests, pieces_that_leave_the_block_or_overlap_are_told);
    tcase_add_test(tests, pieces_of_media_memory_start_at_multiples_of_128);
    tcase_add_test(tests, what_a_piece_needs_on_top_is_the_products);
    tcase_add_test(tests, many_equal_pieces_lie_side_by_side_and_the_first_has_a_name);
    tcase_add_test(tests, all_pieces_of_what_is_no_block_are_out_of_it);
    tcase_add_test(tests, a_piece_of_no_bytes_or_beyond_all_addresses_stops_the_run);
    tcase_add_test(tests, mistakes_in_pieces_are_told_where_they_stand);
    suite_add_tcase(suite, tests);
    return suite;
}
