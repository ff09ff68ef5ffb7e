/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of step kinds: a row for each, with the keys that such a step has. The reader and the
 * schema both go by it. The first key of a row tells its kind; each key has a form, which says
 * what its value looks like and where in the step it goes. A call has the parameters of its row in
 * the call table besides. Every step but a loop may have a label.
 */
#ifndef SCENARIO_STEP_ROW_H
#define SCENARIO_STEP_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/program.h"

enum step_form {
    FORM_VALUE,    /* a number, a size, an expression: into a struct expression */
    FORM_TIME,     /* the same with a unit of time */
    FORM_BIND,     /* a name that the step binds */
    FORM_BIND_ALL, /* a name, or a list of names and nulls */
    FORM_PROCESS,  /* a process of the scenario */
    FORM_NAME,     /* a word of its own: a barrier, a phase, a tag */
    FORM_DRAWN,    /* a distribution of the scenario */
    FORM_TRUE,     /* true, and nothing else */
    FORM_RANGE,    /* { "address": VALUE, "size": VALUE }: into two expressions */
    FORM_PIECES,   /* pieces of a block (cut_read.h) */
    FORM_CALL,     /* a call by its C or Python name (call_read.h) */
    FORM_CODE,     /* an expected code, or an object of them by what must hold */
    FORM_ROUNDS,   /* a whole number of rounds */
    FORM_STEPS,    /* a list of steps */
};

enum { STEP_KEYS = 6 };

struct step_key {
    const char *name; /* NULL behind the last */
    enum step_form form;
    const char *missing; /* what is said when it is missing; NULL: it may be left out */
    size_t offset;       /* in struct step, of forms that are expressions */
};

struct step_row {
    enum step_kind kind;
    struct step_key key[STEP_KEYS];
};

uint32_t step_row_count(void);
const struct step_row *step_row_get(uint32_t row);
uint32_t step_row_keys(const struct step_row *row); /* how many keys it has */

/* The row of a kind; STEP_AGAIN has none. */
const struct step_row *step_row_of(enum step_kind kind);

#endif
