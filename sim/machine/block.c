/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/block.h"

#include "base/must.h"
#include "machine/process.h"

static enum block_answer from_pool(enum pool_answer answer) {
    switch (answer) {
    case POOL_DONE:
        return BLOCK_DONE;
    case POOL_SHORT:
        return BLOCK_SHORT;
    case POOL_CLASS_FULL:
        return BLOCK_CLASS_FULL;
    case POOL_SCATTERED:
        return BLOCK_SCATTERED;
    }
    return BLOCK_SHORT;
}

static bool is_media(const struct block *block) {
    return block->kind == BLOCK_MEDIA || block->kind == BLOCK_MEDIA_V2;
}

enum block_answer block_make(struct machine *machine, struct process_id process,
                             const struct block_wish *wish, uint32_t *slot) {
    const struct site_process *at = &machine->site->process[process.index];
    const struct product *product = machine->site->server[at->server].product;
    uint64_t count = page_count(wish->page, wish->rounded);
    uint64_t size = page_bytes(wish->page);
    uint32_t holder = process_holder(process, wish->presence, wish->medium);
    struct range_window window = { product->plain_from, product->plain_to };
    if (count > (window.to - window.from) / size) {
        return BLOCK_SHORT;
    }
    *slot = table_add(machine->block, process.index);
    struct space_range region = { .size = count * size, .kind = SPACE_BLOCK, .id = *slot };
    if (!space_add_fit(&machine->space, process.index, window, size, &region)) {
        table_remove(machine->block, process.index, *slot);
        return BLOCK_NO_ADDRESSES;
    }
    struct block *block = table_edit(machine->block, process.index, *slot);
    uint32_t extents = 0;
    enum pool_answer answer =
        pool_take(&machine->pools, holder, wish->page, count, *slot, &block->pages, &extents);
    if (answer != POOL_DONE) {
        space_remove(&machine->space, process.index, region.start);
        table_remove(machine->block, process.index, *slot);
        return from_pool(answer);
    }
    machine_note_made(machine, machine->block_life, process.index, *slot)->extents = extents;
    block->address = region.start;
    block->requested = wish->requested;
    block->presence = (uint16_t)wish->presence;
    block->kind = (uint8_t)wish->kind;
    block->medium = (uint8_t)wish->medium;
    block->flags = (uint8_t)wish->flags;
    block->tag = wish->tag;
    block->generation = process_next_generation(machine, process);
    block->made = machine_stamp(machine);
    if (is_media(block)) {
        process_add_media(machine, process, count * size);
    }
    machine_record_all(machine, FACT_BLOCK_MADE, region.start, wish->requested, count * size,
                       process_presence(machine, process, wish->presence)->device, *slot);
    return BLOCK_DONE;
}

void block_free_place(struct machine *machine, struct process_id process,
                      struct block_place *place) {
    uint32_t slot = place->slot;
    const struct block *block = block_get(machine, process, slot);
    const struct life *life = table_get(machine->block_life, process.index, slot);
    uint32_t device = process_presence(machine, process, block->presence)->device;
    uint32_t holder = process_holder(process, block->presence, block->medium);
    pool_prefetch(&machine->pools, holder, &block->pages);
    if (is_media(block)) {
        process_remove_media(machine, process, block_bytes(block));
    }
    machine_record_all(machine, FACT_BLOCK_FREED, block->address, block->requested,
                       block_bytes(block), device, slot);
    space_remove_spot(&place->spot);
    pool_give(&machine->pools, holder, &block->pages, life->extents);
    machine_note_released(machine, machine->block_life, process.index, slot);
    table_remove(machine->block, process.index, slot);
}

void block_free(struct machine *machine, struct process_id process, uint32_t slot) {
    struct block_place place;
    uint64_t address = block_get(machine, process, slot)->address;
    bool is_there = block_find_place(machine, process, address, &place);
    must(is_there && place.slot == slot);
    block_free_place(machine, process, &place);
}

static bool find(const struct machine *machine, struct process_id process, uint64_t address,
                 enum space_kind kind, uint32_t *slot) {
    struct space_range range;
    if (!space_find(&machine->space, process.index, address, &range) || range.kind != kind) {
        return false;
    }
    *slot = range.id;
    return true;
}

bool block_find_place(const struct machine *machine, struct process_id process, uint64_t address,
                      struct block_place *place) {
    struct space_range range;
    if (!space_find_spot(&machine->space, process.index, address, &place->spot, &range) ||
        range.kind != SPACE_BLOCK) {
        return false;
    }
    place->slot = range.id;
    table_prefetch(machine->block, process.index, place->slot);
    table_prefetch(machine->block_life, process.index, place->slot);
    return true;
}

bool block_find(const struct machine *machine, struct process_id process, uint64_t address,
                uint32_t *slot) {
    return find(machine, process, address, SPACE_BLOCK, slot);
}

bool block_make_host(struct machine *machine, struct process_id process,
                     const struct block_wish *wish, uint32_t *slot) {
    const struct site_process *at = &machine->site->process[process.index];
    const struct product *product = machine->site->server[at->server].product;
    struct range_window window = { product->host_from, product->host_to };
    uint64_t pages = page_count(PAGE_NORMAL, wish->rounded);
    if (pages > (window.to - window.from) / PAGE_NORMAL_BYTES) {
        return false;
    }
    *slot = table_add(machine->host, process.index);
    struct space_range region = { .size = pages * PAGE_NORMAL_BYTES,
                                  .kind = SPACE_HOST,
                                  .id = *slot };
    if (!space_add_fit(&machine->space, process.index, window, PAGE_NORMAL_BYTES, &region)) {
        table_remove(machine->host, process.index, *slot);
        return false;
    }
    machine_note_made(machine, machine->host_life, process.index, *slot);
    struct host_block *block = table_edit(machine->host, process.index, *slot);
    block->address = region.start;
    block->requested = wish->requested;
    block->size = region.size;
    block->tag = wish->tag;
    block->generation = process_next_generation(machine, process);
    block->made = machine_stamp(machine);
    machine_record(machine, FACT_HOST_MADE, region.start, wish->requested, block->size, *slot);
    return true;
}

void block_free_host(struct machine *machine, struct process_id process, uint32_t slot) {
    const struct host_block *block = block_get_host(machine, process, slot);
    machine_record(machine, FACT_HOST_FREED, block->address, block->requested, block->size, slot);
    space_remove(&machine->space, process.index, block->address);
    machine_note_released(machine, machine->host_life, process.index, slot);
    table_remove(machine->host, process.index, slot);
}

bool block_find_host(const struct machine *machine, struct process_id process, uint64_t address,
                     uint32_t *slot) {
    return find(machine, process, address, SPACE_HOST, slot);
}

const struct host_block *block_get_host(const struct machine *machine, struct process_id process,
                                        uint32_t slot) {
    return table_get(machine->host, process.index, slot);
}
