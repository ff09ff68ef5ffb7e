/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/schema.h"

#include "base/json_write.h"
#include "scenario/distribution_read.h"
#include "scenario/part_row.h"
#include "scenario/scenario.h"

/* Names of the parts in the schema. */
static const char *const names[PART_KINDS] = {
    [PART_SCENARIO] = "scenario", [PART_SERVER] = "server", [PART_CONTAINER] = "container",
    [PART_PROCESS] = "process",   [PART_THREAD] = "thread", [PART_EXPECT] = "expect",
};

/* A number with letters behind it that are no unit; hexadecimal digits and names may have both. */
#define ODD_NUMBER(units) \
    "^(?!.*(^|[^A-Za-z0-9_.$])(?!0[xX])[0-9]+ *(?!(" units ")(?![A-Za-z0-9_]))[A-Za-z_])"

static const char definitions[] =
    "'value': { 'description': 'a number, a size, or an expression', 'anyOf': [\n"
    "  { 'type': 'integer', 'minimum': -9007199254740992, 'maximum': 9007199254740992 },\n"
    "  { 'type': 'string', 'minLength': 1, 'pattern': '" ODD_NUMBER("[KMGT]iB") "' } ] },\n"
    "'time': { 'description': 'a time such as 15us, or an expression of times', 'anyOf': [\n"
    "  { 'const': 0 }, { 'type': 'string', 'minLength': 1,\n"
    "  'pattern': '" ODD_NUMBER("ns|us|ms|s") "' } ] },\n"
    "'range': { 'type': 'object', 'properties': { 'address': { '$ref': '#/$defs/value' },\n"
    "  'size': { '$ref': '#/$defs/value' } }, 'required': [ 'address', 'size' ],\n"
    "  'additionalProperties': false },\n"
    "'pieces': { 'type': 'array', 'items': { 'type': 'object', 'properties': {\n"
    "  'size': { '$ref': '#/$defs/value' }, 'at': { '$ref': '#/$defs/value' },\n"
    "  'count': { 'type': 'integer', 'minimum': 1, 'maximum': 1000000 },\n"
    "  'as': { '$ref': '#/$defs/name' } }, 'required': [ 'size' ],\n"
    "  'additionalProperties': false } },\n"
    "'count': { 'type': 'integer', 'minimum': 0, 'maximum': 4294967294 },\n"
    "'name': { 'type': 'string', 'pattern': '^[A-Za-z_][A-Za-z0-9_.]*$' },\n"
    "'label': { 'type': 'string',\n"
    "  'pattern': '^(?!([0-9]*|end|lifetime)$)[^: #/\\\\t\\\\r\\\\n]+$' },\n"
    "'findings': { 'type': 'array', 'items': { 'anyOf': [ { 'type': 'string' },\n"
    "  { 'type': 'object', 'minProperties': 1, 'maxProperties': 1,\n"
    "  'additionalProperties': { 'anyOf': [ { '$ref': '#/$defs/count' },\n"
    "  { 'type': 'object', 'minProperties': 1,\n"
    "  'additionalProperties': { '$ref': '#/$defs/count' } } ] } } ] } },\n"
    "'steps': { 'type': 'array', 'items': { '$ref': '#/$defs/step' } }";

static void write_form(const struct part_key *key, struct text *text) {
    switch (key->form) {
    case PART_FORMAT:
        json_write(text, "{ 'const': %d }", SCENARIO_FORMAT);
        break;
    case PART_WORD:
        json_write(text, "{ 'type': 'string' }");
        break;
    case PART_NUMBER:
        json_write(text, "{ '$ref': '#/$defs/count' }");
        break;
    case PART_SOME:
        json_write(text, "{ 'type': 'integer', 'minimum': 0, 'maximum': %d }",
                   SCENARIO_DEVICES_MAX);
        break;
    case PART_FLAG:
        json_write(text, "{ 'type': 'boolean' }");
        break;
    case PART_NAMES:
        json_write(text, "{ 'type': 'array', 'items': { 'type': 'string' } }");
        break;
    case PART_DEVICES:
        json_write(text,
                   "{ 'type': 'array', 'uniqueItems': true, 'items': { 'type': 'integer', "
                   "'minimum': 0, 'maximum': %d } }",
                   SCENARIO_DEVICES_MAX - 1);
        break;
    case PART_NPU:
        json_write(text, "{ 'type': [ 'boolean', 'string' ] }");
        break;
    case PART_MODEL:
        json_write(text, "{ 'type': 'object' }");
        break;
    case PART_LATER:
        json_write(text, "{ 'const': 'later' }");
        break;
    case PART_FINDINGS:
    case PART_STEPS:
    case PART_DRAWN:
    case PART_TOTALS:
    case PART_FINALLY:
        json_write(text, "{ '$ref': '#/$defs/%s' }", key->name);
        break;
    case PART_ONE:
        json_write(text, "{ '$ref': '#/$defs/%s' }", names[key->kind]);
        break;
    case PART_MANY:
        json_write(text,
                   "{ 'type': 'object', 'propertyNames': { 'pattern': '%s' },\n"
                   "  'additionalProperties': { '$ref': '#/$defs/%s' } }",
                   key->kind == PART_PROCESS ? "^[^: #/\\\\t\\\\r\\\\n]+$" : "",
                   names[key->kind]);
        break;
    }
}

static void write_part(enum part_kind kind, struct text *text) {
    const struct part_row *row = part_row_get(kind);
    const char *comma = "";
    json_write(text, "{ 'type': 'object', 'properties': {");
    for (size_t place = 0; place < PART_KEYS && row->key[place].name != NULL; place++) {
        json_write_next(text);
        json_write(text, "'%s': ", row->key[place].name);
        write_form(&row->key[place], text);
    }
    json_write(text, " },\n'required': [");
    for (size_t place = 0; place < PART_KEYS && row->key[place].name != NULL; place++) {
        if (row->key[place].must) {
            json_write(text, "%s '%s'", comma, row->key[place].name);
            comma = ",";
        }
    }
    json_write(text, " ], 'additionalProperties': false");
    if (kind == PART_PROCESS) {
        json_write(text, ",\n'anyOf': [ { 'required': [ 'steps' ] }, "
                         "{ 'required': [ 'threads' ] } ]");
    }
    json_write(text, " }");
}

void schema_write(struct text *text) {
    json_write(text, "{ '$schema': 'https://json-schema.org/draft/2020-12/schema',\n"
                     "'title': 'a scenario for aclsim', '$ref': '#/$defs/scenario',\n"
                     "'$defs': {\n");
    json_write(text, definitions);
    distribution_write_schema(text);
    for (int kind = 0; kind < PART_KINDS; kind++) {
        json_write_next(text);
        json_write(text, "'%s': ", names[kind]);
        write_part((enum part_kind)kind, text);
    }
    schema_write_figures(text);
    schema_write_steps(text);
    json_write(text, " } }\n");
}
