/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run came to: steps that did not go as expected, failures that no step asked about, threads
 * that wait in vain and for whom, figures, the digest. For a person, or as one JSON document.
 */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"
#include "base/text.h"
#include "scenario/run.h"
#include "trace/totals.h"

enum { OUTCOME_FILE_MAX = 64 << 20, OUTCOME_FAILURES_MAX = 100 };

/* A call that failed at a step that says nothing of a code. */
struct outcome_failure {
    uint32_t thread;
    uint32_t step; /* of the scenario's steps */
    uint32_t row;  /* of the call: not the step's where a lifetime ended */
    int32_t code;
    const char *rule;
    const char *section;
    char *reason; /* owned; of the first time */
    uint64_t times;
};

struct outcome {
    struct run *run;                        /* borrowed */
    ARRAY(struct outcome_failure) failures; /* the first OUTCOME_FAILURES_MAX different ones */
};

/* Reads the journal of a run that has not begun. */
void outcome_open(struct outcome *outcome, struct run *run);
void outcome_close(struct outcome *outcome);

/* Whether all went well, and what did not, a line each. */
bool outcome_is_expected(struct run *run);
void outcome_print_unexpected(struct run *run, FILE *stream);

/* All there is to say at the end of a run. */
void outcome_print(struct outcome *outcome, FILE *stream);

/* What else the document says of the run. */
struct outcome_recipe {
    const char *file;
    const char *product;
    const char *schedule; /* NULL for none */
    const struct json_settings *settings;
};
void outcome_print_json(struct outcome *outcome, struct outcome_recipe recipe, FILE *stream);

/* "digest <32 hexadecimal digits>" */
void outcome_print_digest(struct run *run, FILE *stream);

/* Numbers of the products at hand that nobody measured or documented. */
uint32_t outcome_guesses(const struct product *product);

/* What a thread waits for: "a value from B, which has ended". */
void outcome_write_wait(struct run *run, uint32_t thread, struct text *text);

/* The processes that a stuck thread waits for: the next one at or after a place; PROGRAM_NONE. */
uint32_t outcome_next_awaited(struct run *run, uint32_t thread, uint32_t process);

#endif
