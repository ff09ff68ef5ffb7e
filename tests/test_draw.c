/* SPDX-License-Identifier: Apache-2.0 */
/* Draws in scenarios: whose stream, and what a draw depends on. */
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

#define DISTRIBUTIONS \
    "'gaps':{'exponential':{'mean':'1ms'}},'sizes':{'lognormal':{'median':'1MiB','sigma':2}}"
#define DRAW "{'draw':'sizes','as':'n'},{'send':'$n','to':'A'}"
#define STEPS "{'steps':[" DRAW "," DRAW "]}"

/* What happens in a scenario with a seed, with these distributions and processes. */
static char *play(int seed, const char *distributions, const char *processes) {
    struct text text = { 0 };
    text_printf(&text, "{'format':1,'seed':%d,'distributions':{%s},'processes':{%s}}", seed,
                distributions, processes);
    ck_assert_str_eq(stage_read(&stage, text_get(&text)), "");
    ck_assert_str_eq(stage_run(&stage), "");
    text_clear(&text);
    text_append(&text, text_get(&stage.happened));
    return text_steal(&text);
}

/* The values that a process sends, with blanks between them. */
static void check_sent(char *happened, const char *sender, const char *expected) {
    struct text sent = { 0 };
    for (const char *at = strstr(happened, sender); at != NULL; at = strstr(at + 1, sender)) {
        const char *value = at + strlen(sender);
        text_append_bytes(&sent, value, strcspn(value, "@"));
        text_append(&sent, " ");
    }
    ck_assert_str_eq(text_get(&sent), expected);
    text_fini(&sent);
    free(happened);
}

#define SIZES_OF_A "8441932 700402 "

START_TEST(a_run_gives_the_same_draws_again) {
    check_sent(play(1, DISTRIBUTIONS, "'A':" STEPS), "A>A=", SIZES_OF_A);
    check_sent(play(1, DISTRIBUTIONS, "'A':" STEPS), "A>A=", SIZES_OF_A);
}
END_TEST

START_TEST(neither_a_process_nor_a_distribution_shifts_the_draws_of_others) {
    check_sent(play(1, "'a':{'values':[1]}," DISTRIBUTIONS, "'0':" STEPS ",'A':" STEPS),
               "A>A=", SIZES_OF_A);
    check_sent(play(1, "'a':{'values':[1]}," DISTRIBUTIONS,
                    "'A':{'steps':[{'draw':'a','as':'x'},{'draw':'gaps','as':'x'}," DRAW "," DRAW
                    "]}"),
               "A>A=", SIZES_OF_A);
}
END_TEST

START_TEST(seeds_processes_and_threads_have_draws_of_their_own) {
    check_sent(play(2, DISTRIBUTIONS, "'A':" STEPS), "A>A=", "26176453 2073953 ");
    check_sent(play(1, DISTRIBUTIONS, "'A':" STEPS ",'B':" STEPS), "B>A=", "2609652 127190 ");
    check_sent(play(1, DISTRIBUTIONS,
                    "'A':{'threads':{'x':{'steps':[" DRAW "]},"
                    "'y':{'steps':[{'draw':'sizes','as':'m'},{'send':'$m','to':'A'}]}}}"),
               "A>A=", "8441932 12209759 ");
}
END_TEST

START_TEST(a_drawn_gap_is_a_time) {
    char *happened = play(1, "'gaps':{'values':['3us']}",
                          "'A':{'steps':[{'draw':'gaps','as':'gap'},{'delay':'2 * $gap'},"
                          "{'phase':'later'}]}");
    ck_assert_str_eq(happened, "A:start@0 A:later@6000 A:end@6000 ");
    free(happened);
}
END_TEST

Suite *test_draw(void);
Suite *test_draw(void) {
    Suite *suite = suite_create("draw");
    TCase *tcase = tcase_create("draw");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_run_gives_the_same_draws_again);
    tcase_add_test(tcase, neither_a_process_nor_a_distribution_shifts_the_draws_of_others);
    tcase_add_test(tcase, seeds_processes_and_threads_have_draws_of_their_own);
    tcase_add_test(tcase, a_drawn_gap_is_a_time);
    suite_add_tcase(suite, tcase);
    return suite;
}
