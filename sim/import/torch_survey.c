/* SPDX-License-Identifier: Apache-2.0 */
#include "import/torch_survey.h"

#include <stdlib.h>

#include "base/number_map.h"
#include "import/import.h"

/* What is known of a block that lives at an address. */
enum life {
    LIFE_HELD = 1,
    LIFE_MADE = 2,
    LIFE_LEAVING = 4, /* its free was requested */
    LIFE_GONE = 8,    /* it was freed: the address is known and free */
    LIFE_LISTED = 16, /* the final list has it in use */
};

/* What a look at the log keeps. */
struct look {
    struct torch_survey *survey;
    struct number_map live;  /* address to enum life */
    struct number_map bytes; /* address to the place of its size */
    ARRAY(uint64_t) sizes;   /* as requested, of blocks that the log made */
    ARRAY(uint32_t) unused;  /* places */
    uint64_t made_bytes;     /* of live blocks that the log made */
    uint64_t made_in_use;    /* live blocks that the log made and the final list has in use */
    uint64_t reserved;       /* against the beginning of the log; negative as two's complement */
    int64_t reserved_most;
};

static void add_odd(struct request_odd *odd, uint64_t place) {
    if (odd->count == 0 || place < odd->first) {
        odd->first = place;
    }
    odd->count++;
}

/* 0 when the address is new. */
static uint32_t life_at(const struct look *look, uint64_t address) {
    uint32_t life = 0;
    return number_map_find(&look->live, address, &life) ? life : 0;
}

static void end_made(struct look *look, uint64_t address) {
    uint32_t place = 0;
    if (number_map_find(&look->bytes, address, &place)) {
        look->made_bytes -= look->sizes.items[place];
        array_add(&look->unused, place);
        number_map_remove(&look->bytes, address);
    }
}

static void begin_made(struct look *look, uint64_t address, uint64_t size) {
    uint32_t place = (uint32_t)look->sizes.count;
    if (look->unused.count > 0) {
        place = look->unused.items[--look->unused.count];
        look->sizes.items[place] = size;
    } else {
        array_add(&look->sizes, size);
    }
    number_map_put(&look->bytes, address, place);
    look->made_bytes += size;
}

static void hold(struct look *look, uint64_t address, uint64_t size) {
    array_add(&look->survey->held, (struct torch_held){ address, size });
    look->survey->trace.held.count++;
    look->survey->trace.held.bytes += size;
}

static void see_alloc(struct look *look, const struct torch_event *event, uint64_t place) {
    struct request_trace *trace = &look->survey->trace;
    uint32_t life = life_at(look, event->address);
    trace->allocs++;
    if (life != 0 && life != LIFE_GONE) {
        add_odd(&trace->repeated, place);
    }
    end_made(look, event->address);
    begin_made(look, event->address, event->size);
    number_map_put(&look->live, event->address, LIFE_MADE);
    if (look->made_bytes > trace->peak_bytes) {
        trace->peak_bytes = look->made_bytes;
        trace->peak_event = place;
    }
}

/* Sizes of blocks that the log made; of those before it no other size is known. */
static void compare_size(struct look *look, const struct torch_event *event, uint64_t place) {
    uint32_t at = 0;
    if (number_map_find(&look->bytes, event->address, &at) &&
        look->sizes.items[at] != event->size) {
        add_odd(&look->survey->trace.resized, place);
    }
}

static void see_free_requested(struct look *look, const struct torch_event *event, uint64_t place) {
    uint32_t life = life_at(look, event->address);
    look->survey->trace.frees_requested++;
    if (life == LIFE_GONE || (life & LIFE_LEAVING) != 0) {
        add_odd(&look->survey->trace.unpaired, place);
        return;
    }
    if (life == 0) {
        hold(look, event->address, event->size);
        life = LIFE_HELD;
    }
    compare_size(look, event, place);
    number_map_put(&look->live, event->address, life | LIFE_LEAVING);
}

static void see_free(struct look *look, const struct torch_event *event, uint64_t place) {
    uint32_t life = life_at(look, event->address);
    look->survey->trace.frees++;
    if (life == LIFE_GONE) {
        add_odd(&look->survey->trace.unpaired, place);
        return;
    }
    if (life == 0) {
        hold(look, event->address, event->size);
    }
    if ((life & LIFE_LEAVING) == 0) {
        compare_size(look, event, place);
    }
    end_made(look, event->address);
    number_map_put(&look->live, event->address, LIFE_GONE);
}

static void see_reserved(struct look *look, uint64_t *count, uint64_t bytes) {
    (*count)++;
    look->reserved += bytes;
    if ((int64_t)look->reserved > look->reserved_most) {
        look->reserved_most = (int64_t)look->reserved;
    }
}

static void see_event(struct look *look, const struct torch_event *event, uint64_t place) {
    struct request_trace *trace = &look->survey->trace;
    switch ((enum torch_action)event->action) {
    case TORCH_ALLOC:
        see_alloc(look, event, place);
        break;
    case TORCH_FREE_REQUESTED:
        see_free_requested(look, event, place);
        break;
    case TORCH_FREE_COMPLETED:
        see_free(look, event, place);
        break;
    case TORCH_SEGMENT_ALLOC:
        see_reserved(look, &trace->segment_allocs, event->size);
        break;
    case TORCH_SEGMENT_FREE:
        see_reserved(look, &trace->segment_frees, 0 - event->size);
        break;
    case TORCH_SEGMENT_MAP:
        see_reserved(look, &trace->segment_maps, event->size);
        break;
    case TORCH_SEGMENT_UNMAP:
        see_reserved(look, &trace->segment_unmaps, 0 - event->size);
        break;
    case TORCH_OOM:
        trace->failures++;
        break;
    case TORCH_SNAPSHOT:
        trace->snapshots++;
        break;
    case TORCH_OTHER:
    case TORCH_ACTIONS:
        add_odd(&trace->unknown, place);
        break;
    }
}

/* A block in use at the end: one that the log knows nothing of was held before it. */
static void see_active(struct look *look, const struct torch_block *block, uint64_t address) {
    struct request_trace *trace = &look->survey->trace;
    uint32_t life = life_at(look, address);
    trace->active.count++;
    trace->active.bytes += block->size;
    trace->active_requested += block->requested;
    if ((life & (LIFE_GONE | LIFE_LISTED)) != 0) {
        trace->contradicted++;
        return;
    }
    if (life == 0) {
        hold(look, address, block->requested);
        life = LIFE_HELD;
    }
    look->made_in_use += (life & LIFE_MADE) != 0;
    number_map_put(&look->live, address, life | LIFE_LISTED);
}

static void see_segment(struct look *look, const struct torch_snapshot *snapshot,
                        const struct torch_segment *segment) {
    struct request_trace *trace = &look->survey->trace;
    uint64_t address = segment->address;
    bool is_tiled = true;
    trace->segments.count++;
    trace->segments.bytes += segment->size;
    for (uint32_t place = 0; place < segment->block_count; place++) {
        const struct torch_block *block = &snapshot->blocks.items[segment->block_first + place];
        is_tiled = is_tiled && (block->address == 0 || block->address == address);
        address = block->address != 0 ? block->address : address;
        if (block->is_active) {
            see_active(look, block, address);
        }
        address += block->size;
    }
    trace->gaps += !is_tiled || address != segment->address + segment->size;
}

static int by_address(const void *left, const void *right) {
    uint64_t first = ((const struct torch_held *)left)->address;
    uint64_t second = ((const struct torch_held *)right)->address;
    return (first > second) - (first < second);
}

/* Whoever still lives at the end, of what the log made. */
static void count_left(struct look *look, const struct torch_snapshot *snapshot) {
    struct request_trace *trace = &look->survey->trace;
    const struct torch_device *device = &look->survey->device;
    trace->at_end = (struct request_sum){ look->bytes.count, look->made_bytes };
    trace->contradicted += trace->at_end.count - look->made_in_use;
    /* From the end: what stands before is of blocks that lived at the address before. */
    for (size_t place = device->event_count; place-- > 0;) {
        const struct torch_event *event = &snapshot->events.items[device->event_first + place];
        if (event->action == TORCH_FREE_REQUESTED &&
            (life_at(look, event->address) & LIFE_LEAVING) != 0) {
            number_map_remove(&look->live, event->address);
            add_odd(&trace->unfinished, place);
        }
    }
}

static void survey_log(struct torch_survey *survey, const struct torch_snapshot *snapshot) {
    struct look look = { .survey = survey };
    struct request_trace *trace = &survey->trace;
    trace->events = survey->device.event_count;
    for (size_t place = 0; place < survey->device.event_count; place++) {
        see_event(&look, &snapshot->events.items[survey->device.event_first + place], place);
    }
    for (size_t place = 0; place < snapshot->segments.count; place++) {
        if (snapshot->segments.items[place].device == trace->device) {
            see_segment(&look, snapshot, &snapshot->segments.items[place]);
        }
    }
    int64_t before = (int64_t)(trace->segments.bytes - look.reserved);
    trace->reserved_before = before < 0 ? 0 : (uint64_t)before;
    trace->reserved_peak = trace->reserved_before + (uint64_t)look.reserved_most;
    count_left(&look, snapshot);
    if (survey->held.count > 0) {
        qsort(survey->held.items, survey->held.count, sizeof *survey->held.items, by_address);
    }
    number_map_fini(&look.live);
    number_map_fini(&look.bytes);
    array_fini(&look.sizes);
    array_fini(&look.unused);
}

/* The device with the longest log, of equals the one with most memory, of these the first. */
static uint32_t find_busiest(const struct torch_snapshot *snapshot) {
    const struct torch_device *devices = snapshot->devices.items;
    uint32_t busiest = 0;
    for (uint32_t place = 1; place < snapshot->devices.count; place++) {
        const struct torch_device *most = &devices[busiest];
        const struct torch_device *device = &devices[place];
        if (device->event_count > most->event_count ||
            (device->event_count == most->event_count && device->reserved > most->reserved)) {
            busiest = place;
        }
    }
    return busiest;
}

static bool complain(const char *path, struct problem *problem, uint32_t device, size_t count) {
    if (count == 0) {
        problem_add(problem, (struct problem_place){ .file = path, .place = "device_traces" },
                    "there is no device in it; expected a list for each");
    } else {
        problem_add(problem, (struct problem_place){ .file = path, .place = "device_traces" },
                    "there is no device %u; expected 0 to %zu", device, count - 1);
    }
    return false;
}

bool torch_survey_make(struct torch_survey *survey, const struct torch_snapshot *snapshot,
                       uint32_t device, const char *path, struct problem *problem) {
    size_t count = snapshot->devices.count;
    struct request_trace *trace = &survey->trace;
    if (count == 0 || (device != IMPORT_ANY_DEVICE && device >= count)) {
        return complain(path, problem, device, count);
    }
    *trace = (struct request_trace){
        .format = "PyTorch memory snapshot",
        .class_letter = 'A',
        .has_times = snapshot->has_times,
        .device = device == IMPORT_ANY_DEVICE ? find_busiest(snapshot) : device,
        .device_count = (uint32_t)count,
        .unknown = { .first = REQUEST_NO_EVENT },
        .repeated = { .first = REQUEST_NO_EVENT },
        .unpaired = { .first = REQUEST_NO_EVENT },
        .resized = { .first = REQUEST_NO_EVENT },
        .unfinished = { .first = REQUEST_NO_EVENT },
    };
    for (uint32_t place = 0; place < count; place++) {
        const struct torch_device *one = &snapshot->devices.items[place];
        trace->devices_used += one->event_count > 0 || one->segments > 0;
    }
    survey->device = snapshot->devices.items[trace->device];
    trace->skipped = survey->device.skipped + snapshot->skipped;
    if (trace->has_times && survey->device.event_count > 0) {
        const struct torch_event *first = &snapshot->events.items[survey->device.event_first];
        survey->origin_us = first->time_us;
        trace->first_ns = first->time_us * 1000;
        trace->last_ns = first[survey->device.event_count - 1].time_us * 1000;
    }
    survey_log(survey, snapshot);
    return true;
}

void torch_survey_fini(struct torch_survey *survey) {
    array_fini(&survey->held);
}

uint64_t torch_survey_time(const struct torch_survey *survey, const struct torch_event *event,
                           uint64_t place) {
    if (!survey->trace.has_times) {
        return place;
    }
    return event->time_us < survey->origin_us ? 0 : (event->time_us - survey->origin_us) * 1000;
}
