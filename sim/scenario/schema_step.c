/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "base/json_write.h"
#include "scenario/call_form.h"
#include "scenario/schema.h"
#include "scenario/step_row.h"

static void write_code(struct text *text) {
    json_write_next(text);
    json_write(text, "'code': { 'anyOf': [ { 'type': 'integer' }, { 'enum': [\n");
    for (size_t place = 0; place < acl_error_count(); place++) {
        const char *name = acl_error_name(acl_error_get(place));
        const char *brief = strncmp(name, "ACL_ERROR_", 10) == 0 ? name + 10 : name;
        json_write(text, "%s'%s', '%s'", place == 0 ? "" : ", ", name, brief);
    }
    json_write(text, " ] } ] },\n'codes': { 'anyOf': [ { '$ref': '#/$defs/code' }, { 'type': "
                     "'object', 'minProperties': 1, "
                     "'additionalProperties': { '$ref': '#/$defs/code' } } ] }");
}

static void write_form(enum step_form form, struct text *text) {
    switch (form) {
    case FORM_VALUE:
        json_write(text, "{ '$ref': '#/$defs/value' }");
        break;
    case FORM_TIME:
        json_write(text, "{ '$ref': '#/$defs/time' }");
        break;
    case FORM_BIND:
        json_write(text, "{ '$ref': '#/$defs/name' }");
        break;
    case FORM_BIND_ALL:
        json_write(text, "{ 'anyOf': [ { '$ref': '#/$defs/name' }, { 'type': 'array', 'items': "
                         "{ 'anyOf': [ { 'type': 'null' }, { '$ref': '#/$defs/name' } ] } } ] }");
        break;
    case FORM_PROCESS:
    case FORM_NAME:
    case FORM_DRAWN:
    case FORM_CALL:
        json_write(text, "{ 'type': 'string' }");
        break;
    case FORM_TRUE:
        json_write(text, "{ 'const': true }");
        break;
    case FORM_RANGE:
        json_write(text, "{ '$ref': '#/$defs/range' }");
        break;
    case FORM_PIECES:
        json_write(text, "{ '$ref': '#/$defs/pieces' }");
        break;
    case FORM_CODE:
        json_write(text, "{ '$ref': '#/$defs/codes' }");
        break;
    case FORM_ROUNDS:
        json_write(text, "{ 'type': 'integer', 'minimum': 0 }");
        break;
    case FORM_STEPS:
        json_write(text, "{ '$ref': '#/$defs/steps' }");
        break;
    }
}

static void write_keys(const struct step_row *row, struct text *text) {
    for (uint32_t place = 0; place < step_row_keys(row); place++) {
        json_write_next(text);
        json_write(text, "'%s': ", row->key[place].name);
        write_form(row->key[place].form, text);
    }
    if (row->kind != STEP_REPEAT) {
        json_write_next(text);
        json_write(text, "'label': { '$ref': '#/$defs/label' }");
    }
}

static void write_required(const struct step_row *row, struct text *text) {
    for (uint32_t place = 0; place < step_row_keys(row); place++) {
        if (row->key[place].missing != NULL) {
            json_write(text, "%s '%s'", place == 0 ? "" : ",", row->key[place].name);
        }
    }
}

/* The keys of a struct argument: members up to the dots in their paths. */
static void write_members(const struct call_members *members, enum acl_kind kind,
                          struct text *text) {
    static const char inside[] = "location.";
    bool has_location = false;
    json_write(text, "{ 'type': 'object', 'properties': {");
    for (uint32_t member = 0; member < acl_kind_width(kind); member++) {
        bool is_inside = strncmp(members->name[member], inside, sizeof inside - 1) == 0;
        has_location = has_location || is_inside;
        if (!is_inside) {
            json_write_next(text);
            json_write(text, "  '%s': { '$ref': '#/$defs/value' }", members->name[member]);
        }
    }
    if (has_location) {
        json_write_next(text);
        json_write(text, "  'location': { '$ref': '#/$defs/location' }");
    }
    json_write(text, " }, 'additionalProperties': false");
    if (kind == ACL_LOCATION) {
        json_write(text, ", 'required': [ 'id' ]");
    } else if (kind == ACL_ACCESSES) {
        json_write(text, ", 'required': [ 'location' ]");
    }
    json_write(text, " }");
}

static void write_location(struct text *text) {
    json_write_next(text);
    json_write(text, "'location': { 'type': 'object', 'properties': { 'id': { '$ref': "
                     "'#/$defs/value' }, 'type': { '$ref': '#/$defs/value' } }, "
                     "'additionalProperties': false }");
}

static void write_argument(const struct acl_parameter *parameter, struct text *text) {
    enum acl_kind kind = parameter->kind;
    const struct call_members *members = call_form_members(kind);
    bool may_be_null = call_form_may_be_null(kind);
    if (acl_kind_is_output(kind)) {
        json_write(text, "{ 'type': 'null' }");
        return;
    }
    json_write(text, may_be_null ? "{ 'anyOf': [ { 'type': 'null' }, " : "");
    if (acl_kind_is_list(kind)) {
        json_write(text, "{ 'type': 'array', 'items': ");
    }
    if (members != NULL) {
        write_members(members, kind, text);
    } else if (kind == ACL_TEXT) {
        json_write(text, "{ 'type': 'string' }");
    } else {
        json_write(text, "{ '$ref': '#/$defs/value' }");
    }
    json_write(text, acl_kind_is_list(kind) ? " }" : "");
    json_write(text, may_be_null ? " ] }" : "");
}

/* What can not be left out: see call_read.c. */
static bool is_required(const struct acl_parameter *parameter) {
    return parameter->need == ACL_REQUIRED && parameter->kind != ACL_LENGTH &&
           !acl_kind_is_output(parameter->kind) && !acl_kind_is_list(parameter->kind);
}

static void write_call(const struct acl_row *row, bool as_python, const struct step_row *step,
                       struct text *text) {
    char name[CALL_NAME_BYTES];
    json_write_next(text);
    json_write(text, "'call %s': { 'type': 'object', 'properties': {",
               as_python ? row->python : row->name);
    write_keys(step, text);
    if (row->released_by != NULL) {
        json_write_next(text);
        json_write(text, "'lifetime': { '$ref': '#/$defs/time' }");
    }
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        if (acl_row_goes_on(row, number)) {
            continue;
        }
        call_form_spell(row->parameter[number].name, as_python, name);
        json_write_next(text);
        json_write(text, "'%s': ", name);
        write_argument(&row->parameter[number], text);
    }
    json_write(text, " },\n'required': [ 'call'");
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        if (is_required(&row->parameter[number])) {
            call_form_spell(row->parameter[number].name, as_python, name);
            json_write(text, ", '%s'", name);
        }
    }
    json_write(text, " ], 'additionalProperties': false }");
}

/* A call step is one of those below, told apart by the name of the call. */
static void write_choice(struct text *text) {
    const char *comma = "";
    json_write_next(text);
    json_write(text, "'call name': { 'enum': [\n");
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        const struct acl_row *at = acl_row_get(row);
        json_write(text, "%s'%s'", comma, at->name);
        comma = ", ";
        if (at->python != NULL) {
            json_write(text, ", '%s'", at->python);
        }
    }
    json_write(text, " ] },\n'step call': { 'properties': { 'call': { '$ref': "
                     "'#/$defs/call name' } }, 'allOf': [");
    for (uint32_t row = 0; row < acl_row_count(); row++) {
        const char *const both[] = { acl_row_get(row)->name, acl_row_get(row)->python };
        for (int form = 0; form < 2 && both[form] != NULL; form++) {
            json_write_next(text);
            json_write(text,
                       "{ 'if': { 'properties': { 'call': { 'const': '%s' } } }, 'then': { '$ref': "
                       "'#/$defs/call %s' } }",
                       both[form], both[form]);
        }
    }
    json_write(text, " ] }");
}

static void write_step(struct text *text) {
    json_write_next(text);
    json_write(text, "'step': { 'type': 'object', 'anyOf': [");
    for (uint32_t row = 0; row < step_row_count(); row++) {
        json_write(text, "%s { 'required': [ '%s' ] }", row == 0 ? "" : ",",
                   step_row_get(row)->key[0].name);
    }
    json_write(text, " ],\n'allOf': [");
    for (uint32_t row = 0; row < step_row_count(); row++) {
        const char *name = step_row_get(row)->key[0].name;
        json_write_next(text);
        json_write(text,
                   "{ 'if': { 'required': [ '%s' ] }, 'then': { '$ref': '#/$defs/step %s' } }",
                   name, name);
    }
    json_write(text, " ] }");
}

void schema_write_steps(struct text *text) {
    write_code(text);
    write_location(text);
    write_step(text);
    for (uint32_t place = 0; place < step_row_count(); place++) {
        const struct step_row *row = step_row_get(place);
        if (row->kind == STEP_CALL) {
            continue;
        }
        json_write_next(text);
        json_write(text, "'step %s': { 'type': 'object', 'properties': {", row->key[0].name);
        write_keys(row, text);
        json_write(text, " },\n'required': [");
        write_required(row, text);
        json_write(text, " ], 'additionalProperties': false }");
    }
    write_choice(text);
    for (uint32_t number = 0; number < acl_row_count(); number++) {
        const struct acl_row *row = acl_row_get(number);
        write_call(row, false, step_row_of(STEP_CALL), text);
        if (row->python != NULL) {
            write_call(row, true, step_row_of(STEP_CALL), text);
        }
    }
}
