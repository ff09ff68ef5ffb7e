/* SPDX-License-Identifier: Apache-2.0 */
#include "core/choice.h"

#include <check.h>
#include <signal.h>

enum { SEED = 42, PICKS = 1000 };

/* Someone who answers, and remembers what was asked. */
struct answers {
    uint32_t asked;
    enum choice_kind kind;
    uint32_t count;
};

static uint32_t answer_last(void *context, enum choice_kind kind, uint32_t count) {
    struct answers *answers = context;

    answers->asked++;
    answers->kind = kind;
    answers->count = count;
    return count - 1;
}

static struct choice choice_last(struct answers *answers, uint32_t kinds) {
    return (struct choice){ .answer = answer_last, .context = answers, .kinds = kinds };
}

static void pick_all(uint64_t seed, uint32_t picks[PICKS]) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, seed, "choice");
    struct choice choice = choice_random(&stream, choice_bit(CHOICE_NEXT));

    for (uint32_t place = 0; place < PICKS; place++) {
        picks[place] = choice_pick(&choice, CHOICE_NEXT, place + 2);
    }
    store_free(store);
}

START_TEST(a_single_possibility_is_not_asked) {
    struct answers answers = { 0 };
    struct choice choice = choice_last(&answers, UINT32_MAX);

    ck_assert_uint_eq(choice_pick(&choice, CHOICE_NEXT, 1), 0);
    ck_assert_uint_eq(answers.asked, 0);
}
END_TEST

START_TEST(no_possibility_is_not_asked) {
    struct answers answers = { 0 };
    struct choice choice = choice_last(&answers, UINT32_MAX);

    ck_assert_uint_eq(choice_pick(&choice, CHOICE_NEXT, 0), 0);
    ck_assert_uint_eq(answers.asked, 0);
}
END_TEST

START_TEST(two_possibilities_are_asked) {
    struct answers answers = { 0 };
    struct choice choice = choice_last(&answers, UINT32_MAX);

    ck_assert_uint_eq(choice_pick(&choice, CHOICE_NEXT, 2), 1);
    ck_assert_uint_eq(answers.asked, 1);
}
END_TEST

START_TEST(a_kind_that_is_on_is_asked_what_for_and_of_how_many) {
    struct answers answers = { 0 };
    struct choice choice = choice_last(&answers, choice_bit(CHOICE_FAIL));

    ck_assert_uint_eq(choice_pick(&choice, CHOICE_FAIL, 7), 6);
    ck_assert_uint_eq(answers.asked, 1);
    ck_assert_int_eq(answers.kind, CHOICE_FAIL);
    ck_assert_uint_eq(answers.count, 7);
}
END_TEST

START_TEST(kinds_that_are_off_answer_0) {
    for (enum choice_kind on = 0; on < CHOICE_KINDS; on++) {
        for (enum choice_kind kind = 0; kind < CHOICE_KINDS; kind++) {
            struct answers answers = { 0 };
            struct choice choice = choice_last(&answers, choice_bit(on));
            ck_assert_uint_eq(choice_pick(&choice, kind, 5), kind == on ? 4 : 0);
        }
    }
}
END_TEST

START_TEST(the_clock_takes_the_first_of_any_kind) {
    struct choice choice = choice_first();

    for (enum choice_kind kind = 0; kind < CHOICE_KINDS; kind++) {
        ck_assert_uint_eq(choice_pick(&choice, kind, 5), 0);
    }
}
END_TEST

START_TEST(random_answers_are_below_the_count) {
    uint32_t picks[PICKS];

    pick_all(SEED, picks);
    for (uint32_t place = 0; place < PICKS; place++) {
        ck_assert_uint_lt(picks[place], place + 2);
    }
}
END_TEST

START_TEST(random_answers_repeat_with_the_seed) {
    uint32_t picks[PICKS], again[PICKS];

    pick_all(SEED, picks);
    pick_all(SEED, again);
    ck_assert_mem_eq(picks, again, sizeof picks);
}
END_TEST

START_TEST(random_answers_differ_with_another_seed) {
    uint32_t picks[PICKS], others[PICKS];

    pick_all(SEED, picks);
    pick_all(SEED + 1, others);
    ck_assert_mem_ne(picks, others, sizeof picks);
}
END_TEST

START_TEST(every_possibility_is_answered_at_random) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "choice");
    struct choice choice = choice_random(&stream, choice_bit(CHOICE_NEXT));
    uint32_t counts[10] = { 0 };

    for (int place = 0; place < PICKS; place++) {
        counts[choice_pick(&choice, CHOICE_NEXT, 10)]++;
    }
    for (int answer = 0; answer < 10; answer++) {
        ck_assert_uint_gt(counts[answer], 0);
    }
    store_free(store);
}
END_TEST

START_TEST(a_kind_that_is_off_takes_no_draw) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "choice");
    struct choice choice = choice_random(&stream, choice_bit(CHOICE_NEXT));

    struct hash128 before = store_hash(store);
    ck_assert_uint_eq(choice_pick(&choice, CHOICE_DIE, 10), 0);
    ck_assert(hash128_equal(store_hash(store), before));
    store_free(store);
}
END_TEST

START_TEST(every_kind_has_a_name_and_a_bit_of_its_own) {
    uint32_t bits = 0;

    for (enum choice_kind kind = 0; kind < CHOICE_KINDS; kind++) {
        for (enum choice_kind other = 0; other < kind; other++) {
            ck_assert_str_ne(choice_name(kind), choice_name(other));
        }
        ck_assert_uint_eq(bits & choice_bit(kind), 0);
        bits |= choice_bit(kind);
    }
}
END_TEST

START_TEST(the_name_of_no_choice_is_our_bug) {
    (void)choice_name(CHOICE_KINDS);
}
END_TEST

Suite *test_choice(void);

Suite *test_choice(void) {
    Suite *suite = suite_create("choice");
    TCase *tests = tcase_create("choice");

    tcase_add_test(tests, a_single_possibility_is_not_asked);
    tcase_add_test(tests, no_possibility_is_not_asked);
    tcase_add_test(tests, two_possibilities_are_asked);
    tcase_add_test(tests, a_kind_that_is_on_is_asked_what_for_and_of_how_many);
    tcase_add_test(tests, kinds_that_are_off_answer_0);
    tcase_add_test(tests, the_clock_takes_the_first_of_any_kind);
    tcase_add_test(tests, random_answers_are_below_the_count);
    tcase_add_test(tests, random_answers_repeat_with_the_seed);
    tcase_add_test(tests, random_answers_differ_with_another_seed);
    tcase_add_test(tests, every_possibility_is_answered_at_random);
    tcase_add_test(tests, a_kind_that_is_off_takes_no_draw);
    tcase_add_test(tests, every_kind_has_a_name_and_a_bit_of_its_own);
    tcase_add_test_raise_signal(tests, the_name_of_no_choice_is_our_bug, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
