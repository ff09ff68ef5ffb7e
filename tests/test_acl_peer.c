/* SPDX-License-Identifier: Apache-2.0 */
/* Peer access between devices. */
#include <check.h>

#include "machine/peer.h"
#include "tests/sharing.h"

#define CAN "aclrtDeviceCanAccessPeer"
#define ENABLE "aclrtDeviceEnablePeerAccess"
#define DISABLE "aclrtDeviceDisablePeerAccess"
#define STATUS "aclrtDevicePeerAccessStatus"

/* Processes A and C work on device 0, B and D on device 1. */
static void prepare_two_devices(struct world *world) {
    world_prepare(world);
    world->process[B].device = 1;
    world->process[D].device = 1;
}

/* The output of a query that must succeed. */
static uint64_t answer(struct world *world, uint32_t thread, const char *name, uint64_t from,
                       uint64_t to) {
    ck_assert_int_eq(world_call(world, thread, name, from, to), 0);
    ck_assert_uint_eq(world->result.out_count, 1);
    return world->result.out[0];
}

static bool is_enabled(const struct world *world, uint32_t process, uint32_t from, uint32_t to) {
    return peer_is_enabled(&world->machine, (struct process_id){ process },
                           (struct device_id){ from }, (struct device_id){ to });
}

START_TEST(devices_of_a_server_can_reach_each_other) {
    struct world world;
    world_prepare(&world);
    world.process[A].device = SITE_NO_DEVICE;
    world_start(&world);
    ck_assert_uint_eq(answer(&world, A, CAN, 0, 1), 1);
    ck_assert_uint_eq(answer(&world, A, CAN, 3, 2), 1);
    world_fini(&world);
}
END_TEST

START_TEST(can_access_checks_same_then_null_then_feature_then_ids) {
    struct world world;
    world_init(&world);
    struct acl_record same = { .arg = { 9, 9 }, .null_mask = 1 };
    struct acl_record no_output = { .arg = { 9, 1 }, .null_mask = 1 };
    sharing_refuses_values(&world, 100000, A, CAN, same);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    sharing_refuses_values(&world, 107000, A, CAN, no_output);
    sharing_refuses(&world, 107001, A, CAN, 4, 1);
    sharing_refuses(&world, 107001, A, CAN, 1, 4);
    sharing_refuses(&world, 107001, A, CAN, 1, (uint64_t)(int64_t)-1);
    world.server[0].rc_form = true;
    sharing_refuses_values(&world, 100000, A, CAN, same);
    sharing_refuses_values(&world, 207000, A, CAN, no_output);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    world.server[0].rc_form = false;
    world.product->peer_access = false;
    sharing_refuses_values(&world, 107000, A, CAN, no_output);
    sharing_refuses(&world, 207000, A, CAN, 1, 4);
    world_fini(&world);
}
END_TEST

/* A virtual machine, a virtual NPU, a split into compute groups. */
static void limit_surroundings(struct site_server *server, int which) {
    server->virtual_machine = which == 0;
    server->quota_bytes = which == 1 ? GIB : 0;
    server->compute_group = which == 2;
}

START_TEST(surroundings_without_peers_answer_no_and_refuse_enabling) {
    struct world world;
    world_init(&world);
    limit_surroundings(&world.server[0], _i);
    ck_assert_uint_eq(answer(&world, A, CAN, 0, 1), 0);
    sharing_refuses(&world, 207000, A, ENABLE, 1, 0);
    sharing_refuses(&world, 107000, A, DISABLE, 1);
    ck_assert_uint_eq(answer(&world, A, STATUS, 0, 1), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_chip_without_peers_refuses_enabling) {
    struct world world;
    world_init(&world);
    world.server[0].rc_form = _i == 0;
    world.product->peer_access = _i == 0;
    sharing_refuses(&world, 207000, A, ENABLE, 1, 0);
    sharing_refuses(&world, 107001, A, ENABLE, 4, 0);
    world_fini(&world);
}
END_TEST

START_TEST(enable_checks_flags_then_context_then_same_then_id) {
    struct world world;
    world_prepare(&world);
    world.process[B].device = SITE_NO_DEVICE;
    world_start(&world);
    sharing_refuses(&world, 200006, B, ENABLE, 0, 1);
    ck_assert_uint_eq(world.result.cost_ns, 0);
    sharing_refuses(&world, 107002, B, ENABLE, 9, 0);
    sharing_refuses(&world, 200006, A, ENABLE, 0, 1);
    sharing_refuses(&world, 100000, A, ENABLE, 0, 0);
    sharing_refuses(&world, 107001, A, ENABLE, 4, 0);
    sharing_refuses(&world, 107001, A, ENABLE, (uint64_t)(int64_t)-1, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_peer_beyond_64_devices_is_refused) {
    struct world world;
    world_prepare(&world);
    world.server[0].device_count = 66;
    world.site.device_count = 66;
    world_start(&world);
    sharing_refuses(&world, 107000, A, ENABLE, 64, 0);
    sharing_refuses(&world, 107001, A, ENABLE, 66, 0);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 63, 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(enabling_opens_one_direction_for_one_process) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 1, 0), 0);
    ck_assert_uint_eq(world.result.out_count, 0);
    ck_assert(is_enabled(&world, A, 0, 1));
    ck_assert(!is_enabled(&world, A, 1, 0));
    ck_assert(!is_enabled(&world, A, 0, 2));
    ck_assert(!is_enabled(&world, C, 0, 1));
    world_fini(&world);
}
END_TEST

START_TEST(enabling_counts_and_each_disabling_drops_one) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 1, 0), 0);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 1, 0), 0);
    ck_assert_int_eq(world_call(&world, A, DISABLE, 1), 0);
    ck_assert(is_enabled(&world, A, 0, 1));
    ck_assert_int_eq(world_call(&world, A, DISABLE, 1), 0);
    ck_assert(!is_enabled(&world, A, 0, 1));
    sharing_refuses(&world, 107000, A, DISABLE, 1);
    world_fini(&world);
}
END_TEST

START_TEST(disabling_drops_only_what_the_process_enabled_from_its_device) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 1, 0), 0);
    sharing_refuses(&world, 107000, C, DISABLE, 1);
    sharing_refuses(&world, 107000, B, DISABLE, 0);
    sharing_refuses(&world, 107000, A, DISABLE, 2);
    world_fini(&world);
}
END_TEST

START_TEST(disable_checks_context_then_same_then_id) {
    struct world world;
    world_prepare(&world);
    world.process[B].device = SITE_NO_DEVICE;
    world_start(&world);
    sharing_refuses(&world, 107002, B, DISABLE, 9);
    sharing_refuses(&world, 100000, A, DISABLE, 0);
    sharing_refuses(&world, 107001, A, DISABLE, 4);
    world_fini(&world);
}
END_TEST

START_TEST(the_status_is_on_when_both_directions_are_open) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 1, 0), 0);
    ck_assert_uint_eq(answer(&world, A, STATUS, 0, 1), 0);
    ck_assert_uint_eq(answer(&world, A, STATUS, 1, 0), 0);
    ck_assert_int_eq(world_call(&world, B, ENABLE, 0, 0), 0);
    ck_assert_uint_eq(answer(&world, A, STATUS, 0, 1), 1);
    ck_assert_uint_eq(answer(&world, C, STATUS, 1, 0), 1);
    ck_assert_uint_eq(answer(&world, C, STATUS, 1, 2), 0);
    ck_assert_int_eq(world_call(&world, B, DISABLE, 0), 0);
    ck_assert_uint_eq(answer(&world, A, STATUS, 0, 1), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_process_that_ends_takes_its_own_peer_access_along) {
    struct world world;
    prepare_two_devices(&world);
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, ENABLE, 1, 0), 0);
    ck_assert_int_eq(world_call(&world, B, ENABLE, 0, 0), 0);
    ck_assert_int_eq(world_call(&world, D, ENABLE, 0, 0), 0);
    sharing_end(&world, B);
    ck_assert_uint_eq(answer(&world, C, STATUS, 0, 1), 1);
    sharing_end(&world, D);
    ck_assert_uint_eq(answer(&world, C, STATUS, 0, 1), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_device_always_reaches_itself) {
    struct world world;
    world_init(&world);
    ck_assert_uint_eq(answer(&world, A, STATUS, 2, 2), 1);
    world_fini(&world);
}
END_TEST

START_TEST(status_checks_its_output_and_ids_and_needs_no_context) {
    struct world world;
    world_prepare(&world);
    world.process[B].device = SITE_NO_DEVICE;
    world_start(&world);
    struct acl_record no_output = { .arg = { 9, 9 }, .null_mask = 1u << 2 };
    sharing_refuses_values(&world, 100000, B, STATUS, no_output);
    sharing_refuses(&world, 107000, B, STATUS, 4, 0);
    sharing_refuses(&world, 107000, B, STATUS, 0, 4);
    sharing_refuses(&world, 107000, B, STATUS, 0, (uint64_t)(int64_t)-1);
    ck_assert_uint_eq(answer(&world, B, STATUS, 0, 1), 0);
    world_fini(&world);
}
END_TEST

START_TEST(only_the_peer_of_a_status_counts_the_devices_of_the_server) {
    struct world world;
    world_prepare(&world);
    world.visible[0] = 2;
    world.visible[1] = 0;
    world.container[0] = (struct site_container){ 0, 0, 2, false };
    world.site.container_count = 1;
    world.process[B].container = 0;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, B, ENABLE, 1, 0), 0);
    ck_assert(is_enabled(&world, B, 2, 0));
    peer_enable(&world.machine, (struct process_id){ A }, (struct device_id){ 0 },
                (struct device_id){ 2 });
    ck_assert_uint_eq(answer(&world, B, STATUS, 0, 0), 1);
    ck_assert_uint_eq(answer(&world, B, STATUS, 1, 2), 1);
    ck_assert_uint_eq(answer(&world, B, STATUS, 0, 1), 0);
    sharing_refuses(&world, 107000, B, STATUS, 2, 0);
    sharing_refuses(&world, 107001, B, CAN, 0, 2);
    sharing_refuses(&world, 107001, B, ENABLE, 2, 0);
    world_fini(&world);
}
END_TEST

static const struct {
    const char *name;
    const char *python;
    enum cost_key cost;
    uint32_t flags;
} rows[] = {
    { CAN, "acl.rt.device_can_access_peer", COST_CALL, 0 },
    { ENABLE, "acl.rt.device_enable_peer_access", COST_PEER_ENABLE, ACL_KERNEL | ACL_CONTEXT },
    { DISABLE, "acl.rt.device_disable_peer_access", COST_CALL, ACL_KERNEL | ACL_CONTEXT },
    { STATUS, "acl.rt.device_peer_access_status", COST_CALL, 0 },
};

START_TEST(only_changes_of_peer_access_wait_for_the_driver) {
    uint32_t row = 0;
    uint32_t same = 0;
    ck_assert(acl_row_find(rows[_i].name, &row));
    ck_assert(acl_row_find(rows[_i].python, &same));
    ck_assert_uint_eq(row, same);
    ck_assert_uint_eq(acl_row_get(row)->flags, rows[_i].flags);
    ck_assert_int_eq(acl_row_get(row)->cost, rows[_i].cost);
}
END_TEST

Suite *test_acl_peer(void);

Suite *test_acl_peer(void) {
    Suite *suite = suite_create("acl_peer");
    TCase *tcase = tcase_create("acl_peer");
    tcase_add_test(tcase, devices_of_a_server_can_reach_each_other);
    tcase_add_test(tcase, can_access_checks_same_then_null_then_feature_then_ids);
    tcase_add_loop_test(tcase, surroundings_without_peers_answer_no_and_refuse_enabling, 0, 3);
    tcase_add_loop_test(tcase, a_chip_without_peers_refuses_enabling, 0, 2);
    tcase_add_test(tcase, enable_checks_flags_then_context_then_same_then_id);
    tcase_add_test(tcase, a_peer_beyond_64_devices_is_refused);
    tcase_add_test(tcase, enabling_opens_one_direction_for_one_process);
    tcase_add_test(tcase, enabling_counts_and_each_disabling_drops_one);
    tcase_add_test(tcase, disabling_drops_only_what_the_process_enabled_from_its_device);
    tcase_add_test(tcase, disable_checks_context_then_same_then_id);
    tcase_add_test(tcase, the_status_is_on_when_both_directions_are_open);
    tcase_add_test(tcase, a_process_that_ends_takes_its_own_peer_access_along);
    tcase_add_test(tcase, a_device_always_reaches_itself);
    tcase_add_test(tcase, status_checks_its_output_and_ids_and_needs_no_context);
    tcase_add_test(tcase, only_the_peer_of_a_status_counts_the_devices_of_the_server);
    tcase_add_loop_test(tcase, only_changes_of_peer_access_wait_for_the_driver, 0,
                        sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
