/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json_write.h"
#include "machine/cost.h"
#include "machine/link.h"
#include "machine/product.h"
#include "memory/page.h"

/* What is no field: words about the model, and lists. */
static const char words[] =
    "'format': { 'const': 1 },\n"
    "'product': { 'type': 'string', 'minLength': 1 },\n"
    "'about': { 'type': 'string' },\n"
    "'extends': { 'type': 'string', 'minLength': 1 },\n"
    "'family': { 'type': 'string' },\n"
    "'standard': { 'type': 'boolean' },\n"
    "'sources': { 'type': 'object', 'propertyNames': { 'pattern': '^/' },\n"
    "  'additionalProperties': { 'type': 'string', 'pattern': "
    "'^(assumed( .*)?|[ACVSTI] [HML] .+)$' } },\n"
    "'unlike': { 'type': 'array', 'maxItems': %d, 'items': { 'type': 'object',\n"
    "  'properties': { 'every': { '$ref': '#/$defs/small' }, 'from': { '$ref': '#/$defs/small' },\n"
    "    'memory': { 'type': 'object', 'properties': {\n"
    "      'reserved': { '$ref': '#/$defs/bytes' }, 'usable': { '$ref': '#/$defs/bytes' },\n"
    "      'ddr_usable': { '$ref': '#/$defs/bytes' } }, 'additionalProperties': false } },\n"
    "  'required': [ 'every', 'from', 'memory' ], 'additionalProperties': false } },\n"
    "'links': { 'type': 'array', 'maxItems': %d, 'items': { '$ref': '#/$defs/link' } }";

static const char definitions[] =
    "'bytes': { 'anyOf': [ { 'type': 'integer', 'minimum': 0 },\n"
    "  { 'type': 'string', 'pattern': '^(0[xX][0-9a-fA-F]+|[0-9]+([KMGT]iB)?)$' } ] },\n"
    "'small': { 'type': 'integer', 'minimum': 0, 'maximum': 65535 },\n"
    "'count': { 'anyOf': [ { 'type': 'integer', 'minimum': 0, 'maximum': 4294967295 },\n"
    "  { 'type': 'string', 'pattern': '^(0[xX][0-9a-fA-F]+|[0-9]+([KMGT]iB)?)$' } ] },\n"
    "'time': { 'type': 'string', 'pattern': '^(0|[0-9]+(ns|us|ms|s))$' },\n"
    "'curve': { 'type': 'object', 'properties': {\n"
    "  'overhead': { '$ref': '#/$defs/time' }, 'rate': { '$ref': '#/$defs/bytes' },\n"
    "  'table': { 'type': 'array', 'minItems': 1, 'maxItems': %d, 'items': { 'type': 'array',\n"
    "    'prefixItems': [ { '$ref': '#/$defs/bytes' }, { '$ref': '#/$defs/time' } ],\n"
    "    'minItems': 2, 'maxItems': 2 } } },\n"
    "  'oneOf': [ { 'required': [ 'rate' ] }, { 'required': [ 'table' ] } ],\n"
    "  'additionalProperties': false },\n"
    "'link': { 'type': 'object', 'properties': { 'name': { 'type': 'string', 'maxLength': %d },\n"
    "  'peers': { 'enum': [ 'pairs', 'groups', 'all', 'host' ] },\n"
    "  'group': { 'type': 'integer', 'minimum': 1 }, 'peer_access': { 'type': 'boolean' },\n"
    "  'push': { '$ref': '#/$defs/curve' }, 'pull': { '$ref': '#/$defs/curve' } },\n"
    "  'required': [ 'name', 'peers', 'push' ], 'additionalProperties': false,\n"
    "  'if': { 'properties': { 'peers': { 'const': 'groups' } } },\n"
    "  'then': { 'required': [ 'group' ] }, 'else': { 'properties': { 'group': false } } },\n"
    "'template': { 'type': 'object', 'properties': {\n"
    "  'name': { 'type': 'string', 'minLength': 1, 'maxLength': %d },\n"
    "  'cores': { '$ref': '#/$defs/small' }, 'cpus': { '$ref': '#/$defs/small' },\n"
    "  'memory': { '$ref': '#/$defs/bytes' } },\n"
    "  'required': [ 'name', 'cores', 'cpus' ], 'additionalProperties': false }";

static int by_pointer(const void *left, const void *right) {
    return strcmp((*(const struct product_field *const *)left)->pointer,
                  (*(const struct product_field *const *)right)->pointer);
}

static void write_choice(const struct product_field *field, struct text *text) {
    const char *comma = "";
    json_write(text, "{ 'enum': [");
    for (const char *at = field->words; *at != '\0';) {
        size_t size = strcspn(at, " ");
        json_write(text, "%s '%.*s'", comma, (int)size, at);
        comma = ",";
        at += size + (at[size] == ' ');
    }
    json_write(text, " ]");
}

static void write_field(const struct product_field *field, struct text *text) {
    switch (field->kind) {
    case PRODUCT_BYTES:
        json_write(text, "{ '$ref': '#/$defs/bytes'");
        break;
    case PRODUCT_COUNT:
        json_write(text, "{ '$ref': '#/$defs/count'");
        break;
    case PRODUCT_FLAG:
        json_write(text, "{ 'type': 'boolean'");
        break;
    case PRODUCT_CHOICE:
        write_choice(field, text);
        break;
    }
    json_write(text, ", 'description': ");
    text_append_json_string(text, field->meaning);
    json_write(text, " }");
}

/* The members of the object at a prefix such as "/pages/"; the fields are sorted by pointer. */
static void write_members(const struct product_field *const *fields, size_t count,
                          const char *prefix, struct text *text) {
    size_t size = strlen(prefix);
    for (size_t place = 0; place < count;) {
        const char *rest = fields[place]->pointer + size;
        size_t length = strcspn(rest, "/");
        json_write_next(text);
        json_write(text, "'%.*s': ", (int)length, rest);
        if (rest[length] == '\0') {
            write_field(fields[place++], text);
            continue;
        }
        struct text inside = { 0 };
        size_t first = place;
        text_printf(&inside, "%.*s", (int)(size + length + 1), fields[place]->pointer);
        while (place < count &&
               strncmp(fields[place]->pointer, text_get(&inside), inside.size) == 0) {
            place++;
        }
        json_write(text, "{ 'type': 'object', 'properties': {");
        write_members(fields + first, place - first, text_get(&inside), text);
        if (strcmp(text_get(&inside), "/virtual/") == 0) {
            json_write_next(text);
            json_write(text,
                       "'templates': { 'type': 'array', 'maxItems': %d, 'items': "
                       "{ '$ref': '#/$defs/template' } }",
                       TEMPLATES_MAX);
        }
        json_write(text, " }, 'additionalProperties': false }");
        text_fini(&inside);
    }
}

static void write_fields(struct text *text) {
    ARRAY(const struct product_field *) fields = { 0 };
    for (uint32_t place = 0; place < product_field_count(); place++) {
        array_add(&fields, product_field(place));
    }
    qsort(fields.items, fields.count, sizeof(const struct product_field *), by_pointer);
    write_members(fields.items, fields.count, "/", text);
    array_fini(&fields);
}

/* A time, or a base and something for each page. */
static void write_costs(struct text *text) {
    json_write_next(text);
    json_write(text, "'costs': { 'type': 'object', 'properties': {");
    json_write_next(text);
    json_write(text, "'default': { '$ref': '#/$defs/time' }");
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        json_write_next(text);
        json_write(
            text, "'%s': { '$ref': '#/$defs/cost', 'description': ", cost_name((enum cost_key)key));
        text_append_json_string(text, cost_meaning((enum cost_key)key));
        json_write(text, " }");
    }
    json_write(text, " }, 'additionalProperties': false }");
}

static void write_cost(struct text *text) {
    json_write_next(text);
    json_write(text, "'cost': { 'anyOf': [ { '$ref': '#/$defs/time' }, { 'type': 'object', "
                     "'properties': {\n  'base': { '$ref': '#/$defs/time' },\n"
                     "  'per_page': { 'type': 'object', 'properties': {");
    for (uint32_t page = 0; page < PAGE_CLASSES; page++) {
        json_write(text, "%s '%s': { '$ref': '#/$defs/time' }", page == 0 ? "" : ",",
                   page_name((enum page_class)page));
    }
    json_write(text, " }, 'additionalProperties': false } },\n"
                     "  'additionalProperties': false } ] }");
}

void product_schema_write(struct text *text) {
    json_write(text, "{ '$schema': 'https://json-schema.org/draft/2020-12/schema',\n"
                     "'title': 'a model of a product, for aclsim', 'type': 'object', "
                     "'properties': {\n");
    json_write(text, words, UNLIKE_MAX, LINKS);
    write_costs(text);
    write_fields(text);
    json_write(text, " },\n'required': [ 'format', 'product' ], 'additionalProperties': false,\n"
                     "'$defs': {\n");
    json_write(text, definitions, LINK_POINTS, LINK_NAME - 1, TEMPLATE_NAME - 1);
    write_cost(text);
    json_write(text, " } }\n");
}
