/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and work that touch memory they must not, or that nobody wrote. */
#include "hazard/hazard_family.h"
#include "hazard/identity.h"
#include "hazard/written.h"
#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/stream.h"
#include "machine/touch.h"

enum row {
    USE_AFTER_FREE,
    USE_AFTER_UNMAP,
    USE_BEFORE_MAP,
    OUT_OF_BLOCK,
    WILD_ACCESS,
    ACCESS_NOT_SET,
    MISSING_PEER,
    FREE_IN_USE,
    UNMAP_IN_USE,
    REUSED_IN_USE,
    READ_UNWRITTEN,
};

static const struct finding_row rows[] = {
    [USE_AFTER_FREE] = { "use_after_free", FINDING_ERROR, "the memory was freed before",
                         "only memory that is allocated may be touched (malloc-and-friends 6.5)",
                         "free the memory after its last use",
                         { NULL } },
    [USE_AFTER_UNMAP] = { "use_after_unmap", FINDING_ERROR, "the range was unmapped before",
                          "only mapped ranges may be touched (vmm-and-sharing 8.5, row 8)",
                          "unmap the range after its last use",
                          { NULL } },
    [USE_BEFORE_MAP] = { "use_of_unmapped_range", FINDING_ERROR,
                         "the range is reserved and nothing is mapped there",
                         "only mapped ranges may be touched (vmm-and-sharing 8.5, row 8)",
                         "map memory into all of the range first",
                         { NULL } },
    [OUT_OF_BLOCK] = { "access_beyond_block", FINDING_ERROR,
                       "the access goes on behind the end of the memory",
                       "an access lies inside of one block or of neighbouring mappings "
                       "(malloc-and-friends 8)",
                       "make the block larger or the access shorter",
                       { "bytes behind the end" } },
    [WILD_ACCESS] = { "access_of_nothing", FINDING_ERROR, "no memory is at this device address",
                      "only memory that is allocated may be touched (malloc-and-friends 6.5)",
                      "check that the call that was to give the address succeeded",
                      { NULL } },
    [ACCESS_NOT_SET] = { "access_not_set", FINDING_ERROR,
                         "the device has no access to this mapping",
                         "a mapping on another device needs aclrtMemSetAccess or peer access "
                         "(vmm-and-sharing 8.5, row 8)",
                         "set the access of the device after the map",
                         { "device that works", "device of the memory" } },
    [MISSING_PEER] = { "missing_peer_access", FINDING_ERROR,
                       "the device has no peer access to the device of the memory",
                       "work across devices needs peer access (vmm-and-sharing 6, "
                       "malloc-and-friends 8.3)",
                       "call aclrtDeviceEnablePeerAccess, in both directions where the product "
                       "asks for it",
                       { "device that works", "device of the memory" } },
    [FREE_IN_USE] = { "free_in_use", FINDING_UNDEFINED,
                      "the memory was freed while queued work was still to touch it",
                      "memory stays until the work on it has ended (malloc-and-friends 8.4)",
                      "synchronise the stream before the free",
                      { NULL } },
    [UNMAP_IN_USE] = { "unmap_in_use", FINDING_UNDEFINED,
                       "the range was unmapped while queued work was still to touch it",
                       "a mapping stays until the work on it has ended "
                       "(vmm-and-sharing 8.5, row 36)",
                       "synchronise the stream before the unmap",
                       { NULL } },
    [REUSED_IN_USE] = { "reuse_in_use", FINDING_UNDEFINED,
                        "queued work touched other memory than it was queued for",
                        "the address led to new memory by then (malloc-and-friends 8.4)",
                        "synchronise the stream before the memory is given back",
                        { NULL } },
    [READ_UNWRITTEN] = { "read_of_unwritten", FINDING_UNDEFINED,
                         "device memory is read that nobody ever wrote",
                         "memory holds no defined bytes after its allocation "
                         "(malloc-and-friends 6.1)",
                         "write or set the memory before it is read",
                         { NULL } },
};

static uint32_t task_of(const struct hazard *hazard) {
    return hazard->machine->moment.task;
}

/* The call that touches: of queued work the one that queued it. */
static struct finding_place toucher(const struct hazard *hazard, const struct hazard_event *event) {
    uint32_t task = task_of(hazard);
    if (task == 0) {
        return hazard_here(hazard, event);
    }
    const struct machine *machine = hazard->machine;
    const struct task *queued = table_get(machine->task, event->process.index, task - 1);
    return hazard_made(queued->made,
                       table_get(machine->task_life, event->process.index, task - 1));
}

static struct finding about(const struct hazard *hazard, const struct hazard_event *event,
                            enum row row) {
    struct finding finding = hazard_finding(hazard, event, &rows[row]);
    finding.wrong = toucher(hazard, event);
    finding.thing = THING_BLOCK;
    finding.value = finding.address = event->fact->value[0];
    finding.size = event->fact->value[1];
    return finding;
}

/* Memory that lies at the address, and who made it. */
static bool find_memory(const struct hazard *hazard, struct process_id process, uint64_t address,
                        struct finding *finding, uint64_t *end) {
    const struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    if (block_find(machine, process, address, &slot)) {
        const struct block *block = block_get(machine, process, slot);
        finding->thing = THING_BLOCK;
        finding->value = block->address;
        finding->cause =
            hazard_made(block->made, table_get(machine->block_life, process.index, slot));
        *end = block->address + block_bytes(block);
        return true;
    }
    if (block_find_host(machine, process, address, &slot)) {
        const struct host_block *block = block_get_host(machine, process, slot);
        finding->thing = THING_HOST_BLOCK;
        finding->value = block->address;
        finding->cause =
            hazard_made(block->made, table_get(machine->host_life, process.index, slot));
        *end = block->address + block->size;
        return true;
    }
    if (mapping_find(machine, process, address, &slot)) {
        const struct mapping *mapping = mapping_get(machine, process, slot);
        finding->thing = THING_MAPPING;
        finding->value = mapping->start;
        finding->cause =
            hazard_made(mapping->made, table_get(machine->mapping_life, process.index, slot));
        *end = mapping->start + mapping->size;
        return true;
    }
    return false;
}

static const struct released *find_released(const struct hazard *hazard, uint32_t process,
                                            uint64_t address) {
    static const enum finding_thing things[] = { THING_BLOCK, THING_HOST_BLOCK, THING_MAPPING };
    const struct released *latest = NULL;
    for (size_t place = 0; place < sizeof things / sizeof *things; place++) {
        const struct released *found =
            released_find_address(&hazard->released, process, things[place], address);
        if (found != NULL &&
            (latest == NULL || found->released.call > latest->released.call)) {
            latest = found;
        }
    }
    return latest;
}

/* The bytes went away: before the work was asked for, or while it was under way. */
static void report_released(struct hazard *hazard, const struct hazard_event *event,
                            const struct released *released) {
    bool is_mapping = released->thing == THING_MAPPING;
    struct finding finding = about(hazard, event, is_mapping ? USE_AFTER_UNMAP : USE_AFTER_FREE);
    finding.thing = released->thing;
    finding.value = released->value;
    finding.cause = released->released;
    if (task_of(hazard) != 0 && released->released.call > finding.wrong.call) {
        struct finding_place queued = finding.wrong;
        finding.row = about(hazard, event, is_mapping ? UNMAP_IN_USE : FREE_IN_USE).row;
        finding.wrong = released->released;
        finding.cause = queued;
    }
    hazard_report(hazard, &finding);
}

/* The first byte of the access that no memory holds; the end of the access when all do. */
static uint64_t first_bad(const struct hazard *hazard, const struct hazard_event *event,
                          struct finding *finding) {
    uint64_t at = event->fact->value[0];
    uint64_t stop = at + event->fact->value[1];
    uint64_t end = 0;
    while (at < stop && find_memory(hazard, event->process, at, finding, &end)) {
        at = end;
    }
    return at < stop ? at : stop;
}

static void see_fault(struct hazard *hazard, const struct hazard_event *event) {
    const struct fact *fact = event->fact;
    const struct machine *machine = hazard->machine;
    uint64_t stop = fact->value[0] + fact->value[1];
    uint32_t slot = 0;
    struct finding finding = about(hazard, event, WILD_ACCESS);
    uint64_t bad = first_bad(hazard, event, &finding);
    if (bad == stop) {
        finding.row = about(hazard, event, ACCESS_NOT_SET).row;
        finding.number[0] = fact->value[3];
        if (mapping_find(machine, event->process, fact->value[0], &slot)) {
            finding.number[1] = mapping_get(machine, event->process, slot)->device;
        }
        hazard_report(hazard, &finding);
        return;
    }
    const struct released *released = find_released(hazard, event->process.index, bad);
    if (released != NULL) {
        report_released(hazard, event, released);
        return;
    }
    finding.address = bad;
    finding.size = stop - bad;
    if (mapping_find_reservation(machine, event->process, bad, &slot)) {
        const struct reservation *range = mapping_reservation(machine, event->process, slot);
        finding.row = about(hazard, event, USE_BEFORE_MAP).row;
        finding.thing = THING_RANGE;
        finding.value = range->start;
        finding.cause = hazard_made(
            range->made, table_get(machine->reservation_life, event->process.index, slot));
    } else if (bad > fact->value[0]) {
        finding.row = about(hazard, event, OUT_OF_BLOCK).row;
        finding.number[0] = stop - bad;
    }
    hazard_report(hazard, &finding);
}

static void see_no_peer(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t end = 0;
    struct finding finding = about(hazard, event, MISSING_PEER);
    find_memory(hazard, event->process, event->fact->value[0], &finding, &end);
    finding.number[0] = event->fact->value[3];
    finding.number[1] =
        touch_find(hazard->machine, event->process, event->fact->value[0], 1).device;
    hazard_report(hazard, &finding);
}

static void report_unwritten(struct hazard *hazard, const struct hazard_event *event,
                             uint64_t address, uint64_t size) {
    uint64_t end = 0;
    struct finding finding = about(hazard, event, READ_UNWRITTEN);
    find_memory(hazard, event->process, address, &finding, &end);
    finding.address = address;
    finding.size = size;
    hazard_report(hazard, &finding);
}

/* Walks the spans of an access; of a read the first gap is told, and taken as written from then on,
 * so that one mistake is told once. */
static void see_bytes(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t at = event->fact->value[0];
    uint64_t left = event->fact->value[1];
    bool is_write = event->fact->value[2] != 0;
    struct written_span span;
    struct written_span gap;
    while (left > 0 && written_span_at(hazard, event->process, at, left, &span)) {
        if (!is_write && written_find_gap(hazard, span, &gap)) {
            report_unwritten(hazard, event, at + (gap.start - span.start), gap.size);
            is_write = true;
        }
        if (is_write) {
            written_add(hazard, span);
        }
        at += span.size;
        left -= span.size;
    }
}

static bool host_writes_there(const struct hazard *hazard, struct process_id process) {
    const struct site *site = hazard->machine->site;
    return site->server[site->process[process.index].server].rc_form;
}

static void see_touched(struct hazard *hazard, const struct hazard_event *event) {
    const struct fact *fact = event->fact;
    uint32_t task = task_of(hazard);
    switch ((enum touch_answer)fact->value[4]) {
    case TOUCH_FAULT:
        see_fault(hazard, event);
        return;
    case TOUCH_NO_PEER:
        see_no_peer(hazard, event);
        return;
    case TOUCH_DONE:
        break;
    }
    if (task != 0 && identity_has_changed(hazard, event->process, task - 1, fact->value[0])) {
        struct finding finding = about(hazard, event, REUSED_IN_USE);
        const struct released *released =
            find_released(hazard, event->process.index, fact->value[0]);
        finding.cause = finding.wrong;
        hazard_blame(hazard, event->process.index, &finding, NULL);
        if (released != NULL) {
            finding.wrong = released->released;
        }
        hazard_report(hazard, &finding);
    }
    if (!host_writes_there(hazard, event->process)) {
        see_bytes(hazard, event);
    }
}

static void see_queued(struct hazard *hazard, const struct hazard_event *event) {
    uint32_t slot = 0;
    if (stream_resolve(hazard->machine, event->process, event->fact->value[0], &slot)) {
        const struct stream *stream = stream_get(hazard->machine, event->process, slot);
        identity_keep(hazard, event->process, stream->last - 1);
    }
}

static void see_block_freed(struct hazard *hazard, const struct hazard_event *event) {
    written_forget(hazard, written_block(event->process, event->fact->value[0],
                                         event->fact->value[2]));
}

static void see_allocation_freed(struct hazard *hazard, const struct hazard_event *event) {
    struct object_id allocation = { (uint32_t)(event->fact->value[0] >> 32),
                                    (uint32_t)event->fact->value[0] };
    written_forget(hazard, written_allocation(hazard, allocation, event->fact->value[1]));
}

static const struct hazard_watcher watchers[] = {
    { FACT_TOUCHED, NULL, see_touched },
    { FACT_TASK_QUEUED, NULL, see_queued },
    { FACT_BLOCK_FREED, NULL, see_block_freed },
    { FACT_ALLOCATION_FREED, NULL, see_allocation_freed },
};

const struct hazard_family hazard_access = HAZARD_FAMILY(rows, watchers);
