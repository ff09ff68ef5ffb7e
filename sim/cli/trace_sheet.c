/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trace_sheet.h"

#include <inttypes.h>

struct row {
    const char *name;
    uint64_t value;
    const char *meaning;
};

struct odd_row {
    const char *name;
    const struct request_odd *odd;
    const char *meaning;
};

static void add_odd(struct sheet *sheet, const struct odd_row *row) {
    sheet_add(sheet, "%s", row->name);
    sheet_add(sheet, "%" PRIu64, row->odd->count);
    if (row->odd->count == 0) {
        sheet_add(sheet, "%s", row->meaning);
    } else {
        sheet_add(sheet, "%s; the first is event %" PRIu64, row->meaning, row->odd->first);
    }
}

void trace_sheet_fill(struct sheet *sheet, const struct request_trace *trace) {
    const struct row rows[] = {
        { "device", trace->device, "whose log this is" },
        { "devices", trace->device_count, "in the file" },
        { "devices_used", trace->devices_used, "of them, with events or memory" },
        { "events", trace->events, "in the log of the device" },
        { "allocs", trace->allocs, "blocks handed out" },
        { "frees_requested", trace->frees_requested, "blocks given back by the program" },
        { "frees", trace->frees, "blocks that could be used again" },
        { "segment_allocs", trace->segment_allocs, "segments taken from the device" },
        { "segment_frees", trace->segment_frees, "segments given back" },
        { "segment_maps", trace->segment_maps, "expandable segments that grew" },
        { "segment_unmaps", trace->segment_unmaps, "and shrank" },
        { "failures", trace->failures, "allocations that the recorded run could not make" },
        { "snapshots", trace->snapshots, "moments when a snapshot was taken" },
        { "peak_bytes", trace->peak_bytes, "requested bytes that the log makes live, at most" },
        { "peak_event", trace->peak_event, "the event that reached it first" },
        { "live_blocks", trace->at_end.count, "made by the log and live at its end" },
        { "live_bytes", trace->at_end.bytes, "requested bytes in them" },
        { "held_blocks", trace->held.count, "live before the log begins" },
        { "held_bytes", trace->held.bytes, "requested bytes in them" },
        { "segments", trace->segments.count, "of the recorded allocator at the end" },
        { "reserved_bytes", trace->segments.bytes, "in them" },
        { "reserved_peak", trace->reserved_peak, "bytes that it had at most" },
        { "reserved_before", trace->reserved_before, "bytes that it had before the log" },
        { "active_blocks", trace->active.count, "in use in the segments at the end" },
        { "active_bytes", trace->active.bytes, "in them, as that allocator rounded" },
        { "active_requested", trace->active_requested, "in them, as requested" },
        { "first_ns", trace->first_ns, "time of the first event since 1970; 0 without times" },
        { "last_ns", trace->last_ns, "time of the last one" },
        { "skipped", trace->skipped, "things among events or blocks that are none" },
        { "contradicted", trace->contradicted, "blocks on which log and final list disagree" },
        { "gaps", trace->gaps, "segments that their blocks do not fill" },
    };
    const struct odd_row odd_rows[] = {
        { "unknown", &trace->unknown, "events of other kinds, or without address or size" },
        { "repeated", &trace->repeated, "allocs at a live address: taken as free and alloc" },
        { "unpaired", &trace->unpaired, "frees of what was free: passed over" },
        { "resized", &trace->resized, "frees that name another size than the alloc" },
        { "unfinished", &trace->unfinished, "frees that never completed: the blocks live on" },
    };
    sheet_add(sheet, "format");
    sheet_add(sheet, "%s", trace->format);
    sheet_add(sheet, "class %c", trace->class_letter);
    for (size_t place = 0; place < sizeof rows / sizeof *rows; place++) {
        sheet_add(sheet, "%s", rows[place].name);
        sheet_add(sheet, "%" PRIu64, rows[place].value);
        sheet_add(sheet, "%s", rows[place].meaning);
    }
    for (size_t place = 0; place < sizeof odd_rows / sizeof *odd_rows; place++) {
        add_odd(sheet, &odd_rows[place]);
    }
}
