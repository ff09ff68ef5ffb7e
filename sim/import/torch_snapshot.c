/* SPDX-License-Identifier: Apache-2.0 */
#include "import/torch_snapshot.h"

#include "form/form_json.h"
#include "form/form_pickle.h"

/* The words that are looked for; actions first, so that a word of one is its number. */
enum word {
    WORD_BLOCK_ACTIVE = TORCH_OTHER,
    WORD_PENDING_FREE,
    WORD_AWAITING_FREE,
    WORD_ACTION,
    WORD_ADDR,
    WORD_ADDRESS,
    WORD_SIZE,
    WORD_STREAM,
    WORD_TIME,
    WORD_TOTAL_SIZE,
    WORD_REQUESTED,
    WORD_STATE,
    WORD_DEVICE,
    WORD_BLOCKS,
    WORD_SEGMENTS,
    WORD_TRACES,
    WORDS,
    KEYS = WORD_SEGMENTS - WORD_ACTION /* words that dicts under way are asked for */
};

enum { DEVICES_MAX = 4096, ITEMS_MAX = 1 << 27 };

static const char *const words[WORDS] = {
    [TORCH_ALLOC] = "alloc",
    [TORCH_FREE_REQUESTED] = "free_requested",
    [TORCH_FREE_COMPLETED] = "free_completed",
    [TORCH_SEGMENT_ALLOC] = "segment_alloc",
    [TORCH_SEGMENT_FREE] = "segment_free",
    [TORCH_SEGMENT_MAP] = "segment_map",
    [TORCH_SEGMENT_UNMAP] = "segment_unmap",
    [TORCH_SNAPSHOT] = "snapshot",
    [TORCH_OOM] = "oom",
    [WORD_BLOCK_ACTIVE] = "active_allocated",
    [WORD_PENDING_FREE] = "active_pending_free",
    [WORD_AWAITING_FREE] = "active_awaiting_free",
    [WORD_ACTION] = "action",
    [WORD_ADDR] = "addr",
    [WORD_ADDRESS] = "address",
    [WORD_SIZE] = "size",
    [WORD_STREAM] = "stream",
    [WORD_TIME] = "time_us",
    [WORD_TOTAL_SIZE] = "total_size",
    [WORD_REQUESTED] = "requested_size",
    [WORD_STATE] = "state",
    [WORD_DEVICE] = "device",
    [WORD_BLOCKS] = "blocks",
    [WORD_SEGMENTS] = "segments",
    [WORD_TRACES] = "device_traces",
};

/* A dict under way: what it says under the words that are known. */
struct draft {
    uint64_t value[KEYS];
    uint32_t has; /* a bit for each key */
    uint32_t next_free;
};

/* A list under way: which of the things read it holds. */
struct shelf {
    size_t event_first;
    size_t event_count;
    size_t block_first;
    size_t block_count;
};

struct reader {
    struct torch_snapshot *snapshot;
    ARRAY(struct draft) drafts;
    ARRAY(struct shelf) shelves;
    uint32_t free_draft; /* plus 1 */
    uint64_t segments;   /* the list under the key, by the number of its shelf; 0 if it is empty */
    uint64_t traces;
    bool has_segments;
    bool has_traces;
    bool is_mixed; /* the items of a list did not follow each other */
    bool is_full;  /* there was no room for a thing: none of its kind is kept from then on */
};

/* Whether one more thing may be kept where so many are. */
static bool has_room(struct reader *reader, size_t count) {
    reader->is_full |= count >= ITEMS_MAX;
    return count < ITEMS_MAX;
}

static bool has(const struct draft *draft, enum word key) {
    return (draft->has >> (key - WORD_ACTION) & 1) != 0;
}

static uint64_t value_of(const struct draft *draft, enum word key) {
    return draft->value[key - WORD_ACTION];
}

/* Which kind a key's value has; others are passed over. */
static bool is_right_kind(enum word key, const struct form_value *value) {
    switch (value->kind) {
    case FORM_STRING:
        return key == WORD_ACTION || key == WORD_STATE;
    case FORM_LIST:
        return key == WORD_BLOCKS;
    case FORM_INTEGER:
        return key != WORD_ACTION && key != WORD_STATE && key != WORD_BLOCKS;
    default:
        return false;
    }
}

static uint32_t take_draft(struct reader *reader) {
    uint32_t place = reader->free_draft;
    if (place == 0) {
        array_add(&reader->drafts, (struct draft){ .has = 0 });
        return (uint32_t)reader->drafts.count;
    }
    struct draft *draft = &reader->drafts.items[place - 1];
    reader->free_draft = draft->next_free;
    *draft = (struct draft){ .has = 0 };
    return place;
}

static void give_draft(struct reader *reader, uint64_t place) {
    reader->drafts.items[place - 1].next_free = reader->free_draft;
    reader->free_draft = (uint32_t)place;
}

static bool is_draft(const struct form_value *value) {
    return value->kind == FORM_DICT && value->number != 0;
}

static struct shelf *shelf_of(struct reader *reader, struct form_value *list) {
    if (list->number == 0) {
        array_add(&reader->shelves,
                  (struct shelf){ .event_first = reader->snapshot->events.count,
                                  .block_first = reader->snapshot->blocks.count });
        list->number = reader->shelves.count;
    }
    return &reader->shelves.items[list->number - 1];
}

/* The root is the one dict with lists of devices or of segments. */
static void set_root(struct reader *reader, enum word word, const struct form_value *value) {
    if (value->kind != FORM_LIST) {
        return;
    }
    if (word == WORD_SEGMENTS) {
        reader->has_segments = true;
        reader->segments = value->number;
        reader->snapshot->skipped += value->word;
    } else {
        reader->has_traces = true;
        reader->traces = value->number;
    }
}

static void set(void *context, struct form_value *dict, const struct form_value *key,
                const struct form_value *value) {
    struct reader *reader = context;
    if (is_draft(value)) {
        give_draft(reader, value->number);
    }
    if (key->kind != FORM_STRING || key->word == FORM_OTHER_WORD || key->word < WORD_ACTION) {
        return;
    }
    if (key->word == WORD_SEGMENTS || key->word == WORD_TRACES) {
        set_root(reader, (enum word)key->word, value);
        return;
    }
    if (dict->number == 0) {
        dict->number = take_draft(reader);
    }
    struct draft *draft = &reader->drafts.items[dict->number - 1];
    if (is_right_kind((enum word)key->word, value)) {
        draft->has |= (uint32_t)1 << (key->word - WORD_ACTION);
        draft->value[key->word - WORD_ACTION] =
            value->kind == FORM_STRING ? value->word : value->number;
    }
    if (key->word == WORD_BLOCKS && value->kind == FORM_LIST) {
        reader->snapshot->skipped += value->word;
    }
}

static void add_event(struct reader *reader, struct shelf *shelf, const struct draft *draft) {
    struct torch_snapshot *snapshot = reader->snapshot;
    if (!has_room(reader, snapshot->events.count)) {
        return;
    }
    uint64_t action = value_of(draft, WORD_ACTION);
    reader->is_mixed |=
        shelf->event_count > 0 && shelf->event_first + shelf->event_count != snapshot->events.count;
    if (shelf->event_count == 0) {
        shelf->event_first = snapshot->events.count;
    }
    shelf->event_count++;
    snapshot->has_times = snapshot->has_times || has(draft, WORD_TIME);
    struct torch_event event = {
        .address = value_of(draft, WORD_ADDR),
        .size = value_of(draft, WORD_SIZE),
        .stream = value_of(draft, WORD_STREAM),
        .time_us = value_of(draft, WORD_TIME),
        .action = action < TORCH_OTHER ? (uint32_t)action : TORCH_OTHER,
    };
    bool has_block = has(draft, WORD_ADDR) && has(draft, WORD_SIZE) && event.size < INT64_MAX;
    if (event.action < TORCH_SNAPSHOT && !has_block) {
        event.action = TORCH_OTHER;
    }
    array_add(&snapshot->events, event);
}

static void add_block(struct reader *reader, struct shelf *shelf, const struct draft *draft) {
    struct torch_snapshot *snapshot = reader->snapshot;
    if (!has_room(reader, snapshot->blocks.count)) {
        return;
    }
    uint64_t state = value_of(draft, WORD_STATE);
    reader->is_mixed |=
        shelf->block_count > 0 && shelf->block_first + shelf->block_count != snapshot->blocks.count;
    if (shelf->block_count == 0) {
        shelf->block_first = snapshot->blocks.count;
    }
    shelf->block_count++;
    array_add(
        &snapshot->blocks,
        (struct torch_block){
            .address = value_of(draft, WORD_ADDRESS),
            .size = value_of(draft, WORD_SIZE),
            .requested = value_of(draft, has(draft, WORD_REQUESTED) ? WORD_REQUESTED : WORD_SIZE),
            .is_active = state >= WORD_BLOCK_ACTIVE && state <= WORD_AWAITING_FREE,
        });
}

static void add_segment(struct reader *reader, struct form_value *list, const struct draft *draft) {
    if (!has_room(reader, reader->snapshot->segments.count)) {
        return;
    }
    uint64_t device = value_of(draft, WORD_DEVICE);
    struct torch_segment segment = {
        .address = value_of(draft, WORD_ADDRESS),
        .size = value_of(draft, WORD_TOTAL_SIZE),
        .device = device < DEVICES_MAX ? (uint32_t)device : DEVICES_MAX,
    };
    uint64_t blocks = value_of(draft, WORD_BLOCKS);
    if (has(draft, WORD_BLOCKS) && blocks != 0) {
        const struct shelf *shelf = &reader->shelves.items[blocks - 1];
        segment.block_first = (uint32_t)shelf->block_first;
        segment.block_count = (uint32_t)shelf->block_count;
    }
    (void)shelf_of(reader, list);
    segment.list = list->number;
    array_add(&reader->snapshot->segments, segment);
}

/* The lists of events are the items of one list, an empty one for a device that is not in use. */
static void add_device(struct reader *reader, struct form_value *list,
                       const struct form_value *log) {
    if (!has_room(reader, reader->snapshot->devices.count)) {
        return;
    }
    (void)shelf_of(reader, list);
    struct torch_device device = { .skipped = log->word, .list = list->number };
    if (log->number != 0) {
        const struct shelf *shelf = &reader->shelves.items[log->number - 1];
        device.event_first = shelf->event_first;
        device.event_count = shelf->event_count;
    }
    array_add(&reader->snapshot->devices, device);
}

/* Items that nobody knows are counted in the list; who knows the list says whether that matters. */
static void append(void *context, struct form_value *list, const struct form_value *item) {
    struct reader *reader = context;
    if (item->kind == FORM_LIST) {
        add_device(reader, list, item);
        return;
    }
    if (!is_draft(item)) {
        list->word++;
        return;
    }
    struct draft draft = reader->drafts.items[item->number - 1];
    give_draft(reader, item->number);
    if (has(&draft, WORD_ACTION)) {
        add_event(reader, shelf_of(reader, list), &draft);
    } else if (has(&draft, WORD_TOTAL_SIZE)) {
        add_segment(reader, list, &draft);
    } else if (has(&draft, WORD_STATE)) {
        add_block(reader, shelf_of(reader, list), &draft);
    } else {
        list->word++;
    }
}

/* Keeps what stands in the lists of the root: lists of lists may stand elsewhere too. */
static void keep_of_root(struct reader *reader) {
    struct torch_snapshot *snapshot = reader->snapshot;
    size_t kept = 0;
    for (size_t place = 0; place < snapshot->devices.count; place++) {
        if (snapshot->devices.items[place].list == reader->traces) {
            snapshot->devices.items[kept++] = snapshot->devices.items[place];
        }
    }
    snapshot->devices.count = kept;
    kept = 0;
    for (size_t place = 0; place < snapshot->segments.count; place++) {
        if (snapshot->segments.items[place].list == reader->segments) {
            snapshot->segments.items[kept++] = snapshot->segments.items[place];
        }
    }
    snapshot->segments.count = kept;
}

/* A device that has segments and no log gets an empty one. False for a number beyond reason. */
static bool count_segments(struct torch_snapshot *snapshot) {
    for (size_t place = 0; place < snapshot->segments.count; place++) {
        const struct torch_segment *segment = &snapshot->segments.items[place];
        if (segment->device >= DEVICES_MAX) {
            return false;
        }
        while (snapshot->devices.count <= segment->device) {
            array_add(&snapshot->devices, (struct torch_device){ .event_count = 0 });
        }
        snapshot->devices.items[segment->device].segments++;
        snapshot->devices.items[segment->device].reserved += segment->size;
    }
    return true;
}

static bool check(struct reader *reader, struct form_source *source, struct problem *problem) {
    const char *what = NULL;
    if (!reader->has_traces || !reader->has_segments) {
        what = reader->has_segments ? "the key \"device_traces\" is missing; expected a memory "
                                      "snapshot that was recorded with its history"
                                    : "the key \"segments\" is missing; expected a memory snapshot";
    } else if (reader->is_full) {
        what = "more than 134217728 events, blocks or segments; expected a smaller snapshot";
    } else if (reader->is_mixed) {
        what = "the events of one device are not one list; expected a memory snapshot";
    } else {
        keep_of_root(reader);
        if (!count_segments(reader->snapshot)) {
            what = "a segment is on a device of number 4096 or more; expected 0 to 4095";
        }
    }
    if (what != NULL) {
        problem_add(problem, (struct problem_place){ .file = form_source_path(source) }, "%s",
                    what);
    }
    return what == NULL;
}

/* From protocol 2 on a pickle begins with its number; older ones with what they hold: a dict or a
 * list, empty or behind a mark. */
bool torch_snapshot_is_pickle(const unsigned char *first, size_t size) {
    if (size < 2) {
        return false;
    }
    return first[0] == '('
               ? first[1] == 'd' || first[1] == 'l'
               : first[0] == '}' || first[0] == ']' || (first[0] == 0x80 && first[1] <= 5);
}

bool torch_snapshot_read(struct form_source *source, struct torch_snapshot *snapshot,
                         struct problem *problem) {
    struct reader reader = { .snapshot = snapshot };
    struct form_value result;
    const struct form_consumer consumer = {
        .words = words,
        .word_count = WORDS,
        .set = set,
        .append = append,
        .context = &reader,
    };
    unsigned char first[2];
    bool is_pickle = torch_snapshot_is_pickle(first, form_source_peek(source, first, 2));
    bool is_read = (is_pickle ? form_pickle_read(source, &consumer, &result, problem)
                              : form_json_read(source, &consumer, &result, problem)) &&
                   check(&reader, source, problem);
    array_fini(&reader.drafts);
    array_fini(&reader.shelves);
    return is_read;
}

void torch_snapshot_fini(struct torch_snapshot *snapshot) {
    array_fini(&snapshot->events);
    array_fini(&snapshot->blocks);
    array_fini(&snapshot->segments);
    array_fini(&snapshot->devices);
}
