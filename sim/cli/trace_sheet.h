/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded workload holds, as a table: name, value, meaning. */
#ifndef CLI_TRACE_SHEET_H
#define CLI_TRACE_SHEET_H

#include "cli/sheet.h"
#include "replay/request.h"

void trace_sheet_fill(struct sheet *sheet, const struct request_trace *trace);

#endif
