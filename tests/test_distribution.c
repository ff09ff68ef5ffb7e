/* SPDX-License-Identifier: Apache-2.0 */
#include "core/distribution.h"

#include <check.h>
#include <string.h>

enum { DRAWS = 20000, MEAN = 1000000 };

static struct store *store;
static struct distribution distribution;

static void set_up(void) {
    store = store_new();
    distribution = (struct distribution){ .most = UINT64_MAX };
}

static void tear_down(void) {
    store_free(store);
    distribution_fini(&distribution);
}

static bool fill(const char *name, double first, double second) {
    const double parameter[DISTRIBUTION_PARAMETERS] = { first, second };
    for (uint32_t place = 0; distribution_law(place) != NULL; place++) {
        if (strcmp(distribution_law(place)->name, name) == 0) {
            return distribution_fill(&distribution, distribution_law(place), parameter);
        }
    }
    return false;
}

/* The quantile at a number of 4096ths, up to the rounding of 20 bits. */
static void check_quantile(uint32_t place, uint64_t expected) {
    uint64_t quantile = distribution.values.items[place];
    ck_assert_uint_ge(quantile + quantile / 1000000 + 1, expected);
    ck_assert_uint_le(quantile, expected + expected / 1000000 + 1);
}

/* The mean of many draws lies within one part in so many of a number. */
static void check_mean(uint64_t expected, uint64_t part) {
    struct random_stream stream = random_stream(store, 1, "mean");
    uint64_t sum = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        sum += distribution_draw(&distribution, &stream);
    }
    ck_assert_uint_ge(sum / DRAWS, expected - expected / part);
    ck_assert_uint_le(sum / DRAWS, expected + expected / part);
}

START_TEST(an_exponential_has_the_quantiles_of_theory) {
    ck_assert(fill("exponential", MEAN, 0));
    ck_assert_uint_eq(distribution.values.count, DISTRIBUTION_STEPS + 1);
    check_quantile(0, 0);
    check_quantile(1024, 287682);   /* ln 4/3 */
    check_quantile(2048, 693147);   /* ln 2 */
    check_quantile(4095, 8317766);  /* ln 4096 */
    check_quantile(4096, 11090355); /* ln 65536: the end is cut there */
    check_mean(MEAN, 50);
}
END_TEST

START_TEST(a_lognormal_has_the_quantiles_of_theory) {
    ck_assert(fill("lognormal", 65536, 1.5));
    check_quantile(0, 0);
    check_quantile(1024, 23828); /* 65536 * exp(-1.5 * 0.6744898) */
    check_quantile(2048, 65536);
    check_quantile(3072, 180248);
    check_mean(201865, 20); /* 65536 * exp(1.5 * 1.5 / 2) */
}
END_TEST

START_TEST(a_normal_is_never_negative) {
    ck_assert(fill("normal", MEAN, MEAN));
    check_quantile(0, 0);
    check_quantile(2048, MEAN);
    check_quantile(3072, 1674490);
    check_quantile(4096, 5169568); /* 4.1695684 deviations: 1 - 2^-16 */
}
END_TEST

START_TEST(gamma_and_weibull_of_shape_one_are_exponential) {
    ck_assert(fill("gamma", 1, MEAN));
    check_quantile(2048, 693147);
    check_quantile(4095, 8317766);
    distribution_fini(&distribution);
    ck_assert(fill("weibull", 1, MEAN));
    check_quantile(2048, 693147);
    check_quantile(4095, 8317766);
}
END_TEST

START_TEST(a_pareto_begins_at_its_least) {
    ck_assert(fill("pareto", 65536, 1));
    check_quantile(0, 65536);
    check_quantile(2048, 131072);
    check_quantile(3072, 262144);
    check_quantile(4096, (uint64_t)65536 * 65536);
}
END_TEST

START_TEST(quantiles_have_twenty_significant_bits) {
    ck_assert(fill("lognormal", 1e12, 2.5));
    for (uint32_t place = 0; place <= DISTRIBUTION_STEPS; place++) {
        uint64_t value = distribution.values.items[place];
        while (value != 0 && value % 2 == 0) {
            value /= 2;
        }
        ck_assert_uint_le(value, 1 << 20);
    }
}
END_TEST

START_TEST(quantiles_beyond_the_numbers_are_refused) {
    ck_assert(!fill("lognormal", 1e12, 40));
    distribution_fini(&distribution);
    ck_assert(!fill("pareto", 1, 0.001));
    distribution_fini(&distribution);
    ck_assert(!fill("exponential", 1e18, 0));
    distribution_fini(&distribution);
    ck_assert(fill("exponential", 8e17, 0));
}
END_TEST

START_TEST(a_draw_stays_within_its_bounds) {
    ck_assert(fill("exponential", MEAN, 0));
    struct random_stream stream = random_stream(store, 1, "bounds");
    bool was_least = false;
    bool was_most = false;
    distribution.least = MEAN / 2;
    distribution.most = MEAN;
    for (int draw = 0; draw < 1000; draw++) {
        uint64_t value = distribution_draw(&distribution, &stream);
        ck_assert_uint_ge(value, MEAN / 2);
        ck_assert_uint_le(value, MEAN);
        was_least = was_least || value == MEAN / 2;
        was_most = was_most || value == MEAN;
    }
    ck_assert(was_least && was_most);
}
END_TEST

START_TEST(listed_values_come_by_their_weights) {
    struct random_stream stream = random_stream(store, 1, "listed");
    uint32_t times[4] = { 0 };
    distribution.form = DISTRIBUTION_LISTED;
    distribution_list(&distribution, 0, 1);
    distribution_list(&distribution, 1, 0);
    distribution_list(&distribution, 2, 3);
    distribution_list(&distribution, 3, 0);
    for (int draw = 0; draw < DRAWS; draw++) {
        times[distribution_draw(&distribution, &stream)]++;
    }
    ck_assert_uint_eq(times[1] + times[3], 0);
    ck_assert_uint_ge(times[0], DRAWS / 4 - DRAWS / 50);
    ck_assert_uint_le(times[0], DRAWS / 4 + DRAWS / 50);
}
END_TEST

START_TEST(a_uniform_favours_no_number) {
    struct random_stream stream = random_stream(store, 1, "dice");
    uint32_t times[8] = { 0 };
    distribution.least = 1;
    distribution.most = 6;
    for (int draw = 0; draw < DRAWS; draw++) {
        times[distribution_draw(&distribution, &stream)]++;
    }
    for (int side = 1; side <= 6; side++) {
        ck_assert_uint_ge(times[side], DRAWS / 6 - DRAWS / 60);
        ck_assert_uint_le(times[side], DRAWS / 6 + DRAWS / 60);
    }
}
END_TEST

START_TEST(a_uniform_may_have_all_numbers) {
    struct random_stream stream = random_stream(store, 1, "all");
    distribution.most = UINT64_MAX;
    uint64_t all = 0;
    for (int draw = 0; draw < 100; draw++) {
        all |= distribution_draw(&distribution, &stream);
    }
    ck_assert_uint_eq(all, UINT64_MAX);
}
END_TEST

/* The last step is as wide as the numbers: nothing in between overflows. */
START_TEST(between_quantiles_a_draw_lies_on_a_straight_line) {
    struct random_stream stream = random_stream(store, 1, "line");
    const uint64_t top = UINT64_MAX - 100;
    uint32_t low = 0;
    uint32_t high = 0;
    distribution.form = DISTRIBUTION_QUANTILES;
    array_add(&distribution.values, 0);
    array_add(&distribution.values, 100);
    array_add(&distribution.values, top);
    for (int draw = 0; draw < DRAWS; draw++) {
        uint64_t value = distribution_draw(&distribution, &stream);
        ck_assert_uint_le(value, top);
        low += value <= 50;
        high += value > top / 2;
    }
    ck_assert_uint_ge(low, DRAWS / 4 - DRAWS / 50);
    ck_assert_uint_le(low, DRAWS / 4 + DRAWS / 50);
    ck_assert_uint_ge(high, DRAWS / 4 - DRAWS / 50);
    ck_assert_uint_le(high, DRAWS / 4 + DRAWS / 50);
}
END_TEST

/* Between 0 and 1 lie halves, which are rounded up. */
START_TEST(between_whole_numbers_a_draw_is_rounded) {
    struct random_stream stream = random_stream(store, 1, "round");
    uint32_t ones = 0;
    distribution.form = DISTRIBUTION_QUANTILES;
    array_add(&distribution.values, 0);
    array_add(&distribution.values, 1);
    for (int draw = 0; draw < DRAWS; draw++) {
        ones += distribution_draw(&distribution, &stream) == 1;
    }
    ck_assert_uint_ge(ones, DRAWS / 2 - DRAWS / 50);
    ck_assert_uint_le(ones, DRAWS / 2 + DRAWS / 50);
}
END_TEST

static uint64_t digest(void) {
    return distribution_digest(&distribution).low;
}

START_TEST(the_digest_tells_all_that_a_draw_depends_on) {
    uint64_t before = digest();
    distribution.least = 1;
    ck_assert_uint_ne(digest(), before);
    before = digest();
    distribution.most = 5;
    ck_assert_uint_ne(digest(), before);
    before = digest();
    distribution_list(&distribution, 3, 1);
    ck_assert_uint_ne(digest(), before);
    before = digest();
    distribution.weights.items[0] = 2;
    ck_assert_uint_ne(digest(), before);
    before = digest();
    distribution.form = DISTRIBUTION_LISTED;
    ck_assert_uint_ne(digest(), before);
}
END_TEST

START_TEST(a_rollback_takes_draws_back) {
    struct table *streams = random_table(store);
    struct random_stream stream = random_stream_at(streams, 1, 7, 12345);
    ck_assert(fill("exponential", MEAN, 0));
    (void)distribution_draw(&distribution, &stream);
    struct store *copy = store_copy(store);
    struct store_mark mark = store_mark(store);
    uint64_t first = distribution_draw(&distribution, &stream);
    uint64_t second = distribution_draw(&distribution, &stream);
    ck_assert_uint_ne(first, second);
    ck_assert(!store_alike(store, copy));
    store_rollback(store, &mark);
    ck_assert(store_alike(store, copy));
    struct random_stream other = random_stream_at(random_table(copy), 1, 7, 99);
    ck_assert_uint_eq(distribution_draw(&distribution, &stream), first);
    ck_assert_uint_eq(distribution_draw(&distribution, &other), first);
    store_unmark(store, &mark);
    store_free(copy);
}
END_TEST

Suite *test_distribution(void);
Suite *test_distribution(void) {
    Suite *suite = suite_create("distribution");
    TCase *tcase = tcase_create("distribution");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, an_exponential_has_the_quantiles_of_theory);
    tcase_add_test(tcase, a_lognormal_has_the_quantiles_of_theory);
    tcase_add_test(tcase, a_normal_is_never_negative);
    tcase_add_test(tcase, gamma_and_weibull_of_shape_one_are_exponential);
    tcase_add_test(tcase, a_pareto_begins_at_its_least);
    tcase_add_test(tcase, quantiles_have_twenty_significant_bits);
    tcase_add_test(tcase, quantiles_beyond_the_numbers_are_refused);
    tcase_add_test(tcase, a_draw_stays_within_its_bounds);
    tcase_add_test(tcase, listed_values_come_by_their_weights);
    tcase_add_test(tcase, a_uniform_favours_no_number);
    tcase_add_test(tcase, a_uniform_may_have_all_numbers);
    tcase_add_test(tcase, between_quantiles_a_draw_lies_on_a_straight_line);
    tcase_add_test(tcase, between_whole_numbers_a_draw_is_rounded);
    tcase_add_test(tcase, the_digest_tells_all_that_a_draw_depends_on);
    tcase_add_test(tcase, a_rollback_takes_draws_back);
    suite_add_tcase(suite, tcase);
    return suite;
}
