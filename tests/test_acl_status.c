/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "tests/streaming.h"

enum { A };

struct desk {
    struct world world;
    uint64_t block;
    uint64_t stream;
    uint64_t event;
};

static void desk_init(struct desk *desk) {
    world_init(&desk->world);
    desk->block = streaming_block(&desk->world, A, 4096);
    desk->stream = streaming_stream(&desk->world, A);
    ck_assert_int_eq(world_call(&desk->world, A, "aclrtCreateEvent"), 0);
    desk->event = desk->world.result.out[0];
}

static void set_later(struct desk *desk) {
    ck_assert_int_eq(
        world_call(&desk->world, A, "aclrtMemsetAsync", desk->block, 4096, 0, 4096, desk->stream),
        0);
}

static uint64_t answer(struct desk *desk, const char *call, uint64_t value) {
    ck_assert_int_eq(world_call(&desk->world, A, call, value), 0);
    ck_assert_uint_eq(desk->world.result.out_count, 1);
    return desk->world.result.out[0];
}

/* malloc-and-friends 14.4 */
START_TEST(a_stream_is_complete_when_its_work_has_ended) {
    struct desk desk;
    desk_init(&desk);
    ck_assert_uint_eq(answer(&desk, "aclrtStreamQuery", desk.stream), 0);
    set_later(&desk);
    ck_assert_uint_eq(answer(&desk, "aclrtStreamQuery", desk.stream), 1);
    ck_assert_uint_eq(answer(&desk, "aclrtStreamQuery", 0), 0);
    streaming_run(&desk.world);
    ck_assert_uint_eq(answer(&desk, "aclrtStreamQuery", desk.stream), 0);
    ck_assert_int_eq(world_call(&desk.world, A, "aclrtDestroyStream", desk.stream), 0);
    ck_assert_int_ne(world_call(&desk.world, A, "aclrtStreamQuery", desk.stream), 0);
    world_fini(&desk.world);
}
END_TEST

/* malloc-and-friends 14.5: the two enums have opposite polarity. */
START_TEST(an_event_is_complete_when_its_last_record_is) {
    struct desk desk;
    desk_init(&desk);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEventStatus", desk.event), 0);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEvent", desk.event), 1);
    set_later(&desk);
    ck_assert_int_eq(world_call(&desk.world, A, "aclrtRecordEvent", desk.event, desk.stream), 0);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEventStatus", desk.event), 0);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEvent", desk.event), 1);
    streaming_run(&desk.world);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEventStatus", desk.event), 1);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEvent", desk.event), 0);
    set_later(&desk);
    ck_assert_int_eq(world_call(&desk.world, A, "aclrtRecordEvent", desk.event, desk.stream), 0);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryEventStatus", desk.event), 0);
    world_fini(&desk.world);
}
END_TEST

START_TEST(streams_and_events_have_ids) {
    struct desk desk;
    desk_init(&desk);
    uint64_t first = answer(&desk, "aclrtStreamGetId", desk.stream);
    uint64_t other = streaming_stream(&desk.world, A);
    ck_assert_uint_ne(answer(&desk, "aclrtStreamGetId", other), first);
    ck_assert_uint_ne(answer(&desk, "aclrtStreamGetId", 0), first);
    ck_assert_uint_eq(answer(&desk, "aclrtStreamGetId", desk.stream), first);
    first = answer(&desk, "aclrtGetEventId", desk.event);
    ck_assert_int_eq(world_call(&desk.world, A, "aclrtCreateEvent"), 0);
    ck_assert_uint_ne(answer(&desk, "aclrtGetEventId", desk.world.result.out[0]), first);
    world_fini(&desk.world);
}
END_TEST

/* malloc-and-friends 14.2 */
START_TEST(a_device_is_well_and_the_program_runs_on_the_host) {
    struct desk desk;
    desk_init(&desk);
    ck_assert_uint_eq(answer(&desk, "aclrtQueryDeviceStatus", 1), 0);
    ck_assert_int_eq(world_call(&desk.world, A, "aclrtQueryDeviceStatus", 999), 107001);
    ck_assert_uint_eq(answer(&desk, "aclrtGetRunMode", 0), 1);
    world_fini(&desk.world);
}
END_TEST

static const char *const queries[] = {
    "aclrtStreamQuery", "aclrtStreamGetId",       "aclrtQueryEventStatus",
    "aclrtQueryEvent",  "aclrtQueryDeviceStatus", "aclrtGetEventId",
};

START_TEST(an_answer_needs_room) {
    struct desk desk;
    desk_init(&desk);
    const uint64_t value[16] = { _i < 2 ? desk.stream : _i == 4 ? 0 : desk.event };
    ck_assert_int_eq(world_call_values(&desk.world, A, queries[_i], value, NULL, 0, 2), 100000);
    ck_assert_int_eq(world_call_values(&desk.world, A, queries[_i], value, NULL, 0, 0), 0);
    if (_i == 2 || _i == 3 || _i == 5) {
        ck_assert_int_eq(world_call(&desk.world, A, queries[_i], 0), 100000);
        ck_assert_int_ne(world_call(&desk.world, A, queries[_i], 12345), 0);
    }
    world_fini(&desk.world);
}
END_TEST

Suite *test_acl_status(void);

Suite *test_acl_status(void) {
    Suite *suite = suite_create("acl_status");
    TCase *tests = tcase_create("acl_status");
    tcase_add_test(tests, a_stream_is_complete_when_its_work_has_ended);
    tcase_add_test(tests, an_event_is_complete_when_its_last_record_is);
    tcase_add_test(tests, streams_and_events_have_ids);
    tcase_add_test(tests, a_device_is_well_and_the_program_runs_on_the_host);
    tcase_add_loop_test(tests, an_answer_needs_room, 0, (int)(sizeof queries / sizeof *queries));
    suite_add_tcase(suite, tests);
    return suite;
}
