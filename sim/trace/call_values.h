/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments and results of a call by the names of the prototype, for programs. In JSON they are
 * members of an object: addresses, handles and the like are strings in hexadecimal, all else is
 * numbers, or strings in decimal beyond 2^53; structs are lists of their members in header order.
 * In a log they are pairs, "size=4096, prop={0,0,4,0,1,0}" (docs/calls.md). A NULL pointer is null;
 * a text is empty, because what it says is not kept.
 */
#ifndef TRACE_CALL_VALUES_H
#define TRACE_CALL_VALUES_H

#include "acl/acl.h"
#include "base/text.h"

enum call_style { CALL_JSON, CALL_LOG };

void call_values_arguments(const struct acl_record *record, enum call_style style,
                           struct text *text);
void call_values_results(const struct acl_record *record, const struct acl_result *result,
                         enum call_style style, struct text *text);

/* In JSON: a number; one that is written in hexadecimal. */
void call_values_number(int64_t value, struct text *text);
void call_values_hexadecimal(uint64_t value, struct text *text);

#endif
