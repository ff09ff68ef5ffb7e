/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is there as a whole or not at all. Until it is closed it has no name, or another one
 * beside its place where the host knows no files without a name; what stood at the place before
 * stays until then. Links are followed. Devices and pipes are written as they are.
 */
#ifndef BASE_WHOLE_FILE_H
#define BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/problem.h"

struct whole_file {
    char *path;  /* as it was given, for messages */
    char *place; /* where it will be; NULL where there is nothing to put in place */
    char *draft; /* its name until then; NULL when it has none */
    FILE *stream;
    int error; /* errno of a writer that failed, for the message; 0 */
};

/* False, with a problem, when the draft can not be made. */
bool whole_file_open(struct whole_file *file, const char *path, struct problem *problem);

/* Puts the file into its place; false, with a problem, when writing it failed, and it is gone. */
bool whole_file_close(struct whole_file *file, struct problem *problem);

/* Removes what was written. */
void whole_file_abandon(struct whole_file *file);

#endif
