/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/problem.h"

enum { OPTIONS_MAX = 24 };

static const struct option *find_option(const struct option *options, size_t count,
                                        const char *name, size_t size) {
    for (size_t place = 0; place < count; place++) {
        if (strlen(options[place].name) == size && strncmp(options[place].name, name, size) == 0) {
            return &options[place];
        }
    }
    return NULL;
}

static bool refuse(const char *command, const char *word, const struct option *options,
                   size_t count) {
    const char *names[OPTIONS_MAX];
    for (size_t place = 0; place < count; place++) {
        names[place] = options[place].name;
    }
    const char *nearest = problem_nearest(word + 2, names, count);
    if (nearest != NULL) {
        (void)fprintf(stderr, "aclsim: %s has no option \"%s\"; did you mean \"--%s\"?\n", command,
                      word, nearest);
    } else {
        (void)fprintf(stderr, "aclsim: %s has no option \"%s\"; see aclsim help %s\n", command,
                      word, command);
    }
    return false;
}

/* Reads one option at argv[*at], and its value behind it. */
static bool read_option(const char *command, int argc, char **argv, const struct option *option,
                        int *at) {
    const char *equals = strchr(argv[*at], '=');
    if (option->flag != NULL) {
        *option->flag = true;
        if (equals != NULL) {
            (void)fprintf(stderr, "aclsim: --%s takes no value\n", option->name);
        }
        return equals == NULL;
    }
    if (equals != NULL) {
        *option->value = equals + 1;
        return true;
    }
    if (*at + 1 >= argc) {
        (void)fprintf(stderr, "aclsim: --%s needs a value; see aclsim help %s\n", option->name,
                      command);
        return false;
    }
    *option->value = argv[++*at];
    return true;
}

bool options_read(const char *command, int argc, char **argv, const struct option *options,
                  size_t count, int *words) {
    bool is_over = false;
    *words = 0;
    for (int at = 1; at < argc; at++) {
        if (is_over || strncmp(argv[at], "--", 2) != 0) {
            argv[1 + (*words)++] = argv[at];
            continue;
        }
        if (strcmp(argv[at], "--") == 0) {
            is_over = true;
            continue;
        }
        const char *name = argv[at] + 2;
        const struct option *option = find_option(options, count, name, strcspn(name, "="));
        if (option == NULL) {
            return refuse(command, argv[at], options, count);
        }
        if (!read_option(command, argc, argv, option, &at)) {
            return false;
        }
    }
    return true;
}

bool options_number(const char *command, const char *option, const char *text, uint64_t *number) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (!is_number) {
        (void)fprintf(stderr, "aclsim: %s: --%s is \"%s\"; expected a whole number\n", command,
                      option, text);
    }
    *number = value;
    return is_number;
}
