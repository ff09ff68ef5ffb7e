/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "import/import.h"
#include "tests/pickled.h"

/* A snapshot under way, in the opcodes that are text. */
static struct text segments;
static struct text events;
static struct text tale;
static struct import import;

static void begin(void) {
    text_clear(&segments);
    text_clear(&events);
}

static void add_event(const char *action, uint64_t address, uint64_t size) {
    text_printf(&events,
                "(dVaction\nV%s\nsVaddr\nL%" PRIu64 "L\nsVsize\nL%" PRIu64
                "L\nsVstream\nI0\nsVframes\n(lsa",
                action, address, size);
}

static void add_segment(uint64_t address, uint64_t size, const char *blocks) {
    text_printf(&segments,
                "(dVdevice\nI0\nsVaddress\nL%" PRIu64 "L\nsVtotal_size\nL%" PRIu64
                "L\nsVframes\n(lsVblocks\n(l%ssa",
                address, size, blocks);
}

#define BLOCK(address, size, requested, state)                                          \
    "(dVaddress\nL" #address "L\nsVsize\nL" #size "L\nsVrequested_size\nL" #requested \
    "L\nsVstate\nV" state "\nsa"

/* The root with segments first or last: keys of dicts come in any order. */
static const char *file_of(bool segments_last) {
    struct text file = { 0 };
    text_append(&file, "\x80\x02(d");
    for (int part = 0; part < 2; part++) {
        if ((part == 1) == segments_last) {
            text_printf(&file, "Vsegments\n(l%ss", text_get(&segments));
        } else {
            text_printf(&file, "Vdevice_traces\n(l(l%sa(las", text_get(&events));
        }
    }
    text_append(&file, ".");
    const char *path = pickled_file(text_get(&file), file.size);
    text_fini(&file);
    return path;
}

static bool open_file(const char *path, uint32_t device) {
    struct problem problem = { 0 };
    bool is_open = import_open(path, device, &import, &problem);
    text_clear(&tale);
    ck_assert_int_eq(is_open, problem_is_empty(&problem));
    if (!is_open) {
        const struct problem_complaint *first = &problem.complaints.items[0];
        text_printf(&tale, "%s%s%s", first->place.place == NULL ? "" : first->place.place,
                    first->place.place == NULL ? "" : ": ", first->message);
    }
    problem_fini(&problem);
    return is_open;
}

static const struct request_trace *open_snapshot(void) {
    ck_assert_msg(open_file(file_of(false), IMPORT_ANY_DEVICE), "%s", text_get(&tale));
    return import.source.trace;
}

static void close_snapshot(void) {
    import_close(&import);
    pickled_remove();
}

/* "hold 0 100; alloc 1 50 @0; free 1 50 @2; " */
static const char *requests(void) {
    static const char *const kinds[] = { "hold", "alloc", "free" };
    struct request request;
    text_clear(&tale);
    while (import.source.next(import.source.context, &request)) {
        text_printf(&tale, "%s %" PRIu32 " %" PRIu64, kinds[request.kind], request.block,
                    request.size);
        if (request.event != REQUEST_NO_EVENT) {
            text_printf(&tale, " @%" PRIu64, request.event);
        }
        text_append(&tale, "; ");
    }
    return text_get(&tale);
}

START_TEST(blocks_of_the_log_are_made_and_freed_in_its_order) {
    begin();
    add_event("alloc", 4096, 100);
    add_event("alloc", 8192, 50);
    add_event("free_requested", 4096, 100);
    add_event("free_completed", 4096, 100);
    add_event("alloc", 4096, 70);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "alloc 0 100 @0; alloc 1 50 @1; free 0 100 @3; alloc 0 70 @4; ");
    import.source.rewind(import.source.context);
    ck_assert_str_eq(requests(), "alloc 0 100 @0; alloc 1 50 @1; free 0 100 @3; alloc 0 70 @4; ");
    ck_assert_uint_eq(trace->events, 5);
    ck_assert_uint_eq(trace->peak_bytes, 150);
    ck_assert_uint_eq(trace->peak_event, 1);
    ck_assert_uint_eq(trace->at_end.count, 2);
    ck_assert_uint_eq(trace->at_end.bytes, 120);
    ck_assert_uint_eq(trace->blocks_max, 2);
    ck_assert_uint_eq(trace->device_count, 2);
    ck_assert_uint_eq(trace->devices_used, 1);
    ck_assert(!trace->has_times);
    close_snapshot();
}
END_TEST

START_TEST(what_lives_before_the_log_comes_first_by_address) {
    begin();
    add_segment(1 << 20, 4096,
                BLOCK(1048576, 512, 500, "active_allocated")
                    BLOCK(1049088, 512, 1, "inactive")
                        BLOCK(1049600, 1024, 1000, "active_pending_free"));
    add_event("free_requested", 4096, 30);
    add_event("free_completed", 4096, 30);
    add_event("alloc", 1048576, 500);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "hold 0 30; hold 1 1000; free 0 30 @1; alloc 0 500 @2; ");
    ck_assert_uint_eq(trace->held.count, 2);
    ck_assert_uint_eq(trace->held.bytes, 1030);
    ck_assert_uint_eq(trace->active.count, 2);
    ck_assert_uint_eq(trace->active.bytes, 1536);
    ck_assert_uint_eq(trace->active_requested, 1500);
    ck_assert_uint_eq(trace->segments.bytes, 4096);
    close_snapshot();
}
END_TEST

START_TEST(the_order_of_keys_does_not_matter) {
    begin();
    add_segment(1 << 20, 4096, BLOCK(1048576, 512, 500, "active_awaiting_free"));
    add_event("alloc", 4096, 100);
    ck_assert(open_file(file_of(true), IMPORT_ANY_DEVICE));
    ck_assert_str_eq(requests(), "hold 0 500; alloc 1 100 @0; ");
    close_snapshot();
}
END_TEST

START_TEST(blocks_of_old_files_follow_each_other) {
    begin();
    add_segment(1 << 20, 4096,
                "(dVsize\nI512\nsVstate\nVinactive\nsa"
                "(dVsize\nI1024\nsVstate\nVactive_allocated\nsa");
    add_event("free_completed", (1 << 20) + 512, 900);
    add_event("alloc", (1 << 20) + 512, 1000);
    open_snapshot();
    ck_assert_str_eq(requests(), "hold 0 900; free 0 900 @0; alloc 0 1000 @1; ");
    close_snapshot();
}
END_TEST

START_TEST(an_alloc_at_a_live_address_frees_what_was_there) {
    begin();
    add_event("alloc", 4096, 100);
    add_event("alloc", 4096, 60);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "alloc 0 100 @0; free 0 100 @1; alloc 0 60 @1; ");
    ck_assert_uint_eq(trace->repeated, 1);
    ck_assert_uint_eq(trace->peak_bytes, 100);
    close_snapshot();
}
END_TEST

START_TEST(a_free_that_never_completes_leaves_the_block) {
    begin();
    add_event("alloc", 4096, 100);
    add_event("free_requested", 4096, 100);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "alloc 0 100 @0; ");
    ck_assert_uint_eq(trace->unfinished, 1);
    ck_assert_uint_eq(trace->at_end.count, 1);
    close_snapshot();
}
END_TEST

START_TEST(reserved_bytes_follow_the_segments) {
    begin();
    add_segment(1 << 21, 3 << 21, "");
    add_event("segment_alloc", 1 << 22, 4 << 21);
    add_event("segment_free", 1 << 22, 4 << 21);
    add_event("segment_map", 1 << 23, 2 << 21);
    add_event("segment_unmap", 1 << 23, 1 << 21);
    add_event("oom", 0, 77);
    add_event("snapshot", 0, 0);
    add_event("new_action", 0, 0);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "");
    ck_assert_uint_eq(trace->reserved_before, 2 << 21);
    ck_assert_uint_eq(trace->reserved_peak, 6 << 21);
    ck_assert_uint_eq(trace->segment_allocs + trace->segment_frees, 2);
    ck_assert_uint_eq(trace->segment_maps + trace->segment_unmaps, 2);
    ck_assert_uint_eq(trace->failures, 1);
    ck_assert_uint_eq(trace->others, 2);
    close_snapshot();
}
END_TEST

START_TEST(a_device_can_be_asked_for) {
    begin();
    add_event("alloc", 4096, 100);
    ck_assert(open_file(file_of(false), 1));
    ck_assert_str_eq(requests(), "");
    close_snapshot();
    ck_assert(!open_file(file_of(false), 2));
    ck_assert_str_eq(text_get(&tale), "device_traces: there is no device 2; expected 0 to 1");
    pickled_remove();
}
END_TEST

static const char *complaint_of(const char *bytes) {
    ck_assert(!open_file(pickled_file(bytes, strlen(bytes)), IMPORT_ANY_DEVICE));
    pickled_remove();
    return text_get(&tale);
}

START_TEST(what_is_no_snapshot_is_refused) {
    ck_assert_str_eq(complaint_of("\x80\x02N."),
                     "the key \"segments\" is missing; expected a memory snapshot");
    ck_assert_str_eq(complaint_of("\x80\x02(dVsegments\n(ls."),
                     "the key \"device_traces\" is missing; expected a memory snapshot that was "
                     "recorded with its history");
    ck_assert_str_eq(complaint_of("\x80\x02(dVsegments\n(lsVdevice_traces\n(ls."),
                     "device_traces: there is no device in it; expected a list for each");
    ck_assert_str_eq(complaint_of(""), "this file is empty; expected a memory snapshot of "
                                          "PyTorch or torch_npu (.pickle, .pkl, also packed by "
                                          "gzip)");
    ck_assert_str_eq(complaint_of("hello"),
                     "nobody knows this form of file; expected a memory snapshot of PyTorch or "
                     "torch_npu (.pickle, .pkl, also packed by gzip)");
    ck_assert(!open_file(".", IMPORT_ANY_DEVICE));
    ck_assert_str_eq(text_get(&tale), "this is a folder; expected a file");
    ck_assert(!open_file("no-such-file", IMPORT_ANY_DEVICE));
    ck_assert_str_eq(text_get(&tale), "No such file or directory");
}
END_TEST

/* Numbers where lists belong and the other way round change nothing. */
START_TEST(members_of_the_wrong_kind_are_passed_over) {
    begin();
    text_append(&segments, "(dVtotal_size\nI77\nsVblocks\nI5\nsVdevice\nVred\nsa");
    text_append(&events, "(dVaction\nI3\nsa(dVaction\nValloc\nsVaddr\n(lsVsize\nI5\nsa");
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "");
    ck_assert_uint_eq(trace->segments.bytes, 77);
    ck_assert_uint_eq(trace->others, 1);
    close_snapshot();
}
END_TEST

Suite *test_import(void);

Suite *test_import(void) {
    Suite *suite = suite_create("import");
    TCase *tests = tcase_create("import");
    tcase_add_test(tests, blocks_of_the_log_are_made_and_freed_in_its_order);
    tcase_add_test(tests, what_lives_before_the_log_comes_first_by_address);
    tcase_add_test(tests, the_order_of_keys_does_not_matter);
    tcase_add_test(tests, blocks_of_old_files_follow_each_other);
    tcase_add_test(tests, an_alloc_at_a_live_address_frees_what_was_there);
    tcase_add_test(tests, a_free_that_never_completes_leaves_the_block);
    tcase_add_test(tests, reserved_bytes_follow_the_segments);
    tcase_add_test(tests, a_device_can_be_asked_for);
    tcase_add_test(tests, what_is_no_snapshot_is_refused);
    tcase_add_test(tests, members_of_the_wrong_kind_are_passed_over);
    suite_add_tcase(suite, tests);
    return suite;
}
