/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_frame.h"

#include "base/must.h"

int32_t acl_refuse(const struct acl_frame *frame, enum acl_rule rule) {
    return acl_refuse_with(frame, rule, 0, 0);
}

int32_t acl_refuse_with(const struct acl_frame *frame, enum acl_rule rule, uint64_t first,
                        uint64_t second) {
    must(acl_rule_code(rule) != ACL_SUCCESS);
    return acl_refuse_as(frame, (uint64_t)acl_rule_code(rule), rule, first, second);
}

int32_t acl_refuse_as(const struct acl_frame *frame, uint64_t code, enum acl_rule rule,
                      uint64_t first, uint64_t second) {
    struct acl_result *result = frame->result;
    result->rule = rule;
    result->rule_value[0] = first;
    result->rule_value[1] = second;
    return (int32_t)code;
}

int32_t acl_refuse_null(const struct acl_frame *frame, uint32_t parameter) {
    return acl_refuse_with(frame, RULE_POINTER_NULL, parameter, 0);
}
