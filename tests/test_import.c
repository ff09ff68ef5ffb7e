/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

#define BLOCK(address, size, requested, state)                                        \
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
                BLOCK(1048576, 512, 500, "active_allocated") BLOCK(1049088, 512, 1, "inactive")
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
    ck_assert_uint_eq(trace->repeated.count, 1);
    ck_assert_uint_eq(trace->peak_bytes, 100);
    close_snapshot();
}
END_TEST

START_TEST(a_free_that_never_completes_leaves_the_block) {
    begin();
    add_event("alloc", 4096, 30);
    add_event("free_requested", 4096, 30);
    add_event("free_completed", 4096, 30);
    add_event("alloc", 4096, 100);
    add_event("free_requested", 4096, 100);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "alloc 0 30 @0; free 0 30 @2; alloc 0 100 @3; ");
    ck_assert_uint_eq(trace->unfinished.count, 1);
    ck_assert_uint_eq(trace->unfinished.first, 4);
    ck_assert_uint_eq(trace->at_end.count, 1);
    close_snapshot();
}
END_TEST

/* Only the first free of an address that the log never saw made tells of a block before it. */
START_TEST(a_free_of_what_is_free_is_counted_and_passed_over) {
    begin();
    add_event("free_completed", 4096, 100);
    add_event("free_requested", 4096, 100);
    add_event("free_completed", 4096, 100);
    add_event("alloc", 4096, 30);
    add_event("free_requested", 4096, 30);
    add_event("free_requested", 4096, 30);
    add_event("free_completed", 4096, 30);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "hold 0 100; free 0 100 @0; alloc 0 30 @3; free 0 30 @6; ");
    ck_assert_uint_eq(trace->unpaired.count, 3);
    ck_assert_uint_eq(trace->unpaired.first, 1);
    ck_assert_uint_eq(trace->repeated.count, 0);
    ck_assert_uint_eq(trace->repeated.first, REQUEST_NO_EVENT);
    close_snapshot();
}
END_TEST

START_TEST(a_free_with_another_size_is_counted_once) {
    begin();
    add_event("alloc", 4096, 100);
    add_event("free_requested", 4096, 512);
    add_event("free_completed", 4096, 512);
    add_event("alloc", 4096, 100);
    add_event("free_completed", 4096, 99);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "alloc 0 100 @0; free 0 100 @2; alloc 0 100 @3; free 0 100 @4; ");
    ck_assert_uint_eq(trace->resized.count, 2);
    ck_assert_uint_eq(trace->resized.first, 1);
    ck_assert_uint_eq(trace->at_end.bytes, 0);
    close_snapshot();
}
END_TEST

START_TEST(a_final_list_that_contradicts_the_log_is_counted) {
    begin();
    add_segment(1 << 20, 1024,
                BLOCK(1048576, 512, 500, "active_allocated")
                    BLOCK(1049088, 512, 500, "active_allocated"));
    add_event("alloc", 1048576, 500);
    add_event("free_completed", 1048576, 500);
    add_event("alloc", 4096, 7);
    add_event("alloc", 1049088, 500);
    const struct request_trace *trace = open_snapshot();
    ck_assert_str_eq(requests(), "alloc 0 500 @0; free 0 500 @1; alloc 0 7 @2; alloc 1 500 @3; ");
    ck_assert_uint_eq(trace->contradicted, 2);
    ck_assert_uint_eq(trace->held.count, 0);
    ck_assert_uint_eq(trace->gaps, 0);
    close_snapshot();
}
END_TEST

START_TEST(segments_that_their_blocks_do_not_fill_are_counted) {
    begin();
    add_segment(1 << 20, 1024, BLOCK(1048576, 512, 500, "inactive"));
    add_segment(2 << 20, 1024,
                BLOCK(2097152, 256, 1, "inactive") BLOCK(2097664, 512, 1, "inactive"));
    add_segment(3 << 20, 1024,
                BLOCK(3145728, 512, 1, "inactive") BLOCK(3146240, 512, 1, "inactive"));
    const struct request_trace *trace = open_snapshot();
    ck_assert_uint_eq(trace->gaps, 2);
    close_snapshot();
}
END_TEST

/* Lists of lists, and dicts that look like events, stand in other places too. */
START_TEST(only_the_lists_of_the_root_count) {
    begin();
    text_append(&segments, "(dVtotal_size\nI8\nsVdevice\nI3\nsVframes\n(l(lasV"
                           "blocks\n(lI1\nasa(dVname\nVx\nsa");
    text_append(&events, "(dVaction\nVsnapshot\nsVnotes\n(l(lasVuser\n(l(dVtotal_size\nI5\nsasa"
                         "I1\naVx\na");
    const struct request_trace *trace = open_snapshot();
    ck_assert_uint_eq(trace->device_count, 4);
    ck_assert_uint_eq(trace->devices_used, 2);
    ck_assert_uint_eq(trace->snapshots, 1);
    ck_assert_uint_eq(trace->skipped, 4);
    ck_assert_uint_eq(trace->segments.count, 0);
    close_snapshot();
}
END_TEST

START_TEST(an_event_that_stands_twice_is_counted_as_skipped) {
    static const char file[] = "\x80\x02(dVsegments\n(lsVdevice_traces\n(l(l(dVaction\nValloc\ns"
                               "Vaddr\nI4096\nsVsize\nI7\nsp0\nag0\naas.";
    ck_assert(open_file(pickled_file(file, sizeof file - 1), IMPORT_ANY_DEVICE));
    ck_assert_str_eq(requests(), "alloc 0 7 @0; ");
    ck_assert_uint_eq(import.source.trace->skipped, 1);
    close_snapshot();
}
END_TEST

START_TEST(without_a_log_the_device_with_most_memory_is_taken) {
    begin();
    add_segment(1 << 20, 512, BLOCK(1048576, 512, 500, "active_allocated"));
    text_append(&segments, "(dVdevice\nI1\nsVaddress\nI4096\nsVtotal_size\nI4096\nsVblocks\n(l"
                           "(dVsize\nI4096\nsVstate\nVactive_allocated\nsasa");
    const struct request_trace *trace = open_snapshot();
    ck_assert_uint_eq(trace->device, 1);
    ck_assert_str_eq(requests(), "hold 0 4096; ");
    close_snapshot();
}
END_TEST

/* Sums of sizes that nobody has are not held to make sense, but they end. */
START_TEST(sizes_beyond_reason_do_no_harm) {
    begin();
    for (int round = 0; round < 4; round++) {
        add_event("segment_alloc", 4096, (1ULL << 63) - 2);
        add_event("alloc", 4096, (1ULL << 63) - 2);
    }
    add_event("alloc", 4096, 1ULL << 63);
    const struct request_trace *trace = open_snapshot();
    ck_assert_uint_eq(trace->unknown.count, 1);
    ck_assert_uint_eq(trace->unknown.first, 8);
    ck_assert_uint_eq(trace->repeated.count, 3);
    close_snapshot();
}
END_TEST

/* A small snapshot with everything in it, as bytes; the caller frees them. */
static struct text small_snapshot(void) {
    struct text file = { 0 };
    char bytes[2048];
    begin();
    add_segment(1 << 20, 1024, BLOCK(1048576, 512, 500, "active_allocated"));
    add_event("alloc", 4096, 100);
    add_event("segment_map", 4096, 100);
    add_event("free_completed", 4096, 100);
    FILE *stream = fopen(file_of(true), "rb");
    ck_assert_ptr_nonnull(stream);
    text_append_bytes(&file, bytes, fread(bytes, 1, sizeof bytes, stream));
    ck_assert_int_eq(fclose(stream), 0);
    pickled_remove();
    ck_assert_uint_lt(file.size, sizeof bytes);
    return file;
}

START_TEST(a_snapshot_that_is_cut_off_anywhere_is_refused) {
    struct text file = small_snapshot();
    for (size_t size = 0; size < file.size; size++) {
        ck_assert_msg(!open_file(pickled_file(text_get(&file), size), IMPORT_ANY_DEVICE), "%zu",
                      size);
        pickled_remove();
    }
    text_fini(&file);
}
END_TEST

START_TEST(a_changed_byte_is_refused_or_makes_another_snapshot) {
    struct text file = small_snapshot();
    char *bytes = malloc(file.size);
    ck_assert_ptr_nonnull(bytes);
    for (size_t place = 0; place < file.size; place++) {
        static const char others[] = "\0\x7f\xff"
                                     "0(lgp";
        for (size_t other = 0; other < sizeof others - 1; other++) {
            memcpy(bytes, text_get(&file), file.size);
            bytes[place] = others[other];
            if (open_file(pickled_file(bytes, file.size), IMPORT_ANY_DEVICE)) {
                (void)requests();
                import_close(&import);
            }
            pickled_remove();
        }
    }
    free(bytes);
    text_fini(&file);
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
    ck_assert_uint_eq(trace->snapshots, 1);
    ck_assert_uint_eq(trace->unknown.count, 1);
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

/* The same snapshot as JSON, where tuples are lists. */
START_TEST(a_snapshot_as_json_is_the_same) {
    static const char json[] =
        "\n{ \"device_traces\": [[{\"action\": \"alloc\", \"addr\": 4096, \"size\": 100.0,"
        " \"stream\": 3, \"pool_id\": [0, 0], \"frames\": [{\"name\": \"f\"}], \"time_us\": 70},"
        " {\"time_us\": 75, \"action\": \"free_completed\", \"addr\": 1048576, \"size\": 9}], []],"
        " \"segments\": [{\"device\": 0, \"address\": 2097152, \"total_size\": 512,"
        " \"segment_pool_id\": [0, 0], \"blocks\": [{\"address\": 2097152, \"size\": 512,"
        " \"requested_size\": 500, \"state\": \"active_allocated\"}]}]}";
    ck_assert(open_file(pickled_file(json, sizeof json - 1), IMPORT_ANY_DEVICE));
    ck_assert_str_eq(requests(), "hold 0 9; hold 1 500; alloc 2 100 @0; free 0 9 @1; ");
    ck_assert_uint_eq(import.source.trace->device_count, 2);
    ck_assert_uint_eq(import.source.trace->last_ns, 75000);
    ck_assert_uint_eq(import.source.trace->gaps, 0);
    ck_assert_uint_eq(import.source.trace->skipped, 0);
    close_snapshot();
}
END_TEST

/* Before protocol 2 a pickle does not begin with its number. */
START_TEST(pickles_of_all_protocols_are_recognised) {
    static const char zero[] = "(dp0\nVsegments\np1\n(lp2\nsVdevice_traces\np3\n(lp4\n(lp5\nas.";
    static const char one[] = "}q\x00(X\x08\0\0\0segmentsq\x01]X\x0d\0\0\0device_traces]]au.";
    ck_assert(open_file(pickled_file(zero, sizeof zero - 1), IMPORT_ANY_DEVICE));
    close_snapshot();
    ck_assert(open_file(pickled_file(one, sizeof one - 1), IMPORT_ANY_DEVICE));
    close_snapshot();
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
                                       "PyTorch or torch_npu (.pickle, .pkl, .json, also "
                                       "packed by gzip)");
    ck_assert_str_eq(complaint_of("hello"),
                     "nobody knows this form of file; expected a memory snapshot of PyTorch or "
                     "torch_npu (.pickle, .pkl, .json, also packed by gzip)");
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
    ck_assert_uint_eq(trace->unknown.count, 1);
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
    tcase_add_test(tests, a_free_of_what_is_free_is_counted_and_passed_over);
    tcase_add_test(tests, a_free_with_another_size_is_counted_once);
    tcase_add_test(tests, a_final_list_that_contradicts_the_log_is_counted);
    tcase_add_test(tests, segments_that_their_blocks_do_not_fill_are_counted);
    tcase_add_test(tests, only_the_lists_of_the_root_count);
    tcase_add_test(tests, an_event_that_stands_twice_is_counted_as_skipped);
    tcase_add_test(tests, without_a_log_the_device_with_most_memory_is_taken);
    tcase_add_test(tests, sizes_beyond_reason_do_no_harm);
    tcase_add_test(tests, a_snapshot_that_is_cut_off_anywhere_is_refused);
    tcase_add_test(tests, a_changed_byte_is_refused_or_makes_another_snapshot);
    tcase_add_test(tests, reserved_bytes_follow_the_segments);
    tcase_add_test(tests, a_device_can_be_asked_for);
    tcase_add_test(tests, a_snapshot_as_json_is_the_same);
    tcase_add_test(tests, pickles_of_all_protocols_are_recognised);
    tcase_add_test(tests, what_is_no_snapshot_is_refused);
    tcase_add_test(tests, members_of_the_wrong_kind_are_passed_over);
    suite_add_tcase(suite, tests);
    return suite;
}
