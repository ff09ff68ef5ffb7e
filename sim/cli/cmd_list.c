/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* A kind of thing that can be listed. */
struct listing {
    const char *name;
    const char *summary;
    void (*print)(void);
};

static void print_units(const struct unit *units, size_t count, const char *base) {
    for (size_t index = 0; index < count; index++) {
        const char *name = units[index].name[0] != '\0' ? units[index].name : "(none)";
        printf("  %-7s %13" PRIu64 " %s\n", name, units[index].factor, base);
    }
}

static void list_units(void) {
    size_t count;
    const struct unit *units = units_get_sizes(&count);

    puts("Sizes are a whole number and one of");
    print_units(units, count, "bytes");
    units = units_get_times(&count);
    puts("Times are a whole number and one of");
    print_units(units, count, "ns");
}

static const struct listing listings[] = {
    { "units", "the units of sizes and times that files and options may use", list_units },
};

enum { LISTING_COUNT = sizeof listings / sizeof listings[0] };

static enum command_exit list_kinds(void) {
    for (size_t index = 0; index < LISTING_COUNT; index++) {
        printf("%-10s %s\n", listings[index].name, listings[index].summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_kind(const char *kind) {
    const char *names[LISTING_COUNT];

    for (size_t index = 0; index < LISTING_COUNT; index++) {
        if (strcmp(listings[index].name, kind) == 0) {
            listings[index].print();
            return COMMAND_EXIT_EXPECTED;
        }
        names[index] = listings[index].name;
    }
    return command_refuse("list", kind, names, LISTING_COUNT);
}

static enum command_exit list(int argc, char **argv) {
    if (argc > 2) {
        (void)fputs("aclsim: list takes one kind; see aclsim help list\n", stderr);
        return COMMAND_EXIT_USAGE;
    }
    return argc == 2 ? list_kind(argv[1]) : list_kinds();
}

const struct command cmd_list = {
    .name = "list",
    .summary = "show what the simulator knows",
    .usage = "Usage: aclsim list [KIND]\n"
             "\n"
             "Without a KIND, shows the kinds of things that can be listed.\n"
             "\n"
             "Examples:\n"
             "  aclsim list\n"
             "  aclsim list units\n",
    .body = list,
};
