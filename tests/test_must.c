/* SPDX-License-Identifier: Apache-2.0 */
#include "base/must.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

static void leave(FILE *stream, void *context) {
    (void)stream;
    exit(*(int *)context);
}

START_TEST(a_claim_that_holds_changes_nothing) {
    int asked = 0;

    must(++asked == 1);
    ck_assert_int_eq(asked, 1);
}
END_TEST

START_TEST(a_claim_that_does_not_hold_aborts) {
    must(1 + 1 == 3);
}
END_TEST

START_TEST(last_words_are_asked_for) {
    int status = 17;

    must_set_last_words(leave, &status);
    must(1 + 1 == 3);
}
END_TEST

Suite *test_must(void);

Suite *test_must(void) {
    Suite *suite = suite_create("must");
    TCase *tests = tcase_create("must");

    tcase_add_test(tests, a_claim_that_holds_changes_nothing);
    tcase_add_test_raise_signal(tests, a_claim_that_does_not_hold_aborts, SIGABRT);
    tcase_add_exit_test(tests, last_words_are_asked_for, 17);
    suite_add_tcase(suite, tests);
    return suite;
}
