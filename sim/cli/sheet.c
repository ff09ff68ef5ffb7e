/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sheet.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

enum { CELL_SIZE = 1024, WIDTH_MAX = 50 };

static size_t columns_of(const struct sheet *sheet) {
    size_t count = 0;
    while (count < SHEET_COLUMNS && sheet->column[count] != NULL) {
        count++;
    }
    return count;
}

void sheet_fini(struct sheet *sheet) {
    for (size_t place = 0; place < sheet->cells.count; place++) {
        free(sheet->cells.items[place]);
    }
    array_fini(&sheet->cells);
}

void sheet_add(struct sheet *sheet, const char *format, ...) {
    char cell[CELL_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    array_add(&sheet->cells, host_copy_string(cell));
}

static const char *shown(const struct sheet *sheet, size_t place) {
    const char *cell = sheet->cells.items[place];
    return cell[0] == '\0' ? "-" : cell;
}

/* A few long cells do not make the column wide for all. */
static size_t width_of(const struct sheet *sheet, size_t column, size_t columns) {
    size_t width = 0;
    for (size_t place = column; place < sheet->cells.count; place += columns) {
        size_t size = strlen(shown(sheet, place));
        width = size > width && size <= WIDTH_MAX ? size : width;
    }
    return width;
}

void sheet_print(const struct sheet *sheet, FILE *stream) {
    size_t columns = columns_of(sheet);
    size_t width[SHEET_COLUMNS] = { 0 };
    for (size_t column = 0; column + 1 < columns; column++) {
        width[column] = width_of(sheet, column, columns);
    }
    for (size_t place = 0; place < sheet->cells.count; place++) {
        size_t column = place % columns;
        bool is_last = column + 1 == columns;
        (void)fprintf(stream, "%-*s%s", (int)width[column], shown(sheet, place),
                      is_last ? "\n" : "  ");
    }
}

void sheet_print_json(const struct sheet *sheet, FILE *stream) {
    size_t columns = columns_of(sheet);
    struct text text = { 0 };
    text_append(&text, "[");
    for (size_t place = 0; place < sheet->cells.count; place++) {
        size_t column = place % columns;
        if (column == 0) {
            text_append(&text, place == 0 ? "\n  { " : ",\n  { ");
        }
        text_append_json_string(&text, sheet->column[column]);
        text_append(&text, ": ");
        text_append_json_string(&text, sheet->cells.items[place]);
        text_append(&text, column + 1 == columns ? " }" : ", ");
    }
    text_append(&text, "\n]\n");
    (void)fputs(text_get(&text), stream);
    text_fini(&text);
}
