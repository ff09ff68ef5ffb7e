/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/random_edits.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const struct table_type record_type = { "record", 16, TABLE_STATE, false };

START_TEST(a_copy_goes_on_like_its_original) {
    struct random_edits edits = random_edits_shapes[_i];
    struct store *store = random_edits_store_new();

    random_edits_apply(&edits, store, 1000);
    struct store *copy = store_copy(store);
    random_edits_check_same(&edits, store, copy);

    struct random_edits again = edits;
    random_edits_apply(&edits, store, 1000);
    random_edits_apply(&again, copy, 1000);
    random_edits_check_same(&edits, store, copy);
    ck_assert(hash128_equal(store_hash(store), store_hash(copy)));
    store_free(copy);
    store_free(store);
}
END_TEST

START_TEST(a_copy_does_not_feel_its_original) {
    struct random_edits edits = random_edits_shapes[1];
    struct store *store = random_edits_store_new();

    random_edits_apply(&edits, store, 1000);
    struct store_mark mark = store_mark(store);
    store_hash(store);
    struct store *copy = store_copy(store);
    random_edits_apply(&edits, store, 1000);
    ck_assert(!store_alike(store, copy));
    store_rollback(store, &mark);
    random_edits_check_same(&edits, store, copy);
    random_edits_apply(&edits, copy, 1000);
    random_edits_check_hash(copy);
    store_free(store);
    random_edits_check_hash(copy);
    store_free(copy);
}
END_TEST

/* What two stores say of each other that is wrong when a record of one sort differs in one byte. */
static int count_wrong(const struct store *one, const struct store *other, enum table_sort sort) {
    bool alike = sort != TABLE_STATE;
    bool same = sort == TABLE_INDEX;
    bool equal = hash128_equal(store_hash_afresh(one), store_hash_afresh(other));
    return (equal != alike) + (store_alike(one, other) != alike) +
           (store_alike(other, one) != alike) + (store_same(one, other) != same) +
           (store_same(other, one) != same);
}

/* Flips a bit of each byte of a record in turn; past the const, because a test may do so. */
static int count_wrong_flips(struct random_edits *edits, const void *record, struct table *table,
                             const struct store *other) {
    unsigned char *bytes = (unsigned char *)(uintptr_t)record;
    int wrong = 0;
    for (uint32_t place = 0; place < table->type.record_size; place++) {
        unsigned char flip = (unsigned char)(1U << random_edits_below(edits, 8));
        bytes[place] ^= flip;
        wrong += count_wrong(table->store, other, table->type.sort);
        bytes[place] ^= flip;
    }
    return wrong;
}

START_TEST(every_byte_counts_according_to_its_sort) {
    struct random_edits edits = { 41, 0, 1, 2, 4 };
    struct store *store = random_edits_store_new();
    struct table *table = store_table(store, &random_edits_types[_i]);
    int flipped = 0;
    int wrong = 0;

    random_edits_apply(&edits, store, 300);
    struct store *copy = store_copy(store);
    for (uint32_t name = 0; name < edits.owner_count * edits.slot_count; name++) {
        uint32_t owner = name % edits.owner_count;
        uint32_t slot = name / edits.owner_count;
        const void *record = table_get(table, owner, slot);
        if (table_has(table, owner, slot) || (table->type.follows && record != table_zeros)) {
            wrong += count_wrong_flips(&edits, record, table, copy);
            flipped++;
        }
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(flipped, 2);
    random_edits_check_same(&edits, store, copy);
    store_free(copy);
    store_free(store);
}
END_TEST

START_TEST(a_zero_record_is_not_a_free_slot) {
    struct store *store = store_new();
    struct table *table = store_table(store, &record_type);
    struct store *copy = store_copy(store);

    table_add(table, 3);
    ck_assert(!store_alike(store, copy));
    ck_assert(!store_alike(copy, store));
    ck_assert(!hash128_equal(store_hash(store), store_hash(copy)));
    store_free(copy);
    store_free(store);
}
END_TEST

/* A note written far beyond what the other store has room for, and notes that are all zeros. */
START_TEST(a_follower_that_was_written_further_counts) {
    const struct table_type *type = &random_edits_types[5];
    struct store *store = random_edits_store_new();
    struct store *other = random_edits_store_new();
    struct table *table = store_table(store, type);

    ck_assert(type->follows && type->sort == TABLE_NOTE);
    table_edit(store_table(other, type), 0, 0);
    table_edit(table, 0, 300);
    ck_assert(store_same(store, other));
    ck_assert(store_same(other, store));
    *(unsigned char *)table_edit(table, 0, 299) = 1;
    ck_assert(!store_same(store, other));
    ck_assert(!store_same(other, store));
    ck_assert(store_alike(store, other));
    store_free(other);
    store_free(store);
}
END_TEST

START_TEST(the_same_bytes_under_another_name_give_another_hash) {
    static const struct table_type other_type = { "other", 16, TABLE_STATE, false };
    static const uint32_t names[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1000000, 0 } };
    struct hash128 seen[2 * COUNT(names)];

    for (size_t index = 0; index < COUNT(seen); index++) {
        struct store *store = store_new();
        const struct table_type *type = index % 2 == 0 ? &record_type : &other_type;
        const uint32_t *name = names[index / 2];
        table_add_at(store_table(store, type), name[0], name[1]);
        seen[index] = store_hash(store);
        for (size_t before = 0; before < index; before++) {
            ck_assert(!hash128_equal(seen[before], seen[index]));
        }
        store_free(store);
    }
}
END_TEST

/* Gives each owner its edits in an order that depends on the seed; each owner has its own dice. */
static struct store *edited_in_order(uint64_t seed, uint32_t owner_step) {
    enum { OWNERS = 20, EDITS = 60 };
    struct random_edits order = { .seed = seed };
    struct random_edits edits[OWNERS];
    int left[OWNERS];
    struct store *store = random_edits_store_new();

    for (uint32_t owner = 0; owner < OWNERS; owner++) {
        edits[owner] = (struct random_edits){ 51 + owner, owner * owner_step, 1, 1, 30 };
        left[owner] = EDITS;
    }
    for (int edit = 0; edit < OWNERS * EDITS; edit++) {
        uint32_t owner = random_edits_below(&order, OWNERS);
        while (left[owner] == 0) {
            owner = (owner + 1) % OWNERS;
        }
        left[owner]--;
        random_edits_apply(&edits[owner], store, 1);
    }
    return store;
}

START_TEST(owners_may_be_edited_in_any_order) {
    uint32_t owner_step = _i == 0 ? 1 : 999;
    struct random_edits edits = { 1, 0, owner_step, 20, 30 };
    struct store *one = edited_in_order(61, owner_step);
    struct store *two = edited_in_order(62, owner_step);

    random_edits_check_same(&edits, one, two);
    ck_assert(hash128_equal(store_hash(one), store_hash(two)));
    store_free(one);
    store_free(two);
}
END_TEST

START_TEST(growth_and_shrinking_leave_no_trace) {
    struct random_edits edits = { 71, 0, 1, 3, 40 };
    struct random_edits wild = { 72, 0, 999, 30, 300 };
    struct store *store = random_edits_store_new();
    struct store *grown = random_edits_store_new();

    struct store_mark mark = store_mark(grown);
    random_edits_apply(&wild, grown, 3000);
    store_rollback(grown, &mark);
    store_unmark(grown, &mark);
    random_edits_check_same(&wild, store, grown);
    random_edits_check_same(&wild, grown, store);

    struct random_edits again = edits;
    random_edits_apply(&edits, store, 500);
    random_edits_apply(&again, grown, 500);
    random_edits_check_same(&wild, store, grown);
    random_edits_check_same(&wild, grown, store);
    store_free(grown);
    store_free(store);
}
END_TEST

START_TEST(owners_may_be_a_million_apart) {
    struct store *store = store_new();
    struct table *table = store_table(store, &record_type);

    for (uint32_t owner = 0; owner <= 1000000; owner += 250000) {
        table_add(table, owner);
    }
    random_edits_check_hash(store);
    struct store *copy = store_copy(store);
    struct store_mark mark = store_mark(store);
    table_add(table, 999999);
    table_remove(table, 1000000, 0);
    *(unsigned char *)table_edit(table, 0, 0) = 1;
    random_edits_check_hash(store);
    ck_assert(!store_alike(store, copy));
    store_rollback(store, &mark);
    random_edits_check_hash(store);
    ck_assert(store_same(store, copy));
    ck_assert(store_same(copy, store));
    store_free(copy);
    store_free(store);
}
END_TEST

START_TEST(the_bytes_of_a_store_hold_its_records_and_log) {
    enum { RECORDS = 1000 };
    struct store *store = store_new();
    struct table *table = store_table(store, &record_type);

    for (int record = 0; record < RECORDS; record++) {
        table_add(table, 0);
    }
    uint64_t before = store_bytes(store);
    ck_assert_uint_ge(before, RECORDS * record_type.record_size);
    store_mark(store);
    for (uint32_t slot = 0; slot < RECORDS; slot++) {
        table_edit(table, 0, slot);
    }
    ck_assert_uint_ge(store_bytes(store), before + RECORDS * record_type.record_size);
    store_free(store);
}
END_TEST

START_TEST(empty_stores_are_the_same) {
    struct store *store = store_new();
    struct store *copy = store_copy(store);

    ck_assert(store_same(store, copy));
    random_edits_check_hash(store);
    struct store_mark mark = store_mark(store);
    store_rollback(store, &mark);
    store_unmark(store, &mark);
    random_edits_check_hash(store);
    ck_assert(hash128_equal(store_hash(store), (struct hash128){ 0, 0 }));
    store_free(copy);
    store_free(store);
    store_free(NULL);
}
END_TEST

START_TEST(a_table_without_records_can_be_copied) {
    struct random_edits edits = { 81, 0, 1, 3, 10 };
    struct store *store = random_edits_store_new();
    struct store *copy = store_copy(store);

    random_edits_check_same(&edits, store, copy);
    random_edits_apply(&edits, copy, 100);
    random_edits_check_hash(copy);
    ck_assert(!store_alike(store, copy));
    store_free(copy);
    store_free(store);
}
END_TEST

Suite *test_store(void);

Suite *test_store(void) {
    Suite *suite = suite_create("store");
    TCase *tests = tcase_create("store");

    tcase_add_loop_test(tests, a_copy_goes_on_like_its_original, 0, RANDOM_EDITS_SHAPES);
    tcase_add_test(tests, a_copy_does_not_feel_its_original);
    tcase_add_loop_test(tests, every_byte_counts_according_to_its_sort, 0, RANDOM_EDITS_TYPES);
    tcase_add_test(tests, a_zero_record_is_not_a_free_slot);
    tcase_add_test(tests, a_follower_that_was_written_further_counts);
    tcase_add_test(tests, the_same_bytes_under_another_name_give_another_hash);
    tcase_add_loop_test(tests, owners_may_be_edited_in_any_order, 0, 2);
    tcase_add_test(tests, growth_and_shrinking_leave_no_trace);
    tcase_add_test(tests, owners_may_be_a_million_apart);
    tcase_add_test(tests, the_bytes_of_a_store_hold_its_records_and_log);
    tcase_add_test(tests, empty_stores_are_the_same);
    tcase_add_test(tests, a_table_without_records_can_be_copied);
    suite_add_tcase(suite, tests);
    return suite;
}
