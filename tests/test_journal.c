/* SPDX-License-Identifier: Apache-2.0 */
#include "core/journal.h"

#include <check.h>
#include <signal.h>
#include <string.h>

/* KINDS: those that the fixed digest below was made of. */
enum { READINGS = 64, KINDS = FACT_CHOSEN + 1 };

/* What a reader was given. */
struct reading {
    uint32_t count;
    uint64_t first_value[READINGS];
    uint16_t kind[READINGS];
    const void *detail;
};

/* What several readers were given, in order. */
struct order {
    uint32_t count;
    int reader[READINGS];
};

struct ordered_reader {
    struct order *order;
    int number;
};

static void read_all(void *context, const struct fact *fact, const void *detail) {
    struct reading *reading = context;

    ck_assert_uint_lt(reading->count, READINGS);
    reading->first_value[reading->count] = fact->value[0];
    reading->kind[reading->count] = fact->kind;
    reading->detail = detail;
    reading->count++;
}

static void read_in_order(void *context, const struct fact *fact, const void *detail) {
    struct ordered_reader *reader = context;

    (void)fact;
    (void)detail;
    reader->order->reader[reader->order->count++] = reader->number;
}

/* A fact with something in every field, and another one for each number. */
static struct fact sample(uint64_t number) {
    struct fact fact = {
        .time_ns = UINT64_C(0x0123456789abcdef) * (number + 1),
        .kind = (uint16_t)(number % KINDS),
        .row = (uint16_t)(number * 257 + 3),
        .thread = (uint32_t)(number * 65537 + 5),
        .step = (uint32_t)(number * 1000003 + 7),
        .code = (int32_t)number - 20,
    };
    for (uint64_t place = 0; place < FACT_VALUES; place++) {
        fact.value[place] = UINT64_C(0xd1342543de82ef95) * (number + 1) + place;
    }
    return fact;
}

static void record_samples(struct journal *journal, uint64_t first, uint64_t end) {
    for (uint64_t number = first; number < end; number++) {
        struct fact fact = sample(number);
        journal_record(journal, &fact, NULL);
    }
}

/* The digest of these facts alone. */
static struct hash128 digest_of(const struct fact *facts, size_t count) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    for (size_t place = 0; place < count; place++) {
        journal_record(&journal, &facts[place], NULL);
    }
    struct hash128 digest = journal_digest(&journal);
    store_free(store);
    return digest;
}

/* Flips each bit of the fact in turn; the lanes of the digest that stay as they were. */
static int count_blind_lanes(const struct fact *fact) {
    struct hash128 before = digest_of(fact, 1);
    int blind = 0;

    for (size_t bit = 0; bit < sizeof *fact * 8; bit++) {
        unsigned char bytes[sizeof *fact];
        struct fact flipped;
        memcpy(bytes, fact, sizeof bytes);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        memcpy(&flipped, bytes, sizeof bytes);
        if (flipped.kind < FACT_KINDS) {
            struct hash128 after = digest_of(&flipped, 1);
            blind += (after.low == before.low) + (after.high == before.high);
        }
    }
    return blind;
}

START_TEST(every_bit_of_a_fact_changes_both_lanes) {
    struct fact fact = sample(0);

    ck_assert_int_eq(count_blind_lanes(&fact), 0);
}
END_TEST

START_TEST(every_bit_of_a_first_fact_of_zeros_changes_both_lanes) {
    struct fact fact = { 0 };

    ck_assert_int_eq(count_blind_lanes(&fact), 0);
}
END_TEST

START_TEST(every_kind_has_a_digest_of_its_own) {
    struct hash128 digests[FACT_KINDS];

    for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++) {
        struct fact fact = sample(0);
        fact.kind = (uint16_t)kind;
        digests[kind] = digest_of(&fact, 1);
        for (enum fact_kind other = 0; other < kind; other++) {
            ck_assert(!hash128_equal(digests[kind], digests[other]));
        }
    }
}
END_TEST

START_TEST(the_order_of_facts_matters) {
    struct fact forth[] = { sample(1), sample(2) };
    struct fact back[] = { sample(2), sample(1) };

    ck_assert(!hash128_equal(digest_of(forth, 2), digest_of(back, 2)));
}
END_TEST

START_TEST(two_values_that_change_places_matter) {
    for (int place = 1; place < FACT_VALUES; place++) {
        struct fact fact = sample(1);
        struct fact other = sample(1);
        other.value[place - 1] = fact.value[place];
        other.value[place] = fact.value[place - 1];
        ck_assert(!hash128_equal(digest_of(&fact, 1), digest_of(&other, 1)));
    }
}
END_TEST

START_TEST(each_repetition_of_a_fact_matters) {
    struct fact facts[4] = { { 0 }, { 0 }, { 0 }, { 0 } };

    for (size_t count = 1; count <= 4; count++) {
        ck_assert(!hash128_equal(digest_of(facts, count), digest_of(facts, count - 1)));
    }
}
END_TEST

START_TEST(the_digest_is_the_same_on_every_machine) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    record_samples(&journal, 0, 100);
    struct hash128 digest = journal_digest(&journal);
    ck_assert_uint_eq(digest.low, UINT64_C(0x0b2395719a3f3497));
    ck_assert_uint_eq(digest.high, UINT64_C(0xdc1b8d20c212e01e));
    store_free(store);
}
END_TEST

START_TEST(every_fact_is_counted) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    ck_assert_uint_eq(journal_count(&journal), 0);
    record_samples(&journal, 0, 100);
    ck_assert_uint_eq(journal_count(&journal), 100);
    store_free(store);
}
END_TEST

START_TEST(a_reader_gets_only_the_kinds_it_asked_for) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct reading reading = { 0 };
    uint64_t kinds = journal_kind(FACT_MAPPED) | journal_kind(FACT_CHOSEN);

    journal_add_reader(&journal, kinds, read_all, &reading);
    record_samples(&journal, 0, KINDS);
    ck_assert_uint_eq(reading.count, 2);
    ck_assert_uint_eq(reading.kind[0], FACT_MAPPED);
    ck_assert_uint_eq(reading.kind[1], FACT_CHOSEN);
    store_free(store);
}
END_TEST

START_TEST(a_reader_does_not_get_what_another_one_asked_for) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct reading mapped = { 0 };
    struct reading chosen = { 0 };

    journal_add_reader(&journal, journal_kind(FACT_MAPPED), read_all, &mapped);
    journal_add_reader(&journal, journal_kind(FACT_CHOSEN), read_all, &chosen);
    record_samples(&journal, 0, KINDS);
    ck_assert_uint_eq(mapped.count, 1);
    ck_assert_uint_eq(chosen.count, 1);
    ck_assert_uint_eq(chosen.kind[0], FACT_CHOSEN);
    store_free(store);
}
END_TEST

START_TEST(a_reader_of_all_kinds_gets_every_fact_in_order) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct reading reading = { 0 };

    journal_add_reader(&journal, UINT64_MAX, read_all, &reading);
    record_samples(&journal, 0, KINDS);
    ck_assert_uint_eq(reading.count, KINDS);
    for (uint64_t number = 0; number < KINDS; number++) {
        ck_assert_uint_eq(reading.first_value[number], sample(number).value[0]);
    }
    store_free(store);
}
END_TEST

START_TEST(a_reader_gets_the_detail) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct reading reading = { 0 };
    struct fact fact = sample(0);

    journal_add_reader(&journal, UINT64_MAX, read_all, &reading);
    journal_record(&journal, &fact, "detail");
    ck_assert_str_eq(reading.detail, "detail");
    store_free(store);
}
END_TEST

START_TEST(readers_are_served_in_the_order_of_addition) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct order order = { 0 };
    struct ordered_reader readers[JOURNAL_READERS];
    struct fact fact = sample(0);

    for (int number = 0; number < JOURNAL_READERS; number++) {
        readers[number] = (struct ordered_reader){ &order, number };
        journal_add_reader(&journal, UINT64_MAX, read_in_order, &readers[number]);
    }
    journal_record(&journal, &fact, NULL);
    ck_assert_uint_eq(order.count, JOURNAL_READERS);
    for (int number = 0; number < JOURNAL_READERS; number++) {
        ck_assert_int_eq(order.reader[number], number);
    }
    store_free(store);
}
END_TEST

START_TEST(the_digest_does_not_depend_on_readers) {
    struct store *store = store_new();
    struct store *other = store_new();
    struct journal silent = journal_bind(store);
    struct journal read = journal_bind(other);
    struct reading reading = { 0 };

    journal_add_reader(&read, UINT64_MAX, read_all, &reading);
    record_samples(&silent, 0, KINDS);
    record_samples(&read, 0, KINDS);
    ck_assert(hash128_equal(journal_digest(&silent), journal_digest(&read)));
    store_free(store);
    store_free(other);
}
END_TEST

START_TEST(without_a_digest_facts_still_reach_their_readers) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct hash128 before = journal_digest(&journal);
    struct reading reading = { 0 };

    journal.digesting = false;
    journal_add_reader(&journal, UINT64_MAX, read_all, &reading);
    record_samples(&journal, 0, 10);
    ck_assert_uint_eq(reading.count, 10);
    ck_assert(hash128_equal(journal_digest(&journal), before));
    store_free(store);
}
END_TEST

START_TEST(a_rollback_restores_digest_and_count) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    record_samples(&journal, 0, 10);
    struct hash128 before = journal_digest(&journal);
    struct store_mark mark = store_mark(store);
    record_samples(&journal, 10, 20);
    store_rollback(store, &mark);
    ck_assert(hash128_equal(journal_digest(&journal), before));
    ck_assert_uint_eq(journal_count(&journal), 10);
    store_free(store);
}
END_TEST

START_TEST(after_a_rollback_the_same_facts_give_the_same_digest) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    struct store_mark mark = store_mark(store);
    record_samples(&journal, 0, 20);
    struct hash128 before = journal_digest(&journal);
    store_rollback(store, &mark);
    record_samples(&journal, 0, 20);
    ck_assert(hash128_equal(journal_digest(&journal), before));
    store_free(store);
}
END_TEST

START_TEST(a_copy_continues_equally) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    record_samples(&journal, 0, 10);
    struct store *copy = store_copy(store);
    struct journal copied = journal_bind(copy);
    record_samples(&journal, 10, 20);
    record_samples(&copied, 10, 20);
    ck_assert(hash128_equal(journal_digest(&copied), journal_digest(&journal)));
    ck_assert_uint_eq(journal_count(&copied), 20);
    store_free(store);
    store_free(copy);
}
END_TEST

START_TEST(binding_again_continues_the_digest) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    record_samples(&journal, 0, 10);
    struct journal again = journal_bind(store);
    ck_assert(hash128_equal(journal_digest(&again), journal_digest(&journal)));
    store_free(store);
}
END_TEST

START_TEST(the_digest_is_a_note) {
    struct store *store = store_new();
    struct store *other = store_new();
    struct journal journal = journal_bind(store);

    (void)journal_bind(other);
    record_samples(&journal, 0, 1);
    ck_assert(store_alike(store, other));
    ck_assert(!store_same(store, other));
    store_free(store);
    store_free(other);
}
END_TEST

START_TEST(a_fact_of_no_kind_is_our_bug) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);
    struct fact fact = { .kind = FACT_KINDS };

    journal_record(&journal, &fact, NULL);
}
END_TEST

START_TEST(a_reader_too_many_is_our_bug) {
    struct store *store = store_new();
    struct journal journal = journal_bind(store);

    for (int number = 0; number <= JOURNAL_READERS; number++) {
        journal_add_reader(&journal, UINT64_MAX, read_all, NULL);
    }
}
END_TEST

Suite *test_journal(void);

Suite *test_journal(void) {
    Suite *suite = suite_create("journal");
    TCase *tests = tcase_create("journal");

    tcase_add_test(tests, every_bit_of_a_fact_changes_both_lanes);
    tcase_add_test(tests, every_bit_of_a_first_fact_of_zeros_changes_both_lanes);
    tcase_add_test(tests, every_kind_has_a_digest_of_its_own);
    tcase_add_test(tests, the_order_of_facts_matters);
    tcase_add_test(tests, two_values_that_change_places_matter);
    tcase_add_test(tests, each_repetition_of_a_fact_matters);
    tcase_add_test(tests, the_digest_is_the_same_on_every_machine);
    tcase_add_test(tests, every_fact_is_counted);
    tcase_add_test(tests, a_reader_gets_only_the_kinds_it_asked_for);
    tcase_add_test(tests, a_reader_does_not_get_what_another_one_asked_for);
    tcase_add_test(tests, a_reader_of_all_kinds_gets_every_fact_in_order);
    tcase_add_test(tests, a_reader_gets_the_detail);
    tcase_add_test(tests, readers_are_served_in_the_order_of_addition);
    tcase_add_test(tests, the_digest_does_not_depend_on_readers);
    tcase_add_test(tests, without_a_digest_facts_still_reach_their_readers);
    tcase_add_test(tests, a_rollback_restores_digest_and_count);
    tcase_add_test(tests, after_a_rollback_the_same_facts_give_the_same_digest);
    tcase_add_test(tests, a_copy_continues_equally);
    tcase_add_test(tests, binding_again_continues_the_digest);
    tcase_add_test(tests, the_digest_is_a_note);
    tcase_add_test_raise_signal(tests, a_fact_of_no_kind_is_our_bug, SIGABRT);
    tcase_add_test_raise_signal(tests, a_reader_too_many_is_our_bug, SIGABRT);
    suite_add_tcase(suite, tests);
    return suite;
}
