/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "machine/stream.h"
#include "tests/streaming.h"

enum { A, B };

static int32_t set_later(struct world *world, uint64_t block, uint64_t stream) {
    return world_call(world, A, "aclrtMemsetAsync", block, 4096, 0, 4096, stream);
}

static int32_t synchronise(struct world *world, uint64_t stream) {
    return world_call(world, A, "aclrtSynchronizeStream", stream);
}

START_TEST(null_is_no_place_for_a_stream_and_no_stream_to_destroy) {
    const uint64_t none[16] = { 0 };
    struct world world;
    world_init(&world);
    ck_assert_int_eq(world_call_values(&world, A, "aclrtCreateStream", none, NULL, 0, 1), 100000);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyStream", 0), 100000);
    world_fini(&world);
}
END_TEST

START_TEST(streams_need_a_current_device) {
    struct world world;
    world_init(&world);
    uint64_t stream = streaming_stream(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtCreateStream", 0), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyStream", stream), 107002);
    ck_assert_int_eq(synchronise(&world, stream), 107002);
    ck_assert_int_eq(world_call(&world, A, "aclrtSynchronizeDevice", 0), 107002);
    world_fini(&world);
}
END_TEST

START_TEST(a_device_has_so_many_streams_and_each_device_its_own) {
    struct world world;
    world_prepare(&world);
    world.product->streams_max = 2;
    world_start(&world);
    uint64_t stream = streaming_stream(&world, A);
    streaming_stream(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclrtCreateStream", 0), 207008);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 1), 0);
    streaming_stream(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyStream", stream), 0);
    streaming_stream(&world, A);
    world_fini(&world);
}
END_TEST

START_TEST(a_stream_that_is_gone_or_of_another_process_is_refused) {
    struct world world;
    world_init(&world);
    uint64_t stream = streaming_stream(&world, A);
    uint64_t foreign = streaming_stream(&world, B);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyStream", stream), 0);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyStream", stream), 107000);
    ck_assert_int_eq(synchronise(&world, stream), 107000);
    ck_assert_int_eq(synchronise(&world, foreign), 107000);
    ck_assert_uint_ne(streaming_stream(&world, A), stream);
    world_fini(&world);
}
END_TEST

START_TEST(work_on_a_stream_ends_in_order) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t stream = streaming_stream(&world, A);
    for (int count = 0; count < 3; count++) {
        ck_assert_int_eq(set_later(&world, block, stream), 0);
    }
    const struct stream *queued = stream_get(&world.machine, (struct process_id){ A }, 0);
    ck_assert_uint_eq(queued->queued, 3);
    ck_assert_uint_eq(queued->ended, 0);
    ck_assert(engine_run(&world.machine.engine));
    ck_assert_uint_eq(stream_get(&world.machine, (struct process_id){ A }, 0)->ended, 1);
    streaming_run(&world);
    ck_assert_uint_eq(stream_get(&world.machine, (struct process_id){ A }, 0)->ended, 3);
    world_fini(&world);
}
END_TEST

START_TEST(null_is_the_default_stream_of_the_current_device) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t stream = streaming_stream(&world, A);
    ck_assert_int_eq(set_later(&world, block, 0), 0);
    ck_assert_int_eq(synchronise(&world, stream), 0);
    ck_assert_msg(!streaming_waits(&world), "the default stream does not hold back another one");
    synchronise(&world, 0);
    ck_assert(streaming_waits(&world));
    streaming_run(&world);
    ck_assert_int_eq(synchronise(&world, 0), 0);
    ck_assert(!streaming_waits(&world));
    world_fini(&world);
}
END_TEST

START_TEST(a_destroy_waits_for_the_work) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t stream = streaming_stream(&world, A);
    ck_assert_int_eq(set_later(&world, block, stream), 0);
    world_call(&world, A, "aclrtDestroyStream", stream);
    ck_assert(streaming_waits(&world));
    streaming_run(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyStream", stream), 0);
    ck_assert(!streaming_waits(&world));
    ck_assert_int_eq(synchronise(&world, stream), 107000);
    world_fini(&world);
}
END_TEST

START_TEST(a_synchronise_waits_for_what_was_queued_before_it_only) {
    struct world world;
    world_prepare(&world);
    world.process[A].thread_count = 2;
    world.process[B].thread_first = 2;
    world.thread[1].process = A;
    world.thread[2].process = B;
    world.site.process_count = 2;
    world.site.thread_count = 3;
    world_start(&world);
    uint64_t block = streaming_block(&world, 0, 4096);
    uint64_t stream = streaming_stream(&world, 0);
    ck_assert_int_eq(set_later(&world, block, stream), 0);
    ck_assert_int_eq(set_later(&world, block, stream), 0);
    synchronise(&world, stream);
    ck_assert(streaming_waits(&world));
    ck_assert_int_eq(world_call(&world, 1, "aclrtSetDevice", 0), 0);
    ck_assert_int_eq(world_call(&world, 1, "aclrtMemsetAsync", block, 4096, 0, 4096, stream), 0);
    ck_assert(engine_run(&world.machine.engine));
    ck_assert(!streaming_is_awake(&world, 0));
    ck_assert(engine_run(&world.machine.engine));
    ck_assert(streaming_is_awake(&world, 0));
    ck_assert_int_eq(synchronise(&world, stream), 0);
    ck_assert(!streaming_waits(&world));
    world_fini(&world);
}
END_TEST

START_TEST(a_synchronise_of_the_device_waits_for_all_its_streams) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t first = streaming_stream(&world, A);
    uint64_t second = streaming_stream(&world, A);
    ck_assert_int_eq(set_later(&world, block, second), 0);
    ck_assert_int_eq(synchronise(&world, first), 0);
    ck_assert(!streaming_waits(&world));
    world_call(&world, A, "aclrtSynchronizeDevice", 0);
    ck_assert(streaming_waits(&world));
    streaming_run(&world);
    ck_assert_int_eq(world_call(&world, A, "aclrtSynchronizeDevice", 0), 0);
    ck_assert(!streaming_waits(&world));
    world_fini(&world);
}
END_TEST

START_TEST(a_fault_is_told_once_by_whichever_synchronise_comes_first) {
    struct world world;
    world_init(&world);
    uint64_t block = streaming_block(&world, A, 4096);
    uint64_t stream = streaming_stream(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclrtFree", block), 0);
    ck_assert_int_eq(set_later(&world, block, stream), 0);
    streaming_run(&world);
    ck_assert_int_ne(world_call(&world, A, "aclrtSynchronizeDevice", 0), 0);
    ck_assert_int_eq(synchronise(&world, stream), 0);
    world_fini(&world);
}
END_TEST

/* A synchronise that waits; memory is so slow that a set takes a while. */
static void start_waiting(struct world *world) {
    world_prepare(world);
    world->product->memory_rate = 1000000;
    world_start(world);
    uint64_t stream = streaming_stream(world, A);
    uint64_t block = streaming_block(world, A, 4096);
    ck_assert_int_eq(set_later(world, block, stream), 0);
    ck_assert_int_eq(synchronise(world, stream), 0);
    ck_assert(streaming_waits(world));
}

START_TEST(an_answer_tells_when_the_call_was_made_however_long_it_waited) {
    struct world world;
    start_waiting(&world);
    uint64_t asked_ns = machine_now(&world.machine);
    uint64_t stream = stream_value(&world.machine, (struct process_id){ A }, 0);
    streaming_run(&world);
    ck_assert_uint_gt(machine_now(&world.machine), asked_ns);
    ck_assert_int_eq(synchronise(&world, stream), 0);
    ck_assert(!streaming_waits(&world));
    ck_assert_uint_eq(world.result.asked_ns, asked_ns);
    uint64_t next_ns = machine_now(&world.machine);
    ck_assert_int_eq(world_call(&world, A, "aclrtSynchronizeDevice", 0), 0);
    ck_assert_uint_eq(world.result.asked_ns, next_ns);
    world_fini(&world);
}
END_TEST

START_TEST(a_thread_that_died_waiting_asks_anew) {
    struct world world;
    start_waiting(&world);
    struct process_id process = { A };
    process_end(&world.machine, process, PROCESS_KILLED);
    engine_pass(&world.machine.engine, 1000);
    process_start(&world.machine, process);
    uint64_t now_ns = machine_now(&world.machine);
    ck_assert_int_eq(world_call(&world, A, "aclInit", 0), 0);
    ck_assert_uint_eq(world.result.asked_ns, now_ns);
    world_fini(&world);
}
END_TEST

Suite *test_acl_stream(void);

Suite *test_acl_stream(void) {
    Suite *suite = suite_create("acl_stream");
    TCase *tests = tcase_create("acl_stream");
    tcase_add_test(tests, null_is_no_place_for_a_stream_and_no_stream_to_destroy);
    tcase_add_test(tests, streams_need_a_current_device);
    tcase_add_test(tests, a_device_has_so_many_streams_and_each_device_its_own);
    tcase_add_test(tests, a_stream_that_is_gone_or_of_another_process_is_refused);
    tcase_add_test(tests, work_on_a_stream_ends_in_order);
    tcase_add_test(tests, null_is_the_default_stream_of_the_current_device);
    tcase_add_test(tests, a_destroy_waits_for_the_work);
    tcase_add_test(tests, a_synchronise_waits_for_what_was_queued_before_it_only);
    tcase_add_test(tests, a_synchronise_of_the_device_waits_for_all_its_streams);
    tcase_add_test(tests, a_fault_is_told_once_by_whichever_synchronise_comes_first);
    tcase_add_test(tests, an_answer_tells_when_the_call_was_made_however_long_it_waited);
    tcase_add_test(tests, a_thread_that_died_waiting_asks_anew);
    suite_add_tcase(suite, tests);
    return suite;
}
