/* SPDX-License-Identifier: Apache-2.0 */
/* Options of commands: "--name VALUE", "--name=VALUE", flags, and words that are no option. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option {
    const char *name;   /* without the dashes */
    const char **value; /* where its value goes; NULL for a flag */
    bool *flag;         /* set by a flag; NULL otherwise */
};

/* Reads the arguments behind the command's name. The words that are no option come first in
 * argv[1] … on return, *words of them. False, with one line on stderr, on a mistake. */
bool options_read(const char *command, int argc, char **argv, const struct option *options,
                  size_t count, int *words);

/* A whole number of an option; false, with one line on stderr, when it is none. */
bool options_number(const char *command, const char *option, const char *text, uint64_t *number);

#endif
