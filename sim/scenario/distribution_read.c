/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/distribution_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/units.h"
#include "scenario/scenario.h"

enum { KINDS_MAX = 16, DIGITS_MAX = 15 };

/* Besides the laws. */
#define UNIFORM "uniform"
#define VALUES "values"
#define QUANTILES "quantiles"

struct distribution_reader {
    struct part_reader *part;
    struct scenario_distribution read;
    const struct json *plain; /* the first amount without a unit that is not 0 */
    bool is_bad;
};

static void complain(struct distribution_reader *reader, const struct json *json,
                     const char *what) {
    reader->is_bad = true;
    part_complain(reader->part, json, what);
}

static void complain_of_word(struct distribution_reader *reader, const struct json *json,
                             const char *what) {
    reader->is_bad = true;
    reader->part->is_bad = true;
    json_complain(json, reader->part->problem, "\"%.60s\" %s", json_string(json), what);
}

/* The names of all kinds, NULL behind the last; how many. */
static size_t list_kinds(const char *kinds[KINDS_MAX]) {
    size_t count = 0;
    kinds[count++] = UNIFORM;
    for (uint32_t place = 0; distribution_law(place) != NULL; place++) {
        kinds[count++] = distribution_law(place)->name;
    }
    kinds[count++] = VALUES;
    kinds[count++] = QUANTILES;
    return count;
}

/* All amounts of a distribution are sizes, or all are times. */
static void note_unit(struct distribution_reader *reader, const struct json *json,
                      enum scenario_unit unit) {
    enum scenario_unit before = reader->read.unit;
    if (before != SCENARIO_PLAIN && before != unit) {
        complain(reader, json,
                 unit == SCENARIO_TIME
                     ? "this is a time, but others of the distribution are sizes"
                     : "this is a size, but others of the distribution are times");
    }
    reader->read.unit = unit;
}

/* A size, a time or a whole number that is not negative. */
static bool read_amount(struct distribution_reader *reader, const struct json *json,
                        uint64_t *amount) {
    const char *word = json_type(json) == JSON_STRING ? json_string(json) : "";
    bool is_plain = json_type(json) == JSON_NUMBER || word[strspn(word, "0123456789")] == '\0';
    if (json_type(json) == JSON_NUMBER && json_integer(json) >= 0) {
        *amount = (uint64_t)json_integer(json);
    } else if (json_type(json) == JSON_STRING && units_read_size(word, amount)) {
        if (!is_plain) {
            note_unit(reader, json, SCENARIO_SIZE);
        }
    } else if (json_type(json) == JSON_STRING && units_read_time(word, amount)) {
        note_unit(reader, json, SCENARIO_TIME);
    } else if (json_type(json) == JSON_STRING) {
        complain_of_word(reader, json,
                         "is no size, time or whole number; expected one like \"4MiB\" or "
                         "\"15us\"");
        return false;
    } else {
        complain(reader, json, "expected a size, a time or a whole number that is not negative");
        return false;
    }
    reader->plain = is_plain && *amount != 0 && reader->plain == NULL ? json : reader->plain;
    return true;
}

/* An amount above 0. */
static bool read_positive(struct distribution_reader *reader, const struct json *json,
                          double *parameter) {
    uint64_t amount = 0;
    if (!read_amount(reader, json, &amount)) {
        return false;
    }
    if (amount == 0) {
        complain(reader, json, "this is 0; expected more");
    }
    *parameter = (double)amount;
    return amount != 0;
}

/* "1.5": digits, perhaps with a fraction. Both parts of the division are exact, so that it is
 * rounded once, whatever the locale. */
static bool parse_factor(const char *word, double *factor) {
    size_t whole = strspn(word, "0123456789");
    size_t part = word[whole] == '.' ? strspn(word + whole + 1, "0123456789") : 0;
    uint64_t digits = 0;
    uint64_t divisor = 1;
    if (whole == 0 || (word[whole] == '.' && part == 0) || whole + part > DIGITS_MAX ||
        word[whole + (part > 0) + part] != '\0') {
        return false;
    }
    for (size_t place = 0; place < whole + (part > 0) + part; place++) {
        if (word[place] != '.') {
            digits = digits * 10 + (uint64_t)(word[place] - '0');
            divisor *= place > whole ? 10 : 1;
        }
    }
    *factor = (double)digits / (double)divisor;
    return digits > 0;
}

static bool read_factor(struct distribution_reader *reader, const struct json *json,
                        double *parameter) {
    if (json_type(json) == JSON_NUMBER && json_integer(json) > 0) {
        *parameter = (double)json_integer(json);
        return true;
    }
    if (json_type(json) == JSON_STRING) {
        if (parse_factor(json_string(json), parameter)) {
            return true;
        }
        complain_of_word(reader, json,
                         "is no factor; expected a number above 0 of at most 15 digits, such as "
                         "\"1.5\"");
        return false;
    }
    complain(reader, json, "expected a factor above 0, such as 2 or \"1.5\"");
    return false;
}

/* The members of a kind that has some, each of which must be there. */
static bool check_members(struct distribution_reader *reader, const struct json *json,
                          const char *const *names, size_t count) {
    bool is_well = part_expect(reader->part, json, JSON_OBJECT, json_key(json)) &&
                   json_check_keys(json, names, count, reader->part->problem);
    bool lacks = false;
    for (size_t place = 0; is_well && place < count; place++) {
        if (json_find(json, names[place]) == NULL) {
            json_complain(json, reader->part->problem, "this lacks its \"%s\"", names[place]);
            lacks = true;
        }
    }
    reader->is_bad = reader->is_bad || !is_well || lacks;
    return is_well && !lacks;
}

static void read_law(struct distribution_reader *reader, const struct json *json,
                     const struct distribution_law *law) {
    double parameter[DISTRIBUTION_PARAMETERS] = { 0, 0 };
    size_t count = law->parameter[1] == NULL ? 1 : 2;
    if (!check_members(reader, json, law->parameter, count)) {
        return;
    }
    for (size_t place = 0; place < count; place++) {
        const struct json *value = json_find(json, law->parameter[place]);
        if (law->has_unit[place]) {
            read_positive(reader, value, &parameter[place]);
        } else {
            read_factor(reader, value, &parameter[place]);
        }
    }
    if (!reader->is_bad && !distribution_fill(&reader->read.distribution, law, parameter)) {
        complain(reader, json,
                 "its quantiles can not be computed, or are beyond 2^63: the parameters are too "
                 "extreme");
    }
}

static void read_uniform(struct distribution_reader *reader, const struct json *json) {
    static const char *const names[] = { "min", "max" };
    struct distribution *read = &reader->read.distribution;
    if (check_members(reader, json, names, 2) &&
        read_amount(reader, json_find(json, "min"), &read->least) &&
        read_amount(reader, json_find(json, "max"), &read->most) && read->least > read->most) {
        complain(reader, json, "its \"min\" is above its \"max\"");
    }
}

/* A value, or an object of it and its weight; 1 where nothing is said. */
static void read_listed(struct distribution_reader *reader, const struct json *json) {
    static const char *const names[] = { "value", "weight" };
    const struct json *value = json;
    int64_t weight = 1;
    uint64_t amount = 0;
    if (json_type(json) == JSON_OBJECT) {
        if (!check_members(reader, json, names, 2)) {
            return;
        }
        value = json_find(json, "value");
        const struct json *given = json_find(json, "weight");
        weight = json_type(given) == JSON_NUMBER ? json_integer(given) : -1;
        if (weight < 0 || weight > DISTRIBUTION_WEIGHT_MAX) {
            complain(reader, given, "a weight is a whole number from 0 to 2^30");
            return;
        }
    }
    if (read_amount(reader, value, &amount)) {
        distribution_list(&reader->read.distribution, amount, (uint64_t)weight);
    }
}

static void read_values(struct distribution_reader *reader, const struct json *json) {
    struct distribution *read = &reader->read.distribution;
    read->form = DISTRIBUTION_LISTED;
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at)) {
        read_listed(reader, at);
    }
    if (!reader->is_bad && read->weights.count == 0) {
        complain(reader, json, "this lists no values");
    } else if (!reader->is_bad && read->weights.items[read->weights.count - 1] == 0) {
        complain(reader, json, "the weights are all 0");
    }
}

static void read_quantiles(struct distribution_reader *reader, const struct json *json) {
    struct distribution *read = &reader->read.distribution;
    uint64_t amount = 0;
    uint64_t before = 0;
    read->form = DISTRIBUTION_QUANTILES;
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at)) {
        if (!read_amount(reader, at, &amount)) {
            continue;
        }
        if (amount < before) {
            complain(reader, at, "quantiles ascend, and this is below the one before it");
        }
        array_add(&read->values, amount);
        before = amount;
    }
    if (!reader->is_bad && read->values.count < 2) {
        complain(reader, json, "two quantiles are the least: those at 0 and at 1");
    }
}

static void read_list(struct distribution_reader *reader, const struct json *json) {
    if (!part_expect(reader->part, json, JSON_ARRAY, json_key(json))) {
        reader->is_bad = true;
    } else if (strcmp(json_key(json), VALUES) == 0) {
        read_values(reader, json);
    } else {
        read_quantiles(reader, json);
    }
}

static void read_kind(struct distribution_reader *reader, const struct json *json) {
    const char *name = json_key(json);
    for (uint32_t place = 0; distribution_law(place) != NULL; place++) {
        if (strcmp(distribution_law(place)->name, name) == 0) {
            read_law(reader, json, distribution_law(place));
            return;
        }
    }
    if (strcmp(name, UNIFORM) == 0) {
        read_uniform(reader, json);
    } else {
        read_list(reader, json);
    }
}

/* The member that says the kind; NULL, with a complaint, when there is not just one. */
static const struct json *find_kind(struct distribution_reader *reader, const struct json *json) {
    const char *kinds[KINDS_MAX];
    size_t count = list_kinds(kinds);
    const struct json *found = NULL;
    struct text list = { 0 };
    for (size_t place = 0; place < count; place++) {
        const struct json *at = json_find(json, kinds[place]);
        text_printf(&list, "%s%s", place == 0 ? "" : ", ", kinds[place]);
        if (at != NULL && found != NULL) {
            complain(reader, at, "a distribution is of one kind, and this is a second");
        }
        found = at != NULL ? at : found;
    }
    if (found == NULL) {
        reader->is_bad = true;
        reader->part->is_bad = true;
        json_complain(json, reader->part->problem, "this has none of %s", text_get(&list));
    }
    text_fini(&list);
    return found;
}

/* The bounds of every kind but uniform, which has its own. */
static void read_bounds(struct distribution_reader *reader, const struct json *json,
                        const struct json *kind) {
    const struct json *least = json_find(json, "min");
    const struct json *most = json_find(json, "max");
    struct distribution *read = &reader->read.distribution;
    if (kind != NULL && strcmp(json_key(kind), UNIFORM) == 0) {
        if (least != NULL || most != NULL) {
            complain(reader, least != NULL ? least : most,
                     "\"min\" and \"max\" of a uniform stand inside of it");
        }
        return;
    }
    bool is_well = (least == NULL || read_amount(reader, least, &read->least)) &&
                   (most == NULL || read_amount(reader, most, &read->most));
    if (is_well && read->least > read->most) {
        complain(reader, least != NULL ? least : most, "the \"min\" is above the \"max\"");
    }
}

static bool check_keys(struct distribution_reader *reader, const struct json *json) {
    const char *keys[KINDS_MAX];
    size_t count = list_kinds(keys);
    keys[count++] = "min";
    keys[count++] = "max";
    return part_expect(reader->part, json, JSON_OBJECT, "a distribution") &&
           json_check_keys(json, keys, count, reader->part->problem);
}

void distribution_read(struct part_reader *reader, const struct json *json) {
    struct distribution_reader inner = {
        .part = reader, .read = { .name = json_key(json), .distribution = { .most = UINT64_MAX } }
    };
    if (!expression_is_name(json_key(json))) {
        complain(&inner, json, "the name of a distribution has letters, digits, _ and dots");
    }
    if (check_keys(&inner, json)) {
        const struct json *kind = find_kind(&inner, json);
        if (kind != NULL) {
            read_kind(&inner, kind);
        }
        read_bounds(&inner, json, kind);
    }
    if (inner.plain != NULL && inner.read.unit == SCENARIO_TIME) {
        complain(&inner, inner.plain, "this has no unit, but others of the distribution are times");
    }
    if (reader->scenario->distributions.count == SCENARIO_DISTRIBUTIONS_MAX) {
        part_complain(reader, json, "a scenario has at most 1000 distributions");
        distribution_fini(&inner.read.distribution);
        return;
    }
    array_add(&reader->scenario->distributions, inner.read);
    name_list_add(&reader->scenario->distribution_names, 0, inner.read.name);
}

#define UNITS "([KMGT]iB|ns|us|ms|s)?$"

static const char definitions[] =
    "'distributions': { 'type': 'object', 'additionalProperties': { '$ref': \n"
    "  '#/$defs/distribution' }, 'propertyNames': { 'pattern': '^[A-Za-z0-9_.]{1,127}$' } },\n"
    "'amount': { 'description': 'a size, a time or a whole number', 'anyOf': [\n"
    "  { 'type': 'integer', 'minimum': 0, 'maximum': 9007199254740992 },\n"
    "  { 'type': 'string', 'pattern': '^[0-9]+" UNITS "' } ] },\n"
    "'positive': { 'description': 'a size, a time or a whole number above 0', 'anyOf': [\n"
    "  { 'type': 'integer', 'minimum': 1, 'maximum': 9007199254740992 },\n"
    "  { 'type': 'string', 'pattern': '^0*[1-9][0-9]*" UNITS "' } ] },\n"
    "'factor': { 'description': 'a number above 0, such as 2 or 1.5 in quotes', 'anyOf': [\n"
    "  { 'type': 'integer', 'minimum': 1, 'maximum': 9007199254740992 },\n"
    "  { 'type': 'string', 'maxLength': 16,\n"
    "    'pattern': '^(?=.*[1-9])[0-9]+(\\\\.[0-9]+)?$' } ] },\n"
    "'distribution': { 'type': 'object', 'properties': {\n"
    "  'min': { '$ref': '#/$defs/amount' }, 'max': { '$ref': '#/$defs/amount' },\n"
    "  'uniform': { 'type': 'object', 'properties': { 'min': { '$ref': '#/$defs/amount' },\n"
    "    'max': { '$ref': '#/$defs/amount' } }, 'required': [ 'min', 'max' ],\n"
    "    'additionalProperties': false },\n"
    "  'values': { 'type': 'array', 'minItems': 1, 'items': { 'anyOf': [\n"
    "    { '$ref': '#/$defs/amount' }, { 'type': 'object', 'properties': {\n"
    "    'value': { '$ref': '#/$defs/amount' }, 'weight': { 'type': 'integer', 'minimum': 0,\n"
    "    'maximum': 1073741824 } }, 'required': [ 'value', 'weight' ],\n"
    "    'additionalProperties': false } ] } },\n"
    "  'quantiles': { 'type': 'array', 'minItems': 2, 'items': { '$ref': '#/$defs/amount' } }";

static void write_law(const struct distribution_law *law, struct text *text) {
    size_t count = law->parameter[1] == NULL ? 1 : 2;
    json_write_next(text);
    json_write(text, "  '%s': { 'type': 'object', 'properties': {", law->name);
    for (size_t place = 0; place < count; place++) {
        json_write(text, "%s '%s': { '$ref': '#/$defs/%s' }", place == 0 ? "" : ",",
                   law->parameter[place], law->has_unit[place] ? "positive" : "factor");
    }
    json_write(text, " }, 'required': [");
    for (size_t place = 0; place < count; place++) {
        json_write(text, "%s '%s'", place == 0 ? "" : ",", law->parameter[place]);
    }
    json_write(text, " ], 'additionalProperties': false }");
}

void distribution_write_schema(struct text *text) {
    const char *kinds[KINDS_MAX];
    size_t count = list_kinds(kinds);
    json_write_next(text);
    json_write(text, definitions);
    for (uint32_t place = 0; distribution_law(place) != NULL; place++) {
        write_law(distribution_law(place), text);
    }
    json_write(text, " },\n'additionalProperties': false, 'oneOf': [");
    for (size_t place = 0; place < count; place++) {
        json_write(text, "%s { 'required': [ '%s' ] }", place == 0 ? "" : ",", kinds[place]);
    }
    json_write(text, " ],\n'if': { 'required': [ 'uniform' ] }, 'then': { 'properties': "
                     "{ 'min': false, 'max': false } } }");
}
