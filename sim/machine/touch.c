/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/touch.h"

#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/peer.h"
#include "machine/process.h"

enum { LOCATION_TYPE_DEVICE = 1 };

static bool is_inside(uint64_t start, uint64_t size, uint64_t address, uint64_t length) {
    return length <= size && address - start <= size - length;
}

/* Mappings side by side on one device: how far memory reaches from an address on. */
static struct touch_range find_mapped(const struct machine *machine, struct process_id process,
                                      uint64_t address, uint64_t size) {
    struct touch_range range = { TOUCH_NOWHERE, SITE_NO_DEVICE, true, 0 };
    uint64_t at = address;
    uint32_t slot = 0;
    while (mapping_find(machine, process, at, &slot)) {
        const struct mapping *mapping = mapping_get(machine, process, slot);
        const struct handle *handle = handle_get(machine, process, mapping->handle);
        uint32_t device = handle_allocation(machine, handle->allocation)->device;
        if (at != address && device != range.device) {
            break;
        }
        range.mapping = at == address ? slot : range.mapping;
        range.device = device;
        at = mapping->start + mapping->size;
        if (at - address >= size) {
            range.place = device == LOCATION_HOST ? TOUCH_PINNED : TOUCH_DEVICE;
            return range;
        }
    }
    return range;
}

static bool is_host_address(const struct machine *machine, struct process_id process,
                            uint64_t address) {
    const struct site_process *at = &machine->site->process[process.index];
    const struct product *product = machine->site->server[at->server].product;
    return address < product->host_from ||
           (address >= product->host_to && address < product->plain_from);
}

struct touch_range touch_find(const struct machine *machine, struct process_id process,
                              uint64_t address, uint64_t size) {
    struct touch_range range = { TOUCH_NOWHERE, SITE_NO_DEVICE, false, 0 };
    struct space_range found = { 0, 0, SPACE_FREE, 0 };
    (void)space_find(&machine->space, process.index, address, &found);
    switch (found.kind) {
    case SPACE_BLOCK: {
        const struct block *block = block_get(machine, process, found.id);
        range.device = process_presence(machine, process, block->presence)->device;
        range.place =
            is_inside(found.start, found.size, address, size) ? TOUCH_DEVICE : TOUCH_NOWHERE;
        return range;
    }
    case SPACE_HOST:
        range.place =
            is_inside(found.start, found.size, address, size) ? TOUCH_PINNED : TOUCH_NOWHERE;
        return range;
    case SPACE_RESERVATION:
        return find_mapped(machine, process, address, size);
    case SPACE_FREE:
    case SPACE_KINDS:
        break;
    }
    range.place = is_host_address(machine, process, address) ? TOUCH_PAGEABLE : TOUCH_NOWHERE;
    return range;
}

static bool may_peer(const struct machine *machine, struct process_id process, uint32_t device,
                     uint32_t target, bool is_shared) {
    const struct product *product = machine_product(machine, device);
    struct device_id from = { device };
    struct device_id to = { target };
    if (device == target || (!is_shared && !product->peer_for_copies)) {
        return true;
    }
    return peer_is_enabled(machine, process, from, to) &&
           (!product->peer_both || peer_is_open(machine, to, from));
}

/* Through a mapping the device needs an access of its own, or the edge to where the memory is. */
static enum touch_answer may_touch(const struct machine *machine, struct process_id process,
                                   uint32_t device, const struct touch_range *range) {
    if (range->place == TOUCH_NOWHERE) {
        return TOUCH_FAULT;
    }
    if (range->is_shared) {
        uint32_t worker = mapping_get(machine, process, range->mapping)->device;
        bool has_access =
            mapping_access(machine, process, range->mapping, LOCATION_TYPE_DEVICE, device) != 0;
        if (!has_access && range->place == TOUCH_DEVICE && worker != device) {
            return TOUCH_FAULT;
        }
    }
    bool reaches = range->place != TOUCH_DEVICE ||
                   may_peer(machine, process, device, range->device, range->is_shared);
    return reaches ? TOUCH_DONE : TOUCH_NO_PEER;
}

enum touch_answer touch_check(const struct machine *machine, struct process_id process,
                              uint32_t device, uint64_t address, uint64_t size) {
    struct touch_range range = touch_find(machine, process, address, size);
    return may_touch(machine, process, device, &range);
}

static enum touch_source find_source(const struct machine *machine, struct process_id process,
                                     uint64_t address, uint64_t size) {
    struct touch_range range = touch_find(machine, process, address, size);
    uint32_t slot = 0;
    if (range.place == TOUCH_NOWHERE) {
        return TOUCH_FROM_NOWHERE;
    }
    if (range.place != TOUCH_DEVICE) {
        return TOUCH_FROM_HOST;
    }
    if (range.is_shared || !block_find(machine, process, address, &slot)) {
        return TOUCH_FROM_MAPPING;
    }
    uint32_t kind = block_get(machine, process, slot)->kind;
    return kind == BLOCK_MEDIA || kind == BLOCK_MEDIA_V2 ? TOUCH_FROM_MEDIA : TOUCH_FROM_BLOCK;
}

static void record(struct machine *machine, struct process_id process, uint32_t device,
                   const struct touch_work *work, bool write, enum touch_answer answer) {
    const uint64_t address = write ? work->to : work->from;
    if (work->is_media) {
        enum touch_source source = find_source(machine, process, address, work->size);
        machine_record_all(machine, FACT_MEDIA_TOUCHED, address, work->size, write, device, source);
    }
    machine_record_all(machine, FACT_TOUCHED, address, work->size, write, device, answer);
}

/* What the range answers that a piece of work reads or writes, if it does. */
static enum touch_answer ask(const struct machine *machine, struct process_id process,
                             uint32_t device, const struct touch_work *work, bool write) {
    uint64_t address = write ? work->to : work->from;
    return address == 0 ? TOUCH_DONE : touch_check(machine, process, device, address, work->size);
}

uint64_t touch_do(struct machine *machine, struct process_id process, uint32_t device,
                  const struct touch_work *work) {
    enum touch_answer reads = ask(machine, process, device, work, false);
    enum touch_answer writes = ask(machine, process, device, work, true);
    bool is_done = reads == TOUCH_DONE && writes == TOUCH_DONE;
    if (work->from != 0 && (is_done || reads != TOUCH_DONE)) {
        record(machine, process, device, work, false, reads);
    }
    if (work->to != 0 && (is_done || writes != TOUCH_DONE)) {
        record(machine, process, device, work, true, writes);
    }
    return is_done ? 0 : reads != TOUCH_DONE ? work->from : work->to;
}

bool touch_is_left(struct machine *machine, struct process_id process, uint32_t device,
                   const struct touch_work *work) {
    const struct touch_work end = { work->from, work->to, work->size, false };
    enum touch_answer reads = ask(machine, process, device, work, false);
    enum touch_answer writes = ask(machine, process, device, work, true);
    if (reads == TOUCH_DONE && writes == TOUCH_DONE) {
        return true;
    }
    bool write = reads == TOUCH_DONE;
    record(machine, process, device, &end, write, write ? writes : reads);
    return false;
}

static uint32_t number_on_server(const struct machine *machine, const struct touch_range *range) {
    if (range->place != TOUCH_DEVICE) {
        return LINK_TO_HOST;
    }
    uint32_t server = site_server_of(machine->site, range->device);
    return range->device - machine->site->server[server].device_first;
}

struct link_way touch_way(const struct machine *machine, struct process_id process, uint32_t device,
                          uint64_t to, uint64_t from) {
    struct touch_range target = touch_find(machine, process, to, 1);
    struct touch_range source = touch_find(machine, process, from, 1);
    return (struct link_way){
        .server = site_server_of(machine->site, device),
        .from = number_on_server(machine, &source),
        .to = number_on_server(machine, &target),
        .pull = target.place == TOUCH_DEVICE && target.device == device &&
                (source.place != TOUCH_DEVICE || source.device != device),
    };
}
