/* SPDX-License-Identifier: Apache-2.0 */
/* What calls cost must not grow with processes and devices that they have nothing to do with. */
#include <check.h>

#include "machine/audit.h"
#include "machine/driver.h"
#include "machine/process.h"
#include "machine/share.h"
#include "tests/crowd.h"
#include "tests/world.h"

enum { FEW = 50, MANY = 5000, SERVERS = 2, DEVICES = 8, PEER = SERVERS * DEVICES };

#define VALUES(...) (&(struct acl_record){ .arg = { __VA_ARGS__ } })

static struct crowd *new_crowd(uint32_t processes, enum engine_policy policy) {
    return crowd_new((struct crowd_size){ SERVERS, DEVICES, processes }, policy);
}

/* A process shares two megabytes with another one on its server. */
static struct object_id share_with(struct crowd *crowd, uint32_t exporter, uint32_t importer) {
    uint64_t pid = SITE_PID_FIRST + importer;
    uint64_t handle =
        crowd_call(crowd, exporter, "aclrtMallocPhysical", VALUES(2 * MIB, 0, 0, 4, 0, 1));
    uint64_t value = crowd_call(crowd, exporter, "aclrtMemExportToShareableHandle", VALUES(handle));
    struct acl_record list = { .arg = { value, 1 }, .list = &pid, .list_count = 1 };
    struct object_id share;
    crowd_call(crowd, exporter, "aclrtMemSetPidToShareableHandle", &list);
    ck_assert(share_resolve(&crowd->machine, value, &share));
    return share;
}

/* Steps walked while a process that others let import, and that has things, comes to its end. */
static uint64_t walk_of_an_end(uint32_t processes) {
    struct crowd *crowd = new_crowd(processes, ENGINE_FREE);
    for (uint32_t process = 0; process < processes; process++) {
        share_with(crowd, process, process < 4 ? process + 2 : process);
    }
    crowd_call(crowd, 2, "aclrtMalloc", VALUES(5 * MIB));
    uint64_t before = store_walked(crowd->store);
    process_end(&crowd->machine, (struct process_id){ 2 }, PROCESS_KILLED);
    uint64_t walked = store_walked(crowd->store) - before;
    crowd_free(crowd);
    return walked;
}

START_TEST(the_end_of_a_process_walks_what_it_had) {
    uint64_t few = walk_of_an_end(FEW);
    ck_assert_uint_gt(few, 0);
    ck_assert_uint_eq(walk_of_an_end(MANY), few);
}
END_TEST

START_TEST(who_ends_is_on_no_whitelist_any_more) {
    struct crowd *crowd = new_crowd(FEW, ENGINE_FREE);
    struct object_id first = share_with(crowd, 0, 4);
    struct object_id second = share_with(crowd, 6, 4);
    struct object_id other = share_with(crowd, 0, 8);
    struct object_id far = share_with(crowd, 1, 4); /* a pid of another server */
    struct text wrong = { 0 };
    ck_assert(audit_machine(&crowd->machine, &wrong));
    process_end(&crowd->machine, (struct process_id){ 4 }, PROCESS_EXITED);
    ck_assert_ptr_null(share_find_listed(&crowd->machine, first, SITE_PID_FIRST + 4));
    ck_assert_ptr_null(share_find_listed(&crowd->machine, second, SITE_PID_FIRST + 4));
    ck_assert_ptr_nonnull(share_find_listed(&crowd->machine, other, SITE_PID_FIRST + 8));
    ck_assert_ptr_nonnull(share_find_listed(&crowd->machine, far, SITE_PID_FIRST + 4));
    ck_assert_uint_eq(share_get(&crowd->machine, first)->listed, 0);
    ck_assert_uint_eq(share_get(&crowd->machine, other)->listed, 1);
    ck_assert(audit_machine(&crowd->machine, &wrong));
    text_fini(&wrong);
    crowd_free(crowd);
}
END_TEST

/* Steps walked by a round of calls of two processes on device 0 of a server. */
static uint64_t walk_of_calls(uint32_t processes) {
    struct crowd *crowd = new_crowd(processes, ENGINE_FREE);
    for (uint32_t process = 0; process < processes; process++) {
        crowd_call(crowd, process, "aclrtMalloc", VALUES(5000));
    }
    uint64_t before = store_walked(crowd->store);
    struct object_id share = share_with(crowd, 0, PEER);
    uint64_t value = share_value(&crowd->machine, share);
    uint64_t block = crowd_call(crowd, 0, "aclrtMalloc", VALUES(70000));
    uint64_t range = crowd_call(crowd, PEER, "aclrtReserveMemAddress", VALUES(2 * MIB));
    uint64_t handle =
        crowd_call(crowd, PEER, "aclrtMemImportFromShareableHandle", VALUES(value, 0));
    crowd_call(crowd, PEER, "aclrtDeviceEnablePeerAccess", VALUES(1));
    crowd_call(crowd, PEER, "aclrtMapMem", VALUES(range, 2 * MIB, 0, handle));
    crowd_call(crowd, PEER, "aclrtUnmapMem", VALUES(range));
    crowd_call(crowd, PEER, "aclrtReleaseMemAddress", VALUES(range));
    crowd_call(crowd, PEER, "aclrtFreePhysical", VALUES(handle));
    crowd_call(crowd, PEER, "aclrtDeviceDisablePeerAccess", VALUES(1));
    crowd_call(crowd, 0, "aclrtFree", VALUES(block));
    crowd_call(crowd, 0, "aclrtResetDevice", VALUES(0));
    uint64_t walked = store_walked(crowd->store) - before;
    crowd_free(crowd);
    return walked;
}

START_TEST(a_call_walks_what_its_process_has) {
    ck_assert_uint_eq(walk_of_calls(MANY), walk_of_calls(FEW));
}
END_TEST

/* Asks for the driver of device 0 as a thread. */
static bool enter(struct crowd *crowd, uint32_t thread) {
    uint32_t queue = 0;
    uint64_t waited_ns = 0;
    return driver_enter(&crowd->machine, (struct thread_id){ thread }, 0, &queue, &waited_ns);
}

/* The threads that are served after the first, in order, when one of four that wait has left. */
static void check_order(uint32_t leaver, const uint32_t expected[3]) {
    struct crowd *crowd = new_crowd(FEW, ENGINE_CLOCK);
    ck_assert(enter(crowd, 0));
    driver_leave(&crowd->machine, 0, 100);
    for (uint32_t thread = 2; thread <= 8; thread += 2) {
        ck_assert(!enter(crowd, thread));
    }
    driver_abandon(&crowd->machine, (struct thread_id){ 20 }); /* it waits for nothing */
    driver_abandon(&crowd->machine, (struct thread_id){ leaver });
    for (int place = 0; place < 3; place++) {
        struct action step = { ACTION_STEP, 0, expected[place] };
        ck_assert(engine_is_ready(&crowd->machine.engine, step));
        engine_withdraw(&crowd->machine.engine, step);
        engine_advance(&crowd->machine.engine, 100 * (uint64_t)(place + 1));
        ck_assert(enter(crowd, expected[place]));
        driver_leave(&crowd->machine, 0, 100);
    }
    ck_assert_uint_eq(((const struct driver *)table_get(crowd->machine.driver, 0, 0))->first, 0);
    crowd_free(crowd);
}

START_TEST(whoever_leaves_the_line_of_a_driver_leaves_the_others_in_order) {
    check_order(2, (const uint32_t[]){ 4, 6, 8 });
    check_order(4, (const uint32_t[]){ 2, 6, 8 });
    check_order(6, (const uint32_t[]){ 2, 4, 8 });
    check_order(8, (const uint32_t[]){ 2, 4, 6 });
}
END_TEST

START_TEST(a_process_takes_little_memory) {
    struct crowd *few = new_crowd(FEW, ENGINE_FREE);
    struct crowd *many = new_crowd(MANY, ENGINE_FREE);
    uint64_t each = (store_bytes(many->store) - store_bytes(few->store)) / (MANY - FEW);
    ck_assert_uint_le(each, 8 * KIB);
    crowd_free(few);
    crowd_free(many);
}
END_TEST

Suite *test_scale(void);

Suite *test_scale(void) {
    Suite *suite = suite_create("scale");
    TCase *tests = tcase_create("scale");

    tcase_add_test(tests, the_end_of_a_process_walks_what_it_had);
    tcase_add_test(tests, who_ends_is_on_no_whitelist_any_more);
    tcase_add_test(tests, a_call_walks_what_its_process_has);
    tcase_add_test(tests, whoever_leaves_the_line_of_a_driver_leaves_the_others_in_order);
    tcase_add_test(tests, a_process_takes_little_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
