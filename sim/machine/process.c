/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/process.h"

#include "base/must.h"
#include "machine/block.h"
#include "machine/driver.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/peer.h"
#include "machine/share.h"
#include "machine/stream.h"

static struct process *edit(struct machine *machine, struct process_id process) {
    return table_edit(machine->process, 0, process.index);
}

void process_start(struct machine *machine, struct process_id process) {
    struct process *started = edit(machine, process);
    must(started->life != PROCESS_RUNNING);
    started->life = PROCESS_RUNNING;
    started->incarnation++;
    started->inits = 0;
    started->finalized = 0;
    started->opened = 0;
    space_make(&machine->space, process.index);
    machine_record(machine, FACT_PROCESS_STARTED, process.index, 0, 0, 0);
}

void process_initialise(struct machine *machine, struct process_id process) {
    struct process *at = edit(machine, process);
    at->inits++;
    at->finalized = 0;
}

void process_finalise(struct machine *machine, struct process_id process) {
    struct process *at = edit(machine, process);
    at->inits = 0;
    at->finalized = 1;
}

void process_add_media(struct machine *machine, struct process_id process, uint64_t bytes) {
    edit(machine, process)->media_bytes += bytes;
}

void process_remove_media(struct machine *machine, struct process_id process, uint64_t bytes) {
    edit(machine, process)->media_bytes -= bytes;
}

uint32_t process_find_presence(const struct machine *machine, struct process_id process,
                               struct device_id device) {
    for (uint32_t slot = table_next(machine->presence, process.index, 0); slot != SLOT_NONE;
         slot = table_next(machine->presence, process.index, slot + 1)) {
        if (process_presence(machine, process, slot)->device == device.index) {
            return slot;
        }
    }
    return PRESENCE_NONE;
}

static void open_holders(struct machine *machine, struct process_id process, uint32_t presence) {
    uint32_t device = process_presence(machine, process, presence)->device;
    for (uint32_t medium = 0; medium < MEDIA; medium++) {
        uint32_t holder = process_holder(process, presence, medium);
        bool has_medium = medium == MEDIUM_MAIN || machine_product(machine, device)->ddr_usable > 0;
        if (has_medium) {
            pool_add_holder(&machine->pools, holder, machine_pool(device, medium));
        }
    }
}

uint32_t process_make_presence(struct machine *machine, struct process_id process,
                               struct device_id device) {
    uint32_t slot = process_find_presence(machine, process, device);
    if (slot == PRESENCE_NONE) {
        slot = table_add(machine->presence, process.index);
        must(slot < PRESENCES);
        ((struct presence *)table_edit(machine->presence, process.index, slot))->device =
            device.index;
        open_holders(machine, process, slot);
    }
    return slot;
}

void process_set_current(struct machine *machine, struct thread_id thread, uint32_t presence) {
    ((struct thread *)table_edit(machine->thread, 0, thread.index))->current = presence + 1;
}

void process_set_device(struct machine *machine, struct thread_id thread, uint32_t presence) {
    struct process_id process = process_of_thread(machine, thread);
    struct presence *set = table_edit(machine->presence, process.index, presence);
    set->sets++;
    edit(machine, process)->opened = 1;
    ((struct warmth *)table_edit(machine->warmth, 0, set->device))->sets++;
    process_set_current(machine, thread, presence);
    machine_record(machine, FACT_DEVICE_SET, set->device, set->sets, 0, 0);
}

bool process_was_set(const struct machine *machine, struct device_id device) {
    return ((const struct warmth *)table_get(machine->warmth, 0, device.index))->sets > 0;
}

static bool is_on(const struct machine *machine, struct process_id process, uint32_t slot,
                  uint32_t device) {
    return device == SITE_NO_DEVICE || mapping_get(machine, process, slot)->device == device;
}

/* What a process has on a device, or everywhere (SITE_NO_DEVICE), in the order of its tables. */
static void drop_mappings(struct machine *machine, struct process_id process, uint32_t device) {
    uint32_t slot = table_next(machine->mapping, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->mapping, process.index, slot + 1)) {
        if (is_on(machine, process, slot, device)) {
            mapping_unmap(machine, process, slot);
        }
    }
}

static void drop_handles(struct machine *machine, struct process_id process, uint32_t device) {
    uint32_t slot = table_next(machine->handle, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->handle, process.index, slot + 1)) {
        if (device == SITE_NO_DEVICE || handle_get(machine, process, slot)->device == device) {
            handle_drop(machine, process, slot);
        }
    }
}

static void drop_blocks(struct machine *machine, struct process_id process, uint32_t presence) {
    uint32_t slot = table_next(machine->block, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->block, process.index, slot + 1)) {
        if (presence == PRESENCE_NONE || block_get(machine, process, slot)->presence == presence) {
            block_free(machine, process, slot);
        }
    }
}

/* Streams first: what they do must not outlive what they touch. */
static void drop_work(struct machine *machine, struct process_id process, uint32_t presence) {
    uint32_t slot = table_next(machine->stream, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->stream, process.index, slot + 1)) {
        if (presence == PRESENCE_NONE || stream_get(machine, process, slot)->presence == presence) {
            stream_drop(machine, process, slot);
        }
    }
}

static void drop_events(struct machine *machine, struct process_id process) {
    uint32_t slot = table_next(machine->event, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->event, process.index, slot + 1)) {
        event_drop(machine, process, slot);
    }
}

static void drop_addresses(struct machine *machine, struct process_id process) {
    uint32_t slot = table_next(machine->reservation, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->reservation, process.index, slot + 1)) {
        mapping_unreserve(machine, process, slot);
    }
    slot = table_next(machine->host, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->host, process.index, slot + 1)) {
        block_free_host(machine, process, slot);
    }
}

static void drop_presences(struct machine *machine, struct process_id process) {
    uint32_t slot = table_next(machine->presence, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->presence, process.index, slot + 1)) {
        peer_drop(machine, process, slot);
        ((struct presence *)table_edit(machine->presence, process.index, slot))->sets = 0;
    }
}

struct flow_end process_copy_end(const struct machine *machine, struct thread_id thread) {
    struct process_id process = process_of_thread(machine, thread);
    return (struct flow_end){ machine->site->process[process.index].server, true, 0, thread.index };
}

/* Calls a function for each thread of a process. */
static void each_thread(struct machine *machine, struct process_id process,
                        void (*visit)(struct machine *machine, struct thread_id thread,
                                      uint32_t presence),
                        uint32_t presence) {
    const struct site_process *at = &machine->site->process[process.index];
    for (uint32_t place = 0; place < at->thread_count; place++) {
        visit(machine, (struct thread_id){ at->thread_first + place }, presence);
    }
}

static void stop_thread(struct machine *machine, struct thread_id thread, uint32_t presence) {
    driver_abandon(machine, thread);
    stream_abandon(machine, thread);
    if (((const struct thread_asked *)table_get(machine->asked, 0, thread.index))->since_ns != 0) {
        ((struct thread_asked *)table_edit(machine->asked, 0, thread.index))->since_ns = 0;
    }
    link_stop(machine, process_copy_end(machine, thread));
    engine_withdraw(&machine->engine, (struct action){ ACTION_STEP, 0, thread.index });
    process_set_current(machine, thread, presence);
}

static void forget_device(struct machine *machine, struct thread_id thread, uint32_t presence) {
    if (process_current(machine, thread) == presence) {
        process_set_current(machine, thread, PRESENCE_NONE);
    }
}

void process_end(struct machine *machine, struct process_id process, enum process_end reason) {
    struct moment before = machine->moment;
    must(process_get(machine, process)->life == PROCESS_RUNNING);
    uint32_t thread = machine->site->process[process.index].thread_first;
    machine->moment = (struct moment){ .row = FACT_NO_ROW, .thread = { thread } };
    machine_record(machine, FACT_PROCESS_ENDING, process.index, reason, 0, 0);
    each_thread(machine, process, stop_thread, PRESENCE_NONE);
    drop_work(machine, process, PRESENCE_NONE);
    drop_events(machine, process);
    drop_mappings(machine, process, SITE_NO_DEVICE);
    drop_handles(machine, process, SITE_NO_DEVICE);
    drop_addresses(machine, process);
    drop_blocks(machine, process, PRESENCE_NONE);
    drop_presences(machine, process);
    share_unlist_process(machine, process);
    space_drop(&machine->space, process.index);
    edit(machine, process)->life = PROCESS_ENDED;
    machine_record(machine, FACT_PROCESS_ENDED, process.index, reason, 0, 0);
    machine->moment = before;
}

void process_reset_device(struct machine *machine, struct process_id process, uint32_t presence,
                          bool force) {
    struct presence *reset = table_edit(machine->presence, process.index, presence);
    must(reset->sets > 0);
    reset->sets = force ? 0 : reset->sets - 1;
    machine_record(machine, FACT_DEVICE_RESET, reset->device, reset->sets, 0, 0);
    if (reset->sets > 0) {
        return;
    }
    drop_work(machine, process, presence);
    drop_mappings(machine, process, reset->device);
    drop_handles(machine, process, reset->device);
    drop_blocks(machine, process, presence);
    peer_drop(machine, process, presence);
    each_thread(machine, process, forget_device, presence);
}
