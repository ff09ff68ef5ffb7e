/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "tests/streaming.h"

enum { A, B };

struct events {
    struct world world;
    uint64_t block;
    uint64_t stream;
    uint64_t other;
    uint64_t event;
};

static void events_init(struct events *at) {
    world_init(&at->world);
    at->block = streaming_block(&at->world, A, 4096);
    at->stream = streaming_stream(&at->world, A);
    at->other = streaming_stream(&at->world, A);
    at->event = streaming_event(&at->world, A);
}

static int32_t work(struct events *at, uint64_t stream) {
    return world_call(&at->world, A, "aclrtMemsetAsync", at->block, 4096, 0, 4096, stream);
}

static int32_t record(struct events *at) {
    return world_call(&at->world, A, "aclrtRecordEvent", at->event, at->stream);
}

static bool has_ended(struct events *at, uint64_t stream) {
    ck_assert_int_eq(world_call(&at->world, A, "aclrtSynchronizeStream", stream), 0);
    return !streaming_waits(&at->world);
}

START_TEST(null_is_refused_at_once) {
    const uint64_t flag[16] = { 0, 1 };
    struct events at;
    events_init(&at);
    ck_assert_int_eq(world_call_values(&at.world, A, "aclrtCreateEvent", flag, NULL, 0, 1), 100000);
    ck_assert_int_eq(world_call_values(&at.world, A, "aclrtCreateEventWithFlag", flag, NULL, 0, 1),
                     100000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtDestroyEvent", 0), 100000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtRecordEvent", 0, at.stream), 100000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.stream, 0), 100000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSynchronizeEvent", 0), 100000);
    world_fini(&at.world);
}
END_TEST

START_TEST(events_have_a_limit) {
    struct world world;
    world_prepare(&world);
    world.product->events_max = 1;
    world_start(&world);
    uint64_t event = streaming_event(&world, A);
    ck_assert_int_eq(world_call(&world, A, "aclrtCreateEvent", 0), 207007);
    ck_assert_int_eq(world_call(&world, A, "aclrtDestroyEvent", event), 0);
    streaming_event(&world, A);
    world_fini(&world);
}
END_TEST

START_TEST(an_event_that_is_gone_or_of_another_process_is_refused) {
    struct events at;
    events_init(&at);
    uint64_t foreign = streaming_event(&at.world, B);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtDestroyEvent", foreign), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtDestroyEvent", at.event), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtDestroyEvent", at.event), 107000);
    ck_assert_int_eq(record(&at), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, at.event), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSynchronizeEvent", at.event), 107000);
    world_fini(&at.world);
}
END_TEST

START_TEST(an_event_ends_when_the_work_before_its_record_has) {
    struct events at;
    events_init(&at);
    ck_assert_int_eq(work(&at, at.stream), 0);
    ck_assert_int_eq(record(&at), 0);
    ck_assert_int_eq(work(&at, at.stream), 0);
    world_call(&at.world, A, "aclrtSynchronizeEvent", at.event);
    ck_assert(streaming_waits(&at.world));
    ck_assert(engine_run(&at.world.machine.engine));
    ck_assert(!streaming_is_awake(&at.world, A));
    ck_assert(engine_run(&at.world.machine.engine));
    ck_assert(streaming_is_awake(&at.world, A));
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSynchronizeEvent", at.event), 0);
    ck_assert(!streaming_waits(&at.world));
    ck_assert(!has_ended(&at, at.stream));
    world_fini(&at.world);
}
END_TEST

START_TEST(an_event_that_was_never_recorded_holds_nobody_back) {
    struct events at;
    events_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSynchronizeEvent", at.event), 0);
    ck_assert(!streaming_waits(&at.world));
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, at.event), 0);
    streaming_run(&at.world);
    ck_assert(has_ended(&at, at.other));
    world_fini(&at.world);
}
END_TEST

START_TEST(a_stream_waits_for_the_record_that_was_there_when_it_was_told_to) {
    struct events at;
    events_init(&at);
    ck_assert_int_eq(work(&at, at.stream), 0);
    ck_assert_int_eq(record(&at), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, at.event), 0);
    ck_assert_int_eq(work(&at, at.stream), 0);
    ck_assert_int_eq(record(&at), 0);
    ck_assert(!has_ended(&at, at.other));
    while (!has_ended(&at, at.other)) {
        ck_assert(engine_run(&at.world.machine.engine));
    }
    world_call(&at.world, A, "aclrtSynchronizeEvent", at.event);
    ck_assert_msg(streaming_waits(&at.world), "the second record is still to come");
    world_fini(&at.world);
}
END_TEST

START_TEST(a_destroyed_event_lets_go_who_waits_for_it) {
    struct events at;
    events_init(&at);
    ck_assert_int_eq(work(&at, at.stream), 0);
    ck_assert_int_eq(record(&at), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, at.event), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtDestroyEvent", at.event), 0);
    streaming_run(&at.world);
    ck_assert(has_ended(&at, at.other));
    world_fini(&at.world);
}
END_TEST

/* malloc-and-friends 14.5 */
START_TEST(flags_are_known_bits_and_sync_is_needed_for_waiting) {
    struct events at;
    events_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtCreateEventWithFlag", 0), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtCreateEventWithFlag", 0x4), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtCreateEventWithFlag", 0x80), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtCreateEventWithFlag", 0x8), 0);
    uint64_t timing = at.world.result.out[0];
    ck_assert_int_eq(world_call(&at.world, A, "aclrtCreateEventWithFlag", 0x9), 0);
    uint64_t both = at.world.result.out[0];
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, timing), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, both), 0);
    world_fini(&at.world);
}
END_TEST

START_TEST(a_stream_of_another_device_is_refused) {
    struct events at;
    events_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSetDevice", 1), 0);
    ck_assert_int_eq(record(&at), 107003);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtStreamWaitEvent", at.other, at.event), 107003);
    world_fini(&at.world);
}
END_TEST

Suite *test_acl_event(void);

Suite *test_acl_event(void) {
    Suite *suite = suite_create("acl_event");
    TCase *tests = tcase_create("acl_event");
    tcase_add_test(tests, null_is_refused_at_once);
    tcase_add_test(tests, events_have_a_limit);
    tcase_add_test(tests, an_event_that_is_gone_or_of_another_process_is_refused);
    tcase_add_test(tests, an_event_ends_when_the_work_before_its_record_has);
    tcase_add_test(tests, an_event_that_was_never_recorded_holds_nobody_back);
    tcase_add_test(tests, a_stream_waits_for_the_record_that_was_there_when_it_was_told_to);
    tcase_add_test(tests, a_destroyed_event_lets_go_who_waits_for_it);
    tcase_add_test(tests, flags_are_known_bits_and_sync_is_needed_for_waiting);
    tcase_add_test(tests, a_stream_of_another_device_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
