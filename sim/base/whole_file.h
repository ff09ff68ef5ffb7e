/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is there as a whole or not at all: it is written under another name beside its place
 * and renamed at the end. What stood at the place before stays until then.
 */
#ifndef BASE_WHOLE_FILE_H
#define BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/problem.h"

struct whole_file {
    char *path;
    char *draft; /* NULL where there is nothing to rename, such as /dev/stdout */
    FILE *stream;
};

/* False, with a problem, when the draft can not be made. */
bool whole_file_open(struct whole_file *file, const char *path, struct problem *problem);

/* Puts the file into its place; false, with a problem, when writing it failed, and it is gone. */
bool whole_file_close(struct whole_file *file, struct problem *problem);

/* Removes what was written. */
void whole_file_abandon(struct whole_file *file);

#endif
