/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "tests/streaming.h"

enum { A, B };

struct buffers {
    struct world world;
    uint64_t device;
    uint64_t device_too;
    uint64_t host;
    uint64_t stream;
};

static void buffers_init(struct buffers *at) {
    world_init(&at->world);
    at->device = streaming_block(&at->world, A, 4096);
    at->device_too = streaming_block(&at->world, A, 4096);
    at->host = streaming_host_block(&at->world, A, 4096);
    at->stream = streaming_stream(&at->world, A);
}

static int32_t copy_now(struct buffers *at, uint64_t to, uint64_t from, uint64_t kind) {
    return world_call(&at->world, A, "aclrtMemcpy", to, 4096, from, 4096, kind);
}

static int32_t copy_later(struct buffers *at, uint64_t to, uint64_t from, uint64_t kind) {
    return streaming_copy(&at->world, A, to, from, kind, at->stream);
}

static int32_t synchronise(struct buffers *at) {
    streaming_run(&at->world);
    return world_call(&at->world, A, "aclrtSynchronizeStream", at->stream);
}

/* malloc-and-friends 8.3 */
START_TEST(no_bytes_are_a_success_whatever_the_rest_is) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemcpy", 0, 0, 0, 0, 99), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemcpyAsync", 0, 0, 0, 0, 99, 5), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemset", 0, 0, 0, 0), 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemsetAsync", 0, 0, 0, 0, 5), 0);
    world_fini(&at.world);
}
END_TEST

START_TEST(null_and_kinds_out_of_range_are_refused_at_once) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(copy_now(&at, 0, at.host, HOST_DEVICE), 100000);
    ck_assert_int_eq(copy_now(&at, at.device, 0, HOST_DEVICE), 100000);
    ck_assert_int_eq(copy_now(&at, at.device, at.host, INSIDE), 100000);
    ck_assert_int_eq(copy_now(&at, at.device, at.host, STAGED), 0);
    ck_assert_int_eq(copy_later(&at, at.device, at.host, ACROSS + 1), 100000);
    ck_assert_uint_eq(at.world.result.cost_ns, 0);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemset", 0, 4096, 0, 4096), 100000);
    world_fini(&at.world);
}
END_TEST

START_TEST(a_copy_that_does_not_fit_is_refused) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemcpy", at.device, 4095, at.host, 4096, 1),
                     107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemcpy", at.device, 0, at.host, 1, 1), 107000);
    ck_assert_int_eq(
        world_call(&at.world, A, "aclrtMemcpyAsync", at.device, 7, at.host, 8, 1, at.stream),
        107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemset", at.device, 7, 0, 8), 107000);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemsetAsync", at.device, 7, 0, 8, at.stream),
                     107000);
    world_fini(&at.world);
}
END_TEST

START_TEST(a_copy_onto_itself_does_nothing) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(copy_now(&at, 77, 77, DEVICE_DEVICE), 0);
    ck_assert_uint_eq(at.world.result.cost_ns, at.world.product->cost[COST_CALL].base_ns);
    ck_assert_int_eq(copy_later(&at, 77, 77, DEVICE_DEVICE), 0);
    world_fini(&at.world);
}
END_TEST

START_TEST(a_copy_needs_a_current_device) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtResetDevice", 0), 0);
    ck_assert_int_eq(copy_now(&at, at.device, at.host, HOST_DEVICE), 107002);
    ck_assert_int_eq(copy_later(&at, at.device, at.host, HOST_DEVICE), 107002);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemset", at.device, 8, 0, 8), 107002);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemsetAsync", at.device, 8, 0, 8, 0), 107002);
    world_fini(&at.world);
}
END_TEST

START_TEST(for_a_synchronous_copy_addresses_decide_whatever_the_kind_says) {
    struct buffers at;
    buffers_init(&at);
    for (uint64_t kind = HOST_HOST; kind <= STAGED; kind++) {
        ck_assert_int_eq(copy_now(&at, at.device, at.host, kind), 0);
        ck_assert_int_eq(copy_now(&at, at.device, at.device_too, kind), 0);
        ck_assert_int_eq(copy_now(&at, PAGEABLE, at.device, kind), 0);
    }
    world_fini(&at.world);
}
END_TEST

/* Where to, where from, and the kinds that are accepted, a bit each (malloc-and-friends 8.4). */
enum { DEVICE, TOO, PINNED, ELSEWHERE };
static const struct {
    int to;
    int from;
    uint32_t kinds;
} pairs[] = {
    { DEVICE, TOO, 1 << DEVICE_DEVICE | 1 << BY_ADDRESS | 1 << INSIDE | 1 << ACROSS },
    { DEVICE, PINNED, 0xff & ~(1 << HOST_HOST) },
    { PINNED, DEVICE, 0xff & ~(1 << HOST_HOST | 1 << STAGED) },
    { DEVICE, ELSEWHERE,
      1 << HOST_DEVICE | 1 << DEVICE_DEVICE | 1 << BY_ADDRESS | 1 << STAGED | 1 << INSIDE |
          1 << ACROSS },
    { ELSEWHERE, DEVICE,
      1 << DEVICE_HOST | 1 << DEVICE_DEVICE | 1 << BY_ADDRESS | 1 << INSIDE | 1 << ACROSS },
    { PINNED, ELSEWHERE, 0 },
};

static uint64_t address_of(const struct buffers *at, int place) {
    const uint64_t address[] = { at->device, at->device_too, at->host, PAGEABLE };
    return address[place];
}

START_TEST(for_an_asynchronous_copy_kind_and_places_must_agree) {
    struct buffers at;
    buffers_init(&at);
    for (uint64_t kind = HOST_HOST; kind <= ACROSS; kind++) {
        int32_t code =
            copy_later(&at, address_of(&at, pairs[_i].to), address_of(&at, pairs[_i].from), kind);
        if ((pairs[_i].kinds >> kind & 1) != 0) {
            ck_assert_int_eq(code, 0);
        } else if (kind == HOST_HOST || pairs[_i].kinds == 0) {
            ck_assert_int_eq(code, 207000);
        } else {
            ck_assert_int_eq(code, 107000);
        }
        streaming_run(&at.world);
    }
    world_fini(&at.world);
}
END_TEST

START_TEST(a_copy_of_pinned_memory_is_queued_and_ends_later) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(copy_later(&at, at.device, at.host, HOST_DEVICE), 0);
    ck_assert(!streaming_waits(&at.world));
    world_call(&at.world, A, "aclrtSynchronizeStream", at.stream);
    ck_assert(streaming_waits(&at.world));
    ck_assert_int_eq(synchronise(&at), 0);
    ck_assert(!streaming_waits(&at.world));
    world_fini(&at.world);
}
END_TEST

START_TEST(a_copy_of_pageable_memory_waits_for_the_stream_first) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(copy_later(&at, at.device, at.host, HOST_DEVICE), 0);
    copy_later(&at, at.device_too, PAGEABLE, HOST_DEVICE);
    ck_assert(streaming_waits(&at.world));
    streaming_run(&at.world);
    ck_assert_int_eq(copy_later(&at, at.device_too, PAGEABLE, HOST_DEVICE), 0);
    ck_assert(!streaming_waits(&at.world));
    world_call(&at.world, A, "aclrtSynchronizeStream", at.stream);
    ck_assert_msg(!streaming_waits(&at.world), "nothing was queued: the copy was synchronous");
    world_fini(&at.world);
}
END_TEST

START_TEST(a_staged_copy_of_pageable_memory_is_queued) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(copy_later(&at, at.device, PAGEABLE, STAGED), 0);
    world_call(&at.world, A, "aclrtSynchronizeStream", at.stream);
    ck_assert(streaming_waits(&at.world));
    world_fini(&at.world);
}
END_TEST

START_TEST(a_synchronous_copy_of_memory_that_is_gone_is_refused) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtFree", at.device), 0);
    ck_assert_int_eq(copy_now(&at, at.device, at.host, HOST_DEVICE), 507899);
    ck_assert_int_eq(copy_now(&at, at.host, at.device, DEVICE_HOST), 507899);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemset", at.device, 8, 0, 8), 507899);
    world_fini(&at.world);
}
END_TEST

START_TEST(a_queued_copy_of_memory_that_is_gone_fails_at_the_synchronise_once) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtFree", at.device), 0);
    ck_assert_int_eq(
        world_call(&at.world, A, "aclrtMemsetAsync", at.device, 4096, 0, 4096, at.stream), 0);
    ck_assert_int_ne(synchronise(&at), 0);
    ck_assert_int_eq(synchronise(&at), 0);
    world_fini(&at.world);
}
END_TEST

START_TEST(memory_of_another_device_needs_peer_access) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSetDevice", 1), 0);
    ck_assert_int_eq(copy_now(&at, at.host, at.device, DEVICE_HOST), 507899);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtDeviceEnablePeerAccess", 0, 0), 0);
    ck_assert_int_eq(copy_now(&at, at.host, at.device, DEVICE_HOST), 0);
    world_fini(&at.world);
}
END_TEST

/* Addresses of TOUCHED facts. */
struct touched {
    uint64_t address[4];
    size_t count;
};

static void note_touched(void *context, const struct fact *fact, const void *detail) {
    struct touched *touched = context;
    (void)detail;
    ck_assert_uint_lt(touched->count, 4);
    touched->address[touched->count++] = fact->value[0];
}

/* What was never read is no read of unwritten memory. */
START_TEST(a_refused_copy_touches_nothing_but_what_stood_in_its_way) {
    struct buffers at;
    struct touched touched = { .count = 0 };
    buffers_init(&at);
    journal_add_reader(&at.world.machine.journal, journal_kind(FACT_TOUCHED), note_touched,
                       &touched);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtFree", at.device), 0);
    ck_assert_int_eq(copy_now(&at, at.device, at.device_too, DEVICE_DEVICE), 507899);
    ck_assert_uint_eq(touched.count, 1);
    ck_assert_uint_eq(touched.address[0], at.device);
    ck_assert_int_eq(copy_now(&at, at.device_too, at.device, DEVICE_DEVICE), 507899);
    ck_assert_uint_eq(touched.count, 2);
    ck_assert_uint_eq(touched.address[1], at.device);
    ck_assert_int_eq(copy_now(&at, at.host, at.device_too, DEVICE_HOST), 0);
    ck_assert_uint_eq(touched.count, 4);
    world_fini(&at.world);
}
END_TEST

START_TEST(a_stream_of_another_device_is_refused) {
    struct buffers at;
    buffers_init(&at);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtSetDevice", 1), 0);
    ck_assert_int_eq(copy_later(&at, at.device, at.device_too, DEVICE_DEVICE), 107003);
    ck_assert_int_eq(world_call(&at.world, A, "aclrtMemsetAsync", at.device, 8, 0, 8, at.stream),
                     107003);
    world_fini(&at.world);
}
END_TEST

Suite *test_acl_copy(void);

Suite *test_acl_copy(void) {
    Suite *suite = suite_create("acl_copy");
    TCase *tests = tcase_create("acl_copy");
    tcase_add_test(tests, no_bytes_are_a_success_whatever_the_rest_is);
    tcase_add_test(tests, null_and_kinds_out_of_range_are_refused_at_once);
    tcase_add_test(tests, a_copy_that_does_not_fit_is_refused);
    tcase_add_test(tests, a_copy_onto_itself_does_nothing);
    tcase_add_test(tests, a_copy_needs_a_current_device);
    tcase_add_test(tests, for_a_synchronous_copy_addresses_decide_whatever_the_kind_says);
    tcase_add_loop_test(tests, for_an_asynchronous_copy_kind_and_places_must_agree, 0,
                        (int)(sizeof pairs / sizeof pairs[0]));
    tcase_add_test(tests, a_copy_of_pinned_memory_is_queued_and_ends_later);
    tcase_add_test(tests, a_copy_of_pageable_memory_waits_for_the_stream_first);
    tcase_add_test(tests, a_staged_copy_of_pageable_memory_is_queued);
    tcase_add_test(tests, a_synchronous_copy_of_memory_that_is_gone_is_refused);
    tcase_add_test(tests, a_queued_copy_of_memory_that_is_gone_fails_at_the_synchronise_once);
    tcase_add_test(tests, memory_of_another_device_needs_peer_access);
    tcase_add_test(tests, a_refused_copy_touches_nothing_but_what_stood_in_its_way);
    tcase_add_test(tests, a_stream_of_another_device_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
