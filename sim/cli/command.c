/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "base/problem.h"

#define ENTRY(name) extern const struct command name;
#include "cli/commands.inc"
#undef ENTRY

#define ENTRY(name) &name,
static const struct command *const commands[] = {
#include "cli/commands.inc"
};
#undef ENTRY

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name) {
    for (size_t index = 0; index < COMMAND_COUNT; index++) {
        if (strcmp(commands[index]->name, name) == 0) {
            return commands[index];
        }
    }
    return NULL;
}

static enum command_exit refuse_command(const char *word) {
    const char *names[COMMAND_COUNT];

    for (size_t index = 0; index < COMMAND_COUNT; index++) {
        names[index] = commands[index]->name;
    }
    return command_refuse("command", word, names, COMMAND_COUNT);
}

enum command_exit command_refuse(const char *kind, const char *word, const char *const *known,
                                 size_t count) {
    const char *nearest = problem_nearest(word, known, count);

    (void)fprintf(stderr, "aclsim: there is no %s \"%s\"", kind, word);
    if (nearest != NULL) {
        (void)fprintf(stderr, "; did you mean \"%s\"?", nearest);
    }
    (void)fputc('\n', stderr);
    return COMMAND_EXIT_USAGE;
}

void command_print_overview(void) {
    puts("Usage: aclsim COMMAND [ARGUMENT...]\n"
         "       aclsim help COMMAND\n"
         "       aclsim --help | --version\n"
         "\n"
         "Simulates the memory subsystem of Ascend NPUs.\n"
         "\n"
         "Commands:");
    for (size_t index = 0; index < COMMAND_COUNT; index++) {
        printf("  %-10s %s\n", commands[index]->name, commands[index]->summary);
    }
    puts("\n"
         "Exit status: 0 as expected, 1 findings or expectations not met,\n"
         "2 bad input or usage, 3 the host failed.");
}

static void print_usage(const struct command *command) {
    printf("aclsim %s: %s\n\n%s", command->name, command->summary, command->usage);
}

enum command_exit command_print_usage(const char *name) {
    const struct command *command = find_command(name);

    if (command == NULL) {
        return refuse_command(name);
    }
    print_usage(command);
    return COMMAND_EXIT_EXPECTED;
}

enum command_exit command_run(int argc, char **argv) {
    const struct command *command = find_command(argv[0]);

    if (command == NULL) {
        return refuse_command(argv[0]);
    }
    for (int word = 1; word < argc && strcmp(argv[word], "--") != 0; word++) {
        if (strcmp(argv[word], "--help") == 0) {
            print_usage(command);
            return COMMAND_EXIT_EXPECTED;
        }
    }
    return command->body(argc, argv);
}
