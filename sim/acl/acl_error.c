/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_error.h"

#include <string.h>

#include "base/problem.h"

struct row {
    int32_t code;
    const char *name;
    const char *meaning;
};

static const struct row rows[] = {
    { ACL_SUCCESS, "ACL_SUCCESS", "success" },
#define ERROR(value, name, meaning) { value, "ACL_ERROR_" #name, meaning },
#include "acl/acl_errors.inc"
#undef ERROR
};

static const struct row *find(int32_t code) {
    for (size_t place = 0; place < sizeof rows / sizeof *rows; place++) {
        if (rows[place].code == code) {
            return &rows[place];
        }
    }
    return NULL;
}

const char *acl_error_name(int32_t code) {
    const struct row *row = find(code);
    return row == NULL ? NULL : row->name;
}

const char *acl_error_meaning(int32_t code) {
    const struct row *row = find(code);
    return row == NULL ? NULL : row->meaning;
}

size_t acl_error_count(void) {
    return sizeof rows / sizeof *rows;
}

int32_t acl_error_get(size_t place) {
    return rows[place].code;
}

bool acl_error_find(const char *name, int64_t *code) {
    static const char prefix[] = "ACL_ERROR_";
    for (size_t place = 0; place < sizeof rows / sizeof *rows; place++) {
        const char *known = rows[place].name;
        bool is_short = strncmp(known, prefix, sizeof prefix - 1) == 0 &&
                        strcmp(known + sizeof prefix - 1, name) == 0;
        if (is_short || strcmp(known, name) == 0) {
            *code = rows[place].code;
            return true;
        }
    }
    return false;
}

const char *acl_error_nearest(const char *word) {
    const char *names[sizeof rows / sizeof *rows];
    for (size_t place = 0; place < sizeof rows / sizeof *rows; place++) {
        names[place] = rows[place].name;
    }
    return problem_nearest(word, names, sizeof rows / sizeof *rows);
}
