/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_rule.h"

#include <stddef.h>

#include "base/must.h"

struct row {
    const char *name;
    int32_t code;
    const char *section;
    const char *sentence;
};

static const struct row rows[ACL_RULES] = {
#define RULE(rule, name, code, section, sentence) [RULE_##rule] = { name, code, section, sentence },
#include "acl/acl_rules.inc"
#undef RULE
};

static const struct row *get(enum acl_rule rule) {
    must(rule > ACL_NO_RULE && rule < ACL_RULES);
    return &rows[rule];
}

const char *acl_rule_name(enum acl_rule rule) {
    return get(rule)->name;
}

int32_t acl_rule_code(enum acl_rule rule) {
    return get(rule)->code;
}

const char *acl_rule_section(enum acl_rule rule) {
    return get(rule)->section;
}

const char *acl_rule_sentence(enum acl_rule rule) {
    return get(rule)->sentence;
}
