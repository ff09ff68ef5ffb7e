/* SPDX-License-Identifier: Apache-2.0 */
/* Importing shared memory: who may, and what comes with it. */
#include <check.h>

#include "machine/peer.h"
#include "tests/sharing.h"

#define IMPORT "aclrtMemImportFromShareableHandle"

static bool is_enabled(const struct world *world, uint32_t process, uint32_t from, uint32_t to) {
    return peer_is_enabled(&world->machine, (struct process_id){ process },
                           (struct device_id){ from }, (struct device_id){ to });
}

/* The references of a process on the way between two devices, by taking them all. */
static uint32_t drop_edge(struct world *world, uint32_t process, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    while (peer_disable(&world->machine, (struct process_id){ process }, (struct device_id){ from },
                        (struct device_id){ to })) {
        count++;
    }
    return count;
}

/* A world whose process B works on device 1. */
static void prepare_two_devices(struct world *world) {
    world_prepare(world);
    world->process[B].device = 1;
}

START_TEST(an_import_makes_a_handle_and_one_more_user) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    uint64_t handle = sharing_import(&world, B, share, 0);
    const struct handle *imported = sharing_handle(&world, B, handle);
    ck_assert_uint_eq(imported->kind, HANDLE_IMPORTED);
    ck_assert_uint_eq(imported->references, 1);
    ck_assert_uint_eq(imported->maps, 0);
    ck_assert_uint_eq(imported->device, 0);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 2);
    ck_assert_uint_eq(sharing_share(&world, share)->imported, 1);
    world_fini(&world);
}
END_TEST

START_TEST(an_import_marks_the_entry_of_the_whitelist) {
    struct world world;
    struct object_id share;
    world_init(&world);
    uint64_t value = sharing_prepare(&world);
    ck_assert(share_resolve(&world.machine, value, &share));
    const struct listed *listed = share_find_listed(&world.machine, share, sharing_pid(&world, B));
    ck_assert_uint_eq(listed->imported, 0);
    sharing_import(&world, B, value, 0);
    ck_assert_uint_eq(listed->imported, 1);
    world_fini(&world);
}
END_TEST

START_TEST(the_handle_counts_for_the_device_that_the_call_names) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_import(&world, B, sharing_prepare(&world), 2);
    ck_assert_uint_eq(sharing_handle(&world, B, handle)->device, 2);
    world_fini(&world);
}
END_TEST

START_TEST(import_checks_output_device_context_and_share_in_this_order) {
    struct world world;
    world_prepare(&world);
    world.process[B].device = SITE_NO_DEVICE;
    world_start(&world);
    uint64_t share = sharing_prepare(&world);
    struct acl_record no_output = { .arg = { share, 99 }, .null_mask = 1u << 2 };
    sharing_refuses_values(&world, 100000, B, IMPORT, no_output);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    sharing_refuses(&world, 107001, B, IMPORT, 4711, 99);
    sharing_refuses(&world, 107001, B, IMPORT, share, (uint64_t)(int64_t)-1);
    sharing_refuses(&world, 107001, B, IMPORT, share, 4);
    sharing_refuses(&world, 107002, B, IMPORT, 4711, 0);
    sharing_refuses(&world, 107017, C, IMPORT, 4711, 0);
    sharing_refuses(&world, 507899, C, IMPORT, share, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_process_that_is_not_listed_may_not_import) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    sharing_refuses(&world, 507899, B, IMPORT, share, 0);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 0);
    sharing_refuses(&world, 507899, B, IMPORT, share, 0);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, B)), 0);
    sharing_import(&world, B, share, 0);
    world_fini(&world);
}
END_TEST

START_TEST(any_process_may_import_where_importers_are_not_checked) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    sharing_import(&world, B, share, 0);
    sharing_import(&world, C, share, 0);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 3);
    world_fini(&world);
}
END_TEST

START_TEST(an_entry_from_before_the_importer_started_does_not_count) {
    struct world world;
    world_init(&world);
    sharing_end(&world, B);
    uint64_t share = sharing_prepare(&world);
    sharing_restart(&world, B);
    sharing_refuses(&world, 507899, B, IMPORT, share, 0);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, B)), 0);
    sharing_import(&world, B, share, 0);
    world_fini(&world);
}
END_TEST

START_TEST(without_the_rule_of_times_an_early_entry_counts) {
    struct world world;
    world_prepare(&world);
    world.product->whitelist_time_rule = false;
    world_start(&world);
    sharing_end(&world, B);
    uint64_t share = sharing_prepare(&world);
    sharing_restart(&world, B);
    sharing_import(&world, B, share, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_process_that_ends_goes_off_every_list) {
    struct world world;
    world_prepare(&world);
    world.product->whitelist_time_rule = false;
    world_start(&world);
    uint64_t first = sharing_prepare(&world);
    uint64_t second = sharing_prepare(&world);
    ck_assert_int_eq(sharing_list(&world, A, second, sharing_pid(&world, C)), 0);
    sharing_import(&world, B, first, 0);
    sharing_end(&world, B);
    ck_assert_uint_eq(sharing_share(&world, first)->listed, 0);
    ck_assert_uint_eq(sharing_share(&world, second)->listed, 1);
    sharing_restart(&world, B);
    sharing_refuses(&world, 507899, B, IMPORT, first, 0);
    sharing_refuses(&world, 507899, B, IMPORT, second, 0);
    sharing_import(&world, C, second, 0);
    world_fini(&world);
}
END_TEST

/* Processes B and C in a container that sees devices 2 and 0 of the server, in this order. */
static void prepare_container(struct world *world) {
    world_prepare(world);
    world->visible[0] = 2;
    world->visible[1] = 0;
    world->container[0] = (struct site_container){ 0, 0, 2, true };
    world->site.container_count = 1;
    for (uint32_t process = B; process <= C; process++) {
        world->process[process].container = 0;
        world->process[process].pid_inside = process;
    }
}

START_TEST(a_process_id_from_inside_a_container_does_not_match) {
    struct world world;
    prepare_container(&world);
    world_start(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    ck_assert_int_eq(sharing_list(&world, A, share, world.process[B].pid_inside), 0);
    ck_assert_int_eq(world_call(&world, B, IMPORT, share, 1), 507899);
    ck_assert_int_eq(world_call(&world, B, "aclrtDeviceGetBareTgid", 0), 0);
    ck_assert_int_eq(sharing_list(&world, A, share, (uint32_t)world.result.out[0]), 0);
    sharing_import(&world, B, share, 1);
    world_fini(&world);
}
END_TEST

START_TEST(device_numbers_of_an_import_are_those_of_the_container) {
    struct world world;
    prepare_container(&world);
    world_start(&world);
    uint64_t share = sharing_prepare(&world);
    uint64_t handle = sharing_import(&world, B, share, 0);
    ck_assert_uint_eq(sharing_handle(&world, B, handle)->device, 2);
    sharing_refuses(&world, 107001, B, IMPORT, share, 2);
    world_fini(&world);
}
END_TEST

START_TEST(memory_of_a_device_that_the_container_does_not_see_is_refused) {
    struct world world;
    prepare_container(&world);
    world.process[A].device = 3;
    world_start(&world);
    uint64_t listed = sharing_prepare(&world);
    uint64_t unlisted = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    sharing_refuses(&world, 107001, B, IMPORT, listed, 0);
    sharing_refuses(&world, 107001, B, IMPORT, unlisted, 0);
    uint64_t host = sharing_export(&world, A, sharing_make_host_memory(&world, A), 1);
    sharing_import(&world, B, host, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_share_of_another_server_is_no_share_here) {
    struct world world;
    world_prepare(&world);
    world.server[1] = world.server[0];
    world.server[1].device_first = 4;
    world.site.server_count = 2;
    world.site.device_count = 8;
    world.process[D].server = 1;
    world.product->share_gone_code = 507899;
    world_start(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    const uint64_t pid = sharing_pid(&world, B);
    sharing_refuses(&world, 107017, D, IMPORT, share, 0);
    sharing_refuses_values(
        &world, 107017, D, "aclrtMemSetPidToShareableHandle",
        (struct acl_record){ .arg = { share, 1 }, .list = &pid, .list_count = 1 });
    world_fini(&world);
}
END_TEST

START_TEST(the_exporter_may_not_import_on_any_device) {
    struct world world;
    world_init(&world);
    uint64_t checked = sharing_prepare(&world);
    uint64_t open = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    ck_assert_int_eq(sharing_list(&world, A, checked, sharing_pid(&world, A)), 0);
    sharing_refuses(&world, 507899, A, IMPORT, checked, 0);
    sharing_refuses(&world, 507899, A, IMPORT, checked, 1);
    sharing_refuses(&world, 507899, A, IMPORT, open, 0);
    sharing_refuses(&world, 507899, A, IMPORT, open, 1);
    world_fini(&world);
}
END_TEST

START_TEST(an_exporter_that_was_started_anew_imports_like_any_other) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 1);
    sharing_import(&world, B, share, 0);
    sharing_end(&world, A);
    sharing_restart(&world, A);
    sharing_import(&world, A, share, 0);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 2);
    world_fini(&world);
}
END_TEST

START_TEST(importing_again_returns_the_same_handle_with_one_more_reference) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    uint64_t handle = sharing_import(&world, B, share, 0);
    ck_assert_uint_eq(sharing_import(&world, B, share, 0), handle);
    ck_assert_uint_eq(sharing_handle(&world, B, handle)->references, 2);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 2);
    ck_assert_uint_eq(sharing_share(&world, share)->imported, 1);
    world_fini(&world);
}
END_TEST

START_TEST(importing_on_another_device_or_in_another_process_makes_a_handle_of_its_own) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 0);
    uint64_t first = sharing_import(&world, B, share, 0);
    uint64_t second = sharing_import(&world, B, share, 1);
    uint64_t third = sharing_import(&world, C, share, 0);
    ck_assert_uint_ne(first, second);
    ck_assert_uint_ne(first, third);
    ck_assert_uint_eq(sharing_handle(&world, B, first)->references, 1);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 4);
    world_fini(&world);
}
END_TEST

START_TEST(an_importer_that_freed_may_import_again_while_the_share_lives) {
    struct world world;
    world_init(&world);
    uint64_t share = sharing_prepare(&world);
    uint64_t first = sharing_import(&world, B, share, 0);
    sharing_free(&world, B, first);
    ck_assert_uint_ne(sharing_import(&world, B, share, 0), first);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 2);
    world_fini(&world);
}
END_TEST

START_TEST(a_listed_process_may_import_after_the_exporter_freed_or_ended) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    uint64_t share = sharing_export(&world, A, handle, 0);
    for (uint32_t process = B; process <= D; process++) {
        ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, process)), 0);
    }
    sharing_import(&world, B, share, 0);
    sharing_free(&world, A, handle);
    sharing_import(&world, C, share, 0);
    sharing_end(&world, A);
    sharing_import(&world, D, share, 0);
    ck_assert_uint_eq(sharing_share(&world, share)->users, 3);
    world_fini(&world);
}
END_TEST

START_TEST(an_ended_share_cannot_be_imported) {
    struct world world;
    world_init(&world);
    uint64_t handle = sharing_make_memory(&world, A);
    uint64_t share = sharing_export(&world, A, handle, 1);
    uint64_t imported = sharing_import(&world, B, share, 0);
    sharing_free(&world, A, handle);
    sharing_free(&world, B, imported);
    sharing_refuses(&world, 107017, B, IMPORT, share, 0);
    world_fini(&world);
}
END_TEST

START_TEST(an_import_joins_the_exporters_device_and_the_current_one_both_ways) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    sharing_import(&world, B, sharing_prepare(&world), 1);
    ck_assert_uint_eq(drop_edge(&world, B, 0, 1), 1);
    ck_assert_uint_eq(drop_edge(&world, B, 1, 0), 1);
    ck_assert(!is_enabled(&world, A, 0, 1));
    world_fini(&world);
}
END_TEST

START_TEST(a_device_that_is_not_current_gets_no_peer_access) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    sharing_import(&world, B, sharing_prepare(&world), 2);
    ck_assert(is_enabled(&world, B, 0, 1));
    ck_assert(is_enabled(&world, B, 1, 0));
    ck_assert(!is_enabled(&world, B, 0, 2));
    ck_assert(!is_enabled(&world, B, 2, 0));
    world_fini(&world);
}
END_TEST

START_TEST(each_import_adds_a_reference_to_the_peer_access) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    uint64_t share = sharing_prepare(&world);
    sharing_import(&world, B, share, 1);
    sharing_import(&world, B, share, 1);
    ck_assert_uint_eq(drop_edge(&world, B, 0, 1), 2);
    ck_assert_uint_eq(drop_edge(&world, B, 1, 0), 2);
    world_fini(&world);
}
END_TEST

START_TEST(memory_of_the_current_device_or_of_the_host_needs_no_peer_access) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    sharing_import(&world, B, sharing_export(&world, A, sharing_make_host_memory(&world, A), 1), 1);
    sharing_import(&world, C, sharing_export(&world, A, sharing_make_memory(&world, A), 1), 0);
    ck_assert(!is_enabled(&world, B, 0, 1));
    ck_assert_uint_eq(table_count(world.machine.peer_sum, 0), 0);
    ck_assert_uint_eq(table_count(world.machine.peer_sum, 1), 0);
    world_fini(&world);
}
END_TEST

START_TEST(peer_access_stays_when_the_import_is_refused_after_it) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    uint64_t share = sharing_export(&world, A, sharing_make_memory(&world, A), 0);
    ck_assert_int_eq(world_call(&world, B, IMPORT, share, 1), 507899);
    ck_assert(is_enabled(&world, B, 0, 1));
    ck_assert(is_enabled(&world, B, 1, 0));
    ck_assert_uint_eq(sharing_share(&world, share)->users, 1);
    world_fini(&world);
}
END_TEST

START_TEST(an_import_fails_where_its_peer_access_cannot_be_enabled) {
    struct world world;
    prepare_two_devices(&world);
    world.product->peer_access = _i == 0;
    world.server[0].virtual_machine = _i == 0;
    world_start(&world);
    uint64_t share = sharing_prepare(&world);
    ck_assert_int_eq(sharing_list(&world, A, share, sharing_pid(&world, C)), 0);
    sharing_refuses(&world, 207000, B, IMPORT, share, 1);
    sharing_import(&world, C, share, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_driver_that_cannot_name_the_exporters_device_joins_nothing) {
    struct world world;
    prepare_container(&world);
    world.process[A].device = 3;
    world.product->import_enables_peers = false;
    world_start(&world);
    sharing_import(&world, B, sharing_prepare(&world), 0);
    ck_assert(!is_enabled(&world, B, 2, 3));
    ck_assert(!is_enabled(&world, B, 3, 2));
    world_fini(&world);
}
END_TEST

static void add_peer_tests(TCase *tcase) {
    tcase_add_test(tcase, an_import_joins_the_exporters_device_and_the_current_one_both_ways);
    tcase_add_test(tcase, a_device_that_is_not_current_gets_no_peer_access);
    tcase_add_test(tcase, each_import_adds_a_reference_to_the_peer_access);
    tcase_add_test(tcase, memory_of_the_current_device_or_of_the_host_needs_no_peer_access);
    tcase_add_test(tcase, peer_access_stays_when_the_import_is_refused_after_it);
    tcase_add_loop_test(tcase, an_import_fails_where_its_peer_access_cannot_be_enabled, 0, 2);
    tcase_add_test(tcase, a_driver_that_cannot_name_the_exporters_device_joins_nothing);
}

Suite *test_acl_import(void);

Suite *test_acl_import(void) {
    Suite *suite = suite_create("acl_import");
    TCase *tcase = tcase_create("acl_import");
    tcase_add_test(tcase, an_import_makes_a_handle_and_one_more_user);
    tcase_add_test(tcase, an_import_marks_the_entry_of_the_whitelist);
    tcase_add_test(tcase, the_handle_counts_for_the_device_that_the_call_names);
    tcase_add_test(tcase, import_checks_output_device_context_and_share_in_this_order);
    tcase_add_test(tcase, a_process_that_is_not_listed_may_not_import);
    tcase_add_test(tcase, any_process_may_import_where_importers_are_not_checked);
    tcase_add_test(tcase, an_entry_from_before_the_importer_started_does_not_count);
    tcase_add_test(tcase, without_the_rule_of_times_an_early_entry_counts);
    tcase_add_test(tcase, a_process_that_ends_goes_off_every_list);
    tcase_add_test(tcase, a_process_id_from_inside_a_container_does_not_match);
    tcase_add_test(tcase, device_numbers_of_an_import_are_those_of_the_container);
    tcase_add_test(tcase, memory_of_a_device_that_the_container_does_not_see_is_refused);
    tcase_add_test(tcase, a_share_of_another_server_is_no_share_here);
    tcase_add_test(tcase, the_exporter_may_not_import_on_any_device);
    tcase_add_test(tcase, an_exporter_that_was_started_anew_imports_like_any_other);
    tcase_add_test(tcase, importing_again_returns_the_same_handle_with_one_more_reference);
    tcase_add_test(tcase,
                   importing_on_another_device_or_in_another_process_makes_a_handle_of_its_own);
    tcase_add_test(tcase, an_importer_that_freed_may_import_again_while_the_share_lives);
    tcase_add_test(tcase, a_listed_process_may_import_after_the_exporter_freed_or_ended);
    tcase_add_test(tcase, an_ended_share_cannot_be_imported);
    add_peer_tests(tcase);
    suite_add_tcase(suite, tcase);
    return suite;
}
