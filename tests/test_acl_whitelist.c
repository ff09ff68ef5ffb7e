/* SPDX-License-Identifier: Apache-2.0 */
/* Saying who may import a share. */
#include <check.h>
#include <stdlib.h>

#include "tests/sharing.h"

#define SET_PID "aclrtMemSetPidToShareableHandle"

enum { LIST_MAX = 65535 };

/* A call of set pid with a list. */
static int32_t set_pids(struct world *world, uint32_t process, uint64_t share, uint64_t length,
                        const uint64_t *pids, uint32_t count) {
    const uint64_t value[16] = { share, length };
    return world_call_values(world, process, SET_PID, value, pids, count, 0);
}

static void refuses_pids(struct world *world, int32_t code, uint32_t process,
                         struct acl_record record) {
    sharing_refuses_values(world, code, process, SET_PID, record);
}

START_TEST(set_pid_adds_to_the_list_and_sets_known_entries_anew) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t pids[] = { sharing_pid(&world, B), sharing_pid(&world, C),
                              sharing_pid(&world, B) };
    ck_assert_int_eq(set_pids(&world, A, share, 3, pids, 3), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 2);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 0);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, D)), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 3);
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_skips_0_and_refuses_a_list_of_nothing_else) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t pids[] = { 0, sharing_pid(&world, B), 0 };
    const uint64_t zeros[] = { 0, 0 };
    ck_assert_int_eq(set_pids(&world, A, share, 3, pids, 3), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 1);
    refuses_pids(&world, 507899, A,
                 (struct acl_record){ .arg = { share, 2 }, .list = zeros, .list_count = 2 });
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_refuses_no_list_and_no_length_at_once) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t pid = sharing_pid(&world, B);
    refuses_pids(&world, 100000, A,
                 (struct acl_record){ .arg = { share, 1 }, .null_mask = 1u << 1 });
    refuses_pids(&world, 100000, A,
                 (struct acl_record){ .arg = { share, 0 }, .list = &pid, .list_count = 1 });
    ck_assert_uint_eq(world.result.cost_ns, 0);
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_cuts_its_length_to_32_bits) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t pids[] = { sharing_pid(&world, B), sharing_pid(&world, C) };
    const uint64_t beyond = (uint64_t)1 << 32;
    ck_assert_int_eq(set_pids(&world, A, share, beyond + 1, pids, 2), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 1);
    refuses_pids(&world, 107000, A,
                 (struct acl_record){ .arg = { share, beyond }, .list = pids, .list_count = 2 });
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_refuses_a_length_over_65535_or_beyond_the_list) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t pid = sharing_pid(&world, B);
    struct acl_record record = { .arg = { share, LIST_MAX + 1 }, .list = &pid, .list_count = 1 };
    refuses_pids(&world, 107000, A, record);
    record.arg[1] = 2;
    refuses_pids(&world, 107000, A, record);
    world_fini(&world);
}
END_TEST

START_TEST(a_list_holds_65535_process_ids) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    uint64_t *pids = calloc(LIST_MAX, sizeof *pids);
    ck_assert_ptr_nonnull(pids);
    for (uint32_t place = 0; place < LIST_MAX; place++) {
        pids[place] = place + 1;
    }
    ck_assert_int_eq(set_pids(&world, A, share, LIST_MAX, pids, LIST_MAX), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, LIST_MAX);
    ck_assert_int_eq(sharing_list(&world, A, share, LIST_MAX + 1), 107000);
    ck_assert_int_eq(set_pids(&world, A, share, LIST_MAX, pids, LIST_MAX), 0);
    free(pids);
    world_fini(&world);
}
END_TEST

START_TEST(a_list_that_would_grow_too_long_stays_as_it_is) {
    struct world world;
    world_prepare(&world);
    world.product->whitelist_max = 6;
    world_start(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t first[] = { 7, 8, 3 };
    const uint64_t too_many[] = { 9, 8, 10, 11, 12 };
    const uint64_t just_enough[] = { 9, 7, 0, 10, 9, 11 };
    ck_assert_int_eq(set_pids(&world, A, share, 3, first, 3), 0);
    refuses_pids(&world, 107000, A,
                 (struct acl_record){ .arg = { share, 5 }, .list = too_many, .list_count = 5 });
    ck_assert_int_eq(set_pids(&world, A, share, 6, just_enough, 6), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 6);
    world_fini(&world);
}
END_TEST

START_TEST(one_call_may_not_name_more_than_a_list_holds) {
    struct world world;
    world_prepare(&world);
    world.product->whitelist_max = 2;
    world_start(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    const uint64_t pids[] = { 7, 7, 7 };
    refuses_pids(&world, 107000, A,
                 (struct acl_record){ .arg = { share, 3 }, .list = pids, .list_count = 3 });
    ck_assert_int_eq(set_pids(&world, A, share, 2, pids, 3), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 1);
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_accepts_own_dead_and_unknown_process_ids) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    sharing_end(&world, C);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, A)), 0);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 0);
    ck_assert_int_eq(sharing_list(&world, A, share, 5), 0);
    ck_assert_uint_eq(sharing_share(&world, share)->listed, 3);
    world_fini(&world);
}
END_TEST

START_TEST(only_the_exporter_may_set_pids) {
    struct world world;
    world_init(&world);
    const uint64_t pid = sharing_pid(&world, C);
    uint64_t checked = sharing_prepare(&world);
    uint64_t open = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    struct acl_record record = { .arg = { checked, 1 }, .list = &pid, .list_count = 1 };
    sharing_import(&world, B, checked, 0);
    refuses_pids(&world, 507899, B, record);
    record.arg[0] = open;
    refuses_pids(&world, 507899, B, record);
    world_fini(&world);
}
END_TEST

START_TEST(an_exporter_that_was_started_anew_is_not_the_exporter) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    const uint64_t pid = sharing_pid(&world, C);
    sharing_import(&world, B, share, 0);
    sharing_end(&world, A);
    sharing_restart(&world, A);
    refuses_pids(&world, 507899, A,
                 (struct acl_record){ .arg = { share, 1 }, .list = &pid, .list_count = 1 });
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_is_not_permitted_where_importers_are_not_checked) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    const uint64_t pid = sharing_pid(&world, B);
    refuses_pids(&world, 207006, A,
                 (struct acl_record){ .arg = { share, 1 }, .list = &pid, .list_count = 1 });
    world_fini(&world);
}
END_TEST

START_TEST(set_pid_works_after_the_exporter_freed_while_the_share_lives) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    uint64_t share = sharing_export(&world, A, handle, 0);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, B)), 0);
    uint64_t imported = sharing_import(&world, B, share, 0);
    sharing_free(&world, A, handle);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 0);
    sharing_free(&world, B, imported);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 107017);
    world_fini(&world);
}
END_TEST

START_TEST(an_unknown_share_is_answered_as_the_product_says) {
    struct world world;
    world_prepare(&world);
    world.product->share_gone_code = 507899;
    world_start(&world);
    const uint64_t pid = sharing_pid(&world, B);
    struct acl_record record = { .arg = { 0, 1 }, .list = &pid, .list_count = 1 };
    refuses_pids(&world, 507899, A, record);
    record.arg[0] = UINT64_MAX;
    refuses_pids(&world, 507899, A, record);
    sharing_refuses(&world, 507899, B, "aclrtMemImportFromShareableHandle", 0, 0);
    sharing_refuses(&world, 507899, B, "aclrtMemImportFromShareableHandle", UINT64_MAX, 0);
    world_fini(&world);
}
END_TEST

Suite *test_acl_whitelist(void);

Suite *test_acl_whitelist(void) {
    Suite *suite = suite_create("acl_whitelist");
    TCase *tcase = tcase_create("acl_whitelist");
    tcase_add_test(tcase, set_pid_adds_to_the_list_and_sets_known_entries_anew);
    tcase_add_test(tcase, set_pid_skips_0_and_refuses_a_list_of_nothing_else);
    tcase_add_test(tcase, set_pid_refuses_no_list_and_no_length_at_once);
    tcase_add_test(tcase, set_pid_cuts_its_length_to_32_bits);
    tcase_add_test(tcase, set_pid_refuses_a_length_over_65535_or_beyond_the_list);
    tcase_add_test(tcase, a_list_holds_65535_process_ids);
    tcase_add_test(tcase, a_list_that_would_grow_too_long_stays_as_it_is);
    tcase_add_test(tcase, one_call_may_not_name_more_than_a_list_holds);
    tcase_add_test(tcase, set_pid_accepts_own_dead_and_unknown_process_ids);
    tcase_add_test(tcase, only_the_exporter_may_set_pids);
    tcase_add_test(tcase, an_exporter_that_was_started_anew_is_not_the_exporter);
    tcase_add_test(tcase, set_pid_is_not_permitted_where_importers_are_not_checked);
    tcase_add_test(tcase, set_pid_works_after_the_exporter_freed_while_the_share_lives);
    tcase_add_test(tcase, an_unknown_share_is_answered_as_the_product_says);
    suite_add_tcase(suite, tcase);
    return suite;
}
