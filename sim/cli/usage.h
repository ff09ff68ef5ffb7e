/* SPDX-License-Identifier: Apache-2.0 */
/* What --help and `aclsim help` print, made from the rows of commands. */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include <stdio.h>

#include "cli/command.h"

/* What the program is for, and what every command has: the words stand here once, for the help
 * and for the manual pages. */
extern const char usage_about[];

struct usage_line {
    const char *name;
    const char *meaning;
};

extern const struct usage_line usage_exits[];     /* by enum command_exit, four */
extern const struct usage_line usage_variables[]; /* of the environment; name NULL at the end */

void usage_print(const struct command *command, FILE *stream);
void usage_print_overview(FILE *stream);

/* What a command says of an exit status; NULL when it never ends so. */
const char *usage_exit(const struct command *command, enum command_exit status);

#endif
