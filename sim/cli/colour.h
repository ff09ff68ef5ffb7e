/* SPDX-License-Identifier: Apache-2.0 */
/* Whether to print in colour: as --color says, else on a terminal unless NO_COLOR is set. */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include "cli/command.h"

#define COMMAND_COLOUR \
    { "color", "WHEN", "always, never, or auto: on a terminal unless NO_COLOR is set (default)" }

/* False, with one line on stderr, when the option has another value. */
bool colour_read(const struct invocation *invocation, bool *wanted);

#endif
