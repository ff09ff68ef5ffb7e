/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules by which calls are refused, one row of acl_rules.inc each. A call that returns a code
 * other than 0 says by which rule (acl_result.rule), so that a person learns why.
 */
#ifndef ACL_ACL_RULE_H
#define ACL_ACL_RULE_H

#include <stdint.h>

enum { ACL_RULE_VALUES = 2 };

enum acl_rule {
    ACL_NO_RULE,
#define RULE(rule, ...) RULE_##rule,
#include "acl/acl_rules.inc"
#undef RULE
    ACL_RULES
};

const char *acl_rule_name(enum acl_rule rule);     /* "not_listed" */
int32_t acl_rule_code(enum acl_rule rule);         /* 0 when it depends on the product */
const char *acl_rule_section(enum acl_rule rule);  /* "vmm-and-sharing 5.3"; NULL: the call's */
const char *acl_rule_sentence(enum acl_rule rule); /* with places, as acl_rules.inc says */

#endif
