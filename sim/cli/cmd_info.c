/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/trace_sheet.h"
#include "import/import.h"

static void print(const struct request_trace *trace, bool as_json) {
    struct sheet sheet = { .column = { "name", "value", "meaning" } };
    trace_sheet_fill(&sheet, trace);
    if (as_json) {
        sheet_print_json(&sheet, stdout);
    } else {
        sheet_print(&sheet, stdout);
    }
    sheet_fini(&sheet);
}

static enum command_exit show(const struct invocation *invocation) {
    struct problem problem = { 0 };
    struct import import;
    uint64_t device = IMPORT_ANY_DEVICE;
    enum command_exit status = COMMAND_EXIT_USAGE;
    if (!options_number(invocation, "device", &device)) {
        return status;
    }
    if (import_open(invocation->words[0], device > UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)device,
                    &import, &problem)) {
        print(import.source.trace, options_has(invocation, "json"));
        import_close(&import);
        status = COMMAND_EXIT_EXPECTED;
    }
    problem_print(&problem, stderr);
    problem_fini(&problem);
    return status;
}

const struct command cmd_info = {
    .name = "info",
    .summary = "show what a recorded workload holds",
    .words = "TRACE",
    .words_min = 1,
    .words_max = 1,
    .about = "Reads a memory snapshot of PyTorch or torch_npu, the pickle itself or the same as "
             "JSON, and prints what its log holds: events by kind, bytes that were requested and "
             "reserved, what was live before the log and after it, and what could not be used or "
             "does not fit together, with the first event of each sort. Files packed by gzip are "
             "read as they are.\n"
             "\n"
             "Values are whole numbers of bytes, events or nanoseconds.",
    .option = { { "device", "N", "the log of this device (default: the longest one)" },
                { "json", NULL, "print a JSON list of objects instead" } },
    .example = { { "info snapshot.pickle", "what the longest log in it holds" },
                 { "info snapshot.pickle --device 3 --json", "that of a device, for a program" } },
    .body = show,
};
