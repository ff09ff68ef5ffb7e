/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/part_read.h"

#include <string.h>

#include "base/units.h"
#include "scenario/program.h"

bool part_expect(struct part_reader *reader, const struct json *value, enum json_type type,
                 const char *what) {
    bool fits = json_expect(value, type, what, reader->problem);
    reader->is_bad = reader->is_bad || !fits;
    return fits;
}

bool part_check(struct part_reader *reader, const struct json *value, enum part_kind kind) {
    const char *keys[PART_KEYS];
    size_t count = part_row_names(kind, keys);
    if (!part_expect(reader, value, JSON_OBJECT, part_row_get(kind)->what)) {
        return false;
    }
    if (!json_check_keys(value, keys, count, reader->problem)) {
        reader->is_bad = true;
    }
    return true;
}

void part_complain(struct part_reader *reader, const struct json *value, const char *what) {
    reader->is_bad = true;
    json_complain(value, reader->problem, "%s", what);
}

uint32_t part_find_name(struct part_reader *reader, const struct json *value, const char *kind,
                        const struct name_list *names) {
    if (!part_expect(reader, value, JSON_STRING, kind)) {
        return NAME_NONE;
    }
    uint32_t number = name_list_find(names, 0, json_string(value));
    if (number != NAME_NONE) {
        return number;
    }
    const char *nearest = problem_nearest(json_string(value), names->items, names->count);
    json_complain(value, reader->problem, "there is no %s \"%.60s\"%s%s%s", kind,
                  json_string(value), nearest == NULL ? "" : "; did you mean \"",
                  nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    reader->is_bad = true;
    return NAME_NONE;
}

void part_read_word(struct part_reader *reader, const struct json *object, const char *key,
                    const char **word) {
    const struct json *value = json_find(object, key);
    if (value != NULL && part_expect(reader, value, JSON_STRING, key)) {
        *word = json_string(value);
    }
}

void part_read_number(struct part_reader *reader, const struct json *object, const char *key,
                      uint32_t *number) {
    const struct json *value = json_find(object, key);
    if (value == NULL || !part_expect(reader, value, JSON_NUMBER, key)) {
        return;
    }
    if (json_integer(value) < 0 || json_integer(value) >= PROGRAM_NONE) {
        part_complain(reader, value, "expected a number from 0 to 4294967294");
        return;
    }
    *number = (uint32_t)json_integer(value);
}

void part_read_flag(struct part_reader *reader, const struct json *object, const char *key,
                    bool *flag) {
    const struct json *value = json_find(object, key);
    if (value != NULL && part_expect(reader, value, JSON_TRUE, key)) {
        *flag = json_type(value) == JSON_TRUE;
    }
}

bool part_read_size(struct part_reader *reader, const struct json *object, const char *key,
                    uint64_t *size) {
    const struct json *value = json_find(object, key);
    if (value == NULL || !part_expect(reader, value, JSON_STRING, key)) {
        return false;
    }
    if (!units_read_size(json_string(value), size)) {
        json_complain(value, reader->problem, "\"%.60s\" is not a size; expected one like \"4MiB\"",
                      json_string(value));
        reader->is_bad = true;
        return false;
    }
    return true;
}
