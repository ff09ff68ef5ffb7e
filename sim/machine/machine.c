/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/machine.h"

#include <stddef.h>

#include "base/must.h"
#include "machine/block.h"
#include "machine/driver.h"
#include "machine/flow.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/process.h"
#include "machine/share.h"
#include "machine/stream.h"

#define TYPE(name, record, sort, follows) \
    (&(const struct table_type){ name, sizeof(record), sort, follows })

static struct table *life_table(struct store *store, const char *name) {
    return store_table(store, TYPE(name, struct life, TABLE_NOTE, true));
}

static void bind_processes(struct machine *machine, struct store *store) {
    machine->calls = store_table(store, TYPE("calls", struct calls, TABLE_NOTE, false));
    machine->process = store_table(store, TYPE("process", struct process, TABLE_STATE, false));
    machine->thread = store_table(store, TYPE("thread", struct thread, TABLE_STATE, false));
    machine->turn = store_table(store, TYPE("turn", struct thread_turn, TABLE_NOTE, true));
    machine->asked = store_table(store, TYPE("asked", struct thread_asked, TABLE_NOTE, true));
    machine->driver = store_table(store, TYPE("driver", struct driver, TABLE_NOTE, true));
    machine->presence = store_table(store, TYPE("presence", struct presence, TABLE_STATE, false));
    machine->warmth = store_table(store, TYPE("warmth", struct warmth, TABLE_NOTE, true));
    machine->peer = store_table(store, TYPE("peer", struct peer, TABLE_STATE, false));
    machine->peer_sum = store_table(store, TYPE("peer_sum", struct peer, TABLE_STATE, false));
}

static void bind_memory(struct machine *machine, struct store *store) {
    machine->block = store_table(store, TYPE("block", struct block, TABLE_STATE, false));
    machine->block_life = life_table(store, "block_life");
    machine->host = store_table(store, TYPE("host", struct host_block, TABLE_STATE, false));
    machine->host_life = life_table(store, "host_life");
    machine->allocation =
        store_table(store, TYPE("allocation", struct allocation, TABLE_STATE, false));
    machine->allocation_life = life_table(store, "allocation_life");
    machine->handle = store_table(store, TYPE("handle", struct handle, TABLE_STATE, false));
    machine->handle_life = life_table(store, "handle_life");
    machine->reservation =
        store_table(store, TYPE("reservation", struct reservation, TABLE_STATE, false));
    machine->reservation_life = life_table(store, "reservation_life");
    machine->mapping = store_table(store, TYPE("mapping", struct mapping, TABLE_STATE, false));
    machine->mapping_life = life_table(store, "mapping_life");
    machine->access = store_table(store, TYPE("access", struct access, TABLE_STATE, false));
    machine->share = store_table(store, TYPE("share", struct share, TABLE_STATE, false));
    machine->share_life = life_table(store, "share_life");
    machine->listed = store_table(store, TYPE("listed", struct listed, TABLE_STATE, false));
    machine->listings = range_map_bind(store, "listings");
    machine->listers = range_map_bind(store, "listers");
    machine->imports = range_map_bind(store, "imports");
}

static void bind_work(struct machine *machine, struct store *store) {
    machine->stream = store_table(store, TYPE("stream", struct stream, TABLE_STATE, false));
    machine->stream_life = life_table(store, "stream_life");
    machine->task = store_table(store, TYPE("task", struct task, TABLE_STATE, false));
    machine->task_life = life_table(store, "task_life");
    machine->event = store_table(store, TYPE("event", struct event_mark, TABLE_STATE, false));
    machine->event_life = life_table(store, "event_life");
    machine->wait = store_table(store, TYPE("wait", struct stream_wait, TABLE_STATE, false));
    machine->flow = store_table(store, TYPE("flow", struct flow, TABLE_NOTE, false));
}

static struct pool_size size_of_pool(uint64_t bytes, const struct product *product) {
    uint32_t frames = (uint32_t)(bytes / PAGE_HUGE_BYTES);
    uint64_t limits[PAGE_CLASSES] = { product->limit_normal, product->limit_huge,
                                      product->limit_giant };
    struct pool_size size = { .frames = frames };
    for (int page = 0; page < PAGE_CLASSES; page++) {
        uint64_t limit = limits[page] / PAGE_HUGE_BYTES;
        size.limit[page] = limits[page] == 0 || limit > frames ? frames : (uint32_t)limit;
    }
    return size;
}

static void make_pools(struct machine *machine) {
    for (uint32_t device = 0; device < machine->site->device_count; device++) {
        const struct product *product = machine_product(machine, device);
        uint64_t total = site_usable(machine->site, device);
        uint64_t left = product_usable(product, site_number_there(machine->site, device));
        left -= product->held;
        pool_make(&machine->pools, machine_pool(device, MEDIUM_MAIN),
                  size_of_pool(total < left ? total : left, product));
        uint64_t ddr = site_ddr_usable(machine->site, device);
        if (ddr > 0) {
            pool_make(&machine->pools, machine_pool(device, MEDIUM_DDR),
                      size_of_pool(ddr, product));
        }
    }
}

static void make_processes(struct machine *machine) {
    for (uint32_t process = 0; process < machine->site->process_count; process++) {
        table_add_at(machine->process, 0, process);
    }
    for (uint32_t thread = 0; thread < machine->site->thread_count; thread++) {
        table_add_at(machine->thread, 0, thread);
        table_add_at(machine->wait, 0, thread);
    }
}

struct machine machine_bind(struct store *store, const struct site *site, struct engine engine,
                            bool places_are_state) {
    struct machine machine = {
        .site = site,
        .store = store,
        .engine = engine,
        .journal = journal_bind(store),
        .pools = pools_bind(store, places_are_state),
        .space = space_bind(store),
        .moment = { .row = FACT_NO_ROW },
    };
    bind_processes(&machine, store);
    bind_memory(&machine, store);
    bind_work(&machine, store);
    if (!table_has(machine.calls, 0, 0)) {
        table_add(machine.calls, 0);
        make_pools(&machine);
        make_processes(&machine);
    }
    machine.issued = table_edit(machine.calls, 0, 0);
    return machine;
}

void machine_perform(struct machine *machine, struct action action) {
    struct process_id process = { action.owner };
    switch ((enum action_kind)action.kind) {
    case ACTION_WORK:
        stream_perform(machine, process, action.slot);
        break;
    case ACTION_LINK:
        link_perform(machine, action.owner, action.slot);
        break;
    case ACTION_STEP:
    case ACTION_RELEASE:
    case ACTION_KINDS:
        must(false);
    }
}

void machine_record_all(struct machine *machine, enum fact_kind kind, uint64_t first,
                        uint64_t second, uint64_t third, uint64_t fourth, uint64_t fifth) {
    if (!journal_wants(&machine->journal, kind)) {
        return;
    }
    const struct fact fact = {
        .time_ns = machine_now(machine),
        .kind = (uint16_t)kind,
        .row = machine->moment.row,
        .thread = machine->moment.thread.index,
        .step = machine->moment.step,
        .value = { first, second, third, fourth, fifth },
    };
    journal_record(&machine->journal, &fact, NULL);
}

void machine_record(struct machine *machine, enum fact_kind kind, uint64_t first, uint64_t second,
                    uint64_t third, uint64_t fourth) {
    machine_record_all(machine, kind, first, second, third, fourth, 0);
}

uint32_t machine_pool(uint32_t device, uint32_t medium) {
    return device * MEDIA + medium;
}

const struct product *machine_product(const struct machine *machine, uint32_t device) {
    return machine->site->server[site_server_of(machine->site, device)].product;
}
