/* SPDX-License-Identifier: Apache-2.0 */
/* What is freed twice, freed in the wrong way, used after it went, or never freed. */
#include "hazard/hazard_family.h"
#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"
#include "machine/object.h"
#include "machine/share.h"

enum row {
    DOUBLE_FREE,
    FREE_INSIDE,
    FREE_WRONG_KIND,
    FREE_UNKNOWN,
    HANDLE_DOUBLE_FREE,
    HANDLE_STILL_MAPPED,
    HANDLE_STALE_USE,
    HANDLE_OF_ANOTHER,
    HANDLE_UNKNOWN,
    BLOCK_LEAK,
    HOST_LEAK,
    PHYSICAL_LEAK,
    IMPORT_LEAK,
    RANGE_LEFT,
    RESET_LEAK,
};

static const struct finding_row rows[] = {
    [DOUBLE_FREE] = { "double_free", FINDING_ERROR, "the memory was freed before",
                      "a block is freed once, by the address that its allocation gave "
                      "(malloc-and-friends 6.5)",
                      "drop the second free, or forget the address at the first one",
                      { NULL } },
    [FREE_INSIDE] = { "free_inside_block", FINDING_ERROR,
                      "the address lies inside of a block and is not its start",
                      "a block is freed by the address that its allocation gave "
                      "(malloc-and-friends 6.5)",
                      "free the address that the allocation returned",
                      { "bytes behind the start" } },
    [FREE_WRONG_KIND] = { "free_of_wrong_kind", FINDING_ERROR,
                          "the memory is freed by a call that belongs to another kind of memory",
                          "each kind of memory has a free of its own (malloc-and-friends 6.5, 7)",
                          "free it by the partner of the call that made it",
                          { NULL } },
    [FREE_UNKNOWN] = { "free_of_unknown_address", FINDING_ERROR,
                       "no allocation of this process gave the address",
                       "only what an allocation returned can be freed (malloc-and-friends 6.5)",
                       "free the address that the allocation returned, in the process that made it",
                       { NULL } },
    [HANDLE_DOUBLE_FREE] = { "handle_double_free", FINDING_UNDEFINED,
                             "the handle was freed before and is gone",
                             "use of a freed handle is undefined (vmm-and-sharing 8.5, row 5)",
                             "free each handle once for each time it was made, imported or "
                             "retained",
                             { NULL } },
    [HANDLE_STILL_MAPPED] = { "handle_free_while_mapped_twice", FINDING_ERROR,
                              "the handle was freed before; only its mappings keep it",
                              "each reference is freed once, and mappings hold their own "
                              "(vmm-and-sharing 8.5, row 4)",
                              "unmap the ranges instead of freeing the handle again",
                              { "mappings" } },
    [HANDLE_STALE_USE] = { "handle_use_after_free", FINDING_UNDEFINED,
                           "the handle is gone",
                           "use of a freed handle is undefined (vmm-and-sharing 8.5, row 6)",
                           "use the handle before it is freed, or keep it by "
                           "aclrtMemRetainAllocationHandle",
                           { NULL } },
    [HANDLE_OF_ANOTHER] = { "handle_of_another_process", FINDING_UNDEFINED,
                            "the handle is one of another process",
                            "handles belong to one process (vmm-and-sharing 8.5, row 64)",
                            "export the handle there and import the share here",
                            { "process id of its owner" } },
    [HANDLE_UNKNOWN] = { "handle_never_made", FINDING_UNDEFINED,
                         "no call ever gave this handle",
                         "a handle comes from aclrtMallocPhysical, an import or a retain "
                         "(vmm-and-sharing 4.2)",
                         "check that the call that was to give the handle succeeded",
                         { NULL } },
    [BLOCK_LEAK] = { "never_freed", FINDING_LEAK,
                     "the process ended and had not freed this device memory",
                     "memory that a program allocates it frees (malloc-and-friends 6.5)",
                     "free the block before the process ends",
                     { NULL } },
    [HOST_LEAK] = { "host_never_freed", FINDING_LEAK,
                    "the process ended and had not freed this host memory",
                    "memory that a program allocates it frees (malloc-and-friends 7)",
                    "call aclrtFreeHost before the process ends",
                    { NULL } },
    [PHYSICAL_LEAK] = { "handle_never_freed", FINDING_LEAK,
                        "the process ended and had not freed this handle",
                        "each handle is freed by its process (vmm-and-sharing 8.5, rows 47, 48)",
                        "call aclrtFreePhysical once for each time the handle was made or "
                        "retained",
                        { "references left", "processes that still use the memory" } },
    [IMPORT_LEAK] = { "import_never_freed", FINDING_LEAK,
                      "the process ended and had not freed this imported handle",
                      "each importer frees its own handle (vmm-and-sharing 8.5, row 48)",
                      "unmap the memory and call aclrtFreePhysical in the importing process",
                      { "references left" } },
    [RANGE_LEFT] = { "range_never_released", FINDING_ADVICE,
                     "the process ended and had not released this range of addresses",
                     "a reservation is given back (vmm-and-sharing 4.6)",
                     "call aclrtReleaseMemAddress after the last unmap",
                     { NULL } },
    [RESET_LEAK] = { "reset_with_memory", FINDING_LEAK,
                     "the device was reset while the process had memory on it",
                     "what a process has on a device goes with the last reset "
                     "(vmm-and-sharing 8.5, row 43)",
                     "free the memory before aclrtResetDevice",
                     { "things that were lost" } },
};

/* Releases are remembered. */

static void keep(struct hazard *hazard, const struct hazard_event *event, uint32_t process,
                 struct released released) {
    released.released = hazard_here(hazard, event);
    released_add(&hazard->released, process, &released);
}

static void see_block_freed(struct hazard *hazard, const struct hazard_event *event) {
    const struct fact *fact = event->fact;
    uint32_t slot = (uint32_t)fact->value[4];
    const struct life *life = table_get(hazard->machine->block_life, event->process.index, slot);
    struct stamp made = block_get(hazard->machine, event->process, slot)->made;
    keep(hazard, event, event->process.index,
         (struct released){ .value = fact->value[0],
                            .size = fact->value[2],
                            .thing = THING_BLOCK,
                            .made = hazard_made(made, life) });
}

static void see_host_freed(struct hazard *hazard, const struct hazard_event *event) {
    const struct fact *fact = event->fact;
    uint32_t slot = (uint32_t)fact->value[3];
    const struct life *life = table_get(hazard->machine->host_life, event->process.index, slot);
    struct stamp made = block_get_host(hazard->machine, event->process, slot)->made;
    keep(hazard, event, event->process.index,
         (struct released){ .value = fact->value[0],
                            .size = fact->value[2],
                            .thing = THING_HOST_BLOCK,
                            .made = hazard_made(made, life) });
}

static void see_handle_destroyed(struct hazard *hazard, const struct hazard_event *event) {
    struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    if (handle_resolve(machine, event->process, event->fact->value[0], &slot) != HANDLE_LIVE) {
        return;
    }
    const struct handle *handle = handle_get(machine, event->process, slot);
    const struct life *life = table_get(machine->handle_life, event->process.index, slot);
    *(struct finding_place *)table_edit(hazard->freed, event->process.index, slot) =
        (struct finding_place){ 0 };
    keep(hazard, event, event->process.index,
         (struct released){ .value = event->fact->value[0],
                            .thing = THING_HANDLE,
                            .made = hazard_made(handle->made, life) });
}

static void see_handle_released(struct hazard *hazard, const struct hazard_event *event) {
    uint32_t slot = 0;
    if (handle_resolve(hazard->machine, event->process, event->fact->value[0], &slot) ==
        HANDLE_LIVE) {
        *(struct finding_place *)table_edit(hazard->freed, event->process.index, slot) =
            hazard_here(hazard, event);
    }
}

static void see_unreserved(struct hazard *hazard, const struct hazard_event *event) {
    keep(hazard, event, event->process.index,
         (struct released){ .value = event->fact->value[0],
                            .size = event->fact->value[1],
                            .thing = THING_RANGE });
}

static void see_unmapped(struct hazard *hazard, const struct hazard_event *event) {
    keep(hazard, event, event->process.index,
         (struct released){ .value = event->fact->value[0],
                            .size = event->fact->value[1],
                            .thing = THING_MAPPING });
}

/* Frees that were refused. */

static bool is_refused(const struct hazard_event *event) {
    return event->result->code != ACL_SUCCESS && event->result->code != ACL_ERROR_RT_CONTEXT_NULL &&
           event->result->code != ACL_ERROR_UNINITIALIZE &&
           event->result->code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
}

/* A live block that holds the address, and how it was made. */
static bool find_live(const struct hazard *hazard, struct process_id process, uint64_t address,
                      struct finding *finding) {
    const struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    if (block_find(machine, process, address, &slot)) {
        const struct block *block = block_get(machine, process, slot);
        finding->cause =
            hazard_made(block->made, table_get(machine->block_life, process.index, slot));
        finding->thing = THING_BLOCK;
        finding->value = finding->address = block->address;
        finding->size = block_bytes(block);
        return true;
    }
    if (block_find_host(machine, process, address, &slot)) {
        const struct host_block *block = block_get_host(machine, process, slot);
        finding->cause =
            hazard_made(block->made, table_get(machine->host_life, process.index, slot));
        finding->thing = THING_HOST_BLOCK;
        finding->value = finding->address = block->address;
        finding->size = block->size;
        return true;
    }
    if (mapping_find(machine, process, address, &slot)) {
        const struct mapping *mapping = mapping_get(machine, process, slot);
        finding->cause =
            hazard_made(mapping->made, table_get(machine->mapping_life, process.index, slot));
        finding->thing = THING_MAPPING;
        finding->value = finding->address = mapping->start;
        finding->size = mapping->size;
        return true;
    }
    return false;
}

static const struct released *find_freed(const struct hazard *hazard, struct process_id process,
                                         uint64_t address) {
    const struct released *block =
        released_find(&hazard->released, process.index, THING_BLOCK, address);
    return block != NULL ? block
                         : released_find(&hazard->released, process.index, THING_HOST_BLOCK,
                                         address);
}

static void see_free(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t address = 0;
    if (!is_refused(event) || !hazard_argument(event, ACL_ADDRESS, &address) || address == 0) {
        return;
    }
    struct finding finding = hazard_finding(hazard, event, &rows[FREE_UNKNOWN]);
    if (find_live(hazard, event->process, address, &finding)) {
        bool is_inside = finding.value != address;
        struct finding told = hazard_finding(
            hazard, event, &rows[is_inside ? FREE_INSIDE : FREE_WRONG_KIND]);
        finding.row = told.row;
        finding.number[0] = is_inside ? address - finding.value : 0;
        hazard_report(hazard, &finding);
        return;
    }
    const struct released *released = find_freed(hazard, event->process, address);
    if (released != NULL) {
        finding = hazard_finding(hazard, event, &rows[DOUBLE_FREE]);
    }
    finding.value = finding.address = address;
    hazard_blame(hazard, event->process.index, &finding, released);
    hazard_report(hazard, &finding);
}

/* Handles that are passed though they are not live ones, to whichever call. */

static void see_stale_handle(struct hazard *hazard, const struct hazard_event *event,
                             uint64_t value) {
    uint32_t slot = 0;
    const struct machine *machine = hazard->machine;
    bool is_free = acl_row_get(event->fact->row)->cost == COST_FREE_PHYSICAL;
    const struct finding_row *row = NULL;
    struct object_value named;
    struct finding finding;
    switch (handle_resolve(machine, event->process, value, &slot)) {
    case HANDLE_LIVE:
        return;
    case HANDLE_STALE:
        row = &rows[is_free ? HANDLE_DOUBLE_FREE : HANDLE_STALE_USE];
        finding = hazard_finding(hazard, event, row);
        finding.value = value;
        finding.thing = THING_HANDLE;
        hazard_blame(hazard, event->process.index, &finding,
                     released_find(&hazard->released, event->process.index, THING_HANDLE, value));
        break;
    case HANDLE_FOREIGN:
        finding = hazard_finding(hazard, event, &rows[HANDLE_OF_ANOTHER]);
        finding.value = value;
        finding.thing = THING_HANDLE;
        object_unpack(value, &named);
        finding.number[0] = machine->site->process[named.process].pid;
        break;
    case HANDLE_NONSENSE:
        finding = hazard_finding(hazard, event, &rows[HANDLE_UNKNOWN]);
        finding.value = value;
        finding.thing = THING_HANDLE;
        break;
    }
    hazard_report(hazard, &finding);
}

static void see_called(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t value = 0;
    if (is_refused(event) && hazard_argument(event, ACL_HANDLE, &value) && value != 0) {
        see_stale_handle(hazard, event, value);
    }
}

static void see_free_physical(struct hazard *hazard, const struct hazard_event *event) {
    const struct machine *machine = hazard->machine;
    uint64_t value = event->record->arg[0];
    uint32_t slot = 0;
    if (event->result->code == ACL_SUCCESS ||
        handle_resolve(machine, event->process, value, &slot) != HANDLE_LIVE) {
        return;
    }
    const struct handle *handle = handle_get(machine, event->process, slot);
    if (handle->references > handle->maps) {
        return;
    }
    struct finding finding = hazard_finding(hazard, event, &rows[HANDLE_STILL_MAPPED]);
    finding.thing = THING_HANDLE;
    finding.value = value;
    finding.number[0] = handle->maps;
    finding.cause =
        *(const struct finding_place *)table_get(hazard->freed, event->process.index, slot);
    hazard_report(hazard, &finding);
}

/* What is left at the end of a process that could have freed it. */

static void report_left(struct hazard *hazard, const struct hazard_event *event, enum row row,
                        struct finding_place made, struct released left) {
    struct finding finding = hazard_finding(hazard, event, &rows[row]);
    finding.cause = made;
    finding.thing = left.thing;
    finding.value = left.value;
    finding.address = left.size > 0 ? left.value : 0;
    finding.size = left.size;
    hazard_report(hazard, &finding);
}

static void see_blocks_left(struct hazard *hazard, const struct hazard_event *event) {
    const struct machine *machine = hazard->machine;
    uint32_t owner = event->process.index;
    uint32_t slot = table_next(machine->block, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->block, owner, slot + 1)) {
        const struct block *block = block_get(machine, event->process, slot);
        report_left(hazard, event, BLOCK_LEAK,
                    hazard_made(block->made, table_get(machine->block_life, owner, slot)),
                    (struct released){ .value = block->address,
                                       .size = block_bytes(block),
                                       .thing = THING_BLOCK });
    }
    slot = table_next(machine->host, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->host, owner, slot + 1)) {
        const struct host_block *block = block_get_host(machine, event->process, slot);
        report_left(hazard, event, HOST_LEAK,
                    hazard_made(block->made, table_get(machine->host_life, owner, slot)),
                    (struct released){ .value = block->address,
                                       .size = block->size,
                                       .thing = THING_HOST_BLOCK });
    }
    slot = table_next(machine->reservation, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->reservation, owner, slot + 1)) {
        const struct reservation *range = mapping_reservation(machine, event->process, slot);
        report_left(hazard, event, RANGE_LEFT,
                    hazard_made(range->made, table_get(machine->reservation_life, owner, slot)),
                    (struct released){ .value = range->start,
                                       .size = range->size,
                                       .thing = THING_RANGE });
    }
}

static void see_handles_left(struct hazard *hazard, const struct hazard_event *event) {
    const struct machine *machine = hazard->machine;
    uint32_t owner = event->process.index;
    uint32_t slot = table_next(machine->handle, owner, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->handle, owner, slot + 1)) {
        const struct handle *handle = handle_get(machine, event->process, slot);
        bool is_import = handle->kind == HANDLE_IMPORTED;
        if (handle->references == handle->maps) {
            continue; /* It was freed; its mappings go with the process. */
        }
        struct finding finding =
            hazard_finding(hazard, event, &rows[is_import ? IMPORT_LEAK : PHYSICAL_LEAK]);
        finding.cause = hazard_made(handle->made, table_get(machine->handle_life, owner, slot));
        finding.thing = THING_HANDLE;
        finding.value = handle_value(machine, event->process, slot);
        finding.size = handle_allocation(machine, handle->allocation)->size;
        finding.number[0] = handle->references - handle->maps;
        if (handle->kind == HANDLE_EXPORTED) {
            finding.number[1] = share_get(machine, handle->share)->users - 1;
        }
        hazard_report(hazard, &finding);
    }
}

/* A process that was killed had no chance to free anything (vmm-and-sharing 8.5, rows 40, 41). */
static void see_ending(struct hazard *hazard, const struct hazard_event *event) {
    if (event->fact->value[1] == PROCESS_EXITED) {
        see_blocks_left(hazard, event);
        see_handles_left(hazard, event);
    }
}

static uint64_t count_on(const struct hazard *hazard, struct process_id process, uint32_t device) {
    const struct machine *machine = hazard->machine;
    uint64_t count = 0;
    uint32_t slot = table_next(machine->block, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->block, process.index, slot + 1)) {
        uint32_t presence = block_get(machine, process, slot)->presence;
        count += process_presence(machine, process, presence)->device == device;
    }
    slot = table_next(machine->handle, process.index, 0);
    for (; slot != SLOT_NONE; slot = table_next(machine->handle, process.index, slot + 1)) {
        count += handle_get(machine, process, slot)->device == device;
    }
    return count;
}

static void see_reset(struct hazard *hazard, const struct hazard_event *event) {
    if (event->fact->value[1] > 0) {
        return;
    }
    struct finding finding = hazard_finding(hazard, event, &rows[RESET_LEAK]);
    finding.number[0] = count_on(hazard, event->process, (uint32_t)event->fact->value[0]);
    if (finding.number[0] > 0) {
        hazard_report(hazard, &finding);
    }
}

static const struct hazard_watcher watchers[] = {
    { FACT_BLOCK_FREED, NULL, see_block_freed },
    { FACT_HOST_FREED, NULL, see_host_freed },
    { FACT_HANDLE_DESTROYED, NULL, see_handle_destroyed },
    { FACT_HANDLE_RELEASED, NULL, see_handle_released },
    { FACT_UNRESERVED, NULL, see_unreserved },
    { FACT_UNMAPPED, NULL, see_unmapped },
    { FACT_CALLED, "aclrtFree", see_free },
    { FACT_CALLED, "aclrtFreeHost", see_free },
    { FACT_CALLED, "acldvppFree", see_free },
    { FACT_CALLED, "hi_mpi_dvpp_free", see_free },
    { FACT_CALLED, "aclrtFreePhysical", see_free_physical },
    { FACT_CALLED, NULL, see_called },
    { FACT_PROCESS_ENDING, NULL, see_ending },
    { FACT_DEVICE_RESET, NULL, see_reset },
};

const struct hazard_family hazard_lifetime = HAZARD_FAMILY(rows, watchers);
