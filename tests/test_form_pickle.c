/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <string.h>

#include "base/mix.h"
#include "base/text.h"
#include "tests/pickled.h"

/* Pickles of Python, and what they say. */
static const struct {
    const char *bytes;
    size_t size;
    const char *tale;
} pickles[] = {
#define PICKLE(literal, tale) { literal, sizeof(literal) - 1, tale }
    PICKLE("\x80\x04N.", "result none"),
    PICKLE("\x80\x05\x88.", "result bool1"),
    PICKLE("\x80\x04K\xff.", "result 255"),
    PICKLE("\x80\x04M\x01\x02.", "result 513"),
    PICKLE("\x80\x04J\xff\xff\xff\xff.", "result -1"),
    PICKLE("\x80\x04\x8a\x06\x00\x00\xc0\xc1\xc0\x12.", "result 20619093606400"),
    PICKLE("\x80\x04\x8a\x00.", "result 0"),
    PICKLE("\x80\x04\x8a\x01\xfe.", "result -2"),
    PICKLE("\x80\x04\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\x00.", "result 9223372036854775807"),
    PICKLE("\x80\x04G?\xf0\x00\x00\x00\x00\x00\x00.", "result float"),
    PICKLE("\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00\x8c\x03red.", "result red"),
    PICKLE("\x80\x02X\x04\x00\x00\x00" "blue.", "result blue"),
    PICKLE("\x80\x04\x8d\x04\x00\x00\x00\x00\x00\x00\x00" "blue.", "result blue"),
    PICKLE("\x80\x04\x8c\x05green.", "result word"),
    PICKLE("\x80\x04]\x94(K\x01K\x02" "e.", "append 1;append 2;result list"),
    PICKLE("\x80\x04]\x94K\x01" "a.", "append 1;result list"),
    PICKLE("\x80\x04}\x94(\x8c\x03red\x94K\x01\x8c\x04" "blue\x94h\x01u.",
           "set red=1;set blue=red;result dict"),
    PICKLE("\x80\x04}\x8c\x03redK\x01s.", "set red=1;result dict"),
    PICKLE("\x80\x04K\x01K\x02\x86.", "result tuple"),
    PICKLE("\x80\x04(K\x01K\x02K\x03K\x04t.", "result tuple"),
    PICKLE("\x80\x02}q\x00X\x03\x00\x00\x00redq\x01]q\x02(K\x01h\x01" "es.",
           "append 1;append red;set red=list;result dict"),
    PICKLE("\x80\x02}r\x00\x00\x00\x00j\x00\x00\x00\x00" "0.", "result dict"),
    PICKLE("(dp0\nVred\np1\nI42\nsVblue\nL-7L\ns.", "set red=42;set blue=-7;result dict"),
    PICKLE("(lp0\nI01\naF1.5\nag0\na.", "append bool1;append float;append list;result list"),
    PICKLE("\x80\x04K\x01(K\x02K\x03" "1.", "result 1"),
};

START_TEST(plain_values_of_every_protocol_are_read) {
    ck_assert_str_eq(pickled_tale(pickles[_i].bytes, pickles[_i].size), pickles[_i].tale);
}
END_TEST

START_TEST(a_pickle_that_is_cut_off_anywhere_is_refused) {
    for (size_t size = 0; size < pickles[_i].size; size++) {
        const char *tale = pickled_tale(pickles[_i].bytes, size);
        ck_assert_msg(strstr(tale, "bad: byte ") != NULL && strstr(tale, "the file ends") != NULL,
                      "%zu: %s", size, tale);
    }
}
END_TEST

/* Opcodes that run code, by name and offset. */
START_TEST(whatever_could_run_code_is_refused_by_name_and_offset) {
    static const struct {
        const char *code;
        const char *name;
    } codes[] = {
        { "c", "GLOBAL (0x63)" },        { "\x93", "STACK_GLOBAL (0x93)" },
        { "i", "INST (0x69)" },          { "o", "OBJ (0x6f)" },
        { "\x81", "NEWOBJ (0x81)" },     { "\x92", "NEWOBJ_EX (0x92)" },
        { "R", "REDUCE (0x52)" },        { "b", "BUILD (0x62)" },
        { "P", "PERSID (0x50)" },        { "Q", "BINPERSID (0x51)" },
        { "\x82", "EXT1 (0x82)" },       { "\x83", "EXT2 (0x83)" },
        { "\x84", "EXT4 (0x84)" },
    };
    char bytes[8] = "\x80\x04]N";
    struct text expected = { 0 };
    bytes[4] = codes[_i].code[0];
    text_printf(&expected, "bad: byte 4: the opcode %s could run code and is refused; expected a "
                           "pickle of plain values",
                codes[_i].name);
    ck_assert_str_eq(pickled_tale(bytes, 5), text_get(&expected));
    text_fini(&expected);
}
END_TEST

START_TEST(what_is_no_pickle_of_plain_values_is_refused) {
    ck_assert_str_eq(pickled("\x80\x04\x8f."),
                     "bad: byte 2: the opcode EMPTY_SET (0x8f) is not for plain values; expected a "
                     "pickle of plain values");
    ck_assert_str_eq(pickled("\x80\x04z"),
                     "bad: byte 2: 0x7a is no opcode; expected a pickle of plain values");
    ck_assert_str_eq(pickled("\x80\x06"), "bad: byte 0: protocol 6; expected 0 to 5");
    ck_assert_str_eq(pickled("\x80\x04K\x01K\x02."),
                     "bad: byte 6: 2 values are left at the end; expected one");
    ck_assert_str_eq(pickled("\x80\x04."),
                     "bad: byte 2: 0 values are left at the end; expected one");
    ck_assert_str_eq(pickled("\x80\x04(K\x01."),
                     "bad: byte 5: 1 values are left at the end; expected one");
    ck_assert_str_eq(pickled("\x80\x04K\x01\x86."),
                     "bad: byte 4: an opcode takes more values than there are");
    ck_assert_str_eq(pickled("\x80\x04" "e"),
                     "bad: byte 2: an opcode goes back to a mark, and there is none");
    ck_assert_str_eq(pickled("\x80\x04K\x01K\x02" "a"),
                     "bad: byte 6: items are given to what is no list");
    ck_assert_str_eq(pickled("\x80\x04}(K\x01u"),
                     "bad: byte 6: pairs are given to what is no dict, or a value is missing");
    ck_assert_str_eq(pickled("\x80\x04]K\x01K\x02s"),
                     "bad: byte 7: pairs are given to what is no dict, or a value is missing");
    ck_assert_str_eq(pickled("I4x\n."), "bad: byte 0: \"4x\" is not a whole number");
    ck_assert_str_eq(pickled("\x80\x04\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01."),
                     "bad: byte 2: an integer of more than 64 bits; expected fewer");
}
END_TEST

START_TEST(a_memo_holds_what_was_stored_and_no_more) {
    ck_assert_str_eq(pickled("\x80\x04h\x00."), "bad: byte 2: memo index 0 was never stored");
    ck_assert_str_eq(pickled("\x80\x04N\x94h\x01."), "bad: byte 4: memo index 1 was never stored");
    ck_assert_str_eq(pickled("\x80\x04Nr\xff\xff\xff\x7f."),
                     "bad: byte 3: memo index 2147483647 is far beyond the 0 values stored");
    ck_assert_str_eq(pickled("\x80\x04\x94"), "bad: byte 2: an opcode takes more values than there "
                                              "are");
}
END_TEST

START_TEST(a_length_beyond_the_file_costs_no_memory) {
    ck_assert_str_eq(pickled("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f" "abc"),
                     "bad: byte 2: the file ends inside of the pickle; expected the opcode STOP");
    ck_assert_str_eq(pickled("\x80\x04\x8b\xff\xff\xff\x7f"),
                     "bad: byte 2: the file ends inside of the pickle; expected the opcode STOP");
}
END_TEST

START_TEST(nesting_of_any_depth_needs_no_stack_of_ours) {
    enum { DEPTH = 200000 };
    static char bytes[2 * DEPTH + 1];
    memset(bytes, ']', DEPTH);
    memset(bytes + DEPTH, 'a', DEPTH - 1);
    bytes[2 * DEPTH - 1] = '.';
    const char *tale = pickled_tale(bytes, 2 * DEPTH);
    ck_assert_str_eq(tale + strlen(tale) - strlen("result list"), "result list");
}
END_TEST

START_TEST(containers_under_way_are_bounded) {
    enum { DEPTH = 10001 };
    static char bytes[DEPTH];
    memset(bytes, '(', DEPTH);
    ck_assert_str_eq(pickled_tale(bytes, DEPTH),
                     "bad: byte 10000: more than 10000 levels of nesting; expected fewer");
    ck_assert_str_eq(pickled_tale(bytes, DEPTH - 1),
                     "bad: byte 10000: the file ends inside of the pickle; expected the opcode "
                     "STOP");
}
END_TEST

START_TEST(nothing_may_follow_the_pickle) {
    ck_assert_str_eq(pickled("\x80\x04N.\n"),
                     "bad: byte 4: more bytes follow the pickle; expected the end of the file");
}
END_TEST

START_TEST(random_bytes_end_with_one_complaint_or_a_value) {
    uint64_t state = (uint64_t)_i + 1;
    for (int round = 0; round < 300; round++) {
        unsigned char bytes[64];
        for (size_t place = 0; place < sizeof bytes; place++) {
            static const char likely[] = "}](\x8c\x85K\x94h\x02" "aesu0t1.N\x88q";
            state = mix64(state, MIX_LOW);
            bytes[place] = state % 3 == 0 ? (unsigned char)(state >> 32)
                                          : (unsigned char)likely[(state >> 16) %
                                                                  (sizeof likely - 1)];
        }
        const char *tale = pickled_tale(bytes, sizeof bytes);
        ck_assert(strstr(tale, "bad: ") != NULL || strstr(tale, "result ") != NULL);
    }
}
END_TEST

Suite *test_form_pickle(void);

Suite *test_form_pickle(void) {
    Suite *suite = suite_create("form_pickle");
    TCase *tests = tcase_create("form_pickle");
    int count = (int)(sizeof pickles / sizeof pickles[0]);
    tcase_add_loop_test(tests, plain_values_of_every_protocol_are_read, 0, count);
    tcase_add_loop_test(tests, a_pickle_that_is_cut_off_anywhere_is_refused, 0, count);
    tcase_add_loop_test(tests, whatever_could_run_code_is_refused_by_name_and_offset, 0, 13);
    tcase_add_test(tests, what_is_no_pickle_of_plain_values_is_refused);
    tcase_add_test(tests, a_memo_holds_what_was_stored_and_no_more);
    tcase_add_test(tests, a_length_beyond_the_file_costs_no_memory);
    tcase_add_test(tests, nesting_of_any_depth_needs_no_stack_of_ours);
    tcase_add_test(tests, containers_under_way_are_bounded);
    tcase_add_test(tests, nothing_may_follow_the_pickle);
    tcase_add_loop_test(tests, random_bytes_end_with_one_complaint_or_a_value, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}
