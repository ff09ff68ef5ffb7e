/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/usage.h"

static enum command_exit refuse_option(const char *word) {
    static const char *const options[] = { "--help", "--version" };

    return command_refuse("option", word, options, sizeof options / sizeof options[0]);
}

static enum command_exit run(int argc, char **argv) {
    if (argc == 0) {
        (void)fputs("aclsim: a command is missing; see aclsim --help\n", stderr);
        return COMMAND_EXIT_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0) {
        usage_print_overview(stdout);
        return COMMAND_EXIT_EXPECTED;
    }
    if (strcmp(argv[0], "--version") == 0) {
        puts(PACKAGE_STRING);
        return COMMAND_EXIT_EXPECTED;
    }
    return argv[0][0] == '-' ? refuse_option(argv[0]) : command_run(argc, argv);
}

/* A full disk shows only when the last bytes are written. */
static bool finish_output(void) {
    bool failed_before = ferror(stdout) != 0;

    return fclose(stdout) == 0 && !failed_before;
}

int main(int argc, char **argv) {
    /* A file that may not grow is told like a full disk. */
    (void)signal(SIGXFSZ, SIG_IGN);
    enum command_exit status = run(argc > 0 ? argc - 1 : 0, argv + 1);

    if (!finish_output()) {
        (void)fprintf(stderr, "aclsim: cannot write the output: %s\n", strerror(errno));
        return COMMAND_EXIT_HOST;
    }
    return (int)status;
}
