/* SPDX-License-Identifier: Apache-2.0 */
/* What a replay came to, for a person and for a program. */
#ifndef CLI_REPLAY_PRINT_H
#define CLI_REPLAY_PRINT_H

#include <stdio.h>

#include "replay/replay.h"

/* What was replayed on what. */
struct replay_recipe {
    const char *file;
    const char *product;
    const char *strategy;
    const struct request_trace *trace;
};

void replay_print(const struct replay *replay, const struct replay_recipe *recipe, FILE *stream);
void replay_print_json(const struct replay *replay, const struct replay_recipe *recipe,
                       FILE *stream);

/* The samples as CSV: a line of names, then one for each request. */
void replay_print_csv_head(FILE *stream);
void replay_print_csv(const struct request *request, const struct replay_sample *sample,
                      FILE *stream);

#endif
