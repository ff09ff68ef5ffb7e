/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_write.h"
#include "scenario/figure.h"
#include "scenario/schema.h"

/* A value, values by what holds, or bounds of either. */
static void write_unit(const char *name, const char *plain, struct text *text) {
    json_write(text, "'plain_%s': %s,\n", name, plain);
    json_write(text,
               "'by_%s': { 'anyOf': [ { '$ref': '#/$defs/plain_%s' },\n"
               "  { 'type': 'object', 'minProperties': 1,\n"
               "  'propertyNames': { 'not': { 'enum': [ 'at_least', 'at_most' ] } },\n"
               "  'additionalProperties': { '$ref': '#/$defs/plain_%s' } } ] },\n",
               name, name, name);
    json_write(text,
               "'%s': { 'anyOf': [ { '$ref': '#/$defs/by_%s' }, { 'type': 'object',\n"
               "  'minProperties': 1, 'properties': { 'at_least': { '$ref': '#/$defs/by_%s' },\n"
               "  'at_most': { '$ref': '#/$defs/by_%s' } }, 'additionalProperties': false } ] }",
               name, name, name, name);
}

static void write_rows(enum figure_group group, enum figure_scope scope, struct text *text) {
    static const char *const units[] = {
        [FIGURE_COUNT] = "figure", [FIGURE_BYTES] = "figure_size", [FIGURE_NS] = "figure_time"
    };
    for (const struct figure_row *row = figure_rows(); row->name != NULL; row++) {
        if (row->group == group && row->scope == scope) {
            json_write_next(text);
            json_write(text, "'%s': { '$ref': '#/$defs/%s' }", row->name, units[row->unit]);
        }
    }
}

static void write_names(enum figure_scope scope, struct text *text) {
    if (scope == FIGURE_DEVICE) {
        json_write(text, "'pattern': '^(.*:)?[0-9]{1,4}$'");
    } else if (scope == FIGURE_CALL) {
        json_write(text, "'$ref': '#/$defs/call name'");
    }
}

static void write_scope(enum figure_group group, enum figure_scope scope, struct text *text) {
    const char *key = figure_scope_key(group, scope);
    if (key == NULL) {
        return;
    }
    json_write_next(text);
    json_write(text, "'%s': { 'type': 'object', 'propertyNames': { ", key);
    write_names(scope, text);
    json_write(text, " },\n  'additionalProperties': { 'type': 'object', 'properties': {");
    write_rows(group, scope, text);
    json_write(text, " }, 'additionalProperties': false } }");
}

void schema_write_figures(struct text *text) {
    static const char *const groups[] = {
        [FIGURE_TOTALS] = "totals", [FIGURE_FINALLY] = "finally"
    };
    json_write_next(text);
    write_unit("figure", "{ 'type': 'integer', 'minimum': 0 }", text);
    json_write_next(text);
    write_unit("figure_size",
               "{ 'anyOf': [ { 'type': 'integer', 'minimum': 0 },\n"
               "  { 'type': 'string', 'pattern': '^[0-9]+([KMGT]iB)?$' } ] }",
               text);
    json_write_next(text);
    write_unit("figure_time",
               "{ 'anyOf': [ { 'type': 'integer', 'minimum': 0 },\n"
               "  { 'type': 'string', 'pattern': '^[0-9]+(ns|us|ms|s)$' } ] }",
               text);
    for (int group = 0; group < FIGURE_GROUPS; group++) {
        json_write_next(text);
        json_write(text, "'%s': { 'type': 'object', 'properties': {", groups[group]);
        write_rows((enum figure_group)group, FIGURE_RUN, text);
        for (int scope = FIGURE_RUN + 1; scope < FIGURE_SCOPES; scope++) {
            write_scope((enum figure_group)group, (enum figure_scope)scope, text);
        }
        json_write(text, " }, 'additionalProperties': false }");
    }
}
