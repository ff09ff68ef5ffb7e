/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "acl/acl_error.h"
#include "machine/stream.h"
#include "tests/world.h"

enum { A, B };
enum { A_NULL_OUTPUT = 1 };

static int32_t call_null(struct world *world, uint32_t thread, const char *name) {
    const uint64_t none[16] = { 0 };
    return world_call_values(world, thread, name, none, NULL, 0, A_NULL_OUTPUT);
}

/* Processes that have not set a device; the first two threads are those of process A. */
static void start_bare(struct world *world) {
    world_prepare(world);
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        world->process[process].device = SITE_NO_DEVICE;
    }
    world_start(world);
}

static void start_threads(struct world *world) {
    world_prepare(world);
    world->process[A].thread_count = 2;
    world->process[A].device = SITE_NO_DEVICE;
    world->process[B].device = SITE_NO_DEVICE;
    world->process[B].thread_first = 2;
    world->thread[1].process = A;
    world->thread[2].process = B;
    world->site.process_count = 2;
    world->site.thread_count = 3;
    world_start(world);
}

START_TEST(a_second_init_is_refused) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclInit", 0), 100002);
    ck_assert_int_eq(world_call(&world, A, "aclInit", 0), 100002);
    ck_assert_uint_eq(process_get(&world.machine, (struct process_id){ A })->inits, 3);
    world_fini(&world);
}
END_TEST

START_TEST(a_second_finalize_is_refused) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclInit", 0), 100002);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 100037);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 100037);
    ck_assert_int_eq(world_call(&world, B, "aclFinalize", 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(after_finalize_calls_are_refused_until_the_next_init) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDeviceCount", 0), 100001);
    ck_assert_int_eq(world_call(&world, A, "aclInit", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDeviceCount", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 0);
    world_fini(&world);
}
END_TEST

/* A process that runs but has not called aclInit: the second life of a process. */
static void restart(struct world *world, uint32_t process) {
    process_end(&world->machine, (struct process_id){ process }, PROCESS_EXITED);
    process_start(&world->machine, (struct process_id){ process });
}

START_TEST(without_init_every_other_call_is_refused) {
    struct world world;
    world_init(&world);
    restart(&world, A);
    static const char *const names[] = {
        "aclrtSetDevice", "aclrtResetDevice",    "aclrtResetDeviceForce",
        "aclrtGetDevice", "aclrtGetDeviceCount", "aclrtMalloc",
        "aclrtFree",      "aclFinalize",
    };
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
        ck_assert_int_eq(world_call(&world, A, names[name], 0), 100001);
    }
    ck_assert_int_eq(call_null(&world, A, "aclrtGetDevice"), 100001);
    world_fini(&world);
}
END_TEST

START_TEST(a_product_may_do_without_init) {
    struct world world;
    world_prepare(&world);
    world.product->strict_init = false;
    world_start(&world);
    restart(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 100037);
    world_fini(&world);
}
END_TEST

START_TEST(a_restarted_process_has_not_finalized) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 0);
    restart(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclFinalize", 0), 100001);
    ck_assert_int_eq(world_call(&world, A, "aclInit", 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(set_device_makes_a_device_current) {
    struct world world;
    start_bare(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 2), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 0);
    ck_assert_uint_eq(world.result.out_count, 1);
    ck_assert_uint_eq(world.result.out[0], 2);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 0);
    ck_assert_uint_eq(world.result.out[0], 1);
    ck_assert_int_eq(world_call(&world, B, "aclrtGetDevice", 0), 107002);
    world_fini(&world);
}
END_TEST

START_TEST(a_device_that_is_not_there_is_refused) {
    static const uint64_t bad[] = { 4, 99, UINT32_MAX, UINT64_MAX, UINT64_C(1) << 32 };
    static const char *const names[] = { "aclrtSetDevice", "aclrtResetDevice",
                                         "aclrtResetDeviceForce" };
    struct world world;
    start_bare(&world);
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
        for (size_t place = 0; place < sizeof bad / sizeof *bad; place++) {
            ck_assert_int_eq(world_call(&world, A, names[name], bad[place]), 107001);
        }
    }
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 107002);
    ck_assert_uint_eq(process_get(&world.machine, (struct process_id){ A })->opened, 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_container_numbers_the_devices_it_sees) {
    struct world world;
    world_prepare(&world);
    world.visible[0] = 3;
    world.visible[1] = 1;
    world.container[0] = (struct site_container){ 0, 0, 2, true };
    world.site.container_count = 1;
    world.process[A].container = 0;
    world.process[A].device = 1;
    world_start(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDeviceCount", 0), 0);
    ck_assert_uint_eq(world.result.out[0], 2);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 0);
    ck_assert_uint_eq(world.result.out[0], 1);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 2), 107001);
    ck_assert_int_eq(world_call(&world, B, "aclrtGetDeviceCount", 0), 0);
    ck_assert_uint_eq(world.result.out[0], 4);
    ck_assert_uint_eq(process_presence(&world.machine, (struct process_id){ A }, 0)->device, 1);
    world_fini(&world);
}
END_TEST

START_TEST(outputs_must_not_be_null) {
    struct world world;
    start_bare(&world);
    ck_assert_int_eq(call_null(&world, A, "aclrtGetDevice"), 100000);
    ck_assert_int_eq(call_null(&world, A, "aclrtGetDeviceCount"), 100000);
    ck_assert_uint_eq(world.result.out_count, 0);
    world_fini(&world);
}
END_TEST

START_TEST(resets_count_down_what_sets_counted_up) {
    struct world world;
    start_bare(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 507007);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 1), 507007);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 507007);
    world_fini(&world);
}
END_TEST

START_TEST(a_forced_reset_ends_all_sets_at_once) {
    struct world world;
    start_bare(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDeviceForce", 0), 507007);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDeviceForce", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDeviceForce", 0), 507007);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(one_process_cannot_reset_what_another_one_set) {
    struct world world;
    start_bare(&world);
    ck_assert_int_eq(world_call(&world, B, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 507007);
    ck_assert_int_eq(world_call(&world, B, "aclrtGetDevice", 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(the_last_reset_gives_back_what_is_on_that_device) {
    struct world world;
    start_bare(&world);
    uint64_t before[] = { world_free_bytes(&world, 0), world_free_bytes(&world, 1) };
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", 4 * MIB, 1), 0);
    uint64_t on_one = world.result.out[0];
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtMalloc", 4 * MIB, 1), 0);
    uint64_t on_zero = world.result.out[0];
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before[0] - 6 * MIB);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_uint_eq(world_free_bytes(&world, 0), before[0]);
    ck_assert_uint_eq(world_free_bytes(&world, 1), before[1] - 6 * MIB);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", on_zero), 107000);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", on_one), 0);
    world_fini(&world);
}
END_TEST

START_TEST(the_last_reset_takes_the_device_from_every_thread_on_it) {
    struct world world;
    start_threads(&world);
    ck_assert_int_eq(world_call(&world, 0, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 1, "aclrtGetDevice", 0), 107002);
    ck_assert_int_eq(world_call(&world, 1, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 2, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtGetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtGetDevice", 0), 107002);
    ck_assert_int_eq(world_call(&world, 1, "aclrtGetDevice", 0), 107002);
    ck_assert_int_eq(world_call(&world, 2, "aclrtGetDevice", 0), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_reset_of_another_device_leaves_the_current_one) {
    struct world world;
    start_bare(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 1), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 0);
    ck_assert_uint_eq(world.result.out[0], 0);
    world_fini(&world);
}
END_TEST

static uint64_t cost_of_set(struct world *world, uint32_t thread, uint32_t device) {
    ck_assert_int_eq(world_call(world, thread, "aclrtSetDevice", device), 0);
    return world->result.cost_ns;
}

START_TEST(set_device_is_cold_for_a_device_warm_for_a_process_then_a_repeat) {
    struct world world;
    start_bare(&world);
    const struct cost *cost = world.product->cost;
    uint64_t cold = cost[COST_SET_DEVICE_COLD].base_ns;
    uint64_t warm = cost[COST_SET_DEVICE_WARM].base_ns;
    uint64_t repeat = cost[COST_SET_DEVICE_REPEAT].base_ns;
    ck_assert_uint_eq(cost_of_set(&world, A, 0), cold);
    ck_assert_uint_eq(cost_of_set(&world, A, 0), repeat);
    ck_assert_uint_eq(cost_of_set(&world, B, 0), warm);
    ck_assert_uint_eq(cost_of_set(&world, B, 0), repeat);
    ck_assert_uint_eq(cost_of_set(&world, B, 1), cold);
    ck_assert_uint_eq(cost_of_set(&world, A, 1), repeat);
    restart(&world, B);
    ck_assert_int_eq(world_call(&world, B, "aclInit", 0), 0);
    ck_assert_uint_eq(cost_of_set(&world, B, 1), warm);
    world_fini(&world);
}
END_TEST

START_TEST(who_was_first_is_a_note_and_no_state) {
    struct world left;
    struct world right;
    start_bare(&left);
    start_bare(&right);
    cost_of_set(&left, A, 0);
    cost_of_set(&left, B, 0);
    cost_of_set(&right, B, 0);
    cost_of_set(&right, A, 0);
    ck_assert(store_alike(left.store, right.store));
    struct store_mark mark = store_mark(left.store);
    cost_of_set(&left, A, 3);
    store_rollback(left.store, &mark);
    store_unmark(left.store, &mark);
    ck_assert_uint_eq(cost_of_set(&left, A, 3), left.product->cost[COST_SET_DEVICE_COLD].base_ns);
    world_fini(&left);
    world_fini(&right);
}
END_TEST

START_TEST(set_and_reset_wait_in_the_driver_queue_and_queries_do_not) {
    static const char *const waits[] = { "aclrtSetDevice", "aclrtResetDevice",
                                         "aclrtResetDeviceForce" };
    static const char *const free_of_it[] = { "aclInit", "aclFinalize", "aclrtGetDevice",
                                              "aclrtGetDeviceCount" };
    uint32_t row = 0;
    for (size_t name = 0; name < sizeof waits / sizeof *waits; name++) {
        ck_assert(acl_row_find(waits[name], &row));
        ck_assert_uint_eq(acl_row_get(row)->flags & ACL_KERNEL, ACL_KERNEL);
    }
    for (size_t name = 0; name < sizeof free_of_it / sizeof *free_of_it; name++) {
        ck_assert(acl_row_find(free_of_it[name], &row));
        ck_assert_uint_eq(acl_row_get(row)->flags & ACL_KERNEL, 0);
    }
}
END_TEST

/* The thread of the call enters the queue of one device and has another one when it leaves. */
START_TEST(a_call_leaves_the_driver_queue_that_it_entered) {
    struct world world;
    world_init(&world);
    world.process[B].device = 0;
    struct acl_record set = { .thread = { A }, .arg = { 1 } };
    struct acl_record other = { .thread = { B }, .arg = { 0 } };
    struct acl_result result;
    uint32_t row = 0;
    ck_assert(acl_row_find("aclrtSetDevice", &row));
    set.row = other.row = (uint16_t)row;
    acl_call(world.acl, &set, &result);
    ck_assert_int_eq(result.progress, ACL_DONE);
    uint64_t cost = result.cost_ns;
    acl_call(world.acl, &other, &result);
    ck_assert_int_eq(result.progress, ACL_WAITS);
    struct action step = { ACTION_STEP, 0, B };
    ck_assert(engine_is_ready(&world.machine.engine, step));
    ck_assert_uint_eq(engine_due(&world.machine.engine, step), machine_now(&world.machine) + cost);
    world_fini(&world);
}
END_TEST

/* One task on a stream of the process; what a stream without work is to a reset, the others show.
 */
static void queue_work(struct world *world, uint32_t presence) {
    struct process_id process = { A };
    struct task task = { .kind = TASK_COMPUTE, .duration_ns = 5000 };
    uint32_t stream = stream_make(&world->machine, process, presence, false);
    stream_queue(&world->machine, process, stream, &task);
}

START_TEST(the_last_reset_waits_for_the_work_on_the_device) {
    static const char *const names[] = { "aclrtResetDevice", "aclrtResetDeviceForce" };
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    if (_i == 0) {
        ck_assert_int_eq(world_call(&world, A, names[0], 0), 0);
    }
    queue_work(&world, 0);
    world_call(&world, A, names[_i], 0);
    ck_assert_int_eq(world.result.progress, ACL_WAITS);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 0);
    ck_assert(engine_run(&world.machine.engine));
    ck_assert_int_eq(world_call(&world, A, names[_i], 0), 0);
    ck_assert_int_eq(world.result.progress, ACL_DONE);
    ck_assert_int_eq(world_call(&world, A, "aclrtGetDevice", 0), 107002);
    ck_assert_uint_eq(table_count(world.machine.stream, A), 0);
    world_fini(&world);
}
END_TEST

START_TEST(a_reset_that_is_not_the_last_waits_for_nothing) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    queue_work(&world, 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world.result.progress, ACL_DONE);
    ck_assert_uint_eq(table_count(world.machine.stream, A), 1);
    world_fini(&world);
}
END_TEST

START_TEST(work_on_another_device_does_not_keep_a_reset) {
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    queue_work(&world, 1);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world.result.progress, ACL_DONE);
    world_fini(&world);
}
END_TEST

Suite *test_acl_device(void);

Suite *test_acl_device(void) {
    Suite *suite = suite_create("acl_device");
    TCase *tests = tcase_create("acl_device");
    tcase_add_test(tests, a_second_init_is_refused);
    tcase_add_test(tests, a_second_finalize_is_refused);
    tcase_add_test(tests, after_finalize_calls_are_refused_until_the_next_init);
    tcase_add_test(tests, without_init_every_other_call_is_refused);
    tcase_add_test(tests, a_product_may_do_without_init);
    tcase_add_test(tests, a_restarted_process_has_not_finalized);
    tcase_add_test(tests, set_device_makes_a_device_current);
    tcase_add_test(tests, a_device_that_is_not_there_is_refused);
    tcase_add_test(tests, a_container_numbers_the_devices_it_sees);
    tcase_add_test(tests, outputs_must_not_be_null);
    tcase_add_test(tests, resets_count_down_what_sets_counted_up);
    tcase_add_test(tests, a_forced_reset_ends_all_sets_at_once);
    tcase_add_test(tests, one_process_cannot_reset_what_another_one_set);
    tcase_add_test(tests, the_last_reset_gives_back_what_is_on_that_device);
    tcase_add_test(tests, the_last_reset_takes_the_device_from_every_thread_on_it);
    tcase_add_test(tests, a_reset_of_another_device_leaves_the_current_one);
    tcase_add_test(tests, set_device_is_cold_for_a_device_warm_for_a_process_then_a_repeat);
    tcase_add_test(tests, who_was_first_is_a_note_and_no_state);
    tcase_add_test(tests, set_and_reset_wait_in_the_driver_queue_and_queries_do_not);
    tcase_add_test(tests, a_call_leaves_the_driver_queue_that_it_entered);
    tcase_add_loop_test(tests, the_last_reset_waits_for_the_work_on_the_device, 0, 2);
    tcase_add_test(tests, a_reset_that_is_not_the_last_waits_for_nothing);
    tcase_add_test(tests, work_on_another_device_does_not_keep_a_reset);
    suite_add_tcase(suite, tests);
    return suite;
}
