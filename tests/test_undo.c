/* SPDX-License-Identifier: Apache-2.0 */
#include "store/undo.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "store/store.h"
#include "tests/random_edits.h"

/* When a test asks for the hash, and so switches the incremental hash on. */
enum hashing { HASHING_NEVER, HASHING_FIRST, HASHING_AT_RANDOM, HASHING_MODES };

static const struct table_type record_type = { "record", 16, TABLE_STATE, false };

/* How many steps of each shape fit into the time of a test. */
static const int shape_steps[RANDOM_EDITS_SHAPES] = { 1500, 120, 120, 20 };

/* The undo log, found from what a table shows of it. */
static struct undo_log *log_of(const struct table *table) {
    const char *epoch = (const char *)table->epoch;
    return (struct undo_log *)(uintptr_t)(epoch - offsetof(struct undo_log, epoch));
}

/* A store with marks inside marks, and a copy of it from each of them. */
enum { DEPTH = 8 };

struct nest {
    struct random_edits edits;
    enum hashing hashing;
    struct store *store;
    struct store_mark mark[DEPTH];
    struct store *copy[DEPTH];
    uint32_t depth;
};

static void nest_init(struct nest *nest, const struct random_edits *shape, enum hashing hashing) {
    *nest = (struct nest){ .edits = *shape, .hashing = hashing };
    nest->store = random_edits_store_new();
    if (hashing == HASHING_FIRST) {
        random_edits_check_hash(nest->store);
    }
    random_edits_apply(&nest->edits, nest->store, 100);
}

static void nest_mark(struct nest *nest) {
    if (nest->depth < DEPTH) {
        nest->copy[nest->depth] = store_copy(nest->store);
        nest->mark[nest->depth] = store_mark(nest->store);
        nest->depth++;
    }
}

static void nest_rollback(struct nest *nest, uint32_t level) {
    store_rollback(nest->store, &nest->mark[level]);
    while (nest->depth > level + 1) {
        store_free(nest->copy[--nest->depth]);
    }
    random_edits_check_same(&nest->edits, nest->store, nest->copy[level]);
}

static void nest_unmark(struct nest *nest) {
    struct store *before = store_copy(nest->store);
    nest->depth--;
    store_unmark(nest->store, &nest->mark[nest->depth]);
    random_edits_check_same(&nest->edits, nest->store, before);
    store_free(before);
    store_free(nest->copy[nest->depth]);
}

static void nest_step(struct nest *nest) {
    switch (random_edits_below(&nest->edits, 12)) {
    case 0:
    case 1:
        nest_mark(nest);
        break;
    case 2:
        if (nest->depth > 0) {
            nest_rollback(nest, random_edits_below(&nest->edits, nest->depth));
        }
        break;
    case 3:
        if (nest->depth > 0) {
            nest_unmark(nest);
        }
        break;
    case 4:
    case 5:
        if (nest->hashing != HASHING_NEVER) {
            random_edits_check_hash(nest->store);
        }
        break;
    default:
        random_edits_apply(&nest->edits, nest->store,
                           1 + (int)random_edits_below(&nest->edits, 12));
        break;
    }
}

/* Closes every mark, by a rollback or not, and checks that the store stays in order. */
static void nest_fini(struct nest *nest) {
    while (nest->depth > 0) {
        if (random_edits_below(&nest->edits, 2) == 0) {
            nest_rollback(nest, nest->depth - 1);
        }
        nest_unmark(nest);
    }
    if (nest->hashing != HASHING_NEVER) {
        random_edits_check_hash(nest->store);
    }
    store_free(nest->store);
}

/* Each loop is one shape and one way to hash. */
START_TEST(random_marks_edits_and_hashes_keep_order) {
    int shape = _i / HASHING_MODES;
    struct nest nest;

    nest_init(&nest, &random_edits_shapes[shape], (enum hashing)(_i % HASHING_MODES));
    for (int step = 0; step < shape_steps[shape]; step++) {
        nest_step(&nest);
    }
    nest_fini(&nest);
}
END_TEST

/* Many short lives, so that hashing begins at every depth and in every state of the marks. */
START_TEST(hashing_may_begin_anywhere) {
    struct random_edits shape = random_edits_shapes[0];

    shape.owner_count = 1;
    shape.slot_count = 2;
    for (uint32_t life = 0; life < 150; life++) {
        struct nest nest;
        shape.seed = 1 + life;
        nest_init(&nest, &shape, HASHING_AT_RANDOM);
        for (int step = 0; step < 20; step++) {
            nest_step(&nest);
        }
        nest_fini(&nest);
    }
}
END_TEST

START_TEST(eight_marks_roll_back_one_by_one) {
    struct nest nest;

    nest_init(&nest, &random_edits_shapes[1], (enum hashing)_i);
    for (int level = 0; level < DEPTH; level++) {
        nest_mark(&nest);
        random_edits_apply(&nest.edits, nest.store, 300);
    }
    while (nest.depth > 0) {
        nest_rollback(&nest, nest.depth - 1);
        random_edits_apply(&nest.edits, nest.store, 50);
        nest_rollback(&nest, nest.depth - 1);
        if (nest.hashing != HASHING_NEVER) {
            random_edits_check_hash(nest.store);
        }
        nest_unmark(&nest);
    }
    nest_fini(&nest);
}
END_TEST

/* One record and all that can happen to it: the model for trying every order. */
enum deed {
    DEED_TOGGLE, /* add it, or remove it */
    DEED_EDIT,
    DEED_MARK,
    DEED_ROLLBACK,
    DEED_ROLLBACK_ALL,
    DEED_UNMARK,
    DEED_HASH,
    DEEDS,
};

enum { DEEDS_LONG = 6 }; /* deeds in one order */

struct life {
    struct store *store;
    struct table *table;
    struct store_mark mark[DEEDS_LONG];
    uint64_t value[DEEDS_LONG + 1]; /* by depth; 0 while there is no record, 1 while it is zero */
    uint32_t depth;
    int wrong;
};

static void life_set(struct life *life, uint64_t value) {
    uint64_t *now = &life->value[life->depth];
    if (*now == 0 && value != 0) {
        life->wrong += table_add(life->table, 0) != 0;
    } else if (*now != 0 && value == 0) {
        table_remove(life->table, 0, 0);
    }
    if (value > 1) {
        memcpy(table_edit(life->table, 0, 0), &value, sizeof value);
    }
    *now = value;
}

static void life_rollback(struct life *life, uint32_t depth) {
    store_rollback(life->store, &life->mark[depth - 1]);
    life->depth = depth;
    life->value[depth] = life->value[depth - 1];
}

/* Whether the deed makes sense now; an order with one that does not is cut short there. */
static bool life_can(const struct life *life, enum deed deed) {
    if (deed == DEED_EDIT) {
        return life->value[life->depth] != 0;
    }
    bool closes = deed == DEED_ROLLBACK || deed == DEED_ROLLBACK_ALL || deed == DEED_UNMARK;
    return !closes || life->depth > (deed == DEED_ROLLBACK_ALL);
}

static void life_do(struct life *life, enum deed deed, uint64_t value) {
    uint64_t now = life->value[life->depth];
    switch (deed) {
    case DEED_TOGGLE:
        life_set(life, now == 0);
        break;
    case DEED_EDIT:
        life_set(life, value);
        break;
    case DEED_MARK:
        life->mark[life->depth++] = store_mark(life->store);
        life->value[life->depth] = now;
        break;
    case DEED_ROLLBACK:
        life_rollback(life, life->depth);
        break;
    case DEED_ROLLBACK_ALL:
        life_rollback(life, 1);
        break;
    case DEED_UNMARK:
        store_unmark(life->store, &life->mark[--life->depth]);
        life->value[life->depth] = now;
        break;
    case DEED_HASH:
        life->wrong += !hash128_equal(store_hash(life->store), store_hash_afresh(life->store));
        break;
    case DEEDS:
        break;
    }
}

static void life_check(struct life *life) {
    uint64_t expected[2] = { life->value[life->depth], 0 };
    const void *record = table_find(life->table, 0, 0);
    expected[0] = expected[0] == 1 ? 0 : expected[0];
    life->wrong += (record != NULL) != (life->value[life->depth] != 0);
    life->wrong += memcmp(table_get(life->table, 0, 0), expected, sizeof expected) != 0;
}

/* Lives once; the order is a number with one digit a deed. Ends with a hash and all rolled back. */
static int live(uint32_t order, bool used) {
    struct life life = { .store = store_new() };
    life.table = store_table(life.store, &record_type);
    if (used) {
        life_set(&life, 77);
    }
    for (uint64_t step = 0; step < DEEDS_LONG; step++, order /= DEEDS) {
        enum deed deed = (enum deed)(order % DEEDS);
        if (!life_can(&life, deed)) {
            break;
        }
        life_do(&life, deed, 100 + step);
        life_check(&life);
    }
    life_do(&life, DEED_HASH, 0);
    if (life.depth > 0) {
        life_do(&life, DEED_ROLLBACK_ALL, 0);
        life_check(&life);
        life_do(&life, DEED_UNMARK, 0);
    }
    life_do(&life, DEED_HASH, 0);
    life_check(&life);
    store_free(life.store);
    return life.wrong;
}

/* Each loop is one first deed, with or without a record before it. */
START_TEST(every_order_of_few_deeds_keeps_order) {
    uint32_t orders = 1;
    int wrong = 0;

    for (int step = 1; step < DEEDS_LONG; step++) {
        orders *= DEEDS;
    }
    for (uint32_t order = 0; order < orders; order++) {
        wrong += live(order * DEEDS + (uint32_t)_i / 2, _i % 2 == 0);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(nothing_is_saved_without_need) {
    struct random_edits edits = random_edits_shapes[0];
    struct store *store = random_edits_store_new();
    const struct undo_log *log = log_of(store_table(store, &random_edits_types[0]));

    random_edits_apply(&edits, store, 100);
    ck_assert_uint_eq(log->epoch, 0);
    ck_assert_uint_eq(log->size, 0);
    struct store_mark mark = store_mark(store);
    random_edits_apply(&edits, store, 100);
    ck_assert_uint_gt(log->size, 0);
    store_unmark(store, &mark);
    random_edits_apply(&edits, store, 100);
    ck_assert_uint_eq(log->epoch, 0);
    ck_assert_uint_eq(log->size, 0);
    store_free(store);
}
END_TEST

START_TEST(a_hash_without_marks_empties_the_log) {
    struct random_edits edits = random_edits_shapes[0];
    struct store *store = random_edits_store_new();
    const struct undo_log *log = log_of(store_table(store, &random_edits_types[0]));

    store_hash(store);
    random_edits_apply(&edits, store, 100);
    ck_assert_uint_gt(log->size, 0);
    random_edits_check_hash(store);
    ck_assert_uint_eq(log->size, 0);
    store_free(store);
}
END_TEST

START_TEST(hashing_begun_inside_a_mark_outlives_its_rollback) {
    struct store *store = store_new();
    struct table *table = store_table(store, &record_type);

    table_add(table, 0);
    struct store_mark mark = store_mark(store);
    table_add(table, 0);
    random_edits_check_hash(store);
    store_rollback(store, &mark);
    random_edits_check_hash(store);
    store_free(store);
}
END_TEST

/* Stamps of the first epoch must not be taken for those of the epoch that is again the first. */
START_TEST(the_first_epoch_after_the_last_saves_every_record) {
    enum { RECORDS = 100 };
    struct store *store = store_new();
    struct table *table = store_table(store, &record_type);
    struct undo_log *log = log_of(table);

    struct store_mark outer = store_mark(store);
    ck_assert_uint_eq(log->epoch, 1);
    for (uint32_t slot = 0; slot < RECORDS; slot++) {
        table_add(table, slot % 2);
    }
    struct store *copy = store_copy(store);
    log->epoch_last = UINT32_MAX;
    struct store_mark inner = store_mark(store);
    ck_assert_uint_eq(log->epoch, 1);
    for (uint32_t slot = 0; slot < RECORDS; slot++) {
        memset(table_edit(table, slot % 2, slot / 2), 0xff, record_type.record_size);
    }
    store_rollback(store, &inner);
    ck_assert(store_same(store, copy));
    store_rollback(store, &outer);
    ck_assert_uint_eq(table_count(table, 0), 0);
    store_free(copy);
    store_free(store);
}
END_TEST

START_TEST(epochs_may_begin_again_under_random_marks) {
    struct nest nest;

    nest_init(&nest, &random_edits_shapes[0], (enum hashing)_i);
    struct undo_log *log = log_of(store_table(nest.store, &random_edits_types[0]));
    while (log->epoch_last < 40) {
        nest_step(&nest);
    }
    log->epoch_last = UINT32_MAX - 20;
    while (log->epoch_last > 200 || log->epoch_last < 100) {
        nest_step(&nest);
    }
    nest_fini(&nest);
}
END_TEST

/* What must not be done with marks. */
static void misuse(int way) {
    struct store *store = store_new();
    struct store_mark outer = store_mark(store);
    struct store_mark inner = store_mark(store);

    if (way == 0) {
        store_unmark(store, &outer);
    } else if (way == 1) {
        store_unmark(store, &inner);
        store_rollback(store, &inner);
    } else {
        store_rollback(store, &outer);
        store_unmark(store, &inner);
    }
}

START_TEST(misuse_of_marks_is_a_bug) {
    misuse(_i);
}
END_TEST

Suite *test_undo(void);

Suite *test_undo(void) {
    Suite *suite = suite_create("undo");
    TCase *tests = tcase_create("undo");

    tcase_add_loop_test(tests, random_marks_edits_and_hashes_keep_order, 0,
                        RANDOM_EDITS_SHAPES * HASHING_MODES);
    tcase_add_test(tests, hashing_may_begin_anywhere);
    tcase_add_loop_test(tests, eight_marks_roll_back_one_by_one, 0, HASHING_MODES);
    tcase_add_loop_test(tests, every_order_of_few_deeds_keeps_order, 0, 2 * DEEDS);
    tcase_add_test(tests, nothing_is_saved_without_need);
    tcase_add_test(tests, a_hash_without_marks_empties_the_log);
    tcase_add_test(tests, hashing_begun_inside_a_mark_outlives_its_rollback);
    tcase_add_test(tests, the_first_epoch_after_the_last_saves_every_record);
    tcase_add_loop_test(tests, epochs_may_begin_again_under_random_marks, 0, HASHING_MODES);
    tcase_add_loop_test_raise_signal(tests, misuse_of_marks_is_a_bug, SIGABRT, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
