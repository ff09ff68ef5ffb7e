/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations and mappings that are given back in the wrong way, or mixed. */
#include "hazard/hazard_family.h"
#include "machine/handle.h"
#include "machine/mapping.h"

enum row {
    DOUBLE_UNMAP,
    UNMAP_INSIDE,
    UNMAP_UNKNOWN,
    RELEASE_MAPPED,
    RELEASE_INSIDE,
    DOUBLE_RELEASE,
    RELEASE_UNKNOWN,
    MAP_OVER_MAP,
    MAP_OUT_OF_RANGE,
    DEVICES_MIXED,
    SORTS_MIXED,
    MAPPED_SMALLER,
    ACCESS_OTHER_RANGE,
};

static const struct finding_row rows[] = {
    [DOUBLE_UNMAP] = { "double_unmap", FINDING_ERROR, "the range was unmapped before",
                       "a mapping is unmapped once (vmm-and-sharing 8.5, row 35)",
                       "drop the second unmap",
                       { NULL } },
    [UNMAP_INSIDE] = { "unmap_inside_mapping", FINDING_ERROR,
                       "the address lies inside of a mapping and is not its start",
                       "a mapping is unmapped as a whole (vmm-and-sharing 8.5, row 34)",
                       "unmap by the address that was mapped",
                       { "bytes behind the start" } },
    [UNMAP_UNKNOWN] = { "unmap_of_nothing", FINDING_ERROR, "nothing is mapped at the address",
                        "only a mapping can be unmapped (vmm-and-sharing 4.9)",
                        "unmap by the address that was given to aclrtMapMem",
                        { NULL } },
    [RELEASE_MAPPED] = { "release_while_mapped", FINDING_ERROR,
                         "the range still has mappings",
                         "a range is unmapped before it is released "
                         "(vmm-and-sharing 8.5, row 32)",
                         "call aclrtUnmapMem for each mapping first",
                         { "mappings" } },
    [RELEASE_INSIDE] = { "release_inside_range", FINDING_ERROR,
                         "the address lies inside of a reserved range and is not its start",
                         "a range is released as a whole (vmm-and-sharing 8.5, row 33)",
                         "release by the address that aclrtReserveMemAddress returned",
                         { "bytes behind the start" } },
    [DOUBLE_RELEASE] = { "double_release", FINDING_ERROR, "the range was released before",
                         "a range is released once (vmm-and-sharing 4.6)",
                         "drop the second release",
                         { NULL } },
    [RELEASE_UNKNOWN] = { "release_of_unknown_range", FINDING_ERROR,
                          "no reservation of this process gave the address",
                          "only what aclrtReserveMemAddress returned is released "
                          "(vmm-and-sharing 4.6)",
                          "release by the address of the reservation",
                          { NULL } },
    [MAP_OVER_MAP] = { "map_over_mapping", FINDING_ERROR,
                       "a part of the range is mapped already",
                       "addresses lead to one memory only (vmm-and-sharing 8.5, row 28)",
                       "unmap the older mapping first, or map behind it",
                       { NULL } },
    [MAP_OUT_OF_RANGE] = { "map_outside_reservation", FINDING_ERROR,
                           "the range to map does not lie inside of one reservation",
                           "memory is mapped into reserved addresses "
                           "(vmm-and-sharing 8.5, row 29)",
                           "reserve all of the range, or map less",
                           { NULL } },
    [DEVICES_MIXED] = { "devices_mixed_in_range", FINDING_ERROR,
                        "the reservation has held memory of another device",
                        "a reservation takes memory of one device, for ever "
                        "(vmm-and-sharing 8.5, row 30)",
                        "reserve a range for each device",
                        { "device of the range", "device of the memory" } },
    [SORTS_MIXED] = { "imports_mixed_in_range", FINDING_ERROR,
                      "the reservation holds own and imported memory",
                      "own and imported handles do not share a reservation "
                      "(vmm-and-sharing 8.5, row 31)",
                      "reserve a range for imported memory alone",
                      { NULL } },
    [MAPPED_SMALLER] = { "import_mapped_smaller", FINDING_ERROR,
                         "the imported memory is mapped with another size than it was made with",
                         "the size equals that of aclrtMallocPhysical "
                         "(vmm-and-sharing 8.5, row 24)",
                         "send the size along with the share and map all of it",
                         { "bytes of the memory", "bytes mapped" } },
    [ACCESS_OTHER_RANGE] = { "access_for_other_range", FINDING_ERROR,
                             "access is set for a range that is not exactly one mapping",
                             "access is set with the start and size of the mapping, after it "
                             "(vmm-and-sharing 8.5, row 37)",
                             "call aclrtMemSetAccess after aclrtMapMem with the same range",
                             { NULL } },
};

static struct finding about(const struct hazard *hazard, const struct hazard_event *event,
                            enum row row, uint64_t address, uint64_t size) {
    struct finding finding = hazard_finding(hazard, event, &rows[row]);
    finding.thing = row == RELEASE_MAPPED || row == RELEASE_INSIDE ? THING_RANGE : THING_MAPPING;
    finding.value = finding.address = address;
    finding.size = size;
    return finding;
}

static struct finding about_mapping(const struct hazard *hazard, const struct hazard_event *event,
                                    enum row row, uint32_t slot) {
    const struct mapping *mapping = mapping_get(hazard->machine, event->process, slot);
    struct finding finding = about(hazard, event, row, mapping->start, mapping->size);
    finding.cause =
        hazard_made(mapping->made,
                    table_get(hazard->machine->mapping_life, event->process.index, slot));
    return finding;
}

static struct finding about_range(const struct hazard *hazard, const struct hazard_event *event,
                                  enum row row, uint32_t slot) {
    const struct reservation *range = mapping_reservation(hazard->machine, event->process, slot);
    struct finding finding = about(hazard, event, row, range->start, range->size);
    finding.cause =
        hazard_made(range->made,
                    table_get(hazard->machine->reservation_life, event->process.index, slot));
    return finding;
}

static bool is_refused(const struct hazard_event *event) {
    return event->result->code == ACL_ERROR_RT_DRV_INTERNAL_ERROR ||
           event->result->code == ACL_ERROR_RT_PARAM_INVALID;
}

static void see_unmap(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t address = event->record->arg[0];
    uint32_t slot = 0;
    struct finding finding;
    if (!is_refused(event) || address == 0) {
        return;
    }
    if (mapping_find(hazard->machine, event->process, address, &slot)) {
        finding = about_mapping(hazard, event, UNMAP_INSIDE, slot);
        finding.number[0] = address - finding.value;
        if (finding.number[0] > 0) {
            hazard_report(hazard, &finding);
        }
        return;
    }
    const struct released *released =
        released_find(&hazard->released, event->process.index, THING_MAPPING, address);
    finding = about(hazard, event, released == NULL ? UNMAP_UNKNOWN : DOUBLE_UNMAP, address, 0);
    hazard_blame(hazard, event->process.index, &finding, released);
    hazard_report(hazard, &finding);
}

static void see_release(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t address = event->record->arg[0];
    uint32_t slot = 0;
    struct finding finding;
    if (!is_refused(event) || address == 0) {
        return;
    }
    if (mapping_find_reservation(hazard->machine, event->process, address, &slot)) {
        const struct reservation *range =
            mapping_reservation(hazard->machine, event->process, slot);
        bool is_inside = range->start != address;
        finding = about_range(hazard, event, is_inside ? RELEASE_INSIDE : RELEASE_MAPPED, slot);
        finding.number[0] = is_inside ? address - range->start : range->mappings;
        if (finding.number[0] > 0) {
            hazard_report(hazard, &finding);
        }
        return;
    }
    const struct released *released =
        released_find(&hazard->released, event->process.index, THING_RANGE, address);
    finding = about(hazard, event, released == NULL ? RELEASE_UNKNOWN : DOUBLE_RELEASE, address, 0);
    hazard_blame(hazard, event->process.index, &finding, released);
    hazard_report(hazard, &finding);
}

/* The first mapping that holds a byte of the range, in steps of the smallest page. */
static bool find_overlap(const struct hazard *hazard, struct process_id process,
                         const struct reservation *range, uint64_t start, uint64_t size,
                         uint32_t *slot) {
    const struct machine *machine = hazard->machine;
    if (range->mappings == 0) {
        return false;
    }
    if (mapping_find(machine, process, start, slot)) {
        return true;
    }
    for (uint64_t at = start; at - start < size; at += PAGE_HUGE_BYTES) {
        if (mapping_find(machine, process, at, slot)) {
            return true;
        }
    }
    return false;
}

static void see_map_refused(struct hazard *hazard, const struct hazard_event *event,
                            const struct handle *handle) {
    const struct machine *machine = hazard->machine;
    uint64_t start = event->record->arg[0];
    uint64_t size = event->record->arg[1];
    uint32_t slot = 0;
    if (!mapping_find_reservation(machine, event->process, start, &slot)) {
        struct finding finding = about(hazard, event, MAP_OUT_OF_RANGE, start, size);
        hazard_report(hazard, &finding);
        return;
    }
    const struct reservation *range = mapping_reservation(machine, event->process, slot);
    uint64_t left = range->start + range->size - start;
    if (size > left) {
        struct finding finding = about_range(hazard, event, MAP_OUT_OF_RANGE, slot);
        finding.address = start + left;
        finding.size = size - left;
        hazard_report(hazard, &finding);
        return;
    }
    uint32_t overlap = 0;
    if (find_overlap(hazard, event->process, range, start, size, &overlap)) {
        struct finding finding = about_mapping(hazard, event, MAP_OVER_MAP, overlap);
        hazard_report(hazard, &finding);
    } else if (range->bound != 0 && range->bound != handle->device + 1) {
        struct finding finding = about_range(hazard, event, DEVICES_MIXED, slot);
        finding.number[0] = range->bound - 1;
        finding.number[1] = handle->device;
        hazard_report(hazard, &finding);
    }
}

static void see_mapped(struct hazard *hazard, const struct hazard_event *event,
                       const struct handle *handle) {
    const struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    if (!mapping_find(machine, event->process, event->record->arg[0], &slot)) {
        return;
    }
    const struct mapping *mapping = mapping_get(machine, event->process, slot);
    const struct reservation *range =
        mapping_reservation(machine, event->process, mapping->reservation);
    if (range->holds == (RESERVATION_OWNED | RESERVATION_IMPORTED)) {
        struct finding finding = about_range(hazard, event, SORTS_MIXED, mapping->reservation);
        hazard_report(hazard, &finding);
    }
    uint64_t made = handle_allocation(machine, handle->allocation)->size;
    if (handle->kind == HANDLE_IMPORTED && mapping->size < made) {
        struct finding finding =
            about(hazard, event, MAPPED_SMALLER, mapping->start, mapping->size);
        finding.number[0] = made;
        finding.number[1] = mapping->size;
        hazard_report(hazard, &finding);
    }
}

static void see_map(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t value = 0;
    uint32_t slot = 0;
    if (!hazard_argument(event, ACL_HANDLE, &value) ||
        handle_resolve(hazard->machine, event->process, value, &slot) != HANDLE_LIVE) {
        return;
    }
    const struct handle *handle = handle_get(hazard->machine, event->process, slot);
    if (event->result->code == ACL_SUCCESS) {
        see_mapped(hazard, event, handle);
    } else if (event->result->code == ACL_ERROR_RT_DRV_INTERNAL_ERROR) {
        see_map_refused(hazard, event, handle);
    }
}

static void see_set_access(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t start = event->record->arg[0];
    uint64_t size = event->record->arg[1];
    uint32_t slot = 0;
    if (event->result->code != ACL_ERROR_RT_DRV_INTERNAL_ERROR) {
        return;
    }
    if (!mapping_find(hazard->machine, event->process, start, &slot)) {
        struct finding finding = about(hazard, event, ACCESS_OTHER_RANGE, start, size);
        hazard_report(hazard, &finding);
        return;
    }
    const struct mapping *mapping = mapping_get(hazard->machine, event->process, slot);
    if (mapping->start != start || mapping->size != size) {
        struct finding finding = about_mapping(hazard, event, ACCESS_OTHER_RANGE, slot);
        hazard_report(hazard, &finding);
    }
}

static const struct hazard_watcher watchers[] = {
    { FACT_CALLED, "aclrtUnmapMem", see_unmap },
    { FACT_CALLED, "aclrtReleaseMemAddress", see_release },
    { FACT_CALLED, "aclrtMapMem", see_map },
    { FACT_CALLED, "aclrtMemSetAccess", see_set_access },
};

const struct hazard_family hazard_mapping = HAZARD_FAMILY(rows, watchers);
