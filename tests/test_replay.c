/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "replay/replay.h"
#include "tests/world.h"

enum { REQUESTS = 16 };

/* A workload that a test writes down. */
struct script {
    struct request request[REQUESTS];
    size_t count;
    size_t at;
    struct request_trace trace;
    struct product *product;
    struct replay *replay;
    struct replay_sample sample; /* the last one */
    uint64_t samples;
};

static bool next(void *context, struct request *request) {
    struct script *script = context;
    if (script->at == script->count) {
        return false;
    }
    *request = script->request[script->at++];
    return true;
}

static void keep_sample(void *context, const struct request *request,
                        const struct replay_sample *sample) {
    struct script *script = context;
    ck_assert_uint_eq(request->event, sample->event);
    script->sample = *sample;
    script->samples++;
}

static void script_init(struct script *script, uint64_t usable) {
    *script = (struct script){ .product = world_product() };
    script->product->usable = usable;
}

static void add(struct script *script, enum request_kind kind, uint32_t block, uint64_t size) {
    script->request[script->count] = (struct request){
        .event = script->count,
        .size = size,
        .block = block,
        .kind = (uint32_t)kind,
    };
    script->count++;
}

static const struct replay_report *play(struct script *script, const char *strategy) {
    const struct request_source source = { &script->trace, next, NULL, script };
    const struct replay_options options = {
        .product = script->product,
        .strategy = strategy_find(strategy),
        .sample = keep_sample,
        .context = script,
    };
    script->replay = replay_new(&source, &options);
    while (replay_one(script->replay)) {
    }
    return replay_report(script->replay);
}

static void script_fini(struct script *script) {
    replay_free(script->replay);
    product_free(script->product);
}

START_TEST(what_fits_is_counted_and_costs_time) {
    struct script script;
    script_init(&script, 64 * MIB);
    add(&script, REQUEST_HOLD, 0, 3 * MIB);
    add(&script, REQUEST_ALLOC, 1, 5 * MIB);
    add(&script, REQUEST_FREE, 0, 3 * MIB);
    const struct replay_report *report = play(&script, "align32");
    ck_assert_int_eq(report->verdict, REPLAY_FITS);
    ck_assert_uint_eq(report->requests, 3);
    ck_assert_uint_eq(script.samples, 3);
    ck_assert_uint_eq(report->capacity, 64 * MIB);
    ck_assert_uint_eq(report->peak_requested, 8 * MIB);
    ck_assert_uint_eq(report->peak_requested_event, 1);
    ck_assert_uint_eq(report->peak_consumed, 10 * MIB);
    ck_assert_uint_eq(report->at_peak.internal, 200000);
    ck_assert_uint_eq(report->last.requested, 5 * MIB);
    ck_assert_uint_eq(report->last.consumed, 6 * MIB);
    ck_assert_uint_eq(report->last.free, 58 * MIB);
    ck_assert_uint_eq(report->call_count, 2);
    ck_assert_str_eq(report->call[0].name, "aclrtMallocAlign32");
    ck_assert_uint_eq(report->call[0].count, 2);
    ck_assert_uint_eq(report->call[1].count, 1);
    ck_assert_uint_eq(report->call[0].cost_ns + report->call[1].cost_ns, script.sample.clock_ns);
    script_fini(&script);
}
END_TEST

START_TEST(too_few_bytes_are_a_shortage) {
    struct script script;
    script_init(&script, 64 * MIB);
    add(&script, REQUEST_ALLOC, 0, 40 * MIB);
    add(&script, REQUEST_ALLOC, 1, 40 * MIB);
    add(&script, REQUEST_FREE, 0, 40 * MIB);
    const struct replay_report *report = play(&script, "direct");
    ck_assert_int_eq(report->verdict, REPLAY_SHORT);
    ck_assert_uint_eq(report->failed.event, 1);
    ck_assert_uint_eq(report->failed.size, 40 * MIB);
    ck_assert_int_eq(report->code, 207001);
    ck_assert_uint_eq(report->requests, 1);
    ck_assert_uint_eq(report->last.requested, 40 * MIB);
    ck_assert(!replay_one(script.replay));
    script_fini(&script);
}
END_TEST

START_TEST(more_than_the_device_has_is_impossible) {
    struct script script;
    script_init(&script, 64 * MIB);
    add(&script, REQUEST_ALLOC, 0, 65 * MIB);
    ck_assert_int_eq(play(&script, "pooled")->verdict, REPLAY_IMPOSSIBLE);
    script_fini(&script);
}
END_TEST

/* Three pieces, each with a small block at its end: 24 of 60 MiB are free, and no 16 in one. */
START_TEST(what_the_strategy_cannot_hand_out_is_told_as_its_loss) {
    struct script script;
    script_init(&script, 64 * MIB);
    for (uint32_t piece = 0; piece < 3; piece++) {
        add(&script, REQUEST_ALLOC, 2 * piece, 8 * MIB);
        add(&script, REQUEST_ALLOC, 2 * piece + 1, 12 * MIB);
    }
    for (uint32_t piece = 0; piece < 3; piece++) {
        add(&script, REQUEST_FREE, 2 * piece, 8 * MIB);
    }
    add(&script, REQUEST_ALLOC, 6, 16 * MIB);
    const struct replay_report *report = play(&script, "pooled");
    ck_assert_int_eq(report->verdict, REPLAY_SHORT);
    ck_assert_uint_eq(report->last.held - report->last.used, 24 * MIB);
    ck_assert_uint_eq(report->last.loss.allocator, 666666);
    script_fini(&script);
}
END_TEST

/* The strategy gives its free piece back before it gives up: that is free as well. */
START_TEST(what_is_free_is_told_as_it_is_when_the_replay_ends) {
    struct script script;
    script_init(&script, 64 * MIB);
    ck_assert_uint_eq(play(&script, "pooled")->last.free, 64 * MIB);
    script_fini(&script);
    script_init(&script, 64 * MIB);
    add(&script, REQUEST_ALLOC, 0, 20 * MIB);
    add(&script, REQUEST_ALLOC, 1, 20 * MIB);
    add(&script, REQUEST_FREE, 0, 20 * MIB);
    add(&script, REQUEST_ALLOC, 2, 50 * MIB);
    const struct replay_report *report = play(&script, "pooled");
    ck_assert_int_eq(report->verdict, REPLAY_SHORT);
    ck_assert_uint_eq(report->last.free, 44 * MIB);
    ck_assert_uint_eq(report->last.held, 20 * MIB);
    script_fini(&script);
}
END_TEST

START_TEST(a_replay_has_the_same_digest_each_time) {
    struct hash128 digest[2];
    for (int round = 0; round < 2; round++) {
        struct script script;
        script_init(&script, 64 * MIB);
        add(&script, REQUEST_ALLOC, 0, 1000);
        add(&script, REQUEST_ALLOC, 1, 5 * MIB);
        play(&script, "pooled");
        digest[round] = replay_digest(script.replay);
        script_fini(&script);
    }
    ck_assert(hash128_equal(digest[0], digest[1]));
}
END_TEST

Suite *test_replay(void);

Suite *test_replay(void) {
    Suite *suite = suite_create("replay");
    TCase *tests = tcase_create("replay");
    tcase_add_test(tests, what_fits_is_counted_and_costs_time);
    tcase_add_test(tests, too_few_bytes_are_a_shortage);
    tcase_add_test(tests, more_than_the_device_has_is_impossible);
    tcase_add_test(tests, what_the_strategy_cannot_hand_out_is_told_as_its_loss);
    tcase_add_test(tests, what_is_free_is_told_as_it_is_when_the_replay_ends);
    tcase_add_test(tests, a_replay_has_the_same_digest_each_time);
    suite_add_tcase(suite, tests);
    return suite;
}
