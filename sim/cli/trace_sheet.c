/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trace_sheet.h"

#include <inttypes.h>

struct row {
    const char *name;
    uint64_t value;
    const char *meaning;
};

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
        { "others", trace->others, "events that no request comes from" },
        { "repeated", trace->repeated, "allocs at a live address: taken as free and alloc" },
        { "unfinished", trace->unfinished, "frees that never completed: the blocks live on" },
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
    };
    sheet_add(sheet, "format");
    sheet_add(sheet, "%s", trace->format);
    sheet_add(sheet, "class %c", trace->class_letter);
    for (size_t place = 0; place < sizeof rows / sizeof *rows; place++) {
        sheet_add(sheet, "%s", rows[place].name);
        sheet_add(sheet, "%" PRIu64, rows[place].value);
        sheet_add(sheet, "%s", rows[place].meaning);
    }
}
