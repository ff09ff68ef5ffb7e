/* SPDX-License-Identifier: Apache-2.0 */
#include "base/problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/must.h"

enum { NEAREST_MAX = 200 };

static char *copy_or_null(const char *string) {
    return string != NULL ? host_copy_string(string) : NULL;
}

static char *format_message(const char *format, va_list arguments) {
    va_list again;

    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    must(length >= 0);
    size_t size = (size_t)length + 1;
    char *message = host_resize(NULL, size, 1);
    (void)vsnprintf(message, size, format, arguments);
    return message;
}

void problem_fini(struct problem *problem) {
    for (size_t index = 0; index < problem->complaints.count; index++) {
        struct problem_complaint *complaint = &problem->complaints.items[index];
        free((char *)complaint->place.file);
        free((char *)complaint->place.place);
        free(complaint->message);
    }
    array_fini(&problem->complaints);
}

bool problem_is_empty(const struct problem *problem) {
    return problem->complaints.count == 0;
}

void problem_add(struct problem *problem, struct problem_place place, const char *format, ...) {
    struct problem_complaint complaint = { .place = place };
    va_list arguments;

    complaint.place.file = copy_or_null(place.file);
    complaint.place.place = copy_or_null(place.place);
    va_start(arguments, format);
    complaint.message = format_message(format, arguments);
    va_end(arguments);
    array_add(&problem->complaints, complaint);
}

static void print_place(const struct problem_place *place, FILE *stream) {
    if (place->file != NULL) {
        (void)fprintf(stream, "%s:", place->file);
    }
    if (place->line != 0) {
        (void)fprintf(stream, "%s%" PRIu32 ":", place->file != NULL ? "" : "line ", place->line);
    }
    if (place->line != 0 && place->column != 0) {
        (void)fprintf(stream, "%" PRIu32 ":", place->column);
    }
    if (place->file != NULL || place->line != 0) {
        (void)fputc(' ', stream);
    }
    if (place->place != NULL && place->place[0] != '\0') {
        (void)fprintf(stream, "%s: ", place->place);
    }
}

void problem_print(const struct problem *problem, FILE *stream) {
    for (size_t index = 0; index < problem->complaints.count; index++) {
        const struct problem_complaint *complaint = &problem->complaints.items[index];
        print_place(&complaint->place, stream);
        (void)fprintf(stream, "%s\n", complaint->message);
    }
}

static size_t smaller(size_t left, size_t right) {
    return left < right ? left : right;
}

/* The distance of the first row letters from the first column letters, its neighbours known. */
static size_t distance_at(const size_t *cell, size_t width, const char *row, const char *column) {
    size_t cost = row[-1] == column[-1] ? 0 : 1;
    return smaller(smaller(cell[-1], *(cell - width)) + 1, *(cell - width - 1) + cost);
}

/* Insertions, removals, replacements and swaps of neighbours that lead from one to the other. */
static size_t edit_distance(const char *left, const char *right) {
    size_t height = strlen(left) + 1;
    size_t width = strlen(right) + 1;
    size_t *table = host_resize(NULL, height * width, sizeof *table);

    for (size_t cell = 0; cell < height * width; cell++) {
        size_t i = cell / width;
        size_t j = cell % width;
        if (i == 0 || j == 0) {
            table[cell] = i + j;
            continue;
        }
        table[cell] = distance_at(&table[cell], width, left + i, right + j);
        if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
            table[cell] = smaller(table[cell], table[cell - 2 * width - 2] + 1);
        }
    }
    size_t distance = table[height * width - 1];
    free(table);
    return distance;
}

const char *problem_nearest(const char *word, const char *const *candidates, size_t count) {
    /* Nothing is near a word that is longer than any name, and to compare it would take long. */
    if (strnlen(word, NEAREST_MAX + 1) > NEAREST_MAX) {
        return NULL;
    }
    size_t third = strlen(word) / 3;
    size_t allowed = third > 1 ? third : 1;
    const char *nearest = NULL;

    for (size_t index = 0; index < count; index++) {
        size_t distance = edit_distance(word, candidates[index]);
        if (nearest == NULL ? distance <= allowed : distance < allowed) {
            nearest = candidates[index];
            allowed = distance;
        }
    }
    return nearest;
}
