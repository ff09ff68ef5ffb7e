/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/metrics.h"

#include <stdlib.h>

#include "base/host.h"
#include "base/must.h"
#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/process.h"

/* More or less of something: a change that is made with this sign. */
enum sign { MADE, FREED };

static void count(uint64_t *bytes, enum sign sign, uint64_t change) {
    must(sign == MADE || *bytes >= change);
    *bytes = sign == MADE ? *bytes + change : *bytes - change;
}

static struct metrics_process *change_process(struct metrics *metrics, uint32_t process) {
    struct metrics_process *at = &metrics->process[process];
    if (!at->is_listed) {
        at->is_listed = true;
        array_add(&metrics->changed_processes, process);
    }
    return at;
}

static uint64_t *change_pool(struct metrics *metrics, uint32_t pool) {
    if (!metrics->pool_is_listed[pool]) {
        metrics->pool_is_listed[pool] = true;
        array_add(&metrics->changed_pools, pool);
    }
    return &metrics->requested[pool];
}

/* Where reservations of a process go first. */
static struct range_window window_of(const struct metrics *metrics, uint32_t process) {
    const struct site *site = metrics->machine->site;
    const struct product *product = site->server[site->process[process].server].product;
    return (struct range_window){ product->reserve_from, product->reserve_to };
}

/* What of a range lies there. */
static uint64_t within_window(const struct metrics *metrics, uint32_t process, uint64_t start,
                              uint64_t size) {
    struct range_window window = window_of(metrics, process);
    uint64_t from = start > window.from ? start : window.from;
    uint64_t to = start + size < window.to ? start + size : window.to;
    return to > from ? to - from : 0;
}

static void count_block(struct metrics *metrics, struct process_id process, uint32_t slot,
                        enum sign sign) {
    const struct machine *machine = metrics->machine;
    const struct block *block = block_get(machine, process, slot);
    struct metrics_process *at = change_process(metrics, process.index);
    uint32_t device = process_presence(machine, process, block->presence)->device;
    uint64_t bytes = block_bytes(block);
    count(&at->requested, sign, block->requested);
    count(&at->consumed, sign, bytes);
    count(&at->addresses, sign, within_window(metrics, process.index, block->address, bytes));
    count(change_pool(metrics, machine_pool(device, block->medium)), sign, block->requested);
}

static void count_host(struct metrics *metrics, struct process_id process, uint32_t slot,
                       enum sign sign) {
    const struct host_block *block = block_get_host(metrics->machine, process, slot);
    struct metrics_process *at = change_process(metrics, process.index);
    at->has_host = true;
    count(&at->host_requested, sign, block->requested);
    count(&at->host_consumed, sign, block->size);
}

/* Physical memory is asked for in whole pages. */
static void count_allocation(struct metrics *metrics, struct process_id process, uint32_t slot,
                             enum sign sign) {
    const struct allocation *allocation =
        handle_allocation(metrics->machine, (struct object_id){ process.index, slot });
    struct metrics_process *at = change_process(metrics, process.index);
    uint64_t size = allocation->size;
    if (allocation->device == LOCATION_HOST) {
        at->has_host = true;
        count(&at->host_requested, sign, size);
        count(&at->host_consumed, sign, size);
        return;
    }
    count(&at->requested, sign, size);
    count(&at->consumed, sign, size);
    count(change_pool(metrics, machine_pool(allocation->device, allocation->medium)), sign, size);
}

static void count_addresses(struct metrics *metrics, struct process_id process, uint64_t start,
                            uint64_t size, enum sign sign) {
    uint64_t *addresses = &change_process(metrics, process.index)->addresses;
    count(addresses, sign, within_window(metrics, process.index, start, size));
}

/* It asked for these kinds and gets no other; what is freed is still in its table. */
static void read_fact(void *context, const struct fact *fact, const void *detail) {
    struct metrics *metrics = context;
    struct process_id process = { metrics->machine->site->thread[fact->thread].process };
    bool is_made = fact->kind == FACT_BLOCK_MADE || fact->kind == FACT_HOST_MADE ||
                   fact->kind == FACT_ALLOCATION_MADE || fact->kind == FACT_RESERVED;
    enum sign sign = is_made ? MADE : FREED;
    (void)detail;
    metrics->changes++;
    if (fact->kind == FACT_BLOCK_MADE || fact->kind == FACT_BLOCK_FREED) {
        count_block(metrics, process, (uint32_t)fact->value[4], sign);
    } else if (fact->kind == FACT_HOST_MADE || fact->kind == FACT_HOST_FREED) {
        count_host(metrics, process, (uint32_t)fact->value[3], sign);
    } else if (fact->kind == FACT_RESERVED || fact->kind == FACT_UNRESERVED) {
        count_addresses(metrics, process, fact->value[0], fact->value[1], sign);
    } else {
        struct process_id maker = { (uint32_t)(fact->value[0] >> 32) };
        count_allocation(metrics, maker, (uint32_t)fact->value[0], sign);
    }
}

/* What a process has before the journal is read. */
static void count_all(struct metrics *metrics, struct process_id process) {
    const struct machine *machine = metrics->machine;
    uint32_t owner = process.index;
    uint32_t slot = table_next(machine->block, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->block, owner, slot + 1)) {
        count_block(metrics, process, slot, MADE);
    }
    slot = table_next(machine->host, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->host, owner, slot + 1)) {
        count_host(metrics, process, slot, MADE);
    }
    slot = table_next(machine->allocation, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->allocation, owner, slot + 1)) {
        count_allocation(metrics, process, slot, MADE);
    }
    slot = table_next(machine->reservation, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->reservation, owner, slot + 1)) {
        const struct reservation *at = mapping_reservation(machine, process, slot);
        count_addresses(metrics, process, at->start, at->size, MADE);
    }
}

void metrics_open(struct metrics *metrics, struct machine *machine) {
    const struct site *site = machine->site;
    uint64_t kinds = journal_kind(FACT_BLOCK_MADE) | journal_kind(FACT_BLOCK_FREED) |
                     journal_kind(FACT_HOST_MADE) | journal_kind(FACT_HOST_FREED) |
                     journal_kind(FACT_ALLOCATION_MADE) | journal_kind(FACT_ALLOCATION_FREED) |
                     journal_kind(FACT_RESERVED) | journal_kind(FACT_UNRESERVED);
    size_t pools = (size_t)site->device_count * MEDIA;
    *metrics = (struct metrics){
        .machine = machine,
        .process = host_zeroed(site->process_count, sizeof *metrics->process),
        .requested = host_zeroed(pools, sizeof *metrics->requested),
        .pool_is_listed = host_zeroed(pools, sizeof *metrics->pool_is_listed),
    };
    for (uint32_t process = 0; process < site->process_count; process++) {
        count_all(metrics, (struct process_id){ process });
    }
    journal_add_reader(&machine->journal, kinds, read_fact, metrics);
}

void metrics_close(struct metrics *metrics) {
    free(metrics->process);
    free(metrics->requested);
    free(metrics->pool_is_listed);
    array_fini(&metrics->changed_pools);
    array_fini(&metrics->changed_processes);
}

bool metrics_take_pool(struct metrics *metrics, uint32_t *pool) {
    if (metrics->changed_pools.count == 0) {
        return false;
    }
    *pool = metrics->changed_pools.items[--metrics->changed_pools.count];
    metrics->pool_is_listed[*pool] = false;
    return true;
}

bool metrics_take_process(struct metrics *metrics, uint32_t *process) {
    if (metrics->changed_processes.count == 0) {
        return false;
    }
    *process = metrics->changed_processes.items[--metrics->changed_processes.count];
    metrics->process[*process].is_listed = false;
    return true;
}

/* What a class may still have of a count of frames that are free. */
static uint64_t within_limit(const struct pool_usage *usage, enum page_class page,
                             uint64_t frames) {
    uint64_t left = usage->limit[page] - usage->frames_used[page];
    return frames < left ? frames : left;
}

bool metrics_pool(const struct metrics *metrics, uint32_t device, uint32_t medium,
                  struct metrics_pool *pool) {
    const struct machine *machine = metrics->machine;
    if (medium == MEDIUM_DDR && site_ddr_usable(machine->site, device) == 0) {
        return false;
    }
    uint32_t number = machine_pool(device, medium);
    struct pool_usage usage = pool_usage(&machine->pools, number);
    uint64_t in_cut = usage.pages_free_in_cut_frames * PAGE_NORMAL_BYTES;
    uint64_t giant = within_limit(&usage, PAGE_GIANT, usage.giant_free * FRAMES_PER_GIANT);
    struct metrics_bytes bytes = {
        .requested = metrics->requested[number],
        .reserved = (uint64_t)(usage.frames - usage.frames_free) * PAGE_HUGE_BYTES,
        .free = usage.frames_free * PAGE_HUGE_BYTES + in_cut,
    };
    bytes.consumed = bytes.reserved - in_cut;
    const uint64_t usable[PAGE_CLASSES] = {
        within_limit(&usage, PAGE_NORMAL, usage.frames_free) * PAGE_HUGE_BYTES + in_cut,
        within_limit(&usage, PAGE_HUGE, usage.frames_free) * PAGE_HUGE_BYTES,
        giant / FRAMES_PER_GIANT * PAGE_GIANT_BYTES,
    };
    *pool = (struct metrics_pool){
        .bytes = bytes,
        .has_giant = machine_product(machine, device)->page_giant != 0,
    };
    for (uint32_t page = 0; page < PAGE_CLASSES; page++) {
        pool->unusable[page] = bytes.free - usable[page];
    }
    return true;
}

struct metrics_space metrics_space(const struct metrics *metrics, uint32_t process) {
    struct range_window window = window_of(metrics, process);
    uint64_t used = metrics->process[process].addresses;
    struct metrics_space space = { .used = used, .free = window.to - window.from - used };
    bool has_space =
        process_get(metrics->machine, (struct process_id){ process })->life == PROCESS_RUNNING;
    space.free_largest =
        has_space ? space_free_longest(&metrics->machine->space, process, window) : space.free;
    return space;
}

uint32_t metrics_part(uint64_t part, uint64_t whole) {
    must(part <= whole);
    /* So that the product fits; a bit of 2^43 bytes changes no part of a million. */
    while (whole >> 43 != 0) {
        part >>= 1;
        whole >>= 1;
    }
    return whole == 0 ? 0 : (uint32_t)(part * METRICS_WHOLE / whole);
}

uint32_t metrics_internal(uint64_t requested, uint64_t consumed) {
    return metrics_part(consumed - requested, consumed);
}

uint32_t metrics_external(uint64_t free, uint64_t free_largest) {
    return metrics_part(free - free_largest, free);
}
