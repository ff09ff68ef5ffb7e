/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_constant.h"

#include <string.h>

#include "base/must.h"

struct row {
    const char *name;
    uint64_t value;
};

static const struct row rows[] = {
#define CONSTANT(name, value) { name, value },
#include "acl/acl_constants.inc"
#undef CONSTANT
};

uint32_t acl_constant_count(void) {
    return sizeof rows / sizeof *rows;
}

const char *acl_constant_name(uint32_t place) {
    must(place < acl_constant_count());
    return rows[place].name;
}

bool acl_constant_find(const char *name, uint64_t *value) {
    for (uint32_t place = 0; place < acl_constant_count(); place++) {
        if (strcmp(rows[place].name, name) == 0) {
            *value = rows[place].value;
            return true;
        }
    }
    return false;
}
