/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/usage.h"

#include <string.h>

#include "base/text.h"
#include "cli/options.h"

enum { WIDTH = 79, COLUMN_MAX = 24, EXITS = 4 };

const char usage_about[] =
    "Simulates the memory subsystem of Ascend NPUs: runs the ACL calls of a scenario on simulated "
    "devices of a product, and reports what happened and what it cost. The same input gives the "
    "same output, byte for byte.";

const struct usage_line usage_exits[] = {
    { "0", "as expected" },
    { "1", "findings, or expectations not met" },
    { "2", "bad input or usage" },
    { "3", "the host failed: a file that can not be written, no memory" },
};

const struct usage_line usage_variables[] = {
    { "ACLSIM_MODELS", "the folder of the models, unless --models names another" },
    { "NO_COLOR", "when set and not empty, --color auto prints without colour" },
    { NULL, NULL },
};

const char *usage_exit(const struct command *command, enum command_exit status) {
    return status == COMMAND_EXIT_UNEXPECTED ? command->unexpected : usage_exits[status].meaning;
}

/* Prints words from a column on, wrapped; the first line begins at the column already. An empty
 * line in the text begins a paragraph. */
static void print_wrapped(const char *text, int column, FILE *stream) {
    int at = column;
    while (*text != '\0') {
        if (*text == '\n') {
            (void)fprintf(stream, "\n\n%*s", column, "");
            at = column;
            text += strspn(text, "\n");
            continue;
        }
        int size = (int)strcspn(text, " \n");
        if (at > column && at + 1 + size > WIDTH) {
            (void)fprintf(stream, "\n%*s", column, "");
            at = column;
        }
        at += fprintf(stream, "%s%.*s", at > column ? " " : "", size, text);
        text += size;
        text += strspn(text, " ");
    }
    (void)fputc('\n', stream);
}

/* A name in one column, its meaning in the next; a long name has a line of its own. */
static void print_line(const char *name, const char *meaning, int column, FILE *stream) {
    int size = (int)strlen(name);
    (void)fprintf(stream, "  %s", name);
    if (size + 4 > column) {
        (void)fprintf(stream, "\n%*s", column, "");
    } else {
        (void)fprintf(stream, "%*s", column - size - 2, "");
    }
    print_wrapped(meaning, column, stream);
}

static void name_option(const struct command_option *option, struct text *name) {
    text_clear(name);
    text_printf(name, "--%s%s%s", option->name, option->value == NULL ? "" : " ",
                option->value == NULL ? "" : option->value);
}

static void print_options(const struct command *command, FILE *stream) {
    struct text name = { 0 };
    int column = 0;
    for (size_t place = 0; place < options_count(command); place++) {
        name_option(&command->option[place], &name);
        int needed = (int)name.size + 4;
        column = needed > column && needed <= COLUMN_MAX ? needed : column;
    }
    if (column > 0) {
        (void)fputs("\nOptions:\n", stream);
    }
    for (size_t place = 0; place < options_count(command); place++) {
        name_option(&command->option[place], &name);
        print_line(text_get(&name), command->option[place].meaning, column, stream);
    }
    text_fini(&name);
}

static void print_exits(const struct command *command, FILE *stream) {
    (void)fputs("\nExit status:\n", stream);
    for (int status = 0; status < EXITS; status++) {
        const char *meaning = command == NULL ? usage_exits[status].meaning
                                              : usage_exit(command, (enum command_exit)status);
        if (meaning != NULL) {
            print_line(usage_exits[status].name, meaning, 5, stream);
        }
    }
}

void usage_print(const struct command *command, FILE *stream) {
    (void)fprintf(stream, "Usage: aclsim %s%s%s%s\n\n", command->name,
                  command->words == NULL ? "" : " ", command->words == NULL ? "" : command->words,
                  options_count(command) == 0 ? "" : " [OPTION...]");
    print_wrapped(command->about, 0, stream);
    print_options(command, stream);
    print_exits(command, stream);
    for (int place = 0; place < COMMAND_EXAMPLES && command->example[place].line != NULL; place++) {
        (void)fprintf(stream, "%s  aclsim %s\n      ", place == 0 ? "\nExamples:\n" : "",
                      command->example[place].line);
        print_wrapped(command->example[place].meaning, 6, stream);
    }
}

void usage_print_overview(FILE *stream) {
    (void)fputs("Usage: aclsim COMMAND [ARGUMENT...]\n"
                "       aclsim help COMMAND\n"
                "       aclsim --help | --version\n\n",
                stream);
    print_wrapped(usage_about, 0, stream);
    (void)fputs("\nCommands:\n", stream);
    for (size_t place = 0; place < command_count(); place++) {
        print_line(command_get(place)->name, command_get(place)->summary, 12, stream);
    }
    print_exits(NULL, stream);
    (void)fputs("\nEnvironment:\n", stream);
    for (const struct usage_line *line = usage_variables; line->name != NULL; line++) {
        print_line(line->name, line->meaning, 17, stream);
    }
}
