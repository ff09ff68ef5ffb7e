/* SPDX-License-Identifier: Apache-2.0 */
/* A call as a person reads it: name, arguments by name, result. */
#ifndef TRACE_CALL_TEXT_H
#define TRACE_CALL_TEXT_H

#include "acl/acl.h"
#include "base/text.h"

/* One value of a kind: "2MiB", "0x…", "3". */
void call_text_value(enum acl_kind kind, uint64_t value, struct text *text);

/* "aclrtMapMem(virPtr=0x…, size=2MiB, …)" */
void call_text_arguments(const struct acl_record *record, struct text *text);

/* "= 0 -> handle=0x…" after success; "= 507899 ACL_ERROR_RT_DRV_INTERNAL_ERROR: nothing is mapped
 * at 0x… (vmm-and-sharing 4.9)" otherwise. */
void call_text_result(const struct acl_record *record, const struct acl_result *result,
                      struct text *text);

#endif
