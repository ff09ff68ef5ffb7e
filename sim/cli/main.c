/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"

static enum command_exit print_help(int argc, char **argv) {
    if (argc > 2) {
        (void)fputs("aclsim: help takes one command\n", stderr);
        return COMMAND_EXIT_USAGE;
    }
    if (argc == 2) {
        return command_print_usage(argv[1]);
    }
    command_print_overview();
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit refuse_option(const char *word) {
    static const char *const options[] = { "--help", "--version" };

    return command_refuse("option", word, options, sizeof options / sizeof options[0]);
}

static enum command_exit run(int argc, char **argv) {
    if (argc == 0) {
        (void)fputs("aclsim: a command is missing; see aclsim --help\n", stderr);
        return COMMAND_EXIT_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "help") == 0) {
        return print_help(argc, argv);
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
    enum command_exit status = run(argc > 0 ? argc - 1 : 0, argv + 1);

    if (!finish_output()) {
        (void)fprintf(stderr, "aclsim: cannot write the output: %s\n", strerror(errno));
        return COMMAND_EXIT_HOST;
    }
    return (int)status;
}
