/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of a command. A file cmd_<name>.c defines one row, const struct command cmd_<name>,
 * and its line in local.mk puts the row into the table. All that is said of a command stands in
 * the row once: the reader of options, --help and the manual pages go by it.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMMAND_OPTIONS = 24, COMMAND_GIVEN = 64, COMMAND_EXAMPLES = 8 };

enum command_exit {
    COMMAND_EXIT_EXPECTED = 0,   /* all went as expected */
    COMMAND_EXIT_UNEXPECTED = 1, /* findings, or expectations not met */
    COMMAND_EXIT_USAGE = 2,      /* bad input or usage */
    COMMAND_EXIT_HOST = 3,       /* the host failed */
};

struct command_option {
    const char *name;    /* without the dashes */
    const char *value;   /* what it takes, such as "FILE"; NULL for a flag */
    const char *meaning; /* a phrase, without a full stop */
};

struct command_example {
    const char *line;
    const char *meaning;
};

/* One option with a value, as it was given. */
struct command_given {
    size_t option; /* its place among the command's options */
    const char *value;
};

/* What was said on the command line. */
struct invocation {
    const struct command *command;
    const char *value[COMMAND_OPTIONS]; /* by the command's options; "" for a flag; NULL: absent;
                                         * of one that was given more than once, the last */
    struct command_given given[COMMAND_GIVEN]; /* all with values, in order */
    size_t given_count;
    char **words; /* those that are no option */
    int word_count;
};

struct command {
    const char *name;
    const char *summary; /* one line, without a full stop */
    const char *words;   /* "SCENARIO", "PATH..."; NULL for none */
    int words_min;
    int words_max;
    const char *about; /* paragraphs with an empty line between */
    struct command_option option[COMMAND_OPTIONS];
    const char *unexpected; /* when it exits with 1; NULL for never */
    struct command_example example[COMMAND_EXAMPLES];
    enum command_exit (*body)(const struct invocation *invocation);
};

/* An option that several commands have. */
/* The device model where none is named. */
#define COMMAND_PRODUCT "atlas-a2-910b1"

#define COMMAND_MODELS \
    { "models", "DIR", "where the models are (default: $ACLSIM_MODELS, else the installed ones)" }

#define COMMAND_SET                                                                            \
    {                                                                                          \
        "set", "POINTER=VALUE",                                                                \
            "change the scenario first: what a JSON pointer names, to JSON or a text; may be " \
            "given "                                                                           \
            "several times"                                                                    \
    }

size_t command_count(void);
const struct command *command_get(size_t place);
const struct command *command_find(const char *name); /* NULL when there is none */

/* Runs the command that argv[0] names. */
enum command_exit command_run(int argc, char **argv);

/* Complains that there is no such thing, and names the nearest that there is. */
enum command_exit command_refuse(const char *kind, const char *word, const char *const *known,
                                 size_t count);
enum command_exit command_refuse_name(const char *name);

#endif
