/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the processes of a scenario do: steps of threads, with loops flattened into jumps. Names
 * bound by steps are numbered within their process; their values are state of the run.
 */
#ifndef SCENARIO_PROGRAM_H
#define SCENARIO_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl.h"
#include "base/array.h"
#include "scenario/expression.h"

enum { PROGRAM_BINDINGS = 8, PROGRAM_LOOPS = 8, PROGRAM_LIST_MAX = 4096 };
#define PROGRAM_NONE UINT32_MAX

/* Names that stand for what is known when a call is made. */
#define PROGRAM_CURRENT (UINT32_MAX - 1) /* the process's number of the current device */
#define PROGRAM_LENGTH (UINT32_MAX - 2)  /* the length of the list */

enum step_kind {
    STEP_CALL,
    STEP_SEND,    /* a value to a process */
    STEP_RECEIVE, /* the next value, from one process or from anyone */
    STEP_BARRIER, /* waits until all processes that name it are there */
    STEP_DELAY,
    STEP_COMPUTE, /* a kernel on a stream that reads or writes a range */
    STEP_MEDIA,   /* work of the media units that reads or writes ranges */
    STEP_CUT,     /* the pieces that a program cuts a block into */
    STEP_LET,     /* binds a name to a value */
    STEP_DRAW,    /* binds a name to a random value */
    STEP_START,   /* starts a process that waits */
    STEP_KILL,    /* ends another process */
    STEP_EXIT,    /* ends its own */
    STEP_PHASE,   /* marks the beginning of a phase */
    STEP_REPEAT,  /* begins a loop; jumps behind it when its rounds are over */
    STEP_AGAIN,   /* ends a loop: the next round */
};

/* What a code is expected to be: a value by what holds, from most particular to default. */
struct step_code {
    uint32_t first; /* of the scenario's alternatives */
    uint32_t count; /* 0: no expectation */
};

struct step_argument {
    uint32_t place; /* of acl_record.arg, or of the list when that is set */
    bool in_list;
    struct expression value;
};

/* Equal pieces of a block, side by side. */
struct step_piece {
    struct expression at;   /* offset in the block; none: as close to the one before as allowed */
    struct expression size; /* of each, in bytes */
    uint32_t count;
    uint32_t binding; /* name for the address of the first; PROGRAM_NONE for none */
};

struct step {
    enum step_kind kind;
    uint32_t number;          /* in its thread's list, from 1, as a schedule names it */
    const char *label;        /* NULL when it has none; owned by the scenario */
    const struct json *where; /* in the file, for messages */
    uint32_t line;            /* of the file */
    uint16_t row;             /* of a call */
    uint16_t release_row;     /* of the call that ends the lifetime of what it makes */
    uint32_t null_mask;
    uint32_t argument_first; /* of the scenario's arguments */
    uint32_t argument_count;
    uint32_t list_count;                /* values of its list */
    uint32_t list_length;               /* items of it: values by their width */
    uint32_t binding[PROGRAM_BINDINGS]; /* names for the outputs; PROGRAM_NONE for none */
    uint32_t tag;
    struct step_code code;
    uint32_t process;     /* who is meant: send, receive, start, kill; PROGRAM_NONE for anyone */
    uint32_t name;        /* of a barrier or phase, in the scenario's names; a distribution */
    uint32_t target;      /* step to jump to: repeat, again */
    uint32_t loop;        /* which counter of the thread a loop uses */
    uint32_t piece_first; /* of the scenario's pieces: cut */
    uint32_t piece_count;
    struct expression value;    /* send, delay, let, repeat; how long work takes; a block to cut */
    struct expression lifetime; /* of what a call makes; none: until the program releases it */
    struct expression stream;   /* compute, media */
    struct expression reads[2]; /* address, size */
    struct expression writes[2];
};

struct program {
    uint32_t process;
    uint32_t step_first; /* of the scenario's steps */
    uint32_t step_count;
    uint32_t thread;      /* of the site */
    uint32_t lifetimes;   /* steps whose things live for a while */
    uint64_t steps_total; /* that it takes, loops included */
};

#endif
