/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include <check.h>
#include <signal.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

struct amount {
    const char *text;
    uint64_t value;
};

static const struct amount sizes[] = {
    { "0", 0 },
    { "512", 512 },
    { "2KiB", 2048 },
    { "4MiB", 4194304 },
    { "1GiB", 1073741824 },
    { "1TiB", UINT64_C(1099511627776) },
    { "1025", 1025 },
    { "18446744073709551615", UINT64_MAX },
    { "16777215TiB", UINT64_MAX - (UINT64_C(1) << 40) + 1 },
};

static const struct amount times[] = {
    { "0ns", 0 },
    { "7ns", 7 },
    { "15us", 15000 },
    { "2ms", 2000000 },
    { "3s", UINT64_C(3000000000) },
    { "1500us", 1500000 },
    { "18446744073709551615ns", UINT64_MAX },
};

static const char *const no_sizes[] = {
    "",
    "MiB",
    "1.5MiB",
    "1 MiB",
    " 1",
    "1 ",
    "-1",
    "+1",
    "0x10",
    "1kib",
    "1KB",
    "1MB",
    "1B",
    "1s",
    "1e3",
    "1MiBMiB",
    "1MiB ",
    "16777216TiB",
    "18446744073709551616",
};

static const char *const no_times[] = {
    "", "s", "15", "1.5us", "1 us", "-1s", "1S", "1min", "3 weeks", "1MiB", "18446744074s",
};

START_TEST(sizes_are_read_exactly) {
    uint64_t size_bytes = 1;

    ck_assert(units_read_size(sizes[_i].text, &size_bytes));
    ck_assert_uint_eq(size_bytes, sizes[_i].value);
}
END_TEST

START_TEST(sizes_are_written_as_they_are_read) {
    char text[UNITS_TEXT_SIZE];

    ck_assert_str_eq(units_write_size(sizes[_i].value, text), sizes[_i].text);
}
END_TEST

START_TEST(times_are_read_exactly) {
    uint64_t time_ns = 1;

    ck_assert(units_read_time(times[_i].text, &time_ns));
    ck_assert_uint_eq(time_ns, times[_i].value);
}
END_TEST

START_TEST(times_are_written_as_they_are_read) {
    char text[UNITS_TEXT_SIZE];

    ck_assert_str_eq(units_write_time(times[_i].value, text), times[_i].text);
}
END_TEST

START_TEST(what_is_not_a_size_is_refused) {
    uint64_t size_bytes = 77;

    ck_assert_msg(!units_read_size(no_sizes[_i], &size_bytes), "\"%s\" was read", no_sizes[_i]);
    ck_assert_uint_eq(size_bytes, 77);
}
END_TEST

START_TEST(what_is_not_a_time_is_refused) {
    uint64_t time_ns = 77;

    ck_assert_msg(!units_read_time(no_times[_i], &time_ns), "\"%s\" was read", no_times[_i]);
    ck_assert_uint_eq(time_ns, 77);
}
END_TEST

START_TEST(a_sum_that_does_not_fit_is_refused) {
    uint64_t sum = 0;

    ck_assert(units_add(UINT64_MAX - 1, 1, &sum));
    ck_assert_uint_eq(sum, UINT64_MAX);
    ck_assert(!units_add(UINT64_MAX, 1, &sum));
    ck_assert_uint_eq(sum, UINT64_MAX);
}
END_TEST

START_TEST(a_product_that_does_not_fit_is_refused) {
    uint64_t product = 1;

    ck_assert(units_multiply(UINT64_MAX, 0, &product));
    ck_assert_uint_eq(product, 0);
    ck_assert(units_multiply(UINT32_MAX, UINT64_C(4294967297), &product));
    ck_assert_uint_eq(product, UINT64_MAX);
    ck_assert(!units_multiply(UINT64_C(4294967296), UINT64_C(4294967296), &product));
}
END_TEST

START_TEST(aligning_finds_the_next_multiple) {
    uint64_t aligned = 1;

    ck_assert(units_align_up(0, 4096, &aligned));
    ck_assert_uint_eq(aligned, 0);
    ck_assert(units_align_up(4097, 4096, &aligned));
    ck_assert_uint_eq(aligned, 8192);
    ck_assert(units_align_up(8192, 4096, &aligned));
    ck_assert_uint_eq(aligned, 8192);
    ck_assert(units_align_up(10, 7, &aligned));
    ck_assert_uint_eq(aligned, 14);
}
END_TEST

START_TEST(aligning_beyond_the_last_number_is_refused) {
    uint64_t aligned = 77;

    ck_assert(!units_align_up(UINT64_MAX, 4096, &aligned));
    ck_assert_uint_eq(aligned, 77);
}
END_TEST

START_TEST(an_alignment_of_nothing_is_a_bug) {
    uint64_t aligned;

    (void)units_align_up(1, 0, &aligned);
}
END_TEST

Suite *test_units(void);

Suite *test_units(void) {
    Suite *suite = suite_create("units");
    TCase *tests = tcase_create("units");

    tcase_add_loop_test(tests, sizes_are_read_exactly, 0, (int)COUNT(sizes));
    tcase_add_loop_test(tests, sizes_are_written_as_they_are_read, 0, (int)COUNT(sizes));
    tcase_add_loop_test(tests, times_are_read_exactly, 0, (int)COUNT(times));
    tcase_add_loop_test(tests, times_are_written_as_they_are_read, 0, (int)COUNT(times));
    tcase_add_loop_test(tests, what_is_not_a_size_is_refused, 0, (int)COUNT(no_sizes));
    tcase_add_loop_test(tests, what_is_not_a_time_is_refused, 0, (int)COUNT(no_times));
    tcase_add_test(tests, a_sum_that_does_not_fit_is_refused);
    tcase_add_test(tests, a_product_that_does_not_fit_is_refused);
    tcase_add_test(tests, aligning_finds_the_next_multiple);
    tcase_add_test(tests, aligning_beyond_the_last_number_is_refused);
    tcase_add_test_raise_signal(tests, an_alignment_of_nothing_is_a_bug, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
