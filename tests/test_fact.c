/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fact.h"

#include <check.h>
#include <signal.h>
#include <stddef.h>

#include "base/text.h"

START_TEST(every_kind_has_a_name_of_its_own) {
    for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++) {
        for (enum fact_kind other = 0; other < kind; other++) {
            ck_assert_str_ne(fact_name(kind), fact_name(other));
        }
    }
}
END_TEST

START_TEST(every_kind_has_at_least_one_value) {
    for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++) {
        ck_assert_ptr_nonnull(fact_value_name(kind, 0));
    }
}
END_TEST

START_TEST(values_are_named_without_gaps) {
    for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++) {
        for (uint32_t place = 1; place < FACT_VALUES; place++) {
            ck_assert(fact_value_name(kind, place) == NULL ||
                      fact_value_name(kind, place - 1) != NULL);
        }
    }
}
END_TEST

START_TEST(values_of_one_kind_have_different_names) {
    for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++) {
        for (uint32_t place = 1; fact_value_name(kind, place) != NULL; place++) {
            for (uint32_t other = 0; other < place; other++) {
                ck_assert_str_ne(fact_value_name(kind, place), fact_value_name(kind, other));
            }
        }
    }
}
END_TEST

START_TEST(names_are_those_of_their_row) {
    ck_assert_str_eq(fact_name(FACT_MAPPED), "mapped");
    ck_assert_str_eq(fact_value_name(FACT_MAPPED, 0), "address");
    ck_assert_str_eq(fact_value_name(FACT_MAPPED, 3), "device");
}
END_TEST

START_TEST(there_is_no_name_beyond_the_last_value) {
    ck_assert_ptr_null(fact_value_name(FACT_MAPPED, 4));
    ck_assert_ptr_null(fact_value_name(FACT_TOUCHED, FACT_VALUES));
    ck_assert_ptr_null(fact_value_name(FACT_MAPPED, UINT32_MAX));
}
END_TEST

/* The kinds in order, as far as their numbers are in digests that somebody kept. */
static const char *const kept =
    "called process_started process_ended device_set device_reset block_made "
    "block_freed host_made host_freed allocation_made allocation_freed handle_made "
    "handle_retained handle_released handle_destroyed reserved unreserved mapped "
    "unmapped access_set exported listed imported share_ended peer_enabled "
    "peer_disabled stream_made stream_destroyed event_made event_destroyed "
    "event_recorded task_queued task_started task_ended touched sent received chosen ";

START_TEST(a_kind_keeps_its_number) {
    struct text text = { 0 };

    for (enum fact_kind kind = 0; kind <= FACT_CHOSEN; kind++) {
        text_printf(&text, "%s ", fact_name(kind));
    }
    ck_assert_str_eq(text_get(&text), kept);
    text_fini(&text);
}
END_TEST

START_TEST(the_name_of_no_kind_is_our_bug) {
    (void)fact_name(FACT_KINDS);
}
END_TEST

Suite *test_fact(void);

Suite *test_fact(void) {
    Suite *suite = suite_create("fact");
    TCase *tests = tcase_create("fact");

    tcase_add_test(tests, every_kind_has_a_name_of_its_own);
    tcase_add_test(tests, every_kind_has_at_least_one_value);
    tcase_add_test(tests, values_are_named_without_gaps);
    tcase_add_test(tests, values_of_one_kind_have_different_names);
    tcase_add_test(tests, names_are_those_of_their_row);
    tcase_add_test(tests, there_is_no_name_beyond_the_last_value);
    tcase_add_test(tests, a_kind_keeps_its_number);
    tcase_add_test_raise_signal(tests, the_name_of_no_kind_is_our_bug, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
