/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/figure_expect.h"

#include <inttypes.h>
#include <string.h>

#include "acl/acl_row.h"
#include "base/text.h"
#include "base/units.h"
#include "scenario/alternative_read.h"
#include "scenario/call_read.h"
#include "scenario/expect.h"
#include "scenario/run_state.h"

static const char *const bound_keys[] = { [BOUND_LEAST] = "at_least", [BOUND_MOST] = "at_most" };

/* The figures that are read: of which group, and of whom. */
struct figure_reader {
    struct part_reader *part;
    enum figure_group group;
    enum figure_scope scope;
    uint32_t server;
    uint32_t place;
};

static bool complain_of_value(struct step_reader *reader, const struct json *value,
                              const char *what) {
    json_complain(value, reader->problem, "%s", what);
    reader->is_bad = true;
    return false;
}

static bool read_number(struct step_reader *reader, const struct json *value, const char *what,
                        bool (*read)(const char *text, uint64_t *number), int64_t *answer) {
    uint64_t number = 0;
    if (json_type(value) == JSON_NUMBER && json_integer(value) >= 0) {
        *answer = json_integer(value);
        return true;
    }
    if (read == NULL || json_type(value) != JSON_STRING || !read(json_string(value), &number) ||
        number > INT64_MAX) {
        return complain_of_value(reader, value, what);
    }
    *answer = (int64_t)number;
    return true;
}

static bool read_count(struct step_reader *reader, const struct json *value, int64_t *answer) {
    return read_number(reader, value, "expected a number of times, 0 or more", NULL, answer);
}

static bool read_size(struct step_reader *reader, const struct json *value, int64_t *answer) {
    return read_number(reader, value, "expected a size like \"4MiB\", or a number of bytes",
                       units_read_size, answer);
}

static bool read_time(struct step_reader *reader, const struct json *value, int64_t *answer) {
    return read_number(reader, value, "expected a time like \"15us\", or a number of nanoseconds",
                       units_read_time, answer);
}

static void add_figure(const struct figure_reader *reader, const struct figure_row *row,
                       const struct json *value, enum scenario_bound bound) {
    static alternative_read *const reads[] = {
        [FIGURE_COUNT] = read_count, [FIGURE_BYTES] = read_size, [FIGURE_NS] = read_time
    };
    struct step_reader inner = { .scenario = reader->part->scenario,
                                 .problem = reader->part->problem };
    struct scenario_figure figure = {
        .where = value,
        .row = (uint32_t)(row - figure_rows()),
        .server = reader->server,
        .place = reader->place,
        .bound = bound,
    };
    alternative_read_all(&inner, value, reads[row->unit], &figure.value);
    reader->part->is_bad |= inner.is_bad;
    array_add(&reader->part->scenario->figures, figure);
}

/* The one value of a bound that is the same on all products; -1 when it differs, or is bad. */
static int64_t plain_bound(const struct scenario *scenario, const struct scenario_figure *figure) {
    const struct scenario_alternative *first = &scenario->alternatives.items[figure->value.first];
    bool is_plain = figure->value.count == 1 && strcmp(first->key, "default") == 0;
    return is_plain ? first->value : -1;
}

/* Of the two bounds read last: nothing is at least 5 and at most 3. */
static void check_bounds(const struct figure_reader *reader, const struct figure_row *row) {
    const struct scenario *scenario = reader->part->scenario;
    const struct scenario_figure *most = &scenario->figures.items[scenario->figures.count - 1];
    int64_t low = plain_bound(scenario, most - 1);
    int64_t high = plain_bound(scenario, most);
    if (low >= 0 && high >= 0 && high < low) {
        struct text text = { 0 };
        figure_write(row, (uint64_t)high, &text);
        text_append(&text, " is below at_least, which is ");
        figure_write(row, (uint64_t)low, &text);
        part_complain(reader->part, most->where, text_get(&text));
        text_fini(&text);
    }
}

/* Bounds, if the object has one of their keys; values by product otherwise. */
static bool read_bounds(const struct figure_reader *reader, const struct figure_row *row,
                        const struct json *value) {
    uint32_t bounds = 0;
    if (json_type(value) != JSON_OBJECT) {
        return false;
    }
    for (int bound = BOUND_LEAST; bound <= BOUND_MOST; bound++) {
        const struct json *at = json_find(value, bound_keys[bound]);
        if (at != NULL) {
            add_figure(reader, row, at, (enum scenario_bound)bound);
            bounds++;
        }
    }
    if (bounds == 2) {
        check_bounds(reader, row);
    }
    if (bounds > 0 && !json_check_keys(value, &bound_keys[BOUND_LEAST], 2, reader->part->problem)) {
        reader->part->is_bad = true;
    }
    return bounds > 0;
}

static void read_figure(const struct figure_reader *reader, const struct json *value) {
    const struct figure_row *row = figure_find(reader->group, reader->scope, json_key(value));
    if (row == NULL) {
        struct text known = { 0 };
        figure_write_known(reader->group, reader->scope, json_key(value), &known);
        json_complain_of_key(value, reader->part->problem,
                             "there is no figure \"%.60s\" here; %.300s", json_key(value),
                             text_get(&known));
        reader->part->is_bad = true;
        text_fini(&known);
    } else if (!read_bounds(reader, row, value)) {
        add_figure(reader, row, value, BOUND_EXACT);
    }
}

static void read_figures(const struct figure_reader *reader, const struct json *json) {
    if (!part_expect(reader->part, json, JSON_OBJECT, "this")) {
        return;
    }
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at)) {
        read_figure(reader, at);
    }
}

static void read_process(struct figure_reader *reader, const struct json *json) {
    const struct scenario *scenario = reader->part->scenario;
    reader->place = scenario_find_process(scenario, json_key(json));
    if (reader->place == PROGRAM_NONE) {
        const struct name_list *names = &scenario->process_names;
        const char *nearest = problem_nearest(json_key(json), names->items, names->count);
        json_complain_of_key(json, reader->part->problem, "there is no process \"%.60s\"%s%s%s",
                             json_key(json), nearest == NULL ? "" : "; did you mean \"",
                             nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
        reader->part->is_bad = true;
        return;
    }
    read_figures(reader, json);
}

/* "3" on the first server, "other:3" on one with a name. */
static bool find_device(struct figure_reader *reader, const char *key) {
    const struct scenario *scenario = reader->part->scenario;
    const char *colon = strrchr(key, ':');
    const char *digit = colon == NULL ? key : colon + 1;
    size_t length = colon == NULL ? 0 : (size_t)(colon - key);
    reader->server = 0;
    reader->place = 0;
    while (colon != NULL && reader->server < scenario->servers.count &&
           (strncmp(scenario->servers.items[reader->server].name, key, length) != 0 ||
            scenario->servers.items[reader->server].name[length] != '\0')) {
        reader->server++;
    }
    bool is_number = *digit != '\0' && strlen(digit) <= 4;
    for (; *digit != '\0'; digit++) {
        is_number = is_number && *digit >= '0' && *digit <= '9';
        reader->place = reader->place * 10 + (uint32_t)(*digit - '0');
    }
    return is_number && reader->place < SCENARIO_DEVICES_MAX &&
           reader->server < scenario->servers.count;
}

static void read_device(struct figure_reader *reader, const struct json *json) {
    if (!find_device(reader, json_key(json))) {
        json_complain_of_key(json, reader->part->problem,
                             "expected the number of a device, such as \"0\", or of one on a "
                             "server of the scenario, such as \"name:0\"");
        reader->part->is_bad = true;
        return;
    }
    read_figures(reader, json);
}

static void read_call(struct figure_reader *reader, const struct json *json) {
    struct step_reader inner = { .problem = reader->part->problem };
    if (!acl_row_find(json_key(json), &reader->place)) {
        call_complain(&inner, json, json_key(json));
        reader->part->is_bad = true;
        return;
    }
    read_figures(reader, json);
}

/* The scope whose key this is; FIGURE_RUN for none. */
static enum figure_scope scope_of(enum figure_group group, const char *key) {
    for (int scope = 0; scope < FIGURE_SCOPES; scope++) {
        const char *known = figure_scope_key(group, (enum figure_scope)scope);
        if (known != NULL && strcmp(known, key) == 0) {
            return (enum figure_scope)scope;
        }
    }
    return FIGURE_RUN;
}

void figure_expect_read(struct part_reader *part, const struct json *json,
                        enum figure_group group) {
    static void (*const reads[])(struct figure_reader *, const struct json *) = {
        [FIGURE_PROCESS] = read_process, [FIGURE_DEVICE] = read_device, [FIGURE_CALL] = read_call
    };
    if (!part_expect(part, json, JSON_OBJECT, "figures")) {
        return;
    }
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at)) {
        struct figure_reader reader = { .part = part, .group = group };
        reader.scope = scope_of(group, json_key(at));
        if (reader.scope == FIGURE_RUN) {
            read_figure(&reader, at);
        } else if (part_expect(part, at, JSON_OBJECT, json_key(at))) {
            for (const struct json *of = json_first(at); of != NULL; of = json_next(of)) {
                reads[reader.scope](&reader, of);
            }
        }
    }
}

/* Whose product decides, and where the figure is; false when there is no such device. */
static bool find_place(const struct run *run, const struct scenario_figure *figure,
                       enum figure_scope scope, uint32_t *server, uint32_t *place) {
    *server = scope == FIGURE_DEVICE    ? figure->server
              : scope == FIGURE_PROCESS ? run->processes[figure->place].server
                                        : run->processes[0].server;
    *place = figure->place;
    if (scope != FIGURE_DEVICE) {
        return true;
    }
    *place += run->servers[*server].device_first;
    return figure->place < run->servers[*server].device_count;
}

static bool is_met(enum scenario_bound bound, uint64_t expected, uint64_t found) {
    switch (bound) {
    case BOUND_LEAST:
        return found >= expected;
    case BOUND_MOST:
        return found <= expected;
    default:
        return found == expected;
    }
}

size_t figure_expect_next(const struct run *run, size_t place,
                          struct figure_difference *difference) {
    const struct scenario *scenario = run->scenario;
    for (; place < scenario->figures.count; place++) {
        const struct scenario_figure *figure = &scenario->figures.items[place];
        const struct figure_row *row = &figure_rows()[figure->row];
        uint32_t server = 0;
        uint32_t at = 0;
        int64_t bound = 0;
        bool is_there = find_place(run, figure, row->scope, &server, &at);
        if (!expect_value(run, figure->value, run->servers[server].product, &bound)) {
            continue;
        }
        uint64_t found = is_there ? figure_get(run, row, at) : 0;
        if (!is_there || !is_met(figure->bound, (uint64_t)bound, found)) {
            *difference =
                (struct figure_difference){ figure, row, is_there, (uint64_t)bound, found };
            return place + 1;
        }
    }
    return 0;
}

const char *figure_expect_bound(const struct scenario_figure *expected) {
    static const char *const words[] = {
        [BOUND_EXACT] = "exactly", [BOUND_LEAST] = "at least", [BOUND_MOST] = "at most"
    };
    return words[expected->bound];
}

void figure_expect_write(const struct figure_difference *difference, struct text *text) {
    const struct scenario_figure *expected = difference->expected;
    json_write_pointer(expected->where, text);
    if (!difference->is_there) {
        text_printf(text, ": there is no such device");
    } else {
        text_append(text, " is ");
        figure_write(difference->row, difference->found, text);
    }
    text_printf(text, ", expected %s ", figure_expect_bound(expected));
    figure_write(difference->row, difference->bound, text);
    if (json_is_set(expected->where)) {
        text_append(text, " (--set)");
    } else {
        text_printf(text, " (line %" PRIu32 ")", json_line(expected->where));
    }
}
