/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/number_map.h"
#include "import/import.h"
#include "import/torch_snapshot.h"
#include "import/torch_survey.h"

/* Blocks that live while the requests are walked: by address, numbers used again. */
struct walk {
    struct number_map live; /* address to number */
    ARRAY(uint32_t) unused; /* numbers */
    ARRAY(uint64_t) size;   /* of each number */
    size_t held;            /* next of the held blocks */
    size_t event;           /* next of the log */
    bool has_freed;         /* an alloc at a live address: its block is freed first */
};

struct torch_import {
    struct torch_snapshot snapshot;
    struct torch_survey survey;
    struct walk walk;
};

static uint32_t take_number(struct walk *walk, uint64_t size) {
    if (walk->unused.count > 0) {
        uint32_t number = walk->unused.items[--walk->unused.count];
        walk->size.items[number] = size;
        return number;
    }
    array_add(&walk->size, size);
    return (uint32_t)walk->size.count - 1;
}

static struct request free_block(struct walk *walk, uint64_t address, uint32_t number) {
    number_map_remove(&walk->live, address);
    array_add(&walk->unused, number);
    return (struct request){
        .size = walk->size.items[number],
        .block = number,
        .kind = REQUEST_FREE,
    };
}

static struct request make_block(struct walk *walk, uint64_t address, uint64_t size) {
    uint32_t number = take_number(walk, size);
    number_map_put(&walk->live, address, number);
    return (struct request){ .size = size, .block = number, .kind = REQUEST_ALLOC };
}

/* The request that an event makes, if it makes one. */
static bool take_event(struct walk *walk, const struct torch_event *event,
                       struct request *request) {
    uint32_t number = 0;
    bool is_live = number_map_find(&walk->live, event->address, &number);
    if (event->action == TORCH_FREE_COMPLETED && is_live) {
        *request = free_block(walk, event->address, number);
        return true;
    }
    if (event->action != TORCH_ALLOC) {
        return false;
    }
    if (is_live) {
        *request = free_block(walk, event->address, number);
        walk->has_freed = true;
    } else {
        *request = make_block(walk, event->address, event->size);
    }
    return true;
}

static bool next(void *context, struct request *request) {
    struct torch_import *import = context;
    struct walk *walk = &import->walk;
    const struct torch_survey *survey = &import->survey;
    if (walk->held < survey->held.count) {
        const struct torch_held *held = &survey->held.items[walk->held++];
        *request = make_block(walk, held->address, held->size);
        request->kind = REQUEST_HOLD;
        request->event = REQUEST_NO_EVENT;
        return true;
    }
    while (walk->event < survey->device.event_count) {
        size_t place = survey->device.event_first + walk->event;
        const struct torch_event *event = &import->snapshot.events.items[place];
        if (take_event(walk, event, request)) {
            request->event = walk->event;
            request->stream = event->stream;
            request->time_ns = torch_survey_time(survey, event, walk->event);
            walk->event += !walk->has_freed;
            walk->has_freed = false;
            return true;
        }
        walk->event++;
    }
    return false;
}

static void rewind_walk(void *context) {
    struct torch_import *import = context;
    number_map_fini(&import->walk.live);
    array_clear(&import->walk.unused);
    array_clear(&import->walk.size);
    import->walk.held = 0;
    import->walk.event = 0;
}

static void close_import(void *context) {
    struct torch_import *import = context;
    rewind_walk(import);
    array_fini(&import->walk.unused);
    array_fini(&import->walk.size);
    torch_survey_fini(&import->survey);
    torch_snapshot_fini(&import->snapshot);
    free(import);
}

static size_t pass_space(const unsigned char *first, size_t size, size_t at) {
    while (at < size && strchr(" \n\r\t", first[at]) != NULL && first[at] != '\0') {
        at++;
    }
    return at;
}

/* A dict whose first key is one of a snapshot. */
static bool is_json(const unsigned char *first, size_t size) {
    static const char *const keys[] = { "\"segments\"", "\"device_traces\"",
                                        "\"allocator_settings\"", "\"external_annotations\"" };
    size_t at = size >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    at = pass_space(first, size, at);
    if (at == size || first[at] != '{') {
        return false;
    }
    at = pass_space(first, size, at + 1);
    for (size_t place = 0; place < sizeof keys / sizeof *keys; place++) {
        size_t length = strlen(keys[place]);
        if (size - at >= length && memcmp(first + at, keys[place], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool recognise(const unsigned char *first, size_t size) {
    return torch_snapshot_is_pickle(first, size) || is_json(first, size);
}

static bool open_snapshot(struct form_source *source, uint32_t device, struct import *import,
                          struct problem *problem) {
    struct torch_import *torch = host_zeroed(1, sizeof *torch);
    struct request request;
    if (!torch_snapshot_read(source, &torch->snapshot, problem) ||
        !torch_survey_make(&torch->survey, &torch->snapshot, device, form_source_path(source),
                           problem)) {
        close_import(torch);
        return false;
    }
    while (next(torch, &request)) {
    }
    torch->survey.trace.blocks_max = (uint32_t)torch->walk.size.count;
    rewind_walk(torch);
    *import = (struct import){
        .source = { .trace = &torch->survey.trace,
                    .next = next,
                    .rewind = rewind_walk,
                    .context = torch },
        .close = close_import,
    };
    return true;
}

const struct import_format import_torch_snapshot = {
    .name = "torch-snapshot",
    .summary = "a memory snapshot of PyTorch or torch_npu (.pickle, .pkl, .json, also packed by "
               "gzip)",
    .recognise = recognise,
    .open = open_snapshot,
};
