/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/step_read.h"

#include <stdlib.h>
#include <string.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "base/host.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/product.h"
#include "scenario/call_read.h"
#include "scenario/cut_read.h"
#include "scenario/part_read.h"
#include "scenario/step_row.h"

static void complain(struct step_reader *reader, const struct json *value, const char *what) {
    reader->is_bad = true;
    json_complain(value, reader->problem, "%s", what);
}

static bool find_binding(void *context, const char *name, uint32_t *number, const char **nearest) {
    const struct step_reader *reader = context;
    const struct scenario *scenario = reader->scenario;
    uint32_t first = scenario->processes.items[reader->process].binding_first;
    uint32_t count = (uint32_t)scenario->bindings.count - first;
    uint32_t found = name_list_find(&scenario->bindings, reader->process, name);
    if (found != NAME_NONE) {
        *number = found - first;
        return true;
    }
    *nearest = count == 0 ? NULL : problem_nearest(name, scenario->bindings.items + first, count);
    return false;
}

bool step_read_value(struct step_reader *reader, const struct json *value, bool as_time,
                     struct expression *expression) {
    const struct expression_reader inner = { &reader->scenario->code, find_binding, reader,
                                             as_time };
    bool is_well = expression_read(&inner, value, expression, reader->problem);
    reader->is_bad = reader->is_bad || !is_well;
    return is_well;
}

uint32_t step_bind(struct step_reader *reader, const struct json *value) {
    struct scenario *scenario = reader->scenario;
    struct scenario_process *process = &scenario->processes.items[reader->process];
    if (!json_expect(value, JSON_STRING, "a name to bind", reader->problem)) {
        reader->is_bad = true;
        return PROGRAM_NONE;
    }
    if (!expression_is_name(json_string(value))) {
        complain(reader, value, "a name to bind has letters, digits, _ and dots, and no $ here");
        return PROGRAM_NONE;
    }
    uint32_t found = name_list_find(&scenario->bindings, reader->process, json_string(value));
    if (found != NAME_NONE) {
        return found - process->binding_first;
    }
    if (process->binding_count == SCENARIO_NAMES_MAX) {
        complain(reader, value, "a process binds at most 10000 names");
        return PROGRAM_NONE;
    }
    name_list_add(&scenario->bindings, reader->process, json_string(value));
    return process->binding_count++;
}

uint32_t step_bind_all(struct step_reader *reader, const struct json *as, struct step *step) {
    uint32_t place = 0;
    if (as == NULL) {
        return 0;
    }
    if (json_type(as) != JSON_ARRAY) {
        step->binding[0] = step_bind(reader, as);
        return 1;
    }
    for (const struct json *at = json_first(as); at != NULL && place < PROGRAM_BINDINGS;
         at = json_next(at)) {
        step->binding[place++] = json_type(at) == JSON_NULL ? PROGRAM_NONE : step_bind(reader, at);
    }
    return json_count(as);
}

/* A member that must be a string; NULL with a complaint when it is not. */
static const char *read_word(struct step_reader *reader, const struct json *value,
                             const char *what) {
    if (!json_expect(value, JSON_STRING, what, reader->problem)) {
        reader->is_bad = true;
        return NULL;
    }
    return json_string(value);
}

static uint32_t read_process(struct step_reader *reader, const struct json *value) {
    const struct scenario *scenario = reader->scenario;
    const char *name = read_word(reader, value, "a process");
    uint32_t process = name == NULL ? PROGRAM_NONE : scenario_find_process(scenario, name);
    if (name == NULL || process != PROGRAM_NONE) {
        return process;
    }
    const struct name_list *names = &scenario->process_names;
    const char *nearest = problem_nearest(name, names->items, names->count);
    reader->is_bad = true;
    if (nearest != NULL) {
        json_complain(value, reader->problem, "there is no process \"%.60s\"; did you mean \"%s\"?",
                      name, nearest);
    } else {
        json_complain(value, reader->problem, "there is no process \"%.60s\"", name);
    }
    return PROGRAM_NONE;
}

/* The number of a distribution by its name. */
static uint32_t read_distribution(struct step_reader *reader, const struct json *value) {
    struct part_reader part = { reader->scenario, reader->problem, false };
    uint32_t found =
        part_find_name(&part, value, "distribution", &reader->scenario->distribution_names);
    reader->is_bad = reader->is_bad || part.is_bad;
    return found;
}

uint32_t step_name(struct step_reader *reader, const struct json *value, const char *what) {
    const char *name = read_word(reader, value, what);
    uint32_t number = name == NULL ? PROGRAM_NONE : scenario_name(reader->scenario, name);
    if (name != NULL && number == PROGRAM_NONE) {
        complain(reader, value, "a scenario names at most 10000 barriers, phases and tags");
    }
    return number;
}

/* A range is an object with an address and a size. */
static void read_range(struct step_reader *reader, const struct json *json,
                       struct expression range[2]) {
    static const char *const keys[] = { "address", "size" };
    if (!json_expect(json, JSON_OBJECT, "a range", reader->problem) ||
        !json_check_keys(json, keys, 2, reader->problem)) {
        reader->is_bad = true;
        return;
    }
    for (int part = 0; part < 2; part++) {
        const struct json *value = json_find(json, keys[part]);
        if (value == NULL) {
            complain(reader, json, "a range has an \"address\" and a \"size\"");
            return;
        }
        step_read_value(reader, value, false, &range[part]);
    }
}

static void read_true(struct step_reader *reader, const struct json *value) {
    if (json_type(value) != JSON_TRUE) {
        reader->is_bad = true;
        json_complain(value, reader->problem, "an %s is written \"%s\": true", json_key(value),
                      json_key(value));
    }
}

/* A value by the form of its key. Names that a step binds come later: its own values are of those
 * that were bound before. */
static void read_key(struct step_reader *reader, const struct json *json,
                     const struct step_key *key, struct step *step) {
    const struct json *value = json_find(json, key->name);
    struct expression *place = (struct expression *)((char *)step + key->offset);
    if (value == NULL) {
        if (key->missing != NULL) {
            complain(reader, json, key->missing);
        }
        return;
    }
    switch (key->form) {
    case FORM_VALUE:
    case FORM_TIME:
        step_read_value(reader, value, key->form == FORM_TIME, place);
        break;
    case FORM_PROCESS:
        step->process = read_process(reader, value);
        break;
    case FORM_NAME: {
        struct text what = { 0 };
        text_printf(&what, "a %s", key->name);
        step->name = step_name(reader, value, text_get(&what));
        text_fini(&what);
        break;
    }
    case FORM_DRAWN:
        step->name = read_distribution(reader, value);
        break;
    case FORM_TRUE:
        read_true(reader, value);
        break;
    case FORM_RANGE:
        read_range(reader, value, place);
        break;
    case FORM_PIECES:
        cut_read_pieces(reader, value, step);
        break;
    case FORM_BIND:
        step->binding[0] = step_bind(reader, value);
        break;
    case FORM_CALL:
    case FORM_BIND_ALL:
    case FORM_CODE:
    case FORM_ROUNDS:
    case FORM_STEPS:
        break;
    }
}

static void read_keys(struct step_reader *reader, const struct json *json,
                      const struct step_row *row, struct step *step) {
    for (int binds = 0; binds < 2; binds++) {
        for (uint32_t place = 0; place < step_row_keys(row); place++) {
            if ((row->key[place].form == FORM_BIND) == (binds == 1)) {
                read_key(reader, json, &row->key[place], step);
            }
        }
    }
    if (row->kind == STEP_MEDIA && step->reads[0].count == 0 && step->writes[0].count == 0 &&
        json_find(json, "reads") == NULL && json_find(json, "writes") == NULL) {
        complain(reader, json, "a media step \"reads\" or \"writes\" a range, or both");
    }
}

/* The names of all kinds, and the one that a key of the step is most like. */
static void complain_of_kind(struct step_reader *reader, const struct json *json) {
    ARRAY(const char *) keys = { 0 };
    struct text list = { 0 };
    const char *nearest = NULL;
    for (uint32_t row = 0; row < step_row_count(); row++) {
        array_add(&keys, step_row_get(row)->key[0].name);
        text_printf(&list, "%s%s", row == 0 ? "" : ", ", keys.items[row]);
    }
    for (const struct json *at = json_first(json); at != NULL && nearest == NULL;
         at = json_next(at)) {
        nearest = problem_nearest(json_key(at), keys.items, keys.count);
    }
    reader->is_bad = true;
    json_complain(json, reader->problem, "this is no step: it has none of %s%s%s%s",
                  text_get(&list), nearest == NULL ? "" : "; did you mean \"",
                  nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    text_fini(&list);
    array_fini(&keys);
}

static const struct step_row *find_row(struct step_reader *reader, const struct json *json) {
    for (uint32_t row = 0; row < step_row_count(); row++) {
        if (json_find(json, step_row_get(row)->key[0].name) != NULL) {
            return step_row_get(row);
        }
    }
    struct step ignored;
    step_bind_all(reader, json_find(json, "as"), &ignored);
    complain_of_kind(reader, json);
    return NULL;
}

/* Keys besides those of the kind; calls check theirs by their parameters. */
static void check_keys(struct step_reader *reader, const struct json *json,
                       const struct step_row *row) {
    const char *keys[STEP_KEYS + 1];
    size_t count = 0;
    for (uint32_t place = 0; place < step_row_keys(row); place++) {
        keys[count++] = row->key[place].name;
    }
    /* The label of a loop would name no step: its rounds are named at the steps inside. */
    if (row->kind != STEP_REPEAT) {
        keys[count++] = "label";
    }
    if (row->kind != STEP_CALL && !json_check_keys(json, keys, count, reader->problem)) {
        reader->is_bad = true;
    }
}

static void read_label(struct step_reader *reader, const struct json *json, struct step *step) {
    const struct json *label = json_find(json, "label");
    if (label == NULL || step->kind == STEP_REPEAT) {
        return;
    }
    step->label = read_word(reader, label, "a label");
    if (step->label == NULL) {
        return;
    }
    bool is_number = strspn(step->label, "0123456789") == strlen(step->label);
    bool is_taken = strcmp(step->label, "end") == 0 || strcmp(step->label, "lifetime") == 0;
    if (is_number || is_taken) {
        complain(reader, label,
                 "a label is no number, not \"end\" and not \"lifetime\", which name other "
                 "steps in a schedule");
    } else if (strpbrk(step->label, ": #/\t\r\n") != NULL) {
        complain(reader, label, "a label has no blanks, colons, slashes or #");
    }
}

/* The rounds of a loop; 1 with a complaint, so that what is inside is read all the same. */
static uint64_t read_rounds(struct step_reader *reader, const struct json *repeat) {
    if (json_type(repeat) == JSON_NUMBER && json_integer(repeat) >= 0) {
        return (uint64_t)json_integer(repeat);
    }
    complain(reader, repeat, "a repeat is a number of rounds, such as 10");
    return 1;
}

/* Loops without a round or a step are left out: nobody could see them turn. */
static void read_loop(struct step_reader *reader, const struct json *json, struct step step) {
    struct scenario *scenario = reader->scenario;
    const struct json *steps = json_find(json, "steps");
    const struct json *repeat = json_find(json, "repeat");
    uint64_t rounds = read_rounds(reader, repeat);
    uint64_t outer = reader->rounds;
    uint32_t first = (uint32_t)scenario->steps.count;
    if (steps == NULL || reader->loops == PROGRAM_LOOPS) {
        complain(reader, json,
                 steps == NULL ? "a repeat has \"steps\"" : "loops are nested at most 8 deep");
        return;
    }
    if (json_type(repeat) == JSON_NUMBER) {
        step_read_value(reader, repeat, false, &step.value);
    }
    step.loop = reader->loops++;
    reader->rounds =
        rounds > 0 && outer > SCENARIO_STEPS_MAX / rounds ? SCENARIO_STEPS_MAX : outer * rounds;
    array_add(&scenario->steps, step);
    step_read_all(reader, steps);
    reader->loops--;
    reader->rounds = outer;
    if (rounds == 0 || scenario->steps.count == first + 1) {
        scenario->steps.count = first;
        return;
    }
    step.kind = STEP_AGAIN;
    step.target = first;
    array_add(&scenario->steps, step);
    scenario->steps.items[first].target = (uint32_t)scenario->steps.count;
}

static void read_one(struct step_reader *reader, const struct json *json) {
    struct step step = {
        .number = reader->number++, .line = json_line(json), .where = json, .process = PROGRAM_NONE
    };
    for (uint32_t place = 0; place < PROGRAM_BINDINGS; place++) {
        step.binding[place] = PROGRAM_NONE;
    }
    if (!json_expect(json, JSON_OBJECT, "a step", reader->problem)) {
        reader->is_bad = true;
        return;
    }
    const struct step_row *row = find_row(reader, json);
    if (row == NULL) {
        return;
    }
    step.kind = row->kind;
    reader->total += reader->rounds;
    check_keys(reader, json, row);
    read_label(reader, json, &step);
    if (row->kind == STEP_REPEAT) {
        read_loop(reader, json, step);
        return;
    }
    if (row->kind == STEP_CALL) {
        call_read(reader, json, &step);
    } else {
        read_keys(reader, json, row, &step);
    }
    array_add(&reader->scenario->steps, step);
}

void step_read_all(struct step_reader *reader, const struct json *list) {
    if (!json_expect(list, JSON_ARRAY, "steps", reader->problem)) {
        reader->is_bad = true;
        return;
    }
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        read_one(reader, at);
    }
}
