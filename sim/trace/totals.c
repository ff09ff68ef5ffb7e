/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/totals.h"

#include <stdlib.h>

#include "acl/acl.h"
#include "acl/acl_row.h"
#include "base/host.h"
#include "base/must.h"
#include "machine/handle.h"
#include "machine/process.h"

static void grow(struct totals_level *level, uint64_t bytes, uint64_t time_ns) {
    level->bytes += bytes;
    if (level->bytes > level->peak) {
        level->peak = level->bytes;
        level->peak_ns = time_ns;
    }
}

static void shrink(struct totals_level *level, uint64_t bytes) {
    must(level->bytes >= bytes);
    level->bytes -= bytes;
}

static struct totals_process *process_of(struct totals *totals, const struct fact *fact) {
    return &totals->process[totals->machine->site->thread[fact->thread].process];
}

static void read_call(struct totals *totals, const struct fact *fact) {
    struct totals_process *process = process_of(totals, fact);
    totals->calls++;
    totals->refused += fact->code != 0;
    process->calls++;
    process->refused += fact->code != 0;
    process->call_ns += fact->value[0];
    process->queue_ns += fact->value[4];
    struct totals_call *call = &totals->call[fact->row];
    call->times++;
    call->refused += fact->code != 0;
    call->call_ns += fact->value[0];
    call->queue_ns += fact->value[4];
}

/* Blocks are freed by their own process, or at its end, when all of them go. */
static void read_block(struct totals *totals, const struct fact *fact) {
    struct totals_process *process = process_of(totals, fact);
    struct totals_level *device = &totals->device[fact->value[3]];
    uint64_t bytes = fact->value[2];
    if (fact->kind == FACT_BLOCK_MADE) {
        grow(device, bytes, fact->time_ns);
        grow(&process->device, bytes, fact->time_ns);
        process->blocks_bytes += bytes;
        return;
    }
    shrink(device, bytes);
    if (fact->row != FACT_NO_ROW) {
        shrink(&process->device, bytes);
        process->blocks_bytes -= bytes;
    }
}

static void read_host(struct totals *totals, const struct fact *fact) {
    struct totals_process *process = process_of(totals, fact);
    uint64_t bytes = fact->value[2];
    if (fact->kind == FACT_HOST_MADE) {
        grow(&process->host, bytes, fact->time_ns);
        process->host_blocks_bytes += bytes;
    } else if (fact->row != FACT_NO_ROW) {
        shrink(&process->host, bytes);
        process->host_blocks_bytes -= bytes;
    }
}

/* The number of an allocation says who made it. */
static void read_allocation(struct totals *totals, const struct fact *fact) {
    struct totals_process *process = &totals->process[fact->value[0] >> 32];
    bool on_host = fact->value[2] == LOCATION_HOST;
    struct totals_level *level = on_host ? &process->host : &process->device;
    if (fact->kind == FACT_ALLOCATION_MADE) {
        grow(level, fact->value[1], fact->time_ns);
        if (!on_host) {
            grow(&totals->device[fact->value[2]], fact->value[1], fact->time_ns);
        }
        return;
    }
    shrink(level, fact->value[1]);
    if (!on_host) {
        shrink(&totals->device[fact->value[2]], fact->value[1]);
    }
}

/* As it is now. */
static void count_held(struct totals *totals, uint32_t owner) {
    const struct machine *machine = totals->machine;
    struct totals_process *process = &totals->process[owner];
    process->held = (struct totals_held){
        .blocks = table_count(machine->block, owner),
        .block_bytes = process->blocks_bytes,
        .host_blocks = table_count(machine->host, owner),
        .host_block_bytes = process->host_blocks_bytes,
        .handles = table_count(machine->handle, owner),
        .reservations = table_count(machine->reservation, owner),
        .mappings = table_count(machine->mapping, owner),
        .shares = table_count(machine->share, owner),
        .streams = table_count(machine->stream, owner),
        .events = table_count(machine->event, owner),
    };
}

static void read_end(struct totals *totals, const struct fact *fact) {
    struct totals_process *process = &totals->process[fact->value[0]];
    shrink(&process->device, process->blocks_bytes);
    shrink(&process->host, process->host_blocks_bytes);
    process->blocks_bytes = 0;
    process->host_blocks_bytes = 0;
}

/* It asked for these kinds and gets no other. */
static void read_fact(void *context, const struct fact *fact, const void *detail) {
    (void)detail;
    if (fact->kind == FACT_CALLED) {
        read_call(context, fact);
    } else if (fact->kind == FACT_BLOCK_MADE || fact->kind == FACT_BLOCK_FREED) {
        read_block(context, fact);
    } else if (fact->kind == FACT_HOST_MADE || fact->kind == FACT_HOST_FREED) {
        read_host(context, fact);
    } else if (fact->kind == FACT_PROCESS_ENDING) {
        count_held(context, (uint32_t)fact->value[0]);
    } else if (fact->kind == FACT_PROCESS_ENDED) {
        read_end(context, fact);
    } else {
        read_allocation(context, fact);
    }
}

void totals_open(struct totals *totals, struct machine *machine) {
    uint64_t kinds = journal_kind(FACT_CALLED) | journal_kind(FACT_BLOCK_MADE) |
                     journal_kind(FACT_BLOCK_FREED) | journal_kind(FACT_HOST_MADE) |
                     journal_kind(FACT_HOST_FREED) | journal_kind(FACT_ALLOCATION_MADE) |
                     journal_kind(FACT_ALLOCATION_FREED) | journal_kind(FACT_PROCESS_ENDING) |
                     journal_kind(FACT_PROCESS_ENDED);
    *totals = (struct totals){
        .machine = machine,
        .process = host_zeroed(machine->site->process_count, sizeof *totals->process),
        .device = host_zeroed(machine->site->device_count, sizeof *totals->device),
        .call = host_zeroed(acl_row_count(), sizeof *totals->call),
    };
    journal_add_reader(&machine->journal, kinds, read_fact, totals);
}

void totals_settle(struct totals *totals) {
    for (uint32_t process = 0; process < totals->machine->site->process_count; process++) {
        struct process_id id = { process };
        if (process_get(totals->machine, id)->life == PROCESS_RUNNING) {
            count_held(totals, process);
        }
    }
}

void totals_close(struct totals *totals) {
    free(totals->process);
    free(totals->device);
    free(totals->call);
}
