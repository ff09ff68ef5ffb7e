/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay_print.h"

#include <inttypes.h>

#include "acl/acl_error.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/trace_sheet.h"

static const char *const kinds[] = { "hold", "alloc", "free" };

/* Millionths as per cent with two decimals. */
static void add_ratio(struct sheet *sheet, uint32_t ratio) {
    sheet_add(sheet, "%" PRIu32 ".%02" PRIu32 " %%", ratio / 10000, ratio / 100 % 100);
}

static void add_bytes(struct sheet *sheet, const char *name, uint64_t bytes, const char *meaning) {
    sheet_add(sheet, "%s", name);
    sheet_add(sheet, "%" PRIu64, bytes);
    sheet_add(sheet, "%s", meaning);
}

static void add_event(struct sheet *sheet, const char *name, uint64_t event, const char *meaning) {
    sheet_add(sheet, "%s", name);
    if (event == REQUEST_NO_EVENT) {
        sheet_add(sheet, "before");
    } else {
        sheet_add(sheet, "%" PRIu64, event);
    }
    sheet_add(sheet, "%s", meaning);
}

static void add_loss(struct sheet *sheet, const char *name, uint32_t at_peak, uint32_t worst,
                     const char *meaning) {
    sheet_add(sheet, "%s", name);
    add_ratio(sheet, at_peak);
    add_ratio(sheet, worst);
    sheet_add(sheet, "%s", meaning);
}

static void print_losses(const struct replay_report *report, FILE *stream) {
    const struct replay_loss *peak = &report->at_peak;
    const struct replay_loss *worst = &report->worst;
    struct sheet sheet = { .column = { "name", "at_peak", "worst", "meaning" } };
    sheet_add(&sheet, "fragmentation");
    sheet_add(&sheet, "at peak");
    sheet_add(&sheet, "worst");
    sheet_add(&sheet, "of what; the peak is that of consumed bytes");
    add_loss(&sheet, "internal", peak->internal, worst->internal,
             "of consumed bytes, those that nobody asked for");
    add_loss(&sheet, "external_allocator", peak->allocator, worst->allocator,
             "of the strategy's free bytes, those outside of its largest block");
    add_loss(&sheet, "external_device", peak->device, worst->device,
             "of the device's free bytes, those in no whole huge page");
    add_loss(&sheet, "external_addresses", peak->addresses, worst->addresses,
             "of free addresses, those outside of the largest range");
    sheet_print(&sheet, stream);
    sheet_fini(&sheet);
}

static void print_figures(const struct replay_report *report, FILE *stream) {
    struct sheet sheet = { .column = { "name", "value", "meaning" } };
    add_bytes(&sheet, "capacity", report->capacity, "bytes of the device before the first request");
    add_bytes(&sheet, "requests", report->requests, "served");
    add_bytes(&sheet, "peak_requested", report->peak_requested, "bytes in live blocks, at most");
    add_event(&sheet, "peak_requested_event", report->peak_requested_event, "when that was");
    add_bytes(&sheet, "peak_consumed", report->peak_consumed, "bytes of the device, at most");
    add_event(&sheet, "peak_consumed_event", report->peak_consumed_event, "when that was");
    add_bytes(&sheet, "requested", report->last.requested, "bytes in live blocks at the end");
    add_bytes(&sheet, "used", report->last.used, "the same as the strategy rounds them");
    add_bytes(&sheet, "held", report->last.held, "bytes that the strategy has at the end");
    add_bytes(&sheet, "consumed", report->last.consumed, "bytes of the device at the end");
    add_bytes(&sheet, "free", report->last.free, "bytes left on the device at the end");
    sheet_print(&sheet, stream);
    sheet_fini(&sheet);
}

static void print_calls(const struct replay_report *report, FILE *stream) {
    char time[UNITS_TEXT_SIZE];
    for (uint32_t place = 0; place < report->call_count; place++) {
        const struct replay_call *call = &report->call[place];
        (void)fprintf(stream, "%s: %" PRIu64 " calls, %" PRIu64 " refused, %s of simulated time\n",
                      call->name, call->count, call->refused,
                      units_write_time(call->cost_ns, time));
    }
}

static void print_failure(const struct replay_report *report, FILE *stream) {
    const struct request *failed = &report->failed;
    char size[UNITS_TEXT_SIZE];
    (void)fprintf(stream, "  %s of %s (%" PRIu64 " bytes)", kinds[failed->kind],
                  units_write_size(failed->size, size), failed->size);
    if (failed->event == REQUEST_NO_EVENT) {
        (void)fputs(" held before the log", stream);
    } else {
        (void)fprintf(stream, " at event %" PRIu64, failed->event);
    }
    if (report->code != ACL_SUCCESS) {
        const char *name = acl_error_name(report->code);
        (void)fprintf(stream, ": the last call returned %" PRId32 " %s", report->code,
                      name == NULL ? "" : name);
    }
    (void)fprintf(stream, "\n  %" PRIu64 " bytes were free on the device, %" PRIu64
                          " free in the strategy's hands\n",
                  report->last.free, report->last.held - report->last.used);
}

/* Records of the file that no request comes from, or one that is not what they say. */
static uint64_t odd_records(const struct request_trace *trace) {
    return trace->unknown.count + trace->repeated.count + trace->unpaired.count +
           trace->resized.count + trace->unfinished.count + trace->skipped +
           trace->contradicted + trace->gaps;
}

void replay_print(const struct replay *replay, const struct replay_recipe *recipe, FILE *stream) {
    const struct replay_report *report = replay_report(replay);
    const struct request_trace *trace = recipe->trace;
    struct hash128 digest = replay_digest(replay);
    (void)fprintf(stream, "# %s: %s, device %" PRIu32 "\n# strategy %s on %s\n", recipe->file,
                  trace->format, trace->device, recipe->strategy, recipe->product);
    (void)fprintf(stream,
                  "the log: %" PRIu64 " events, %" PRIu64 " allocs, %" PRIu64
                  " frees; its own blocks peak at %" PRIu64 " bytes at event %" PRIu64 "\n",
                  trace->events, trace->allocs, trace->frees, trace->peak_bytes,
                  trace->peak_event);
    (void)fprintf(stream,
                  "held before the log: %" PRIu64 " blocks, %" PRIu64 " bytes; live at its end: "
                  "%" PRIu64 " blocks, %" PRIu64 " bytes\n",
                  trace->held.count, trace->held.bytes, trace->at_end.count, trace->at_end.bytes);
    if (!trace->has_times) {
        (void)fputs("the log has no times: events are counted instead\n", stream);
    }
    if (trace->devices_used > 1) {
        (void)fprintf(stream, "%" PRIu32 " devices of the file are in use; see --device\n",
                      trace->devices_used);
    }
    uint64_t odd = odd_records(trace);
    if (odd > 0) {
        (void)fprintf(stream,
                      "%" PRIu64 " records could not be used as they are; see aclsim info\n",
                      odd);
    }
    print_figures(report, stream);
    print_losses(report, stream);
    print_calls(report, stream);
    (void)fprintf(stream, "%s\n", replay_verdict_text(report->verdict));
    if (report->verdict != REPLAY_FITS) {
        print_failure(report, stream);
    }
    (void)fprintf(stream, "digest %016" PRIx64 "%016" PRIx64 "\n", digest.high, digest.low);
}

static void add_number(struct text *text, const char *key, uint64_t value) {
    text_printf(text, "%s\"%s\": %" PRIu64, text->bytes[text->size - 1] == '{' ? "" : ", ", key,
                value);
}

static void add_word(struct text *text, const char *key, const char *value) {
    text_printf(text, "%s\"%s\": ", text->bytes[text->size - 1] == '{' ? "" : ", ", key);
    text_append_json_string(text, value);
}

/* null before the log. */
static void add_place(struct text *text, const char *key, uint64_t event) {
    if (event == REQUEST_NO_EVENT) {
        text_printf(text, ", \"%s\": null", key);
    } else {
        add_number(text, key, event);
    }
}

static void add_trace(struct text *text, const struct request_trace *trace) {
    text_append(text, ",\n  \"trace\": {");
    add_word(text, "format", trace->format);
    add_number(text, "device", trace->device);
    add_number(text, "events", trace->events);
    add_number(text, "allocs", trace->allocs);
    add_number(text, "frees", trace->frees);
    add_number(text, "peak_bytes", trace->peak_bytes);
    add_number(text, "peak_event", trace->peak_event);
    add_number(text, "held_blocks", trace->held.count);
    add_number(text, "held_bytes", trace->held.bytes);
    add_number(text, "live_blocks", trace->at_end.count);
    add_number(text, "live_bytes", trace->at_end.bytes);
    add_number(text, "odd_records", odd_records(trace));
    text_append(text, "}");
}

static void add_report(struct text *text, const struct replay_report *report) {
    add_number(text, "capacity", report->capacity);
    add_number(text, "requests", report->requests);
    add_number(text, "peak_requested", report->peak_requested);
    add_place(text, "peak_requested_event", report->peak_requested_event);
    add_number(text, "peak_consumed", report->peak_consumed);
    add_place(text, "peak_consumed_event", report->peak_consumed_event);
    add_number(text, "requested", report->last.requested);
    add_number(text, "used", report->last.used);
    add_number(text, "held", report->last.held);
    add_number(text, "consumed", report->last.consumed);
    add_number(text, "free", report->last.free);
}

static void add_losses(struct text *text, const char *key, const struct replay_loss *loss) {
    text_printf(text, ",\n  \"%s\": {", key);
    add_number(text, "internal_ppm", loss->internal);
    add_number(text, "external_allocator_ppm", loss->allocator);
    add_number(text, "external_device_ppm", loss->device);
    add_number(text, "external_addresses_ppm", loss->addresses);
    text_append(text, "}");
}

static void add_calls(struct text *text, const struct replay_report *report) {
    text_append(text, ",\n  \"calls\": [");
    for (uint32_t place = 0; place < report->call_count; place++) {
        const struct replay_call *call = &report->call[place];
        text_append(text, place == 0 ? "\n    {" : ",\n    {");
        add_word(text, "call", call->name);
        add_number(text, "count", call->count);
        add_number(text, "refused", call->refused);
        add_number(text, "cost_ns", call->cost_ns);
        text_append(text, "}");
    }
    text_append(text, report->call_count == 0 ? "]" : "\n  ]");
}

static void add_failed(struct text *text, const struct replay_report *report) {
    if (report->verdict == REPLAY_FITS) {
        text_append(text, ",\n  \"failed\": null");
        return;
    }
    text_append(text, ",\n  \"failed\": {");
    add_word(text, "request", kinds[report->failed.kind]);
    add_number(text, "size", report->failed.size);
    add_place(text, "event", report->failed.event);
    text_printf(text, ", \"code\": %" PRId32 "}", report->code);
}

void replay_print_json(const struct replay *replay, const struct replay_recipe *recipe,
                       FILE *stream) {
    const struct replay_report *report = replay_report(replay);
    struct hash128 digest = replay_digest(replay);
    struct text text = { 0 };
    text_append(&text, "{");
    add_number(&text, "format", 1);
    add_word(&text, "file", recipe->file);
    add_word(&text, "product", recipe->product);
    add_word(&text, "strategy", recipe->strategy);
    text_printf(&text, ", \"fits\": %s", report->verdict == REPLAY_FITS ? "true" : "false");
    add_word(&text, "verdict", replay_verdict_text(report->verdict));
    text_printf(&text, ", \"digest\": \"%016" PRIx64 "%016" PRIx64 "\"", digest.high, digest.low);
    add_trace(&text, recipe->trace);
    text_append(&text, ",\n  \"replay\": {");
    add_report(&text, report);
    text_append(&text, "}");
    add_losses(&text, "fragmentation_at_peak", &report->at_peak);
    add_losses(&text, "fragmentation_worst", &report->worst);
    add_failed(&text, report);
    add_calls(&text, report);
    text_append(&text, "\n}\n");
    (void)fputs(text_get(&text), stream);
    text_fini(&text);
}

void replay_print_csv_head(FILE *stream) {
    (void)fputs("event,time_ns,clock_ns,request,block,size,requested,used,held,consumed,free,"
                "internal_ppm,external_allocator_ppm,external_device_ppm,external_addresses_ppm\n",
                stream);
}

void replay_print_csv(const struct request *request, const struct replay_sample *sample,
                      FILE *stream) {
    if (sample->event != REQUEST_NO_EVENT) {
        (void)fprintf(stream, "%" PRIu64, sample->event);
    }
    (void)fprintf(stream, ",%" PRIu64 ",%" PRIu64 ",%s,%" PRIu32 ",%" PRIu64, sample->time_ns,
                  sample->clock_ns, kinds[request->kind], request->block, request->size);
    (void)fprintf(stream, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                  sample->requested, sample->used, sample->held, sample->consumed, sample->free);
    (void)fprintf(stream, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n",
                  sample->loss.internal, sample->loss.allocator, sample->loss.device,
                  sample->loss.addresses);
}
