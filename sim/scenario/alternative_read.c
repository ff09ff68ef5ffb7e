/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/alternative_read.h"

#include <string.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "machine/product.h"
#include "scenario/call_read.h"

static void complain_of_code(struct step_reader *reader, const struct json *value) {
    const char *nearest =
        json_type(value) == JSON_STRING ? acl_error_nearest(json_string(value)) : NULL;
    reader->is_bad = true;
    if (nearest != NULL) {
        json_complain(value, reader->problem, "there is no code \"%.60s\"; did you mean \"%s\"?",
                      json_string(value), nearest);
    } else {
        json_complain(value, reader->problem,
                      "a code is a number or a name such as ACL_ERROR_RT_PARAM_INVALID");
    }
}

bool alternative_read_code(struct step_reader *reader, const struct json *value, int64_t *answer) {
    if (json_type(value) == JSON_NUMBER) {
        *answer = json_integer(value);
        return true;
    }
    if (json_type(value) == JSON_STRING && acl_error_find(json_string(value), answer)) {
        return true;
    }
    complain_of_code(reader, value);
    return false;
}

/* The call or field behind "no:" must be one; products and families only a run can know. */
static void check_alternative(struct step_reader *reader, const struct json *value) {
    const char *key = json_key(value) + 3;
    uint32_t row = 0;
    if (strncmp(json_key(value), "no:", 3) != 0 || acl_row_find(key, &row) ||
        product_find_field(key) != NULL) {
        return;
    }
    if (key[0] != '/') {
        call_complain(reader, value, key);
        return;
    }
    ARRAY(const char *) names = { 0 };
    for (uint32_t place = 0; place < product_field_count(); place++) {
        array_add(&names, product_field(place)->pointer);
    }
    const char *nearest = problem_nearest(key, names.items, names.count);
    reader->is_bad = true;
    json_complain_of_key(value, reader->problem, "a model has no field \"%.60s\"%s%s%s", key,
                         nearest == NULL ? "; see `aclsim list fields`" : "; did you mean \"",
                         nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    array_fini(&names);
}

static void add_one(struct step_reader *reader, const char *key, const struct json *value,
                    alternative_read *read, struct step_code *code) {
    int64_t answer = 0;
    if (read(reader, value, &answer)) {
        array_add(&reader->scenario->alternatives,
                  (struct scenario_alternative){ key, answer, value });
        code->count++;
    }
}

void alternative_read_all(struct step_reader *reader, const struct json *value,
                          alternative_read *read, struct step_code *code) {
    *code = (struct step_code){ (uint32_t)reader->scenario->alternatives.count, 0 };
    if (json_type(value) != JSON_OBJECT) {
        add_one(reader, "default", value, read, code);
        return;
    }
    if (json_first(value) == NULL) {
        json_complain(value, reader->problem,
                      "nothing is expected here; expected a value, or values by product, family or "
                      "feature");
        reader->is_bad = true;
    }
    for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
        check_alternative(reader, at);
        add_one(reader, json_key(at), at, read, code);
    }
}
