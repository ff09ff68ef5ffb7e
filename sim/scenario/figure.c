/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/figure.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "scenario/run_state.h"

/* Those of the run, from where they are kept. */
struct figures {
    uint64_t calls;
    uint64_t refused;
    uint64_t unasked;
    uint64_t steps;
    uint64_t time_ns;
};

#define RUN(name, unit) \
    { #name, FIGURE_TOTALS, FIGURE_RUN, unit, offsetof(struct figures, name) }
#define PROCESS(name, unit, member) \
    { name, FIGURE_TOTALS, FIGURE_PROCESS, unit, offsetof(struct totals_process, member) }
#define HELD(name, unit)                                                               \
    {                                                                                  \
#name, FIGURE_FINALLY, FIGURE_PROCESS, unit,                                   \
            offsetof(struct totals_process, held) + offsetof(struct totals_held, name) \
    }
#define CALL(name, unit) \
    { #name, FIGURE_TOTALS, FIGURE_CALL, unit, offsetof(struct totals_call, name) }
#define DEVICE(name, group, unit, member) \
    { name, group, FIGURE_DEVICE, unit, offsetof(struct totals_level, member) }

static const struct figure_row rows[] = {
    RUN(calls, FIGURE_COUNT),
    RUN(refused, FIGURE_COUNT),
    RUN(unasked, FIGURE_COUNT),
    RUN(steps, FIGURE_COUNT),
    RUN(time_ns, FIGURE_NS),
    PROCESS("calls", FIGURE_COUNT, calls),
    PROCESS("refused", FIGURE_COUNT, refused),
    PROCESS("call_ns", FIGURE_NS, call_ns),
    PROCESS("queue_ns", FIGURE_NS, queue_ns),
    PROCESS("device_peak_bytes", FIGURE_BYTES, device.peak),
    PROCESS("device_peak_ns", FIGURE_NS, device.peak_ns),
    PROCESS("host_peak_bytes", FIGURE_BYTES, host.peak),
    PROCESS("host_peak_ns", FIGURE_NS, host.peak_ns),
    HELD(blocks, FIGURE_COUNT),
    HELD(block_bytes, FIGURE_BYTES),
    HELD(host_blocks, FIGURE_COUNT),
    HELD(host_block_bytes, FIGURE_BYTES),
    HELD(handles, FIGURE_COUNT),
    HELD(reservations, FIGURE_COUNT),
    HELD(mappings, FIGURE_COUNT),
    HELD(shares, FIGURE_COUNT),
    HELD(streams, FIGURE_COUNT),
    HELD(events, FIGURE_COUNT),
    DEVICE("peak_bytes", FIGURE_TOTALS, FIGURE_BYTES, peak),
    DEVICE("peak_ns", FIGURE_TOTALS, FIGURE_NS, peak_ns),
    DEVICE("used_bytes", FIGURE_FINALLY, FIGURE_BYTES, bytes),
    CALL(times, FIGURE_COUNT),
    CALL(refused, FIGURE_COUNT),
    CALL(call_ns, FIGURE_NS),
    CALL(queue_ns, FIGURE_NS),
    { NULL, 0, 0, 0, 0 },
};

const struct figure_row *figure_rows(void) {
    return rows;
}

const char *figure_scope_key(enum figure_group group, enum figure_scope scope) {
    static const char *const keys[] = { [FIGURE_RUN] = NULL,
                                        [FIGURE_PROCESS] = "processes",
                                        [FIGURE_DEVICE] = "devices",
                                        [FIGURE_CALL] = "by_call" };
    for (const struct figure_row *row = rows; row->name != NULL; row++) {
        if (row->group == group && row->scope == scope) {
            return keys[scope];
        }
    }
    return NULL;
}

const struct figure_row *figure_find(enum figure_group group, enum figure_scope scope,
                                     const char *name) {
    for (const struct figure_row *row = rows; row->name != NULL; row++) {
        if (row->group == group && row->scope == scope && strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

void figure_write_known(enum figure_group group, enum figure_scope scope, const char *name,
                        struct text *text) {
    ARRAY(const char *) names = { 0 };
    for (const struct figure_row *row = rows; row->name != NULL; row++) {
        if (row->group == group && row->scope == scope) {
            array_add(&names, row->name);
        }
    }
    for (int at = 0; scope == FIGURE_RUN && at < FIGURE_SCOPES; at++) {
        if (figure_scope_key(group, (enum figure_scope)at) != NULL) {
            array_add(&names, figure_scope_key(group, (enum figure_scope)at));
        }
    }
    const char *nearest = problem_nearest(name, names.items, names.count);
    if (nearest != NULL) {
        text_printf(text, "did you mean \"%s\"?", nearest);
    } else {
        text_append(text, "expected one of ");
        for (size_t place = 0; place < names.count; place++) {
            text_printf(text, "%s%s", place == 0 ? "" : ", ", names.items[place]);
        }
    }
    array_fini(&names);
}

uint64_t figure_get(const struct run *run, const struct figure_row *row, uint32_t place) {
    const struct totals *totals = &run->totals;
    const struct figures figures = {
        .calls = totals->calls,
        .refused = totals->refused,
        .unasked = run->unasked_failures,
        .steps = run_steps(run),
        .time_ns = machine_now(&run->machine),
    };
    const char *at = (const char *)&figures;
    if (row->scope == FIGURE_PROCESS) {
        at = (const char *)&totals->process[place];
    } else if (row->scope == FIGURE_DEVICE) {
        at = (const char *)&totals->device[place];
    } else if (row->scope == FIGURE_CALL) {
        at = (const char *)&totals->call[place];
    }
    uint64_t value = 0;
    memcpy(&value, at + row->offset, sizeof value);
    return value;
}

void figure_write(const struct figure_row *row, uint64_t value, struct text *text) {
    char short_text[UNITS_TEXT_SIZE];
    switch (row->unit) {
    case FIGURE_BYTES:
        text_append(text, units_write_size(value, short_text));
        break;
    case FIGURE_NS:
        text_append(text, units_write_time(value, short_text));
        break;
    case FIGURE_COUNT:
        text_printf(text, "%" PRIu64, value);
        break;
    }
}
