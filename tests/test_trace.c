/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/world.h"
#include "trace/trace_file.h"

enum { CALLS = 24576 };

/* A world that is traced into a file of its own folder. */
struct traced {
    struct world world;
    struct trace *trace;
    struct problem problem;
    struct text folder;
    struct text path;
};

static bool allocator_of_b(const void *context, uint32_t process,
                           struct metrics_allocator *figures) {
    (void)context;
    *figures = (struct metrics_allocator){ 60, 70, 100, 30, 12 };
    return process == 1;
}

static void traced_init(struct traced *traced, const char *ending) {
    const char *temporary = getenv("TMPDIR");
    *traced = (struct traced){ .trace = NULL };
    text_printf(&traced->folder, "%s/aclsim-trace.XXXXXX", temporary == NULL ? "/tmp" : temporary);
    ck_assert_ptr_nonnull(mkdtemp(traced->folder.bytes));
    text_printf(&traced->path, "%s/x%s", text_get(&traced->folder), ending);
    world_init(&traced->world);
    const struct trace_source source = {
        .machine = &traced->world.machine,
        .program = "test",
        .title = "test",
        .product = "by-hand",
        .seed = 1,
        .allocator = allocator_of_b,
    };
    traced->trace = trace_new(&source);
    ck_assert(trace_add(traced->trace, text_get(&traced->path), &traced->problem));
    trace_begin(traced->trace);
}

static void traced_fini(struct traced *traced) {
    trace_free(traced->trace);
    world_fini(&traced->world);
    problem_fini(&traced->problem);
    (void)unlink(text_get(&traced->path));
    ck_assert_int_eq(rmdir(text_get(&traced->folder)), 0);
    text_fini(&traced->path);
    text_fini(&traced->folder);
}

/* How many lines of the file begin like this. */
static uint32_t count_lines(const struct traced *traced, const char *begin) {
    char line[4096];
    uint32_t count = 0;
    FILE *file = fopen(text_get(&traced->path), "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        count += strncmp(line, begin, strlen(begin)) == 0;
    }
    (void)fclose(file);
    return count;
}

/* How many samples find a device without any memory taken. */
static uint32_t count_samples_of_nothing(const struct traced *traced) {
    char line[4096];
    uint32_t count = 0;
    FILE *file = fopen(text_get(&traced->path), "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        count += strncmp(line, "device,", 7) == 0 && strstr(line, ",main,0,0,0,") != NULL;
    }
    (void)fclose(file);
    return count;
}

START_TEST(samples_grow_rarer_in_a_long_run) {
    struct traced traced;
    traced_init(&traced, ".csv");
    for (uint32_t pair = 0; pair < CALLS / 2; pair++) {
        ck_assert_int_eq(world_call(&traced.world, 0, "aclrtMalloc", 4096, 2), 0);
        uint64_t address = traced.world.result.out[0];
        ck_assert_int_eq(world_call(&traced.world, 0, "aclrtFree", address), 0);
    }
    ck_assert(trace_finish(traced.trace, &traced.problem));
    ck_assert_uint_eq(count_lines(&traced, "call,"), CALLS);
    /* Each of 4096 changes, about one in two of 8192, one in three of 12288; and of a program that
     * repeats itself not always the same moment. */
    uint32_t samples = count_lines(&traced, "device,");
    ck_assert_uint_gt(samples, 3 * 4096 - 300);
    ck_assert_uint_lt(samples, 3 * 4096 + 300);
    uint32_t empty = count_samples_of_nothing(&traced);
    ck_assert_uint_gt(empty, samples * 2 / 5);
    ck_assert_uint_lt(empty, samples * 3 / 5);
    traced_fini(&traced);
}
END_TEST

START_TEST(an_allocator_has_rows_of_its_own) {
    struct traced traced;
    traced_init(&traced, ".csv");
    ck_assert_int_eq(world_call(&traced.world, 0, "aclrtMalloc", 4096, 2), 0);
    ck_assert_int_eq(world_call(&traced.world, 1, "aclrtMalloc", 4096, 2), 0);
    ck_assert(trace_finish(traced.trace, &traced.problem));
    ck_assert_uint_eq(count_lines(&traced, "allocator,"), 1);
    ck_assert_uint_eq(count_lines(&traced, "process,"), 2);
    traced_fini(&traced);
}
END_TEST

START_TEST(a_trace_that_is_not_finished_leaves_nothing) {
    struct traced traced;
    traced_init(&traced, ".jsonl");
    ck_assert_int_eq(world_call(&traced.world, 0, "aclrtMalloc", 4096, 2), 0);
    trace_free(traced.trace);
    traced.trace = NULL;
    ck_assert_int_ne(access(text_get(&traced.path), F_OK), 0);
    traced_fini(&traced);
}
END_TEST

START_TEST(steps_without_names_are_numbers) {
    struct traced traced;
    struct text line = { 0 };
    traced_init(&traced, ".jsonl");
    text_printf(&line,
                "{\"time_ns\":%llu,\"fact\":\"called\",\"who\":\"A\",\"thread\":1,\"step\":0,"
                "\"call\":\"aclrtMalloc\"",
                (unsigned long long)machine_now(&traced.world.machine));
    ck_assert_int_eq(world_call(&traced.world, 0, "aclrtMalloc", 4096, 2), 0);
    ck_assert(trace_finish(traced.trace, &traced.problem));
    ck_assert_uint_eq(count_lines(&traced, text_get(&line)), 1);
    text_fini(&line);
    traced_fini(&traced);
}
END_TEST

START_TEST(every_format_has_an_ending_and_a_meaning) {
    ck_assert_uint_eq(trace_format_count(), 4);
    for (size_t place = 0; place < trace_format_count(); place++) {
        ck_assert_int_eq(trace_format_ending(place)[0], '.');
        ck_assert_uint_gt(strlen(trace_format_meaning(place)), 10);
    }
}
END_TEST

static void expect_digits(uint64_t number) {
    char written[TRACE_FILE_DIGITS + 1], expected[TRACE_FILE_DIGITS + 1];
    *trace_file_digits(written, number) = '\0';
    (void)snprintf(expected, sizeof expected, "%" PRIu64, number);
    ck_assert_str_eq(written, expected);
}

START_TEST(numbers_have_all_their_digits) {
    for (uint64_t power = 1, next = 10; next > power; power = next, next *= 10) {
        expect_digits(power - 1);
        expect_digits(power);
        expect_digits(power * 9);
    }
    for (uint32_t bits = 0; bits < 64; bits++) {
        expect_digits(((uint64_t)1 << bits) - 1);
        expect_digits((uint64_t)1 << bits);
    }
    expect_digits(UINT64_C(10000000000000000000));
    expect_digits(UINT64_MAX);
}
END_TEST

Suite *test_trace(void);
Suite *test_trace(void) {
    Suite *suite = suite_create("trace");
    TCase *tests = tcase_create("trace");
    tcase_add_test(tests, samples_grow_rarer_in_a_long_run);
    tcase_add_test(tests, an_allocator_has_rows_of_its_own);
    tcase_add_test(tests, a_trace_that_is_not_finished_leaves_nothing);
    tcase_add_test(tests, steps_without_names_are_numbers);
    tcase_add_test(tests, every_format_has_an_ending_and_a_meaning);
    tcase_add_test(tests, numbers_have_all_their_digits);
    suite_add_tcase(suite, tests);
    return suite;
}
