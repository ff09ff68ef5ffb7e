/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/call_read.h"

#include <string.h>

#include "acl/acl_row.h"
#include "base/must.h"
#include "scenario/alternative_read.h"
#include "scenario/call_form.h"

struct call_reader {
    struct step_reader *reader;
    const struct acl_row *row;
    const struct json *json;
    struct step *step;
    char name[ACL_PARAMETERS][CALL_NAME_BYTES]; /* of the parameters, as this step spells them */
};

static void fail(struct call_reader *call) {
    call->reader->is_bad = true;
}

static void add_argument(struct call_reader *call, uint32_t place, bool in_list,
                         struct expression value) {
    struct scenario *scenario = call->reader->scenario;
    array_add(&scenario->arguments, (struct step_argument){ place, in_list, value });
    call->step->argument_count++;
}

static void add_token(struct call_reader *call, uint32_t place, bool in_list,
                      struct expression_token token) {
    struct expression_code *code = &call->reader->scenario->code;
    uint32_t first = (uint32_t)code->tokens.count;
    array_add(&code->tokens, token);
    add_argument(call, place, in_list, (struct expression){ first, 1 });
}

static void add_constant(struct call_reader *call, uint32_t place, bool in_list, uint64_t value) {
    add_token(call, place, in_list, (struct expression_token){ EXPRESSION_CONSTANT, value });
}

/* What is known only when the call is made: PROGRAM_CURRENT, PROGRAM_LENGTH. */
static void add_known_later(struct call_reader *call, uint32_t place, bool in_list, uint32_t name) {
    add_token(call, place, in_list, (struct expression_token){ EXPRESSION_NAME, name });
}

static void add_value(struct call_reader *call, uint32_t place, bool in_list,
                      const struct json *json) {
    struct expression value;
    if (step_read_value(call->reader, json, false, &value)) {
        add_argument(call, place, in_list, value);
    }
}

/* A member by its path: "location.id" is the member id of the member location. */
static const struct json *find_member(const struct json *object, const char *path) {
    static const char inside[] = "location.";
    if (strncmp(path, inside, sizeof inside - 1) != 0) {
        return json_find(object, path);
    }
    const struct json *location = json_find(object, "location");
    return location == NULL || json_type(location) != JSON_OBJECT
               ? NULL
               : json_find(location, path + sizeof inside - 1);
}

/* The keys of an object: the members up to their dots. */
static void check_members(struct call_reader *call, const struct json *json,
                          const struct call_members *members) {
    static const char *const property[] = { "handleType", "allocationType", "memAttr", "location",
                                            "reserve" };
    static const char *const location[] = { "id", "type" };
    static const char *const access[] = { "flags", "location" };
    struct problem *problem = call->reader->problem;
    const struct json *inner = members->kind == ACL_LOCATION ? json : json_find(json, "location");
    bool is_well = inner == NULL || (json_expect(inner, JSON_OBJECT, "a location", problem) &&
                                     json_check_keys(inner, location, 2, problem));
    if (members->kind == ACL_PROPERTY) {
        is_well = json_check_keys(json, property, 5, problem) && is_well;
    } else if (members->kind == ACL_ACCESSES) {
        is_well = json_check_keys(json, access, 2, problem) && is_well;
    }
    if (!is_well) {
        fail(call);
    }
}

/* A member that was left out; the device of a location is the current one. */
static void leave_out_member(struct call_reader *call, uint32_t place, bool in_list,
                             const struct call_members *members, uint32_t member) {
    if (strcmp(members->name[member], "location.id") == 0) {
        add_known_later(call, place, in_list, PROGRAM_CURRENT);
    } else {
        add_constant(call, place, in_list, members->absent[member]);
    }
}

static void read_struct(struct call_reader *call, uint32_t place, bool in_list,
                        const struct json *json, enum acl_kind kind) {
    const struct call_members *members = call_form_members(kind);
    if (!json_expect(json, JSON_OBJECT, acl_kind_name(kind), call->reader->problem)) {
        fail(call);
        return;
    }
    check_members(call, json, members);
    for (uint32_t member = 0; member < acl_kind_width(kind); member++) {
        const struct json *value = find_member(json, members->name[member]);
        if (value != NULL) {
            add_value(call, place + member, in_list, value);
        } else if (members->may_omit[member]) {
            leave_out_member(call, place + member, in_list, members, member);
        } else {
            /* Nothing more is said of a location that is no object. */
            const struct json *inner = json_find(json, "location");
            if (inner == NULL || json_type(inner) == JSON_OBJECT) {
                json_complain(inner == NULL ? json : inner, call->reader->problem,
                              "the member \"%s\" is missing", members->name[member]);
            }
            fail(call);
        }
    }
}

static void read_list(struct call_reader *call, const struct json *json, enum acl_kind kind) {
    uint32_t width = acl_kind_width(kind);
    uint32_t place = 0;
    if (!json_expect(json, JSON_ARRAY, acl_kind_name(kind), call->reader->problem)) {
        fail(call);
        return;
    }
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at)) {
        if (call_form_members(kind) != NULL) {
            read_struct(call, place, true, at, kind);
        } else {
            add_value(call, place, true, at);
        }
        place += width;
    }
    if (place > PROGRAM_LIST_MAX) {
        json_complain(json, call->reader->problem, "a list has at most %d values",
                      PROGRAM_LIST_MAX);
        fail(call);
    }
    call->step->list_count = place;
    call->step->list_length = place / width;
}

static const char *const other_keys[] = { "call", "as", "label", "tag", "expect", "lifetime" };
enum { OTHER_KEYS = sizeof other_keys / sizeof *other_keys };

/* The keys that the step may have; how many there are. */
static size_t list_keys(const struct call_reader *call, const char **keys) {
    size_t count = 0;
    for (; count < OTHER_KEYS; count++) {
        keys[count] = other_keys[count];
    }
    for (uint32_t number = 0; number < acl_row_parameters(call->row); number++) {
        keys[count++] = call->name[number];
    }
    return count;
}

/* Whether a key of the step is a misspelt form of a name: then it was complained about already. */
static bool is_misspelt(const struct call_reader *call, const char *name) {
    const char *keys[ACL_PARAMETERS + OTHER_KEYS];
    size_t count = list_keys(call, keys);
    for (const struct json *at = json_first(call->json); at != NULL; at = json_next(at)) {
        size_t place = 0;
        while (place < count && strcmp(keys[place], json_key(at)) != 0) {
            place++;
        }
        if (place == count && problem_nearest(json_key(at), keys, count) == name) {
            return true;
        }
    }
    return false;
}

/* An argument that was left out: the value the row gives it, or a complaint. */
static void leave_out(struct call_reader *call, uint32_t place, uint32_t number) {
    const struct acl_parameter *parameter = &call->row->parameter[number];
    const struct call_members *members = call_form_members(parameter->kind);
    if (parameter->kind == ACL_LENGTH) {
        add_known_later(call, place, false, PROGRAM_LENGTH);
    } else if (parameter->need == ACL_REQUIRED) {
        if (!is_misspelt(call, call->name[number])) {
            json_complain(call->json, call->reader->problem, "%s lacks its argument \"%s\"",
                          call->row->name, call->name[number]);
        }
        fail(call);
    } else if (members != NULL) {
        for (uint32_t member = 0; member < acl_kind_width(parameter->kind); member++) {
            leave_out_member(call, place + member, false, members, member);
        }
    } else {
        add_constant(call, place, false, parameter->absent);
    }
}

/* A NULL address or handle is the value 0; other pointers have a bit that says so. */
static void read_null(struct call_reader *call, uint32_t place, uint32_t number,
                      const struct json *value) {
    enum acl_kind kind = call->row->parameter[number].kind;
    if (!call_form_may_be_null(kind)) {
        json_complain(value, call->reader->problem,
                      "\"%s\" is null; only pointers and handles may be, and this is %s %s",
                      call->name[number], strchr("aeiou", acl_kind_name(kind)[0]) ? "an" : "a",
                      acl_kind_name(kind));
        fail(call);
        return;
    }
    if (acl_kind_is_output(kind) || acl_kind_is_list(kind)) {
        call->step->null_mask |= (uint32_t)1 << number;
        return;
    }
    if (call_form_members(kind) != NULL) {
        call->step->null_mask |= (uint32_t)1 << number;
    }
    for (uint32_t member = 0; member < acl_kind_width(kind); member++) {
        add_constant(call, place + member, false, 0);
    }
}

/* A string that the program passes: only whether there is one can matter. */
static void read_string(struct call_reader *call, uint32_t place, const struct json *value) {
    if (json_expect(value, JSON_STRING, "a text", call->reader->problem)) {
        add_constant(call, place, false, 1);
    } else {
        fail(call);
    }
}

static void read_parameter(struct call_reader *call, uint32_t place, uint32_t number) {
    const struct acl_parameter *parameter = &call->row->parameter[number];
    const struct json *value = json_find(call->json, call->name[number]);
    if (value != NULL && json_type(value) == JSON_NULL) {
        read_null(call, place, number, value);
        return;
    }
    if (acl_kind_is_output(parameter->kind)) {
        if (value != NULL) {
            json_complain(value, call->reader->problem,
                          "\"%s\" is an output: bind it with \"as\", or pass null",
                          call->name[number]);
            fail(call);
        }
    } else if (acl_kind_is_list(parameter->kind)) {
        if (value != NULL) {
            read_list(call, value, parameter->kind);
        } else {
            call->step->null_mask |= (uint32_t)1 << number;
        }
    } else if (value == NULL) {
        leave_out(call, place, number);
    } else if (call_form_members(parameter->kind) != NULL) {
        read_struct(call, place, false, value, parameter->kind);
    } else if (parameter->kind == ACL_TEXT) {
        read_string(call, place, value);
    } else {
        add_value(call, place, false, value);
    }
}

static void check_arguments(struct call_reader *call) {
    const char *keys[ACL_PARAMETERS + OTHER_KEYS];
    size_t count = list_keys(call, keys);
    if (!json_check_keys(call->json, keys, count, call->reader->problem)) {
        fail(call);
    }
}

static uint32_t count_outputs(const struct acl_row *row) {
    uint32_t count = 0;
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        count += acl_kind_is_output(row->parameter[number].kind);
    }
    return count;
}

/* "as": one name, or a list of them in the order of the outputs; null passes one over. */
static void read_bindings(struct call_reader *call) {
    const struct json *as = json_find(call->json, "as");
    uint32_t outputs = count_outputs(call->row);
    if (as == NULL) {
        return;
    }
    uint32_t names = step_bind_all(call->reader, as, call->step);
    if (names > outputs) {
        json_complain(as, call->reader->problem, "%s has %u output%s to bind", call->row->name,
                      outputs, outputs == 1 ? "" : "s");
        fail(call);
    }
}

/* Only what one call releases has a lifetime. */
static void read_lifetime(struct call_reader *call) {
    const struct json *lifetime = json_find(call->json, "lifetime");
    uint32_t row = 0;
    if (lifetime == NULL) {
        return;
    }
    if (call->row->released_by == NULL) {
        json_complain(lifetime, call->reader->problem,
                      "%s makes nothing that a call releases, so nothing that has a lifetime",
                      call->row->name);
        fail(call);
        return;
    }
    must(acl_row_find(call->row->released_by, &row));
    call->step->release_row = (uint16_t)row;
    step_read_value(call->reader, lifetime, true, &call->step->lifetime);
}

void call_complain(struct step_reader *reader, const struct json *value, const char *name) {
    ARRAY(const char *) names = { 0 };
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        array_add(&names, acl_row_get(row)->name);
        if (acl_row_get(row)->python != NULL) {
            array_add(&names, acl_row_get(row)->python);
        }
    }
    const char *nearest = problem_nearest(name, names.items, names.count);
    bool is_value = json_type(value) == JSON_STRING && json_string(value) == name;
    reader->is_bad = true;
    (is_value ? json_complain : json_complain_of_key)(
        value, reader->problem, "there is no call \"%.60s\"%s%s%s", name,
        nearest == NULL ? "; see `aclsim list calls`" : "; did you mean \"",
        nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    array_fini(&names);
}

void call_read(struct step_reader *reader, const struct json *json, struct step *step) {
    const struct json *name = json_find(json, "call");
    const struct json *expect = json_find(json, "expect");
    uint32_t row = 0;
    uint32_t place = 0;
    if (!json_expect(name, JSON_STRING, "a call", reader->problem)) {
        reader->is_bad = true;
        return;
    }
    if (!acl_row_find(json_string(name), &row)) {
        call_complain(reader, name, json_string(name));
        step_bind_all(reader, json_find(json, "as"), step);
        return;
    }
    struct call_reader call = {
        .reader = reader, .row = acl_row_get(row), .json = json, .step = step
    };
    bool as_python = strcmp(json_string(name), call.row->name) != 0;
    for (uint32_t number = 0; number < acl_row_parameters(call.row); number++) {
        call_form_spell(call.row->parameter[number].name, as_python, call.name[number]);
    }
    step->row = (uint16_t)row;
    step->argument_first = (uint32_t)reader->scenario->arguments.count;
    check_arguments(&call);
    for (uint32_t number = 0; number < acl_row_parameters(call.row); number++) {
        enum acl_kind kind = call.row->parameter[number].kind;
        read_parameter(&call, place, number);
        place += acl_kind_is_list(kind) ? 0 : acl_kind_width(kind);
    }
    read_lifetime(&call);
    read_bindings(&call);
    if (json_find(json, "tag") != NULL) {
        step->tag = step_name(reader, json_find(json, "tag"), "a tag") + 1;
    }
    if (expect != NULL) {
        alternative_read_all(reader, expect, alternative_read_code, &step->code);
    }
}
