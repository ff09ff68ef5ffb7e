/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manual.h"

#include <config.h>
#include <ctype.h>
#include <string.h>

#include "cli/options.h"
#include "cli/usage.h"

enum { EXITS = 4 };

/* Text as roff takes it literally: no requests, no escapes, real minus signs. */
static void print_text(const char *text, FILE *stream) {
    bool begins_line = true;
    for (const char *at = text; *at != '\0'; at++) {
        if (begins_line && (*at == '.' || *at == '\'')) {
            (void)fputs("\\&", stream);
        }
        begins_line = *at == '\n';
        if (*at == '\\') {
            (void)fputs("\\e", stream);
        } else if (*at == '-') {
            (void)fputs("\\-", stream);
        } else if (at[0] == '\n' && at[1] == '\n') {
            (void)fputs("\n.PP\n", stream);
            at++;
        } else {
            (void)fputc(*at, stream);
        }
    }
    (void)fputc('\n', stream);
}

static void print_section(const char *title, FILE *stream) {
    (void)fprintf(stream, ".SH %s\n", title);
}

/* A term in bold, what it takes in italics, and what it means. */
static void print_term(const char *dashes, const char *term, const char *value, const char *meaning,
                       FILE *stream) {
    (void)fputs(".TP\n\\fB", stream);
    for (const char *at = dashes; *at != '\0'; at++) {
        (void)fputs("\\-", stream);
    }
    for (const char *at = term; *at != '\0'; at++) {
        (void)fputs(*at == '-' ? "\\-" : (const char[]){ *at, '\0' }, stream);
    }
    (void)fprintf(stream, "\\fR%s%s%s\n", value == NULL ? "" : " \\fI",
                  value == NULL ? "" : value, value == NULL ? "" : "\\fR");
    print_text(meaning, stream);
}

static void print_title(const char *name, FILE *stream) {
    (void)fputs(".TH \"ACLSIM", stream);
    for (const char *at = name; *at != '\0'; at++) {
        (void)fputc(toupper((unsigned char)*at), stream);
    }
    (void)fprintf(stream, "\" 1 \"\" \"%s\" \"aclsim manual\"\n", PACKAGE_STRING);
}

static void print_exits(const struct command *command, FILE *stream) {
    print_section("\"EXIT STATUS\"", stream);
    for (int status = 0; status < EXITS; status++) {
        const char *meaning = command == NULL ? usage_exits[status].meaning
                                              : usage_exit(command, (enum command_exit)status);
        if (meaning != NULL) {
            print_term("", usage_exits[status].name, NULL, meaning, stream);
        }
    }
}

static void print_examples(const struct command *command, FILE *stream) {
    if (command->example[0].line == NULL) {
        return;
    }
    print_section("EXAMPLES", stream);
    for (int place = 0; place < COMMAND_EXAMPLES && command->example[place].line != NULL; place++) {
        (void)fputs(".PP\n", stream);
        print_text(command->example[place].meaning, stream);
        (void)fputs(".RS\n.nf\naclsim ", stream);
        print_text(command->example[place].line, stream);
        (void)fputs(".fi\n.RE\n", stream);
    }
}

void manual_print(const struct command *command, FILE *stream) {
    char name[64];
    (void)snprintf(name, sizeof name, "-%s", command->name);
    print_title(name, stream);
    print_section("NAME", stream);
    (void)fprintf(stream, "aclsim\\-%s \\- %s\n", command->name, command->summary);
    print_section("SYNOPSIS", stream);
    (void)fprintf(stream, ".B aclsim %s\n", command->name);
    if (command->words != NULL) {
        (void)fprintf(stream, ".I %s\n", command->words);
    }
    if (options_count(command) > 0) {
        (void)fputs(".RI [ OPTION... ]\n", stream);
    }
    print_section("DESCRIPTION", stream);
    print_text(command->about, stream);
    if (options_count(command) > 0) {
        print_section("OPTIONS", stream);
    }
    for (size_t place = 0; place < options_count(command); place++) {
        const struct command_option *option = &command->option[place];
        print_term("--", option->name, option->value, option->meaning, stream);
    }
    print_exits(command, stream);
    print_examples(command, stream);
    print_section("\"SEE ALSO\"", stream);
    (void)fputs(".BR aclsim (1)\n", stream);
}

void manual_print_overview(FILE *stream) {
    print_title("", stream);
    print_section("NAME", stream);
    (void)fputs("aclsim \\- deterministic simulator of the memory of Ascend NPUs\n", stream);
    print_section("SYNOPSIS", stream);
    (void)fputs(".B aclsim\n.I COMMAND\n.RI [ ARGUMENT... ]\n.br\n.B aclsim help\n.I COMMAND\n.br\n"
                ".B aclsim \\-\\-version\n",
                stream);
    print_section("DESCRIPTION", stream);
    print_text(usage_about, stream);
    print_section("COMMANDS", stream);
    for (size_t place = 0; place < command_count(); place++) {
        const struct command *command = command_get(place);
        print_term("", command->name, NULL, command->summary, stream);
    }
    print_exits(NULL, stream);
    print_section("ENVIRONMENT", stream);
    for (const struct usage_line *line = usage_variables; line->name != NULL; line++) {
        print_term("", line->name, NULL, line->meaning, stream);
    }
    print_section("FILES", stream);
    print_term("", INSTALLED_FILES "/models", NULL, "the models of products", stream);
    print_term("", INSTALLED_FILES "/scenarios", NULL, "scenarios to start from", stream);
    print_section("\"SEE ALSO\"", stream);
    for (size_t place = 0; place < command_count(); place++) {
        (void)fprintf(stream, ".BR aclsim\\-%s (1)%s\n", command_get(place)->name,
                      place + 1 < command_count() ? "," : "");
    }
}
