/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_row.h"

#include <string.h>

#include "base/must.h"

#define ENTRY(family) extern const struct acl_family family;
#include "acl/families.inc"
#undef ENTRY

static const struct acl_family *const families[] = {
#define ENTRY(family) &family,
#include "acl/families.inc"
#undef ENTRY
};

struct kind_row {
    const char *name;
    uint32_t width;
    bool is_list;
    bool is_output;
    enum acl_notation notation;
};

static const struct kind_row kinds[ACL_KINDS] = {
#define KIND(kind, name, width, is_list, is_output, notation) \
    [ACL_##kind] = { name, width, is_list, is_output, notation },
#include "acl/acl_kinds.inc"
#undef KIND
};

uint32_t acl_row_count(void) {
    uint32_t count = 0;
    for (size_t family = 0; family < sizeof families / sizeof *families; family++) {
        count += families[family]->count;
    }
    return count;
}

const struct acl_row *acl_row_get(uint32_t row) {
    uint32_t left = row;
    size_t family = 0;
    while (left >= families[family]->count) {
        left -= families[family]->count;
        family++;
        must(family < sizeof families / sizeof *families);
    }
    return &families[family]->rows[left];
}

bool acl_row_find(const char *name, uint32_t *row) {
    for (uint32_t place = 0; place < acl_row_count(); place++) {
        const struct acl_row *at = acl_row_get(place);
        if (strcmp(at->name, name) == 0 || (at->python != NULL && strcmp(at->python, name) == 0)) {
            *row = place;
            return true;
        }
    }
    return false;
}

size_t acl_parameter_length(const struct acl_parameter *parameter) {
    return strcspn(parameter->name, ".");
}

bool acl_row_goes_on(const struct acl_row *row, uint32_t number) {
    size_t length = acl_parameter_length(&row->parameter[number]);
    return number > 0 && acl_parameter_length(&row->parameter[number - 1]) == length &&
           strncmp(row->parameter[number - 1].name, row->parameter[number].name, length) == 0;
}

uint32_t acl_row_parameters(const struct acl_row *row) {
    uint32_t count = 0;
    while (count < ACL_PARAMETERS && row->parameter[count].kind != ACL_NO_KIND) {
        count++;
    }
    return count;
}

uint32_t acl_row_args(const struct acl_row *row) {
    uint32_t args = 0;
    for (uint32_t place = 0; place < acl_row_parameters(row); place++) {
        enum acl_kind kind = row->parameter[place].kind;
        args += acl_kind_is_list(kind) ? 0 : acl_kind_width(kind);
    }
    return args;
}

const char *acl_kind_name(enum acl_kind kind) {
    must(kind > ACL_NO_KIND && kind < ACL_KINDS);
    return kinds[kind].name;
}

uint32_t acl_kind_width(enum acl_kind kind) {
    must(kind > ACL_NO_KIND && kind < ACL_KINDS);
    return kinds[kind].width;
}

bool acl_kind_is_list(enum acl_kind kind) {
    must(kind > ACL_NO_KIND && kind < ACL_KINDS);
    return kinds[kind].is_list;
}

bool acl_kind_is_output(enum acl_kind kind) {
    must(kind > ACL_NO_KIND && kind < ACL_KINDS);
    return kinds[kind].is_output;
}

enum acl_notation acl_kind_notation(enum acl_kind kind) {
    must(kind > ACL_NO_KIND && kind < ACL_KINDS);
    return kinds[kind].notation;
}
