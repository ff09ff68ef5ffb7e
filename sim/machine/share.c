/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/share.h"

#include "base/must.h"
#include "machine/handle.h"
#include "machine/process.h"

static const uint64_t LINE = (uint64_t)1 << 62; /* units of the ordered maps: every key fits */

static uint64_t listing_key(uint32_t share, uint32_t pid) {
    return (uint64_t)share << 32 | pid;
}

static uint64_t import_key(struct object_id share, uint32_t device) {
    uint32_t place = device == LOCATION_HOST ? UINT16_MAX : device;
    must(share.process < SHARE_SLOTS && place < SHARE_SLOTS);
    return (uint64_t)share.process << 32 | (uint64_t)share.slot << 16 | place;
}

static uint64_t lister_key(struct object_id share) {
    return (uint64_t)share.process << 32 | share.slot;
}

static bool find_key(const struct range_map *map, uint32_t owner, uint64_t key, uint32_t *id) {
    struct range range;
    if (!range_map_exists(map, owner) || !range_at(map, owner, key, &range) || range.id == 0) {
        return false;
    }
    *id = range.id - 1;
    return true;
}

static void keep_key(struct range_map *map, uint32_t owner, uint64_t key, uint32_t id) {
    if (!range_map_exists(map, owner)) {
        range_map_make(map, owner, 0, LINE);
    }
    range_take(map, owner, (struct range){ key, 1, id + 1 });
}

static struct share *edit(struct machine *machine, struct object_id id) {
    return table_edit(machine->share, id.process, id.slot);
}

const struct share *share_get(const struct machine *machine, struct object_id id) {
    return table_get(machine->share, id.process, id.slot);
}

uint64_t share_value(const struct machine *machine, struct object_id id) {
    const struct share *share = share_get(machine, id);
    const struct site *site = machine->site;
    uint64_t device = 0;
    if (share->device != LOCATION_HOST) {
        uint32_t server = site_server_of(site, share->device);
        device = (share->device - site->server[server].device_first) & 0xff;
    }
    return (uint64_t)share->generation << 40 | device << 32 | (uint64_t)id.process << 16 | id.slot;
}

bool share_resolve(const struct machine *machine, uint64_t value, struct object_id *id) {
    *id = (struct object_id){ (uint32_t)(value >> 16) & 0xffff, (uint32_t)value & 0xffff };
    return table_has(machine->share, id->process, id->slot) && share_value(machine, *id) == value;
}

bool share_has_room(const struct machine *machine, struct process_id exporter) {
    return table_count(machine->share, exporter.index) < SHARE_SLOTS;
}

uint32_t share_make(struct machine *machine, struct process_id exporter, uint32_t handle,
                    bool validate) {
    struct handle *exported = table_edit(machine->handle, exporter.index, handle);
    uint32_t slot = table_add(machine->share, exporter.index);
    struct object_id id = { exporter.index, slot };
    struct share *share = edit(machine, id);
    must(slot < SHARE_SLOTS && exported->kind == HANDLE_OWNED);
    *share = (struct share){
        .allocation = exported->allocation.slot,
        .handle = handle + 1,
        .users = 1,
        .validate = validate,
        .generation = process_next_generation(machine, exporter) & 0xffffff,
        .device = exported->device,
        .made = machine_stamp(machine),
        .incarnation = process_get(machine, exporter)->incarnation,
    };
    exported->kind = HANDLE_EXPORTED;
    exported->share = id;
    machine_note_made(machine, machine->share_life, exporter.index, slot);
    machine_record(machine, FACT_EXPORTED, handle_value(machine, exporter, handle),
                   share_value(machine, id), validate, 0);
    return slot;
}

/* The process that ever has a pid on the host of a share; false when none does. */
static bool find_process(const struct machine *machine, struct object_id share, uint32_t pid,
                         struct process_id *process) {
    const struct site *site = machine->site;
    *process = (struct process_id){ pid - SITE_PID_FIRST };
    return pid >= SITE_PID_FIRST && process->index < site->process_count &&
           site->process[process->index].server == site->process[share.process].server;
}

/* The incarnation of the process that has a pid on the host of a share, when it runs; else 0. */
static uint32_t incarnation_of(const struct machine *machine, struct object_id share,
                               uint32_t pid) {
    struct process_id process;
    if (!find_process(machine, share, pid, &process)) {
        return 0;
    }
    const struct process *running = process_get(machine, process);
    return running->life == PROCESS_RUNNING ? running->incarnation : 0;
}

/* Listings are known from both sides: by their share, and by the process that they name. */
static void keep_listing(struct machine *machine, struct object_id share, uint32_t pid,
                         uint32_t slot) {
    struct process_id process;
    keep_key(&machine->listings, share.process, listing_key(share.slot, pid), slot);
    if (find_process(machine, share, pid, &process)) {
        keep_key(&machine->listers, process.index, lister_key(share), slot);
    }
}

static void drop_listing(struct machine *machine, struct object_id share, uint32_t pid,
                         uint32_t slot) {
    struct process_id process;
    range_give(&machine->listings, share.process, listing_key(share.slot, pid));
    if (find_process(machine, share, pid, &process)) {
        range_give(&machine->listers, process.index, lister_key(share));
    }
    table_remove(machine->listed, share.process, slot);
}

bool share_list(struct machine *machine, struct object_id share, uint32_t pid, uint32_t most) {
    uint64_t key = listing_key(share.slot, pid);
    uint32_t slot = 0;
    if (!find_key(&machine->listings, share.process, key, &slot)) {
        if (share_get(machine, share)->listed >= most) {
            return false;
        }
        slot = table_add(machine->listed, share.process);
        keep_listing(machine, share, pid, slot);
        edit(machine, share)->listed++;
    }
    struct listed *listed = table_edit(machine->listed, share.process, slot);
    listed->share = share.slot;
    listed->pid = pid;
    listed->incarnation = incarnation_of(machine, share, pid);
    listed->made = machine_stamp(machine);
    machine_record(machine, FACT_LISTED, share_value(machine, share), pid, 0, 0);
    return true;
}

const struct listed *share_find_listed(const struct machine *machine, struct object_id share,
                                       uint32_t pid) {
    uint32_t slot = 0;
    return find_key(&machine->listings, share.process, listing_key(share.slot, pid), &slot)
               ? table_get(machine->listed, share.process, slot)
               : NULL;
}

void share_note_imported(struct machine *machine, struct object_id share, uint32_t pid) {
    uint32_t slot = 0;
    edit(machine, share)->imported++;
    if (find_key(&machine->listings, share.process, listing_key(share.slot, pid), &slot)) {
        ((struct listed *)table_edit(machine->listed, share.process, slot))->imported = 1;
    }
}

static void remove_listings(struct machine *machine, struct object_id share) {
    struct range range;
    uint64_t first = listing_key(share.slot, 0);
    while (range_map_exists(&machine->listings, share.process) &&
           range_next_used(&machine->listings, share.process, first, &range) &&
           range.start >> 32 == share.slot) {
        drop_listing(machine, share, (uint32_t)range.start, range.id - 1);
    }
}

void share_unlist_process(struct machine *machine, struct process_id process) {
    uint32_t pid = machine->site->process[process.index].pid;
    struct range range;
    while (range_map_exists(&machine->listers, process.index) &&
           range_next_used(&machine->listers, process.index, 0, &range)) {
        struct object_id share = { (uint32_t)(range.start >> 32), (uint32_t)range.start };
        drop_listing(machine, share, pid, range.id - 1);
        edit(machine, share)->listed--;
    }
}

bool share_is_listed(const struct machine *machine, struct object_id share, uint32_t slot) {
    const struct listed *listed = table_get(machine->listed, share.process, slot);
    struct process_id process;
    uint32_t by_share = 0, by_process = slot;
    return find_key(&machine->listings, share.process, listing_key(share.slot, listed->pid),
                    &by_share) &&
           by_share == slot &&
           (!find_process(machine, share, listed->pid, &process) ||
            find_key(&machine->listers, process.index, lister_key(share), &by_process)) &&
           by_process == slot;
}

static void leave(struct machine *machine, struct object_id share) {
    struct share *left = edit(machine, share);
    must(left->users > 0);
    left->users--;
    if (left->users > 0) {
        return;
    }
    struct object_id allocation = { share.process, left->allocation };
    machine_record(machine, FACT_SHARE_ENDED, share_value(machine, share), 0, 0, 0);
    remove_listings(machine, share);
    machine_note_released(machine, machine->share_life, share.process, share.slot);
    table_remove(machine->share, share.process, share.slot);
    handle_free_allocation(machine, allocation);
}

void share_enter(struct machine *machine, struct object_id share) {
    edit(machine, share)->users++;
}

void share_leave(struct machine *machine, struct object_id share, struct process_id importer,
                 uint32_t device) {
    range_give(&machine->imports, importer.index, import_key(share, device));
    leave(machine, share);
}

void share_leave_exporter(struct machine *machine, struct object_id share) {
    edit(machine, share)->handle = 0;
    leave(machine, share);
}

bool share_find_import(const struct machine *machine, struct object_id share,
                       struct process_id importer, uint32_t device, uint32_t *handle) {
    return find_key(&machine->imports, importer.index, import_key(share, device), handle);
}

void share_keep_import(struct machine *machine, struct object_id share, struct process_id importer,
                       uint32_t device, uint32_t handle) {
    keep_key(&machine->imports, importer.index, import_key(share, device), handle);
    machine_record(machine, FACT_IMPORTED, share_value(machine, share),
                   handle_value(machine, importer, handle), device, 0);
}
