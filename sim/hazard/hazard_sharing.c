/* SPDX-License-Identifier: Apache-2.0 */
/* Exports, whitelists and imports that go wrong, or right only by luck. */
#include "hazard/hazard_family.h"
#include "machine/handle.h"
#include "machine/share.h"

enum row {
    IMPORT_AFTER_FREE,
    SHARE_UNKNOWN,
    NOT_LISTED,
    CONTAINER_PID,
    LISTED_TOO_EARLY,
    SELF_IMPORT,
    NO_LINK,
    DOUBLE_EXPORT,
    EXPORT_OF_IMPORT,
    LIST_BY_STRANGER,
    LIST_NOT_NEEDED,
    LIST_AFTER_END,
    IMPORTED_TWICE,
    FREED_UNSHARED,
    PEERS_BY_IMPORT,
};

static const struct finding_row rows[] = {
    [IMPORT_AFTER_FREE] = { "import_after_free", FINDING_ERROR,
                            "the shared memory was freed before this import",
                            "the memory must exist when it is imported "
                            "(vmm-and-sharing 8.5, row 1)",
                            "let the exporter keep its handle until every importer has imported",
                            { NULL } },
    [SHARE_UNKNOWN] = { "share_never_exported", FINDING_ERROR,
                        "no export ever gave this shareable handle",
                        "a shareable handle comes from an export on the same server "
                        "(vmm-and-sharing 5.1, 8.5, row 44)",
                        "send the value that aclrtMemExportToShareableHandle returned",
                        { NULL } },
    [NOT_LISTED] = { "import_not_listed", FINDING_ERROR,
                     "the importing process is not on the whitelist of the share",
                     "a process imports after the exporter has listed it "
                     "(vmm-and-sharing 8.5, row 15)",
                     "call aclrtMemSetPidToShareableHandle in the exporter with the id that "
                     "aclrtDeviceGetBareTgid gives the importer, before it imports",
                     { "id of the importer", "processes on the whitelist" } },
    [CONTAINER_PID] = { "container_pid_listed", FINDING_ERROR,
                        "the whitelist holds the importer's id inside of its container",
                        "the whitelist takes ids of the host (vmm-and-sharing 8.5, row 17)",
                        "list the id that aclrtDeviceGetBareTgid returns in the importer",
                        { "id that is listed", "id of the importer on the host" } },
    [LISTED_TOO_EARLY] = { "listed_before_start", FINDING_ERROR,
                           "the importer was not running yet when it was listed",
                           "an entry holds for the process that has the id at that time "
                           "(vmm-and-sharing 8.5, row 16)",
                           "list the process after it has started",
                           { "id of the importer" } },
    [SELF_IMPORT] = { "self_import", FINDING_ERROR,
                      "the process imports a share that it exported itself",
                      "a share is imported by other processes (vmm-and-sharing 8.5, row 14)",
                      "use the handle that the process has already",
                      { NULL } },
    [NO_LINK] = { "import_without_link", FINDING_ERROR,
                  "the memory is on a device that the current one can not reach",
                  "an import across devices needs peer access (vmm-and-sharing 5.3)",
                  "import on a device that has a link to the memory",
                  { "device of the memory", "current device" } },
    [DOUBLE_EXPORT] = { "double_export", FINDING_ERROR, "the handle was exported before",
                        "a handle is exported once (vmm-and-sharing 8.5, rows 9, 10)",
                        "give the shareable handle of the first export to all importers",
                        { NULL } },
    [EXPORT_OF_IMPORT] = { "export_of_import", FINDING_ERROR,
                           "the handle came from an import and can not be exported again",
                           "only the maker of memory exports it (vmm-and-sharing 8.5, row 11)",
                           "send the original shareable handle to the third process",
                           { NULL } },
    [LIST_BY_STRANGER] = { "listing_by_another_process", FINDING_ERROR,
                           "the whitelist belongs to another process",
                           "the exporter alone lists processes (vmm-and-sharing 8.5, row 18)",
                           "send the id to the exporter and list it there",
                           { "process id of the exporter" } },
    [LIST_NOT_NEEDED] = { "listing_without_validation", FINDING_ERROR,
                          "the share was exported without validation and has no whitelist",
                          "with flag 1 every process may import (vmm-and-sharing 8.5, row 19)",
                          "drop the listing, or export with flags 0",
                          { NULL } },
    [LIST_AFTER_END] = { "listing_after_free", FINDING_ERROR,
                         "the share had ended before this listing",
                         "a share ends with its last user (vmm-and-sharing 8.5, row 20)",
                         "list the importers before the handle is freed",
                         { NULL } },
    [IMPORTED_TWICE] = { "imported_twice", FINDING_ERROR,
                         "the process had imported this share on the device before",
                         "a process imports a share once; each further import wants a free of "
                         "its own (vmm-and-sharing 8.5, row 12)",
                         "keep the handle of the first import",
                         { "references of the handle now" } },
    [FREED_UNSHARED] = { "freed_before_import", FINDING_ADVICE,
                         "exported memory was freed and nobody had imported it",
                         "the memory must exist when it is imported "
                         "(vmm-and-sharing 8.5, row 1)",
                         "wait for the importers before the free, or do not export",
                         { NULL } },
    [PEERS_BY_IMPORT] = { "peers_by_import", FINDING_ADVICE,
                          "the import enabled the peer access that the program did not ask for",
                          "an import across devices goes with aclrtDeviceEnablePeerAccess "
                          "(vmm-and-sharing 8.5, row 22)",
                          "enable peer access in both directions before the import",
                          { "device of the memory", "current device" } },
};

static uint32_t exporter_of(uint64_t value) {
    return (uint32_t)(value >> 16) & 0xffff;
}

static struct finding about_share(const struct hazard *hazard, const struct hazard_event *event,
                                  enum row row, uint64_t value) {
    struct finding finding = hazard_finding(hazard, event, &rows[row]);
    finding.thing = THING_SHARE;
    finding.value = value;
    return finding;
}

static struct finding_place made_share(const struct hazard *hazard, struct object_id share) {
    const struct machine *machine = hazard->machine;
    return hazard_made(share_get(machine, share)->made,
                       table_get(machine->share_life, share.process, share.slot));
}

/* A value that names no share: one that ended, or one that never was. */
static void report_gone(struct hazard *hazard, const struct hazard_event *event, enum row ended,
                        uint64_t value) {
    uint32_t exporter = exporter_of(value);
    bool can_be = exporter < hazard->machine->site->process_count;
    const struct released *released =
        can_be ? released_find(&hazard->released, exporter, THING_SHARE, value) : NULL;
    bool may_be = can_be && released_has_forgotten(&hazard->released, exporter);
    struct finding finding =
        about_share(hazard, event, released != NULL || may_be ? ended : SHARE_UNKNOWN, value);
    if (can_be) {
        hazard_blame(hazard, exporter, &finding, released);
    }
    hazard_report(hazard, &finding);
}

static uint64_t size_of(const struct hazard *hazard, struct object_id share) {
    struct object_id allocation = { share.process,
                                    share_get(hazard->machine, share)->allocation };
    return handle_allocation(hazard->machine, allocation)->size;
}

static struct finding_place listed_at(const struct listed *listed) {
    return (struct finding_place){ .thread = listed->made.thread,
                                   .step = listed->made.step,
                                   .row = FACT_NO_ROW,
                                   .known = PLACE_STEP };
}

/* The share is there; why may this process not have it? */
static void report_denied(struct hazard *hazard, const struct hazard_event *event,
                          struct object_id share, uint64_t value) {
    const struct machine *machine = hazard->machine;
    const struct site_process *importer = &machine->site->process[event->process.index];
    const struct listed *listed = share_find_listed(machine, share, importer->pid);
    const struct listed *inside = importer->pid_inside == importer->pid
                                      ? NULL
                                      : share_find_listed(machine, share, importer->pid_inside);
    struct finding finding = about_share(hazard, event, NOT_LISTED, value);
    finding.cause = made_share(hazard, share);
    finding.number[0] = importer->pid;
    finding.number[1] = share_get(machine, share)->listed;
    if (share.process == event->process.index) {
        finding.row = about_share(hazard, event, SELF_IMPORT, value).row;
    } else if (listed != NULL) {
        finding.row = about_share(hazard, event, LISTED_TOO_EARLY, value).row;
        finding.cause = listed_at(listed);
    } else if (inside != NULL) {
        finding.row = about_share(hazard, event, CONTAINER_PID, value).row;
        finding.cause = listed_at(inside);
        finding.number[0] = importer->pid_inside;
        finding.number[1] = importer->pid;
    }
    finding.size = size_of(hazard, share);
    hazard_report(hazard, &finding);
}

static uint32_t current_device(const struct hazard *hazard, const struct hazard_event *event) {
    uint32_t presence =
        process_current(hazard->machine, (struct thread_id){ event->fact->thread });
    return presence == PRESENCE_NONE
               ? SITE_NO_DEVICE
               : process_presence(hazard->machine, event->process, presence)->device;
}

static void add_devices(const struct hazard *hazard, const struct hazard_event *event,
                        struct object_id share, struct finding *finding) {
    finding->number[0] = share_get(hazard->machine, share)->device;
    finding->number[1] = current_device(hazard, event);
    finding->cause = made_share(hazard, share);
    finding->size = size_of(hazard, share);
}

static void see_imported(struct hazard *hazard, const struct hazard_event *event,
                         struct object_id share, uint64_t value) {
    const struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    handle_resolve(machine, event->process, event->result->out[0], &slot);
    const struct handle *handle = handle_get(machine, event->process, slot);
    if (handle->references - handle->maps > 1) {
        struct finding finding = about_share(hazard, event, IMPORTED_TWICE, value);
        finding.cause =
            hazard_made(handle->made, table_get(machine->handle_life, event->process.index, slot));
        finding.number[0] = handle->references;
        finding.size = size_of(hazard, share);
        hazard_report(hazard, &finding);
    }
    uint32_t there = share_get(machine, share)->device;
    uint32_t here = current_device(hazard, event);
    const struct product *product = machine_product(machine, here);
    if (product->import_enables_peers && there != LOCATION_HOST && there != here) {
        struct finding finding = about_share(hazard, event, PEERS_BY_IMPORT, value);
        add_devices(hazard, event, share, &finding);
        hazard_report(hazard, &finding);
    }
}

static void see_import(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t value = event->record->arg[0];
    struct object_id share;
    bool is_there = share_resolve(hazard->machine, value, &share);
    switch (event->result->code) {
    case ACL_SUCCESS:
        see_imported(hazard, event, share, value);
        break;
    case ACL_ERROR_RT_INVALID_HANDLE:
        if (!is_there) {
            report_gone(hazard, event, IMPORT_AFTER_FREE, value);
        }
        break;
    case ACL_ERROR_RT_DRV_INTERNAL_ERROR:
        if (is_there) {
            report_denied(hazard, event, share, value);
        }
        break;
    case ACL_ERROR_RT_FEATURE_NOT_SUPPORT: {
        uint32_t here = current_device(hazard, event);
        uint32_t there = is_there ? share_get(hazard->machine, share)->device : LOCATION_HOST;
        if (there != LOCATION_HOST && here != SITE_NO_DEVICE && there != here &&
            !site_can_peer(hazard->machine->site, here, there)) {
            struct finding finding = about_share(hazard, event, NO_LINK, value);
            add_devices(hazard, event, share, &finding);
            hazard_report(hazard, &finding);
        }
        break;
    }
    default:
        break;
    }
}

static void see_export(struct hazard *hazard, const struct hazard_event *event) {
    const struct machine *machine = hazard->machine;
    uint64_t value = event->record->arg[0];
    uint32_t slot = 0;
    if (event->result->code != ACL_ERROR_RT_DRV_INTERNAL_ERROR ||
        handle_resolve(machine, event->process, value, &slot) != HANDLE_LIVE) {
        return;
    }
    const struct handle *handle = handle_get(machine, event->process, slot);
    if (handle->kind == HANDLE_OWNED) {
        return;
    }
    bool is_import = handle->kind == HANDLE_IMPORTED;
    struct finding finding =
        hazard_finding(hazard, event, &rows[is_import ? EXPORT_OF_IMPORT : DOUBLE_EXPORT]);
    finding.thing = THING_HANDLE;
    finding.value = value;
    finding.size = handle_allocation(machine, handle->allocation)->size;
    finding.cause = is_import ? hazard_made(handle->made, table_get(machine->handle_life,
                                                                    event->process.index, slot))
                              : made_share(hazard, handle->share);
    hazard_report(hazard, &finding);
}

static void see_set_pid(struct hazard *hazard, const struct hazard_event *event) {
    const struct machine *machine = hazard->machine;
    uint64_t value = event->record->arg[0];
    struct object_id share;
    int32_t code = event->result->code;
    if (!share_resolve(machine, value, &share)) {
        if (code == ACL_ERROR_RT_INVALID_HANDLE) {
            report_gone(hazard, event, LIST_AFTER_END, value);
        }
        return;
    }
    bool is_own = share.process == event->process.index;
    bool is_denied = code == ACL_ERROR_RT_DRV_INTERNAL_ERROR && !is_own;
    bool is_needless = code != ACL_SUCCESS && is_own && share_get(machine, share)->validate == 0;
    if (is_denied || is_needless) {
        struct finding finding =
            about_share(hazard, event, is_denied ? LIST_BY_STRANGER : LIST_NOT_NEEDED, value);
        finding.cause = made_share(hazard, share);
        finding.number[0] = is_denied ? machine->site->process[share.process].pid : 0;
        hazard_report(hazard, &finding);
    }
}

/* The end of a share is remembered at its exporter; that of one nobody imported is told. */
static void see_share_ended(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t value = event->fact->value[0];
    struct object_id share;
    if (!share_resolve(hazard->machine, value, &share)) {
        return;
    }
    struct released released = {
        .value = value,
        .thing = THING_SHARE,
        .made = made_share(hazard, share),
        .released = hazard_here(hazard, event),
    };
    released_add(&hazard->released, share.process, &released);
    if (share_get(hazard->machine, share)->imported == 0 && event->fact->row != FACT_NO_ROW &&
        acl_row_get(event->fact->row)->cost == COST_FREE_PHYSICAL) {
        struct finding finding = about_share(hazard, event, FREED_UNSHARED, value);
        finding.cause = released.made;
        finding.size = size_of(hazard, share);
        hazard_report(hazard, &finding);
    }
}

static const struct hazard_watcher watchers[] = {
    { FACT_CALLED, "aclrtMemImportFromShareableHandle", see_import },
    { FACT_CALLED, "aclrtMemExportToShareableHandle", see_export },
    { FACT_CALLED, "aclrtMemSetPidToShareableHandle", see_set_pid },
    { FACT_SHARE_ENDED, NULL, see_share_ended },
};

const struct hazard_family hazard_sharing = HAZARD_FAMILY(rows, watchers);
