/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "base/problem.h"
#include "cli/options.h"
#include "cli/usage.h"

#define ENTRY(name) extern const struct command name;
#include "cli/commands.inc"
#undef ENTRY

#define ENTRY(name) &name,
static const struct command *const commands[] = {
#include "cli/commands.inc"
};
#undef ENTRY

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

size_t command_count(void) {
    return COMMAND_COUNT;
}

const struct command *command_get(size_t place) {
    return commands[place];
}

const struct command *command_find(const char *name) {
    for (size_t place = 0; place < COMMAND_COUNT; place++) {
        if (strcmp(commands[place]->name, name) == 0) {
            return commands[place];
        }
    }
    return NULL;
}

/* So many are named where nothing is near. */
enum { KNOWN_SHOWN = 16 };

enum command_exit command_refuse(const char *kind, const char *word, const char *const *known,
                                 size_t count) {
    const char *nearest = problem_nearest(word, known, count);

    (void)fprintf(stderr, "aclsim: there is no %s \"%s\"", kind, word);
    if (nearest != NULL) {
        (void)fprintf(stderr, "; did you mean \"%s\"?", nearest);
    } else if (count <= KNOWN_SHOWN) {
        for (size_t place = 0; place < count; place++) {
            (void)fprintf(stderr, "%s%s", place == 0 ? "; expected " : ", ", known[place]);
        }
    }
    (void)fputc('\n', stderr);
    return COMMAND_EXIT_USAGE;
}

enum command_exit command_refuse_name(const char *name) {
    const char *names[COMMAND_COUNT];

    for (size_t place = 0; place < COMMAND_COUNT; place++) {
        names[place] = commands[place]->name;
    }
    return command_refuse("command", name, names, COMMAND_COUNT);
}

static bool asks_for_help(int argc, char **argv) {
    for (int word = 1; word < argc && strcmp(argv[word], "--") != 0; word++) {
        if (strcmp(argv[word], "--help") == 0) {
            return true;
        }
    }
    return false;
}

enum command_exit command_run(int argc, char **argv) {
    struct invocation invocation = { .command = command_find(argv[0]) };

    if (invocation.command == NULL) {
        return command_refuse_name(argv[0]);
    }
    if (asks_for_help(argc, argv)) {
        usage_print(invocation.command, stdout);
        return COMMAND_EXIT_EXPECTED;
    }
    return options_read(argc, argv, &invocation) ? invocation.command->body(&invocation)
                                                 : COMMAND_EXIT_USAGE;
}
