/* SPDX-License-Identifier: Apache-2.0 */
/* Exporting memory, and where there is no sharing at all. */
#include <check.h>

#include "tests/sharing.h"

#define EXPORT "aclrtMemExportToShareableHandle"
#define SET_PID "aclrtMemSetPidToShareableHandle"
#define IMPORT "aclrtMemImportFromShareableHandle"
#define BARE_TGID "aclrtDeviceGetBareTgid"

static void refuses_pids(struct world *world, int32_t code, uint32_t process,
                         struct acl_record record) {
    sharing_refuses_values(world, code, process, SET_PID, record);
}

START_TEST(exporting_makes_a_share_with_one_user_and_an_empty_list) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    const struct share *share = sharing_share(&world, sharing_export(&world, A, handle, 0));
    const struct handle *exported = sharing_handle(&world, A, handle);
    ck_assert_uint_eq(exported->kind, HANDLE_EXPORTED);
    ck_assert_uint_eq(exported->references, 1);
    ck_assert_uint_eq(exported->maps, 0);
    ck_assert_uint_eq(share->users, 1);
    ck_assert_uint_eq(share->validate, 1);
    ck_assert_uint_eq(share->listed, 0);
    world_fini(&world);
}
END_TEST

START_TEST(flag_1_exports_without_a_check_of_importers) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    ck_assert_uint_eq(sharing_share(&world, share)->validate, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_share_names_the_device_of_its_memory_in_bits_32_to_39) {
    struct world world;
    world_prepare(&world);
    world.process[A].device = 3;
    world_start(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    ck_assert_uint_eq(share >> 32 & 0xff, 3);
    world_fini(&world);
}
END_TEST

START_TEST(export_refuses_null_and_a_handle_type_at_once) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    struct acl_record no_output = { .arg = { handle, 0, 0 }, .null_mask = 1u << 3 };
    sharing_refuses(&world, 100000, A, EXPORT, 0, 0, 0);
    sharing_refuses(&world, 100000, A, EXPORT, handle, 2, 0);
    sharing_refuses(&world, 100000, A, EXPORT, handle, 2, 2);
    sharing_refuses_values(&world, 100000, A, EXPORT, no_output);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    sharing_refuses(&world, 107000, A, EXPORT, handle, 0, 2);
    sharing_refuses(&world, 107000, A, EXPORT, handle, 0, UINT64_MAX);
    world_fini(&world);
}
END_TEST

START_TEST(exporting_again_is_refused) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    sharing_export(&world, A, handle, 0);
    sharing_refuses(&world, 507899, A, EXPORT, handle, 0, 0);
    sharing_refuses(&world, 507899, A, EXPORT, handle, 0, 1);
    world_fini(&world);
}
END_TEST

START_TEST(exporting_an_imported_handle_is_refused) {
    struct world world;
    world_init(&world);
    uint64_t imported = sharing_import(&world, B, sharing_prepare(&world), 0);
    sharing_refuses(&world, 507899, B, EXPORT, imported, 0, 0);
    world_fini(&world);
}
END_TEST

START_TEST(exporting_a_stale_foreign_or_senseless_handle_is_refused) {
    struct world world;
    world_init(&world);
    uint64_t stale = sharing_make_memory(&world, A);
    sharing_free(&world, A, stale);
    sharing_refuses(&world, 107000, A, EXPORT, stale, 0, 0);
    sharing_refuses(&world, 107000, A, EXPORT, sharing_make_memory(&world, B), 0, 0);
    sharing_refuses(&world, 107000, A, EXPORT, 4711, 0, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_handle_that_mappings_keep_after_its_free_can_be_exported) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    handle_map(&world.machine, (struct process_id){ A }, 0);
    sharing_free(&world, A, handle);
    uint64_t share = sharing_export(&world, A, handle, 0);
    ck_assert_uint_eq(sharing_handle(&world, A, handle)->references, 1);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 1);
    world_fini(&world);
}
END_TEST

START_TEST(host_memory_can_be_exported_and_imported) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_host_memory(&world, A), 1);
    uint64_t handle = sharing_import(&world, B, share, 1);
    ck_assert_uint_eq(sharing_handle(&world, B, handle)->device, 1);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 2);
    world_fini(&world);
}
END_TEST

START_TEST(an_exporter_with_all_shares_in_use_is_refused_one_more) {
    struct world world;
    world_init(&world);
    uint64_t first = sharing_make_memory(&world, A);
    uint64_t second = sharing_make_memory(&world, A);
    for (uint32_t slot = 1; slot < SHARE_SLOTS; slot++) {
        table_add_at(world.machine.share, A, slot);
    }
    sharing_export(&world, A, first, 0);
    sharing_refuses(&world, 207005, A, EXPORT, second, 0, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_new_share_at_the_place_of_an_ended_one_has_another_value) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    uint64_t ended = sharing_export(&world, A, handle, 1);
    sharing_free(&world, A, handle);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    ck_assert_uint_eq(share & UINT32_MAX, ended & UINT32_MAX);
    ck_assert_uint_ne(share, ended);
    sharing_refuses(&world, 107017, B, IMPORT, ended, 0);
    world_fini(&world);
}
END_TEST

/* A virtual NPU, a split into compute groups. */
static void limit_surroundings(struct site_server *server, int which) {
    server->quota_bytes = which == 0 ? GIB : 0;
    server->compute_group = which == 1;
}

START_TEST(surroundings_without_sharing_refuse_it_after_the_arguments) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    const uint64_t pid = sharing_pid(&world, C);
    struct acl_record record = { .arg = { share, 1 }, .list = &pid, .list_count = 1 };
    limit_surroundings(&world.server[0], _i);
    sharing_refuses(&world, 207000, A, EXPORT, handle, 0, 0);
    sharing_refuses(&world, 207000, A, EXPORT, 4711, 0, 0);
    sharing_refuses(&world, 107000, A, EXPORT, handle, 0, 2);
    sharing_refuses(&world, 100000, A, EXPORT, 0, 0, 0);
    refuses_pids(&world, 207000, A, record);
    record.arg[1] = 2;
    refuses_pids(&world, 107000, A, record);
    sharing_refuses(&world, 207000, B, IMPORT, share, 0);
    sharing_refuses(&world, 207000, B, IMPORT, 4711, 0);
    sharing_refuses(&world, 107001, B, IMPORT, share, 99);
    world_fini(&world);
}
END_TEST

START_TEST(a_chip_that_is_its_own_host_refuses_sharing_at_once) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    const uint64_t pid = sharing_pid(&world, C);
    world.server[0].rc_form = true;
    sharing_refuses(&world, 100000, A, EXPORT, 0, 0, 2);
    sharing_refuses(&world, 207000, A, EXPORT, 4711, 0, 2);
    refuses_pids(&world, 207000, A,
                 (struct acl_record){ .arg = { share, 2 }, .list = &pid, .list_count = 1 });
    sharing_refuses(&world, 207000, B, IMPORT, share, 99);
    sharing_refuses(&world, 207000, A, BARE_TGID, 0);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    world_fini(&world);
}
END_TEST

START_TEST(the_bare_process_id_is_that_of_the_host) {
    struct world world;
    world_prepare(&world);
    world.container[0] = (struct site_container){ 0, 0, 1, true };
    world.site.container_count = 1;
    world.process[B].container = 0;
    world.process[B].pid_inside = 1;
    world.process[C].device = SITE_NO_DEVICE;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, B, BARE_TGID, 0), 0);
    ck_assert_uint_eq(world.result.out[0], SITE_PID_FIRST + B);
    ck_assert_int_eq(world_call(&world, C, BARE_TGID, 0), 0);
    ck_assert_uint_eq(world.result.out[0], SITE_PID_FIRST + C);
    world_fini(&world);
}
END_TEST

START_TEST(the_bare_process_id_needs_a_place) {
    struct world world;
    world_init(&world);
    sharing_refuses_values(&world, 100000, A, BARE_TGID, (struct acl_record){ .null_mask = 1 });
    world_fini(&world);
}
END_TEST

static const struct {
    const char *name;
    const char *python;
    enum cost_key cost;
    bool kernel;
} rows[] = {
    { EXPORT, "acl.rt.mem_export_to_shareable_handle", COST_EXPORT, true },
    { SET_PID, "acl.rt.mem_set_pid_to_shareable_handle", COST_CALL, true },
    { IMPORT, "acl.rt.mem_import_from_shareable_handle", COST_IMPORT, true },
    { BARE_TGID, "acl.rt.device_get_bare_tgid", COST_CALL, false },
};

START_TEST(calls_of_sharing_wait_for_the_driver_and_cost_what_their_row_says) {
    uint32_t row = 0;
    uint32_t same = 0;
    ck_assert(acl_row_find(rows[_i].name, &row));
    ck_assert(acl_row_find(rows[_i].python, &same));
    ck_assert_uint_eq(row, same);
    ck_assert_int_eq((acl_row_get(row)->flags & ACL_KERNEL) != 0, rows[_i].kernel);
    ck_assert_int_eq(acl_row_get(row)->cost, rows[_i].cost);
}
END_TEST

Suite *test_acl_share(void);

Suite *test_acl_share(void) {
    Suite *suite = suite_create("acl_share");
    TCase *tcase = tcase_create("acl_share");
    tcase_add_test(tcase, exporting_makes_a_share_with_one_user_and_an_empty_list);
    tcase_add_test(tcase, flag_1_exports_without_a_check_of_importers);
    tcase_add_test(tcase, a_share_names_the_device_of_its_memory_in_bits_32_to_39);
    tcase_add_test(tcase, export_refuses_null_and_a_handle_type_at_once);
    tcase_add_test(tcase, exporting_again_is_refused);
    tcase_add_test(tcase, exporting_an_imported_handle_is_refused);
    tcase_add_test(tcase, exporting_a_stale_foreign_or_senseless_handle_is_refused);
    tcase_add_test(tcase, a_handle_that_mappings_keep_after_its_free_can_be_exported);
    tcase_add_test(tcase, host_memory_can_be_exported_and_imported);
    tcase_add_test(tcase, an_exporter_with_all_shares_in_use_is_refused_one_more);
    tcase_add_test(tcase, a_new_share_at_the_place_of_an_ended_one_has_another_value);
    tcase_add_loop_test(tcase, surroundings_without_sharing_refuse_it_after_the_arguments, 0, 2);
    tcase_add_test(tcase, a_chip_that_is_its_own_host_refuses_sharing_at_once);
    tcase_add_test(tcase, the_bare_process_id_is_that_of_the_host);
    tcase_add_test(tcase, the_bare_process_id_needs_a_place);
    tcase_add_loop_test(tcase, calls_of_sharing_wait_for_the_driver_and_cost_what_their_row_says, 0,
                        sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
