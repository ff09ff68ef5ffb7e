/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages in roff, made from the rows of commands. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdio.h>

#include "cli/command.h"

/* aclsim(1), or aclsim-NAME(1) of a command. */
void manual_print(const struct command *command, FILE *stream);
void manual_print_overview(FILE *stream);

#endif
