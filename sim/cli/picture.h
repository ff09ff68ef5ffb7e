/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of CSV files, drawn by gnuplot with the scripts of plots/. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdbool.h>

#include "base/problem.h"

/* Makes the folder unless it is there. */
bool picture_make_folder(const char *folder, struct problem *problem);

/* Runs plots/NAME.gnuplot on a CSV file; it leaves its pictures in the folder. False, with a
 * problem, when there is no gnuplot or it failed. */
bool picture_draw(const char *name, const char *csv, const char *folder, struct problem *problem);

#endif
