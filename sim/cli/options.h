/* SPDX-License-Identifier: Apache-2.0 */
/* Options on a command line: "--name VALUE", "--name=VALUE", flags, and words that are no option;
 * behind "--" all are words. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/json_set.h"
#include "cli/command.h"

size_t options_count(const struct command *command);

/* Reads the arguments behind the command's name; the words are moved to the front of argv. False,
 * with one line on stderr, on a mistake. */
bool options_read(int argc, char **argv, struct invocation *invocation);

/* The value of an option that the command has; NULL when it was not given. Whether a flag was. */
const char *options_value(const struct invocation *invocation, const char *name);
bool options_has(const struct invocation *invocation, const char *name);

/* The values of an option that may be given more than once, by place; NULL behind the last. */
const char *options_nth(const struct invocation *invocation, const char *name, size_t nth);

/* The values of --set, in their order; the caller frees the array. */
void options_settings(const struct invocation *invocation, struct json_settings *settings);

/* A whole number; left alone when the option was not given. False, with one line on stderr, when
 * it is none. */
bool options_number(const struct invocation *invocation, const char *name, uint64_t *number);

#endif
