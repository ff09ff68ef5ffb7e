/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/holdings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/peer.h"
#include "machine/process.h"
#include "machine/share.h"
#include "machine/stream.h"

/* A thing that is about to be written: whose, and where in which table. */
struct item {
    const struct machine *machine;
    struct process_id process;
    uint32_t slot;
    struct text *text;
    uint32_t generation; /* set by the writer, when the slot may be used again */
};

static const char *size_of(uint64_t bytes, char text[UNITS_TEXT_SIZE]) {
    return units_write_size(bytes, text);
}

static void append_device(const struct item *item, uint32_t device) {
    if (device == LOCATION_HOST) {
        text_append(item->text, " on the host");
    } else {
        text_printf(item->text, " on device %" PRIu32,
                    site_number_there(item->machine->site, device));
    }
}

static void write_block(struct item *item) {
    const struct block *block = block_get(item->machine, item->process, item->slot);
    char asked[UNITS_TEXT_SIZE];
    char page[UNITS_TEXT_SIZE];
    text_printf(item->text, "block 0x%" PRIx64 "  %s in %" PRIu64 " pages of %s", block->address,
                size_of(block->requested, asked), block->pages.count,
                size_of(page_bytes((enum page_class)block->pages.page_class), page));
    append_device(item, process_presence(item->machine, item->process, block->presence)->device);
    item->generation = block->generation;
}

static void write_host(struct item *item) {
    const struct host_block *block = block_get_host(item->machine, item->process, item->slot);
    char size[UNITS_TEXT_SIZE];
    text_printf(item->text, "host block 0x%" PRIx64 "  %s", block->address,
                size_of(block->requested, size));
    item->generation = block->generation;
}

static void write_handle(struct item *item) {
    static const char *const kinds[] = { "", "", ", exported", ", imported" };
    const struct handle *handle = handle_get(item->machine, item->process, item->slot);
    char size[UNITS_TEXT_SIZE];
    text_printf(item->text, "handle 0x%" PRIx64 "  %s",
                handle_value(item->machine, item->process, item->slot),
                size_of(handle_allocation(item->machine, handle->allocation)->size, size));
    append_device(item, handle->device);
    text_printf(item->text, ", %" PRIu32 " reference%s, %" PRIu32 " of mappings%s",
                handle->references, handle->references == 1 ? "" : "s", handle->maps,
                kinds[handle->kind]);
    item->generation = handle->generation;
}

static void write_reservation(struct item *item) {
    const struct reservation *reservation =
        mapping_reservation(item->machine, item->process, item->slot);
    char size[UNITS_TEXT_SIZE];
    text_printf(item->text, "reservation 0x%" PRIx64 "  %s, %" PRIu32 " mapping%s",
                reservation->start, size_of(reservation->size, size), reservation->mappings,
                reservation->mappings == 1 ? "" : "s");
    item->generation = reservation->generation;
}

static void write_mapping(struct item *item) {
    const struct mapping *mapping = mapping_get(item->machine, item->process, item->slot);
    char size[UNITS_TEXT_SIZE];
    text_printf(item->text, "mapping 0x%" PRIx64 "  %s of handle 0x%" PRIx64, mapping->start,
                size_of(mapping->size, size),
                handle_value(item->machine, item->process, mapping->handle));
    for (uint32_t at = mapping->accesses; at != 0;) {
        const struct access *access = table_get(item->machine->access, item->process.index, at - 1);
        text_append(item->text, at == mapping->accesses ? ", also reached from " : ", ");
        text_printf(item->text, "%" PRIu32, access->device);
        at = access->next;
    }
    item->generation = mapping->generation;
}

static void write_share(struct item *item) {
    struct object_id id = { item->process.index, item->slot };
    const struct share *share = share_get(item->machine, id);
    text_printf(item->text, "share 0x%" PRIx64 "  %" PRIu32 " user%s, imported %" PRIu32 " time%s",
                share_value(item->machine, id), share->users, share->users == 1 ? "" : "s",
                share->imported, share->imported == 1 ? "" : "s");
    if (share->validate != 0) {
        text_printf(item->text, ", %" PRIu32 " on its whitelist", share->listed);
    } else {
        text_append(item->text, ", no whitelist");
    }
    item->generation = share->generation;
}

static void write_stream(struct item *item) {
    const struct stream *stream = stream_get(item->machine, item->process, item->slot);
    text_printf(item->text, "stream 0x%" PRIx64 "  %" PRIu32 " of %" PRIu32 " tasks done",
                stream_value(item->machine, item->process, item->slot), stream->ended,
                stream->queued);
    item->generation = stream->generation;
}

/* The devices that a presence may go to. */
static void write_presence(struct item *item) {
    struct device_id from = { process_presence(item->machine, item->process, item->slot)->device };
    const char *comma = ", peer access to ";
    text_append(item->text, "uses");
    append_device(item, from.index);
    for (uint32_t device = 0; device < item->machine->site->device_count; device++) {
        struct device_id to = { device };
        if (device != from.index && peer_is_enabled(item->machine, item->process, from, to)) {
            text_printf(item->text, "%s%" PRIu32, comma,
                        site_number_there(item->machine->site, device));
            comma = ", ";
        }
    }
}

struct sort {
    size_t table; /* its place in a machine */
    void (*write)(struct item *item);
};

/* Devices come first: an ended process uses none, whatever it did before. */
static const struct sort sorts[] = {
    { offsetof(struct machine, presence), write_presence },
    { offsetof(struct machine, block), write_block },
    { offsetof(struct machine, host), write_host },
    { offsetof(struct machine, handle), write_handle },
    { offsetof(struct machine, reservation), write_reservation },
    { offsetof(struct machine, mapping), write_mapping },
    { offsetof(struct machine, share), write_share },
    { offsetof(struct machine, stream), write_stream },
};

static void add_sort(const struct holdings *holdings, struct holdings *now, uint32_t process,
                     uint32_t sort) {
    const char *machine = (const char *)holdings->machine;
    struct process_id id = { process };
    if (sort == 0 && process_get(holdings->machine, id)->life != PROCESS_RUNNING) {
        return;
    }
    const struct table *table = *(struct table *const *)(const void *)(machine + sorts[sort].table);
    for (uint32_t slot = table_next(table, process, 0); slot != SLOT_NONE;
         slot = table_next(table, process, slot + 1)) {
        struct text text = { 0 };
        struct item item = { holdings->machine, { process }, slot, &text, 0 };
        sorts[sort].write(&item);
        array_add(&now->lines, (struct holding){ { (uint64_t)process << 32 | sort,
                                                   (uint64_t)slot << 32 | item.generation },
                                                 text_steal(&text) });
    }
}

static int compare(const struct holding *left, const struct holding *right) {
    int place = 0;
    while (place < 1 && left->key[place] == right->key[place]) {
        place++;
    }
    return (left->key[place] > right->key[place]) - (left->key[place] < right->key[place]);
}

struct printing {
    const struct holdings *holdings;
    FILE *stream;
    bool all; /* what is as it was, too */
    bool counting;
    uint32_t changed;
    uint32_t same;
};

static void print_one(struct printing *printing, char sign, const struct holding *line) {
    static const char signs[] = "+-~";
    static const char *const colours[] = { "\033[32m", "\033[31m", "\033[33m" };
    const struct site *site = printing->holdings->machine->site;
    const char *at = strchr(signs, sign);
    bool in_colour = printing->holdings->colour && at != NULL;
    printing->changed += at != NULL;
    printing->same += at == NULL;
    if (printing->counting || (at == NULL && !printing->all)) {
        return;
    }
    (void)fprintf(printing->stream, "%14s %s%c %-8s %s%s\n", "",
                  in_colour ? colours[at - signs] : "", sign,
                  site->process[line->key[0] >> 32].name, line->text, in_colour ? "\033[0m" : "");
}

/* Both tables are in the order of their keys. */
static void print_merged(struct printing *printing, const struct holdings *now) {
    const struct holdings *before = printing->holdings;
    size_t old = 0;
    size_t new = 0;
    while (old < before->lines.count || new < now->lines.count) {
        int order = old == before->lines.count ? 1
                    : new == now->lines.count
                        ? -1
                        : compare(&before->lines.items[old], &now->lines.items[new]);
        if (order < 0) {
            print_one(printing, '-', &before->lines.items[old++]);
        } else if (order > 0) {
            print_one(printing, '+', &now->lines.items[new ++]);
        } else {
            const struct holding *line = &now->lines.items[new ++];
            bool is_same = strcmp(before->lines.items[old++].text, line->text) == 0;
            print_one(printing, is_same ? ' ' : '~', line);
        }
    }
}

static void forget(struct holdings *holdings) {
    for (size_t place = 0; place < holdings->lines.count; place++) {
        free(holdings->lines.items[place].text);
    }
    array_fini(&holdings->lines);
}

void holdings_open(struct holdings *holdings, const struct machine *machine, bool colour) {
    *holdings = (struct holdings){ .machine = machine, .colour = colour };
}

void holdings_close(struct holdings *holdings) {
    forget(holdings);
}

void holdings_print(struct holdings *holdings, FILE *stream) {
    struct holdings now = { .machine = holdings->machine, .colour = holdings->colour };
    for (uint32_t process = 0; process < now.machine->site->process_count; process++) {
        for (uint32_t sort = 0; sort < sizeof sorts / sizeof *sorts; sort++) {
            add_sort(holdings, &now, process, sort);
        }
    }
    struct printing printing = { .holdings = holdings, .stream = stream, .counting = true };
    print_merged(&printing, &now);
    if (printing.changed > 0) {
        uint32_t same = printing.same;
        printing.counting = false;
        printing.all = same + printing.changed <= HOLDINGS_LINES_MAX;
        print_merged(&printing, &now);
        if (!printing.all && same > 0) {
            (void)fprintf(stream, "%14s   and %" PRIu32 " as before\n", "", same);
        }
    }
    forget(holdings);
    *holdings = now;
}
