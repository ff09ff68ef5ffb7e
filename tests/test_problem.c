/* SPDX-License-Identifier: Apache-2.0 */
#include "base/problem.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "list", "verify", "explore", "run" };

static const char *nearest(const char *word) {
    return problem_nearest(word, words, sizeof words / sizeof words[0]);
}

/* Adds one complaint and checks how it prints. */
static void check_line(struct problem_place place, const char *expected) {
    struct problem problem = { 0 };
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);

    ck_assert_ptr_nonnull(stream);
    problem_add(&problem, place, "\"%s\" is not a time", "3 weeks");
    problem_print(&problem, stream);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert_str_eq(printed, expected);
    free(printed);
    problem_fini(&problem);
}

START_TEST(a_fresh_problem_is_empty) {
    struct problem problem = { 0 };

    ck_assert(problem_is_empty(&problem));
    problem_fini(&problem);
}
END_TEST

START_TEST(a_complaint_names_file_place_and_position) {
    check_line((struct problem_place){ "x.json", "/costs/map", 3, 9 },
               "x.json:3:9: /costs/map: \"3 weeks\" is not a time\n");
}
END_TEST

START_TEST(a_complaint_leaves_out_what_is_unknown) {
    check_line((struct problem_place){ .file = "x.json" }, "x.json: \"3 weeks\" is not a time\n");
    check_line((struct problem_place){ .place = "/costs" }, "/costs: \"3 weeks\" is not a time\n");
    check_line((struct problem_place){ .line = 3 }, "line 3: \"3 weeks\" is not a time\n");
    check_line((struct problem_place){ 0 }, "\"3 weeks\" is not a time\n");
}
END_TEST

START_TEST(several_complaints_are_kept_in_order) {
    struct problem problem = { 0 };

    problem_add(&problem, (struct problem_place){ .file = "x.json" }, "first");
    problem_add(&problem, (struct problem_place){ .file = "y.json" }, "second");
    ck_assert(!problem_is_empty(&problem));
    ck_assert_uint_eq(problem.complaints.count, 2);
    ck_assert_str_eq(problem.complaints.items[0].message, "first");
    ck_assert_str_eq(problem.complaints.items[1].place.file, "y.json");
    problem_fini(&problem);
}
END_TEST

START_TEST(a_complaint_copies_its_place) {
    struct problem problem = { 0 };
    char file[] = "x.json";

    problem_add(&problem, (struct problem_place){ .file = file }, "wrong");
    memset(file, '?', sizeof file - 1);
    ck_assert_str_eq(problem.complaints.items[0].place.file, "x.json");
    problem_fini(&problem);
}
END_TEST

START_TEST(one_slip_in_a_short_word_is_near) {
    ck_assert_str_eq(nearest("lst"), "list");
    ck_assert_str_eq(nearest("lists"), "list");
    ck_assert_str_eq(nearest("lisp"), "list");
    ck_assert_str_eq(nearest("lsit"), "list");
}
END_TEST

START_TEST(a_third_of_a_long_word_may_be_wrong) {
    ck_assert_str_eq(nearest("explroer"), "explore");
    ck_assert_str_eq(nearest("vorifi"), "verify");
}
END_TEST

START_TEST(a_word_unlike_all_others_has_no_nearest) {
    ck_assert_ptr_null(nearest("tree"));
    ck_assert_ptr_null(nearest("rnux"));
    ck_assert_ptr_null(nearest(""));
    ck_assert_ptr_null(problem_nearest("list", NULL, 0));
}
END_TEST

START_TEST(the_first_of_equally_near_words_wins) {
    static const char *const pair[] = { "map", "cap" };

    ck_assert_str_eq(problem_nearest("tap", pair, 2), "map");
    ck_assert_str_eq(problem_nearest("cap", pair, 2), "cap");
}
END_TEST

Suite *test_problem(void);

Suite *test_problem(void) {
    Suite *suite = suite_create("problem");
    TCase *tests = tcase_create("problem");

    tcase_add_test(tests, a_fresh_problem_is_empty);
    tcase_add_test(tests, a_complaint_names_file_place_and_position);
    tcase_add_test(tests, a_complaint_leaves_out_what_is_unknown);
    tcase_add_test(tests, several_complaints_are_kept_in_order);
    tcase_add_test(tests, a_complaint_copies_its_place);
    tcase_add_test(tests, one_slip_in_a_short_word_is_near);
    tcase_add_test(tests, a_third_of_a_long_word_may_be_wrong);
    tcase_add_test(tests, a_word_unlike_all_others_has_no_nearest);
    tcase_add_test(tests, the_first_of_equally_near_words_wins);
    suite_add_tcase(suite, tests);
    return suite;
}
