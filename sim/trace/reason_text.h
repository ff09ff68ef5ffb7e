/* SPDX-License-Identifier: Apache-2.0 */
/* Why a call was refused, as a sentence. */
#ifndef TRACE_REASON_TEXT_H
#define TRACE_REASON_TEXT_H

#include "acl/acl.h"
#include "base/text.h"

/* "size 3MiB is no multiple of 2MiB": the rule with its values; nothing when there is no rule. */
void reason_text(const struct acl_record *record, const struct acl_result *result,
                 struct text *text);

/* Where the rule stands: "vmm-and-sharing 4.2"; NULL when there is no rule. */
const char *reason_section(const struct acl_record *record, const struct acl_result *result);

#endif
