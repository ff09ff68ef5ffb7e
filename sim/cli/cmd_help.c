/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "cli/usage.h"

static enum command_exit help(const struct invocation *invocation) {
    bool is_manual = options_has(invocation, "manual");
    if (invocation->word_count == 0) {
        (is_manual ? manual_print_overview : usage_print_overview)(stdout);
        return COMMAND_EXIT_EXPECTED;
    }
    const struct command *command = command_find(invocation->words[0]);
    if (command == NULL) {
        return command_refuse_name(invocation->words[0]);
    }
    (is_manual ? manual_print : usage_print)(command, stdout);
    return COMMAND_EXIT_EXPECTED;
}

const struct command cmd_help = {
    .name = "help",
    .summary = "show how to use the program or one of its commands",
    .words = "[COMMAND]",
    .words_max = 1,
    .about = "Without a command, shows the commands. `aclsim COMMAND --help` shows the same as "
             "`aclsim help COMMAND`.",
    .option = { { "manual", NULL, "print the manual page instead, in roff" } },
    .example = { { "help run", "what aclsim run does, its options and examples" },
                 { "help --manual run | man -l -", "the same as a manual page" } },
    .body = help,
};
