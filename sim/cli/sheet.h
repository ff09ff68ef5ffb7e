/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table for people and for programs: a line for each row, columns aligned, "-" where a cell
 * is empty; or a JSON list of objects with the columns' names.
 */
#ifndef CLI_SHEET_H
#define CLI_SHEET_H

#include <stdio.h>

#include "base/array.h"

enum { SHEET_COLUMNS = 8 };

struct sheet {
    const char *column[SHEET_COLUMNS]; /* NULL behind the last */
    ARRAY(char *) cells;               /* row by row; owned */
};

void sheet_fini(struct sheet *sheet);

/* Adds the next cell of the row under way, written as by printf(). */
void sheet_add(struct sheet *sheet, const char *format, ...);

void sheet_print(const struct sheet *sheet, FILE *stream);
void sheet_print_json(const struct sheet *sheet, FILE *stream);

#endif
