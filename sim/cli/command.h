/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of a command. A file cmd_<name>.c defines one row, const struct command cmd_<name>,
 * and its line in local.mk puts the row into the table; help is printed from the row.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>

enum command_exit {
    COMMAND_EXIT_EXPECTED = 0,   /* all went as expected */
    COMMAND_EXIT_UNEXPECTED = 1, /* findings, or expectations not met */
    COMMAND_EXIT_USAGE = 2,      /* bad input or usage */
    COMMAND_EXIT_HOST = 3,       /* the host failed */
};

struct command {
    const char *name;
    const char *summary; /* one line, without a full stop */
    const char *usage;   /* usage lines, what they do, and examples */

    /* The first argument is the command's name. */
    enum command_exit (*body)(int argc, char **argv);
};

/* Runs the command that argv[0] names. */
enum command_exit command_run(int argc, char **argv);

/* Prints the overview of all commands. */
void command_print_overview(void);

/* Prints how to use the named command. */
enum command_exit command_print_usage(const char *name);

/* Complains that there is no such thing, and names the nearest that there is. */
enum command_exit command_refuse(const char *kind, const char *word, const char *const *known,
                                 size_t count);

#endif
