/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/finding_text.h"

#include <inttypes.h>

#include "base/units.h"

static void write_place(const char *title, const struct finding_place *place,
                        finding_name_place *name, const void *context, struct text *text) {
    char time[UNITS_TEXT_SIZE];
    text_printf(text, "  %-7s ", title);
    name(context, place, text);
    if (place->known == PLACE_END) {
        text_printf(text, " at %s", units_write_time(place->time_ns, time));
    } else if (place->known == PLACE_KNOWN) {
        text_printf(text, ", call %" PRIu64 " at %s", place->call,
                    units_write_time(place->time_ns, time));
    }
    text_append(text, "\n");
}

static void write_thing(const struct finding *finding, struct text *text) {
    char size[UNITS_TEXT_SIZE];
    if (finding->thing == THING_NONE) {
        return;
    }
    text_printf(text, "  %-7s %s 0x%" PRIx64, "what",
                finding_thing_name((enum finding_thing)finding->thing), finding->value);
    if (finding->size > 0 && finding->address != 0) {
        text_printf(text, ", %s from 0x%" PRIx64, units_write_size(finding->size, size),
                    finding->address);
    } else if (finding->size > 0) {
        text_printf(text, ", %s", units_write_size(finding->size, size));
    }
    text_append(text, "\n");
}

static void write_numbers(const struct finding *finding, const struct finding_row *row,
                          struct text *text) {
    for (uint32_t place = 0; place < FINDING_NUMBERS; place++) {
        if (row->number[place] != NULL) {
            text_printf(text, "  %-7s %s: %" PRIu64 "\n", "", row->number[place],
                        finding->number[place]);
        }
    }
}

void finding_write(const struct finding *finding, finding_name_place *name, const void *context,
                   struct text *text) {
    const struct finding_row *row = hazard_row(finding->row);
    text_printf(text, "%s: %s: %s", finding_severity_name(row->severity), row->name, row->what);
    if (finding->times > 1) {
        text_printf(text, " (%" PRIu64 " times)", finding->times);
    }
    text_append(text, "\n");
    write_place("call", &finding->wrong, name, context, text);
    if (finding->cause.known != PLACE_UNKNOWN) {
        write_place("because", &finding->cause, name, context, text);
    } else if (finding->forgotten != 0) {
        text_printf(text, "  %-7s the cause is older than the last %d releases, which are all that "
                          "is remembered\n",
                    "because", RELEASED_MAX);
    }
    write_thing(finding, text);
    write_numbers(finding, row, text);
    text_printf(text, "  %-7s %s\n  %-7s %s\n", "rule", row->why, "repair", row->repair);
}
