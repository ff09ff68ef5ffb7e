/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/hazard.h"

#include <string.h>

#include "acl/acl_row.h"
#include "base/must.h"
#include "hazard/churn.h"
#include "hazard/hazard_family.h"
#include "hazard/identity.h"
#include "machine/handle.h"

#define ENTRY(family) extern const struct hazard_family family;
#include "hazard/hazards.inc"
#undef ENTRY

#define ENTRY(family) &family,
static const struct hazard_family *const families[] = {
#include "hazard/hazards.inc"
};
#undef ENTRY

enum { HAZARD_FAMILIES = sizeof families / sizeof *families };

uint32_t hazard_row_count(void) {
    uint32_t count = 0;
    for (size_t family = 0; family < HAZARD_FAMILIES; family++) {
        count += families[family]->row_count;
    }
    return count;
}

const struct finding_row *hazard_row(uint32_t row) {
    size_t family = 0;
    while (row >= families[family]->row_count) {
        row -= families[family]->row_count;
        family++;
        must(family < HAZARD_FAMILIES);
    }
    return &families[family]->rows[row];
}

const struct finding_row *hazard_find_row(const char *name) {
    uint32_t count = hazard_row_count();
    for (uint32_t row = 0; row < count; row++) {
        if (strcmp(hazard_row(row)->name, name) == 0) {
            return hazard_row(row);
        }
    }
    return NULL;
}

static uint32_t number_of_row(const struct finding_row *row) {
    uint32_t count = hazard_row_count();
    for (uint32_t number = 0; number < count; number++) {
        if (hazard_row(number) == row) {
            return number;
        }
    }
    must(false);
    return 0;
}

static const struct hazard_watcher *watcher_at(uint32_t place) {
    size_t family = 0;
    while (place >= families[family]->watcher_count) {
        place -= families[family]->watcher_count;
        family++;
        must(family < HAZARD_FAMILIES);
    }
    return &families[family]->watchers[place];
}

/* Puts a watcher at the end of the chain that begins here. */
static void chain(struct hazard *hazard, uint16_t *first, uint32_t place) {
    while (*first != 0) {
        first = &hazard->next[*first - 1];
    }
    *first = (uint16_t)(place + 1);
}

static void chain_watchers(struct hazard *hazard) {
    uint32_t place = 0;
    for (size_t family = 0; family < HAZARD_FAMILIES; family++) {
        for (uint32_t at = 0; at < families[family]->watcher_count; at++, place++) {
            const struct hazard_watcher *watcher = &families[family]->watchers[at];
            uint32_t row = 0;
            must(place < HAZARD_WATCHERS);
            if (watcher->call == NULL) {
                chain(hazard, &hazard->on_kind[watcher->kind], place);
                continue;
            }
            must(acl_row_find(watcher->call, &row) && row < HAZARD_CALLS);
            chain(hazard, &hazard->on_call[row], place);
        }
    }
}

struct hazard hazard_bind(struct machine *machine) {
    struct store *store = machine->store;
    struct hazard hazard = {
        .machine = machine,
        .findings = findings_bind(store),
        .released = released_bind(store),
        .freed = store_table(store, &(const struct table_type){ "handle_freed",
                                                                sizeof(struct finding_place),
                                                                TABLE_NOTE, true }),
        .identity = identity_table(store),
        .churn = churn_table(store),
        .written = range_map_bind(store, "written"),
    };
    chain_watchers(&hazard);
    return hazard;
}

static void show(struct hazard *hazard, uint16_t first, const struct hazard_event *event) {
    for (uint16_t at = first; at != 0; at = hazard->next[at - 1]) {
        watcher_at(at - 1u)->see(hazard, event);
    }
}

static void read_fact(void *context, const struct fact *fact, const void *detail) {
    struct hazard *hazard = context;
    const struct acl_detail *call = detail;
    struct hazard_event event = {
        .fact = fact,
        .process = process_of_thread(hazard->machine, (struct thread_id){ fact->thread }),
    };
    if (fact->kind == FACT_CALLED) {
        event.record = call->record;
        event.result = call->result;
        show(hazard, hazard->on_call[fact->row], &event);
    }
    show(hazard, hazard->on_kind[fact->kind], &event);
}

void hazard_watch(struct hazard *hazard) {
    uint64_t kinds = journal_kind(FACT_CALLED);
    for (int kind = 0; kind < FACT_KINDS; kind++) {
        kinds |= hazard->on_kind[kind] == 0 ? 0 : journal_kind((enum fact_kind)kind);
    }
    journal_add_reader(&hazard->machine->journal, kinds, read_fact, hazard);
}

struct finding_place hazard_here(const struct hazard *hazard, const struct hazard_event *event) {
    const struct moment *moment = &hazard->machine->moment;
    bool is_end = moment->call == 0 && moment->row == FACT_NO_ROW && moment->task == 0;
    return (struct finding_place){
        .time_ns = event->fact->time_ns,
        .call = moment->call,
        .thread = event->fact->thread,
        .step = event->fact->step,
        .row = event->fact->row,
        .known = is_end ? PLACE_END : PLACE_KNOWN,
    };
}

struct finding_place hazard_made(struct stamp stamp, const struct life *life) {
    return (struct finding_place){
        .time_ns = life->made_ns,
        .call = life->made_call,
        .thread = stamp.thread,
        .step = stamp.step,
        .row = FACT_NO_ROW,
        .known = PLACE_KNOWN,
    };
}

struct finding hazard_finding(const struct hazard *hazard, const struct hazard_event *event,
                              const struct finding_row *row) {
    return (struct finding){
        .row = number_of_row(row),
        .wrong = hazard_here(hazard, event),
        .times = 1,
    };
}

void hazard_blame(const struct hazard *hazard, uint32_t process, struct finding *finding,
                  const struct released *released) {
    if (released == NULL) {
        finding->forgotten = released_has_forgotten(&hazard->released, process);
        return;
    }
    finding->cause = released->released;
    finding->thing = released->thing;
    finding->value = released->value;
    if (released->size > 0) {
        finding->address = released->value;
        finding->size = released->size;
    }
}

void hazard_report(struct hazard *hazard, const struct finding *finding) {
    findings_add(&hazard->findings, finding);
}

bool hazard_argument(const struct hazard_event *event, enum acl_kind kind, uint64_t *value) {
    const struct acl_row *row = acl_row_get(event->record->row);
    uint32_t place = 0;
    for (uint32_t at = 0; at < acl_row_parameters(row); at++) {
        if (row->parameter[at].kind == kind) {
            *value = event->record->arg[place];
            return true;
        }
        bool has_values = !acl_kind_is_list(row->parameter[at].kind);
        place += has_values ? acl_kind_width(row->parameter[at].kind) : 0;
    }
    return false;
}
