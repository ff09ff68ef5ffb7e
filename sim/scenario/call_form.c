/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/call_form.h"

#include <stddef.h>

static const struct call_members structs[] = {
    { ACL_PROPERTY,
      { "handleType", "allocationType", "memAttr", "location.id", "location.type", "reserve" },
      { 0, 0, 4, 0, 1, 0 },
      { true, true, true, true, true, true } },
    { ACL_LOCATION, { "id", "type" }, { 0, 1 }, { false, true } },
    { ACL_ACCESSES,
      { "flags", "location.id", "location.type" },
      { 3, 0, 1 },
      { true, false, true } },
};

const struct call_members *call_form_members(enum acl_kind kind) {
    for (size_t place = 0; place < sizeof structs / sizeof *structs; place++) {
        if (structs[place].kind == kind) {
            return &structs[place];
        }
    }
    return NULL;
}

void call_form_spell(const char *c_name, bool as_python, char name[CALL_NAME_BYTES]) {
    size_t size = 0;
    for (const char *at = c_name; *at != '\0' && *at != '.' && size + 2 < CALL_NAME_BYTES; at++) {
        bool is_capital = *at >= 'A' && *at <= 'Z';
        if (is_capital && as_python) {
            name[size++] = '_';
        }
        name[size++] = is_capital && as_python ? (char)(*at - 'A' + 'a') : *at;
    }
    name[size] = '\0';
}

bool call_form_may_be_null(enum acl_kind kind) {
    switch (kind) {
    case ACL_ADDRESS:
    case ACL_HANDLE:
    case ACL_STREAM:
    case ACL_EVENT:
    case ACL_TEXT:
        return true;
    default:
        return acl_kind_is_output(kind) || acl_kind_is_list(kind) ||
               call_form_members(kind) != NULL;
    }
}
