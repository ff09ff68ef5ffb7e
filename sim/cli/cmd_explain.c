/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/array.h"
#include "cli/command.h"
#include "hazard/hazard.h"

static enum command_exit refuse(const char *name) {
    ARRAY(const char *) names = { 0 };
    for (uint32_t row = 0; row < hazard_row_count(); row++) {
        array_add(&names, hazard_row(row)->name);
    }
    enum command_exit status = command_refuse("finding", name, names.items, names.count);
    array_fini(&names);
    return status;
}

static enum command_exit explain(const struct invocation *invocation) {
    const struct finding_row *row = hazard_find_row(invocation->words[0]);
    if (row == NULL) {
        return refuse(invocation->words[0]);
    }
    printf("%s (%s)\n\n", row->name, finding_severity_name(row->severity));
    printf("  what    %s\n  rule    %s\n  repair  %s\n", row->what, row->why, row->repair);
    printf("\nA run that has this finding %s. The smallest scenario that shows it is\n"
           "scenarios/hazards/%s.json; its neighbour done right is %s-not.json.\n",
           finding_fails(row->severity) ? "is not well and ends with status 1"
                                        : "may be well all the same",
           row->name, row->name);
    return COMMAND_EXIT_EXPECTED;
}

const struct command cmd_explain = {
    .name = "explain",
    .summary = "explain a finding: the rule behind it and how to repair it",
    .words = "FINDING",
    .words_min = 1,
    .words_max = 1,
    .about = "Prints what a finding means, which rule was broken and where it is written, and what "
             "to change. `aclsim list hazards` shows all of them.",
    .example = { { "explain import_not_listed", "why an import is refused" } },
    .body = explain,
};
