/* SPDX-License-Identifier: Apache-2.0 */
/* How a call step writes its arguments: for the reader and for the schema. */
#ifndef SCENARIO_CALL_FORM_H
#define SCENARIO_CALL_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_row.h"

enum { CALL_NAME_BYTES = 48, CALL_MEMBERS = 6 };

/* Members of a struct parameter in header order, each by its path in an object; what they are when
 * they are left out. A location's id is that of the current device then. */
struct call_members {
    enum acl_kind kind;
    const char *name[CALL_MEMBERS];
    uint64_t absent[CALL_MEMBERS];
    bool may_omit[CALL_MEMBERS];
};

/* NULL for a kind that is no struct. */
const struct call_members *call_form_members(enum acl_kind kind);

/* Python spells the C names with small letters and underscores: virPtr is vir_ptr. */
void call_form_spell(const char *c_name, bool as_python, char name[CALL_NAME_BYTES]);

/* What is no pointer and no handle can not be NULL. */
bool call_form_may_be_null(enum acl_kind kind);

#endif
