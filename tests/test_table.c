/* SPDX-License-Identifier: Apache-2.0 */
#include "store/table.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "tests/random_edits.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { SLOTS = 300, OWNERS = 3, RECORD_SIZE = 256 };

static const uint32_t sizes[] = { 8, 16, 64, 256 };
static const uint32_t owners[] = { 0, 1, 63, 64, 65, 4095, 4096, 999999, 1000000 };

static const struct table_type follower = { "follower", 16, TABLE_NOTE, true };

/* The records of some owners, as plain arrays. */
struct plain {
    bool used[OWNERS][SLOTS];
    unsigned char record[OWNERS][SLOTS][RECORD_SIZE];
};

static struct table_type type_of(uint32_t size) {
    return (struct table_type){ "record", size, TABLE_STATE, false };
}

static uint32_t plain_next(const struct plain *plain, uint32_t owner, uint32_t slot, bool used) {
    while (slot < SLOTS && plain->used[owner][slot] != used) {
        slot++;
    }
    return slot < SLOTS ? slot : SLOT_NONE;
}

/* Makes one random change in both; false when they disagree about where it goes. */
static bool change_both(struct random_edits *random, struct table *table, struct plain *plain) {
    uint32_t owner = random_edits_below(random, OWNERS);
    uint32_t slot = random_edits_below(random, SLOTS);
    uint32_t size = table->type.record_size;
    uint32_t lowest = plain_next(plain, owner, 0, false);
    bool same = true;

    if (plain->used[owner][slot]) {
        if (random_edits_below(random, 3) == 0) {
            table_remove(table, owner, slot);
            plain->used[owner][slot] = false;
            memset(plain->record[owner][slot], 0, size);
            return true;
        }
        unsigned char *record = table_edit(table, owner, slot);
        random_edits_fill(random, record, size);
        memcpy(plain->record[owner][slot], record, size);
    } else if (random_edits_below(random, 2) == 0) {
        table_add_at(table, owner, slot);
        plain->used[owner][slot] = true;
    } else {
        same = table_add(table, owner) == lowest;
        plain->used[owner][lowest] = true;
    }
    return same;
}

/* How many slots differ between the table and the arrays. */
static int count_wrong(const struct table *table, const struct plain *plain) {
    int wrong = 0;
    for (uint32_t owner = 0; owner < OWNERS; owner++) {
        uint32_t count = 0;
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            bool used = plain->used[owner][slot];
            count += used;
            wrong += table_has(table, owner, slot) != used;
            wrong += (table_find(table, owner, slot) != NULL) != used;
            wrong += memcmp(table_get(table, owner, slot), plain->record[owner][slot],
                            table->type.record_size) != 0;
            wrong += table_next(table, owner, slot) != plain_next(plain, owner, slot, true);
        }
        wrong += table_count(table, owner) != count;
    }
    return wrong;
}

START_TEST(records_agree_with_plain_arrays) {
    struct random_edits random = { .seed = 21 };
    struct table_type type = type_of(sizes[_i]);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);
    struct plain *plain = calloc(1, sizeof *plain);
    int wrong = 0;

    ck_assert_ptr_nonnull(plain);
    for (int batch = 0; batch < 20; batch++) {
        for (int change = 0; change < 400; change++) {
            wrong += !change_both(&random, table, plain);
        }
        wrong += count_wrong(table, plain);
    }
    ck_assert_int_eq(wrong, 0);
    free(plain);
    store_free(store);
}
END_TEST

START_TEST(records_never_move) {
    struct table_type type = type_of(sizes[_i]);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);
    const void *place[SLOTS];
    int moved = 0;

    for (uint32_t slot = 0; slot < 10000; slot++) {
        ck_assert_uint_eq(table_add(table, 7), slot);
        table_add(table, 8 + slot % 1000);
        for (uint32_t before = 0; slot % 500 == 0 && before < SLOTS && before < slot; before++) {
            moved += table_get(table, 7, before) != place[before];
        }
        if (slot < SLOTS) {
            place[slot] = table_get(table, 7, slot);
        }
    }
    ck_assert_int_eq(moved, 0);
    store_free(store);
}
END_TEST

START_TEST(records_do_not_overlap) {
    struct table_type type = type_of(sizes[_i]);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);
    int wrong = 0;

    for (uint32_t slot = 0; slot < 1000; slot++) {
        table_add(table, 0);
        memset(table_edit(table, 0, slot), (int)(1 + slot % 251), type.record_size);
    }
    for (uint32_t slot = 0; slot < 1000; slot++) {
        const unsigned char *record = table_get(table, 0, slot);
        for (uint32_t place = 0; place < type.record_size; place++) {
            wrong += record[place] != 1 + slot % 251;
        }
    }
    ck_assert_int_eq(wrong, 0);
    store_free(store);
}
END_TEST

START_TEST(a_record_of_a_cache_line_lies_on_one) {
    struct table_type type = type_of(64);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);

    for (uint32_t slot = 0; slot < 1000; slot++) {
        table_add(table, 0);
        ck_assert_uint_eq((uintptr_t)table_get(table, 0, slot) % 64, 0);
    }
    store_free(store);
}
END_TEST

START_TEST(owners_far_apart_do_not_mix) {
    struct table_type type = type_of(8);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);

    for (size_t index = COUNT(owners); index-- > 0;) {
        ck_assert_uint_eq(table_add(table, owners[index]), 0);
        memset(table_edit(table, owners[index], 0), (int)index + 1, 8);
        ck_assert_uint_eq(table_next_owner(table, owners[index]), owners[index]);
    }
    for (size_t index = 0; index < COUNT(owners); index++) {
        ck_assert_uint_eq(*(const unsigned char *)table_get(table, owners[index], 0), index + 1);
        ck_assert_uint_eq(table_count(table, owners[index]), 1);
    }
    ck_assert_uint_eq(table_count(table, 2), 0);
    ck_assert_uint_eq(table_count(table, 500000), 0);
    ck_assert_uint_eq(table_count(table, UINT32_MAX), 0);
    store_free(store);
}
END_TEST

START_TEST(an_owner_without_records_has_none) {
    struct table_type type = type_of(8);
    struct store *store = store_new();
    const struct table *table = store_table(store, &type);

    ck_assert(!table_has(table, 0, 0));
    ck_assert_ptr_null(table_find(table, 0, 0));
    ck_assert_uint_eq(table_next(table, 0, 0), SLOT_NONE);
    ck_assert_uint_eq(table_count(table, 0), 0);
    ck_assert_uint_eq(table_next_owner(table, 0), OWNER_NONE);
    store_free(store);
}
END_TEST

/* With nothing to save, under a mark, and with hashing on. */
START_TEST(a_removed_record_is_zero_when_added_again) {
    struct table_type type = type_of(64);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);

    if (_i == 1) {
        store_mark(store);
    } else if (_i == 2) {
        store_hash(store);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        table_add(table, 0);
        memset(table_edit(table, 0, slot), 0xff, 64);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot += 2) {
        table_remove(table, 0, slot);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot += 2) {
        ck_assert_uint_eq(table_add(table, 0), slot);
        ck_assert_mem_eq(table_get(table, 0, slot), table_zeros, 64);
    }
    store_free(store);
}
END_TEST

START_TEST(a_follower_reads_as_zeros_before_it_is_written) {
    struct store *store = store_new();
    struct table *table = store_table(store, &follower);

    ck_assert_mem_eq(table_get(table, 1000000, 12345), table_zeros, 16);
    memset(table_edit(table, 3, 100), 0xff, 16);
    ck_assert_mem_eq(table_get(table, 3, 99), table_zeros, 16);
    ck_assert_mem_eq(table_get(table, 3, 101), table_zeros, 16);
    ck_assert_mem_eq(table_get(table, 3, 100000), table_zeros, 16);
    ck_assert_mem_eq(table_get(table, 2, 100), table_zeros, 16);
    store_free(store);
}
END_TEST

START_TEST(a_follower_stays_when_the_slot_is_freed) {
    struct table_type type = type_of(8);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);
    struct table *after = store_table(store, &follower);

    uint32_t slot = table_add(table, 5);
    memset(table_edit(after, 5, slot), 0x5a, 16);
    table_remove(table, 5, slot);
    ck_assert_uint_eq(*(const unsigned char *)table_get(after, 5, slot), 0x5a);
    store_free(store);
}
END_TEST

START_TEST(a_follower_has_no_set_of_its_own) {
    struct store *store = store_new();
    struct table *table = store_table(store, &follower);

    memset(table_edit(table, 0, 3), 0xff, 16);
    ck_assert(!table_has(table, 0, 3));
    ck_assert_ptr_null(table_find(table, 0, 3));
    ck_assert_uint_eq(table_next(table, 0, 0), SLOT_NONE);
    ck_assert_uint_eq(table_count(table, 0), 0);
    store_free(store);
}
END_TEST

START_TEST(every_slot_lies_in_its_chunk) {
    ck_assert_uint_eq(table_chunk_of(0), 0);
    for (uint32_t chunk = 0; chunk < TABLE_CHUNKS; chunk++) {
        uint32_t start = table_chunk_start(chunk);
        uint32_t end = table_chunk_start(chunk + 1);
        ck_assert_uint_lt(start, end);
        ck_assert_uint_eq(table_chunk_of(start), chunk);
        ck_assert_uint_eq(table_chunk_of(end - 1), chunk);
    }
}
END_TEST

START_TEST(a_table_is_found_again_by_its_name) {
    struct table_type type = type_of(16);
    struct store *store = store_new();
    struct table *table = store_table(store, &type);
    char name[] = "record";

    type.name = name;
    ck_assert_ptr_ne(store_table(store, &follower), table);
    ck_assert_ptr_eq(store_table(store, &type), table);
    store_free(store);
}
END_TEST

/* What must not be done to a table. */
static void misuse(int way) {
    struct store *store = store_new();
    struct table_type type = type_of(16);
    struct table *table = store_table(store, &type);
    const struct table_type wrong[] = {
        { "empty", 0, TABLE_STATE, false },
        { "uneven", 12, TABLE_STATE, false },
        { "large", TABLE_RECORD_SIZE + 8, TABLE_STATE, false },
        { "state that follows", 8, TABLE_STATE, true },
        { "record", 24, TABLE_STATE, false },
        { "record", 16, TABLE_NOTE, false },
        { "record", 16, TABLE_STATE, true },
    };

    table_add(table, 0);
    switch (way) {
    case 0:
        table_add_at(table, 0, 0);
        break;
    case 1:
        table_remove(table, 0, 1);
        break;
    case 2:
        table_remove(table, 1, 0);
        break;
    case 3:
        table_add(store_table(store, &follower), 0);
        break;
    case 4:
        table_add(table, UINT32_MAX);
        break;
    default:
        store_table(store, &wrong[way - 5]);
        break;
    }
}

START_TEST(misuse_of_a_table_is_a_bug) {
    misuse(_i);
}
END_TEST

Suite *test_table(void);

Suite *test_table(void) {
    Suite *suite = suite_create("table");
    TCase *tests = tcase_create("table");

    tcase_add_loop_test(tests, records_agree_with_plain_arrays, 0, (int)COUNT(sizes));
    tcase_add_loop_test(tests, records_never_move, 0, (int)COUNT(sizes));
    tcase_add_loop_test(tests, records_do_not_overlap, 0, (int)COUNT(sizes));
    tcase_add_test(tests, a_record_of_a_cache_line_lies_on_one);
    tcase_add_test(tests, owners_far_apart_do_not_mix);
    tcase_add_test(tests, an_owner_without_records_has_none);
    tcase_add_loop_test(tests, a_removed_record_is_zero_when_added_again, 0, 3);
    tcase_add_test(tests, a_follower_reads_as_zeros_before_it_is_written);
    tcase_add_test(tests, a_follower_stays_when_the_slot_is_freed);
    tcase_add_test(tests, a_follower_has_no_set_of_its_own);
    tcase_add_test(tests, every_slot_lies_in_its_chunk);
    tcase_add_test(tests, a_table_is_found_again_by_its_name);
    tcase_add_loop_test_raise_signal(tests, misuse_of_a_table_is_a_bug, SIGABRT, 0, 12);
    suite_add_tcase(suite, tests);
    return suite;
}
