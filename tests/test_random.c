/* SPDX-License-Identifier: Apache-2.0 */
#include "core/random.h"

#include <check.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <signal.h>
#include <string.h>

enum { SEED = 42, DRAWS = 1000 };

static void draw_all(struct random_stream *stream, uint32_t draws[DRAWS]) {
    for (int place = 0; place < DRAWS; place++) {
        draws[place] = random_draw(stream);
    }
}

/* The draws of a stream that is alone in its store. */
static void draw_alone(uint64_t seed, const char *name, uint32_t draws[DRAWS]) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, seed, name);

    draw_all(&stream, draws);
    store_free(store);
}

/* How far the counts of equally likely values are from equal, in standard deviations. */
static double unevenness(const uint32_t *counts, uint32_t values, uint32_t draws) {
    double expected = (double)draws / values;
    double sum = 0;

    for (uint32_t value = 0; value < values; value++) {
        sum += (counts[value] - expected) * (counts[value] - expected) / expected;
    }
    return (sum - (values - 1)) / sqrt(2.0 * (values - 1));
}

START_TEST(a_stream_draws_what_taus2_draws) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_taus2);
    uint64_t hash = random_start(SEED, "delay") | 1;

    gsl_rng_set(generator, (unsigned long int)(hash >> 32 ^ (hash & UINT32_MAX)));
    for (int place = 0; place < DRAWS; place++) {
        ck_assert_uint_eq(random_draw(&stream), gsl_rng_get(generator));
    }
    gsl_rng_free(generator);
    store_free(store);
}
END_TEST

START_TEST(the_draws_are_the_same_on_every_machine) {
    uint32_t draws[DRAWS];

    draw_alone(SEED, "delay", draws);
    ck_assert_uint_eq(draws[0], 4140920696);
    ck_assert_uint_eq(draws[1], 1244075875);
    ck_assert_uint_eq(draws[DRAWS - 1], 1927517618);
}
END_TEST

/* A seed and a one-letter name that differ in the same bits. */
START_TEST(seeds_and_names_do_not_cancel_each_other) {
    uint32_t draws[DRAWS], others[DRAWS];

    draw_alone(1, "B", draws);
    draw_alone(2, "A", others);
    ck_assert_uint_ne(draws[0], others[0]);
}
END_TEST

START_TEST(another_name_gives_other_draws) {
    uint32_t draws[DRAWS], others[DRAWS];

    draw_alone(SEED, "delay", draws);
    draw_alone(SEED, "size", others);
    ck_assert_mem_ne(draws, others, sizeof draws);
}
END_TEST

START_TEST(another_seed_gives_other_draws) {
    uint32_t draws[DRAWS], others[DRAWS];

    draw_alone(SEED, "delay", draws);
    draw_alone(SEED + 1, "delay", others);
    ck_assert_mem_ne(draws, others, sizeof draws);
}
END_TEST

START_TEST(a_stream_is_not_shifted_by_the_draws_of_another) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");
    struct random_stream other = random_stream(store, SEED, "size");
    uint32_t draws[DRAWS], alone[DRAWS];

    for (int place = 0; place < DRAWS; place++) {
        (void)random_draw(&other);
        draws[place] = random_draw(&stream);
        (void)random_below(&other, 10);
    }
    draw_alone(SEED, "delay", alone);
    ck_assert_mem_eq(draws, alone, sizeof draws);
    store_free(store);
}
END_TEST

START_TEST(the_order_of_making_streams_does_not_matter) {
    static const char *const names[] = { "delay", "size", "next" };
    uint32_t draws[DRAWS], alone[DRAWS];

    for (int first = 0; first < 3; first++) {
        struct store *store = store_new();
        for (int place = 0; place < 3; place++) {
            (void)random_stream(store, SEED, names[(first + place) % 3]);
        }
        for (int place = 0; place < 3; place++) {
            struct random_stream stream = random_stream(store, SEED, names[place]);
            draw_all(&stream, draws);
            draw_alone(SEED, names[place], alone);
            ck_assert_mem_eq(draws, alone, sizeof draws);
        }
        store_free(store);
    }
}
END_TEST

START_TEST(a_name_that_is_known_continues_its_stream) {
    struct store *store = store_new();
    uint32_t draws[DRAWS], alone[DRAWS];

    for (int place = 0; place < DRAWS; place++) {
        struct random_stream stream = random_stream(store, SEED, "delay");
        draws[place] = random_draw(&stream);
    }
    draw_alone(SEED, "delay", alone);
    ck_assert_mem_eq(draws, alone, sizeof draws);
    store_free(store);
}
END_TEST

START_TEST(a_rollback_repeats_the_draws) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");
    uint32_t draws[DRAWS], again[DRAWS];

    (void)random_draw(&stream);
    struct store_mark mark = store_mark(store);
    draw_all(&stream, draws);
    store_rollback(store, &mark);
    draw_all(&stream, again);
    ck_assert_mem_eq(draws, again, sizeof draws);
    store_free(store);
}
END_TEST

START_TEST(a_stream_that_was_rolled_back_is_made_again) {
    struct store *store = store_new();
    uint32_t draws[DRAWS], alone[DRAWS];

    (void)random_stream(store, SEED, "size");
    struct store_mark mark = store_mark(store);
    struct random_stream stream = random_stream(store, SEED, "delay");
    (void)random_draw(&stream);
    store_rollback(store, &mark);
    stream = random_stream(store, SEED, "delay");
    draw_all(&stream, draws);
    draw_alone(SEED, "delay", alone);
    ck_assert_mem_eq(draws, alone, sizeof draws);
    store_free(store);
}
END_TEST

START_TEST(a_copy_draws_on_equally) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");
    uint32_t draws[DRAWS], copied[DRAWS];

    (void)random_draw(&stream);
    struct store *copy = store_copy(store);
    struct random_stream other = random_stream(copy, SEED, "delay");
    draw_all(&stream, draws);
    draw_all(&other, copied);
    ck_assert_mem_eq(draws, copied, sizeof draws);
    store_free(store);
    store_free(copy);
}
END_TEST

START_TEST(a_draw_changes_the_state) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");

    struct hash128 before = store_hash(store);
    (void)random_draw(&stream);
    ck_assert(!hash128_equal(store_hash(store), before));
    store_free(store);
}
END_TEST

START_TEST(no_value_below_a_small_limit_is_favoured) {
    enum { LIMIT_MAX = 17, EACH = 300 };
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");

    for (uint32_t limit = 2; limit <= LIMIT_MAX; limit++) {
        uint32_t counts[LIMIT_MAX] = { 0 };
        for (uint32_t draw = 0; draw < EACH * limit; draw++) {
            uint64_t value = random_below(&stream, limit);
            ck_assert_uint_lt(value, limit);
            counts[value]++;
        }
        ck_assert_double_lt(unevenness(counts, limit, EACH * limit), 4.0);
    }
    store_free(store);
}
END_TEST

/* The remainder of a division alone would give a value of the first third in half of the cases. */
START_TEST(no_value_below_a_huge_limit_is_favoured) {
    enum { TRIES = 9000 };
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");
    uint64_t third = (uint64_t)1 << 62;
    uint32_t counts[3] = { 0 };

    for (int draw = 0; draw < TRIES; draw++) {
        uint64_t value = random_below(&stream, 3 * third);
        ck_assert_uint_lt(value, 3 * third);
        counts[value / third]++;
    }
    ck_assert_double_lt(unevenness(counts, 3, TRIES), 4.0);
    store_free(store);
}
END_TEST

START_TEST(only_0_is_below_1) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");

    for (int draw = 0; draw < DRAWS; draw++) {
        ck_assert_uint_eq(random_below(&stream, 1), 0);
    }
    store_free(store);
}
END_TEST

START_TEST(limits_of_any_size_are_reached_and_kept) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");

    for (int bits = 1; bits <= 64; bits++) {
        uint64_t limit = UINT64_MAX >> (64 - bits);
        uint64_t highest = 0;
        for (int draw = 0; draw < 100; draw++) {
            uint64_t value = random_below(&stream, limit);
            ck_assert_uint_lt(value, limit);
            highest = value > highest ? value : highest;
        }
        ck_assert_uint_ge(highest, limit - limit / 4 - 1);
    }
    store_free(store);
}
END_TEST

START_TEST(nothing_is_below_0) {
    struct store *store = store_new();
    struct random_stream stream = random_stream(store, SEED, "delay");

    (void)random_below(&stream, 0);
}
END_TEST

Suite *test_random(void);

Suite *test_random(void) {
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");

    tcase_add_test(tests, a_stream_draws_what_taus2_draws);
    tcase_add_test(tests, the_draws_are_the_same_on_every_machine);
    tcase_add_test(tests, seeds_and_names_do_not_cancel_each_other);
    tcase_add_test(tests, another_name_gives_other_draws);
    tcase_add_test(tests, another_seed_gives_other_draws);
    tcase_add_test(tests, a_stream_is_not_shifted_by_the_draws_of_another);
    tcase_add_test(tests, the_order_of_making_streams_does_not_matter);
    tcase_add_test(tests, a_name_that_is_known_continues_its_stream);
    tcase_add_test(tests, a_rollback_repeats_the_draws);
    tcase_add_test(tests, a_stream_that_was_rolled_back_is_made_again);
    tcase_add_test(tests, a_copy_draws_on_equally);
    tcase_add_test(tests, a_draw_changes_the_state);
    tcase_add_test(tests, no_value_below_a_small_limit_is_favoured);
    tcase_add_test(tests, no_value_below_a_huge_limit_is_favoured);
    tcase_add_test(tests, only_0_is_below_1);
    tcase_add_test(tests, limits_of_any_size_are_reached_and_kept);
    tcase_add_test_raise_signal(tests, nothing_is_below_0, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
