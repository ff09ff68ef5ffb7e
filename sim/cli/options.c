/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "base/problem.h"

size_t options_count(const struct command *command) {
    size_t count = 0;
    while (count < COMMAND_OPTIONS && command->option[count].name != NULL) {
        count++;
    }
    return count;
}

/* The place of an option among those of a command; their number when it has none of this name. */
static size_t find_option(const struct command *command, const char *name, size_t size) {
    size_t place = 0;
    for (; place < options_count(command); place++) {
        const char *known = command->option[place].name;
        if (strlen(known) == size && strncmp(known, name, size) == 0) {
            break;
        }
    }
    return place;
}

static bool refuse(const struct command *command, const char *word) {
    const char *names[COMMAND_OPTIONS + 1];
    char name[64];
    size_t count = options_count(command);
    size_t size = strcspn(word + 2, "=");
    for (size_t place = 0; place < count; place++) {
        names[place] = command->option[place].name;
    }
    names[count] = "help";
    (void)snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : sizeof name - 1),
                   word + 2);
    const char *nearest = problem_nearest(name, names, count + 1);
    if (nearest != NULL) {
        (void)fprintf(stderr, "aclsim: %s has no option \"%s\"; did you mean \"--%s\"?\n",
                      command->name, word, nearest);
    } else {
        (void)fprintf(stderr, "aclsim: %s has no option \"%s\"; see aclsim help %s\n",
                      command->name, word, command->name);
    }
    return false;
}

static bool take_value(struct invocation *invocation, size_t place, const char *value) {
    if (invocation->given_count == COMMAND_GIVEN) {
        (void)fprintf(stderr, "aclsim: %s takes at most %d options\n", invocation->command->name,
                      COMMAND_GIVEN);
        return false;
    }
    invocation->value[place] = value;
    invocation->given[invocation->given_count++] = (struct command_given){ place, value };
    return true;
}

/* Reads one option at argv[*at], and its value behind it. */
static bool read_option(int argc, char **argv, struct invocation *invocation, size_t place,
                        int *at) {
    const struct command_option *option = &invocation->command->option[place];
    const char *equals = strchr(argv[*at], '=');
    if (option->value == NULL) {
        invocation->value[place] = "";
        if (equals != NULL) {
            (void)fprintf(stderr, "aclsim: --%s takes no value\n", option->name);
        }
        return equals == NULL;
    }
    if (equals != NULL) {
        return take_value(invocation, place, equals + 1);
    }
    if (*at + 1 >= argc) {
        (void)fprintf(stderr, "aclsim: --%s needs a value, %s; see aclsim help %s\n", option->name,
                      option->value, invocation->command->name);
        return false;
    }
    return take_value(invocation, place, argv[++*at]);
}

static bool check_words(const struct invocation *invocation) {
    const struct command *command = invocation->command;
    if (invocation->word_count >= command->words_min &&
        invocation->word_count <= command->words_max) {
        return true;
    }
    bool is_one = command->words_min == 1 && command->words_max == 1;
    (void)fprintf(
        stderr, "aclsim: %s takes %s%s; see aclsim help %s\n", command->name, is_one ? "one " : "",
        command->words == NULL ? "no words beside options" : command->words, command->name);
    return false;
}

bool options_read(int argc, char **argv, struct invocation *invocation) {
    const struct command *command = invocation->command;
    bool is_over = false;
    invocation->words = argv + 1;
    for (int at = 1; at < argc; at++) {
        if (is_over || strncmp(argv[at], "--", 2) != 0) {
            argv[1 + invocation->word_count++] = argv[at];
            continue;
        }
        if (strcmp(argv[at], "--") == 0) {
            is_over = true;
            continue;
        }
        size_t place = find_option(command, argv[at] + 2, strcspn(argv[at] + 2, "="));
        if (place == options_count(command)) {
            return refuse(command, argv[at]);
        }
        if (!read_option(argc, argv, invocation, place, &at)) {
            return false;
        }
    }
    return check_words(invocation);
}

const char *options_value(const struct invocation *invocation, const char *name) {
    size_t place = find_option(invocation->command, name, strlen(name));
    must(place < options_count(invocation->command));
    return invocation->value[place];
}

const char *options_nth(const struct invocation *invocation, const char *name, size_t nth) {
    size_t option = find_option(invocation->command, name, strlen(name));
    must(option < options_count(invocation->command));
    for (size_t place = 0; place < invocation->given_count; place++) {
        if (invocation->given[place].option == option && nth-- == 0) {
            return invocation->given[place].value;
        }
    }
    return NULL;
}

bool options_has(const struct invocation *invocation, const char *name) {
    return options_value(invocation, name) != NULL;
}

void options_settings(const struct invocation *invocation, struct json_settings *settings) {
    const char *setting = NULL;
    for (size_t nth = 0; (setting = options_nth(invocation, "set", nth)) != NULL; nth++) {
        array_add(&settings->items, setting);
    }
}

bool options_number(const struct invocation *invocation, const char *name, uint64_t *number) {
    const char *text = options_value(invocation, name);
    char *end = NULL;
    if (text == NULL) {
        return true;
    }
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (!is_number) {
        (void)fprintf(stderr, "aclsim: %s: --%s is \"%s\"; expected a whole number\n",
                      invocation->command->name, name, text);
        return false;
    }
    *number = value;
    return true;
}
