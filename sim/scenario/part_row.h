/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects in a scenario's file besides steps: a row for each, with the keys that it may have
 * and what their values look like. The reader checks keys by it, and the schema is made from it.
 */
#ifndef SCENARIO_PART_ROW_H
#define SCENARIO_PART_ROW_H

#include <stdbool.h>
#include <stddef.h>

enum part_kind {
    PART_SCENARIO,
    PART_SERVER,
    PART_CONTAINER,
    PART_PROCESS,
    PART_THREAD,
    PART_EXPECT,
    PART_KINDS
};

enum part_form {
    PART_FORMAT,   /* the number of the format */
    PART_WORD,     /* a text */
    PART_NUMBER,   /* a whole number */
    PART_SOME,     /* a number of devices */
    PART_FLAG,     /* true or false */
    PART_NAMES,    /* a list of names */
    PART_DEVICES,  /* a list of devices, each once */
    PART_NPU,      /* a flag, the name of a template, or a size */
    PART_MODEL,    /* fields of a model */
    PART_LATER,    /* the word "later" */
    PART_STEPS,    /* a list of steps */
    PART_DRAWN,    /* distributions by their names */
    PART_FINDINGS, /* a list of names, or of objects with a name and how often, by what holds */
    PART_TOTALS,   /* figures of the run, of processes, of devices */
    PART_FINALLY,  /* the same of the end */
    PART_ONE,      /* an object of a kind */
    PART_MANY,     /* objects of a kind by their names */
};

enum { PART_KEYS = 10 };

struct part_key {
    const char *name; /* NULL behind the last */
    enum part_form form;
    enum part_kind kind; /* of PART_ONE and PART_MANY */
    bool must;           /* it may not be left out */
};

struct part_row {
    const char *what; /* "a server" */
    struct part_key key[PART_KEYS];
};

const struct part_row *part_row_get(enum part_kind kind);
size_t part_row_names(enum part_kind kind, const char *names[PART_KEYS]); /* how many */

#endif
