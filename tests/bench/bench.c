/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/must.h"

static int print_help(const char *program, const char *title, const struct bench_section *sections,
                      size_t count) {
    printf("Usage: %s [SECTION...]\n%s\n", program, title);
    for (size_t place = 0; place < count; place++) {
        printf("  %-12s %s%s\n", sections[place].name, sections[place].what,
               sections[place].is_long ? " (only when named)" : "");
    }
    return EXIT_SUCCESS;
}

static const struct bench_section *find(const char *name, const struct bench_section *sections,
                                        size_t count) {
    for (size_t place = 0; place < count; place++) {
        if (strcmp(sections[place].name, name) == 0) {
            return &sections[place];
        }
    }
    return NULL;
}

int bench_main(int argc, char **argv, const char *title, const struct bench_section *sections,
               size_t count) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        return print_help(argv[0], title, sections, count);
    }
    puts(title);
    for (int word = 1; word < argc; word++) {
        const struct bench_section *section = find(argv[word], sections, count);
        if (section == NULL) {
            (void)fprintf(stderr, "%s: there is no section \"%s\"; see --help\n", argv[0],
                          argv[word]);
            return 2;
        }
        section->run();
    }
    for (size_t place = 0; argc <= 1 && place < count; place++) {
        if (!sections[place].is_long) {
            sections[place].run();
        }
    }
    return EXIT_SUCCESS;
}

double bench_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *left, const void *right) {
    const double *first = left;
    const double *second = right;
    return (*first > *second) - (*first < *second);
}

double bench_median(double *value, size_t count) {
    qsort(value, count, sizeof *value, by_value);
    return value[count / 2];
}

uint64_t bench_draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

double bench_peak_mib(void) {
    struct rusage usage;
    must(getrusage(RUSAGE_SELF, &usage) == 0);
    return (double)usage.ru_maxrss / 1024;
}

const char *bench_verdict(bool is_met) {
    return is_met ? "met" : "missed";
}
