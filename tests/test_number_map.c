/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "base/mix.h"
#include "base/number_map.h"

START_TEST(an_empty_map_finds_and_removes_nothing) {
    struct number_map map = { 0 };
    uint32_t value = 7;
    ck_assert(!number_map_find(&map, 1, &value));
    number_map_remove(&map, 1);
    ck_assert_uint_eq(map.count, 0);
    number_map_fini(&map);
}
END_TEST

START_TEST(a_key_has_its_last_value) {
    struct number_map map = { 0 };
    uint32_t value = 0;
    number_map_put(&map, UINT64_MAX, 1);
    number_map_put(&map, UINT64_MAX, 2);
    number_map_put(&map, 0, 3);
    ck_assert_uint_eq(map.count, 2);
    ck_assert(number_map_find(&map, UINT64_MAX, &value));
    ck_assert_uint_eq(value, 2);
    ck_assert(number_map_find(&map, 0, &value));
    ck_assert_uint_eq(value, 3);
    number_map_fini(&map);
}
END_TEST

/* Against a plain array, with so few keys that chains are long and removals hit their middles. */
START_TEST(it_equals_a_plain_array_after_any_changes) {
    enum { KEYS = 200, CHANGES = 20000 };
    uint32_t plain[KEYS] = { 0 };
    struct number_map map = { 0 };
    uint64_t state = (uint64_t)_i + 1;
    for (uint32_t change = 1; change <= CHANGES; change++) {
        state = mix64(state, MIX_LOW);
        uint32_t key = (uint32_t)(state % KEYS);
        bool removes = (state >> 32) % 2 == 0;
        plain[key] = removes ? 0 : change;
        if (removes) {
            number_map_remove(&map, key * 4096ull);
        } else {
            number_map_put(&map, key * 4096ull, change);
        }
        uint32_t probe = (uint32_t)(state >> 40) % KEYS;
        uint32_t value = 0;
        bool found = number_map_find(&map, probe * 4096ull, &value);
        ck_assert_int_eq(found, plain[probe] != 0);
        ck_assert(!found || value == plain[probe]);
    }
    size_t count = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        count += plain[key] != 0;
    }
    ck_assert_uint_eq(map.count, count);
    number_map_fini(&map);
}
END_TEST

Suite *test_number_map(void);

Suite *test_number_map(void) {
    Suite *suite = suite_create("number_map");
    TCase *tests = tcase_create("number_map");
    tcase_add_test(tests, an_empty_map_finds_and_removes_nothing);
    tcase_add_test(tests, a_key_has_its_last_value);
    tcase_add_loop_test(tests, it_equals_a_plain_array_after_any_changes, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
