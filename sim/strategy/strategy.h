/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation strategies, as a program would have them on top of ACL. A strategy is a step function:
 * given a request and the result of its last call it says which ACL call comes next, or that it is
 * done. It sees nothing of the machine, so it can do only what a real allocator could, and all that
 * it knows lies in tables of the store, copied and rolled back with the run.
 */
#ifndef STRATEGY_STRATEGY_H
#define STRATEGY_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl.h"
#include "memory/range.h"
#include "store/store.h"

enum strategy_answer {
    STRATEGY_CALLS,  /* make the call of the step, then ask again with its result */
    STRATEGY_DONE,   /* the request is served */
    STRATEGY_FAILED, /* it can not be; nothing has changed that anybody could see */
};

/* What is asked of a strategy: a block under a number that is not in use, or its end. */
struct strategy_request {
    uint32_t block;
    uint32_t is_free;
    uint64_t size; /* bytes; more than 0 */
};

/* What a strategy has, apart from what it handed out. Bytes. */
struct strategy_holdings {
    uint64_t held;         /* taken from the device */
    uint64_t used;         /* of them, in blocks as it rounds them */
    uint64_t free_largest; /* the largest block it could hand out without a call */
};

struct strategy;

struct strategy_row {
    const char *name;
    const char *summary; /* one line: what it does, where it is from */
    void (*bind)(struct strategy *strategy);
    /* Begins a request, and goes on with one after each call. */
    enum strategy_answer (*begin)(struct strategy *strategy,
                                  const struct strategy_request *request);
    enum strategy_answer (*go_on)(struct strategy *strategy, const struct acl_result *result);
    struct strategy_holdings (*holdings)(const struct strategy *strategy);
    /* Where a block that it handed out is. */
    uint64_t (*address)(const struct strategy *strategy, uint32_t block);
};

enum { STRATEGY_TABLES = 4 };

/* One strategy of one process in one run. */
struct strategy {
    const struct strategy_row *row;
    struct store *store;
    struct table *table[STRATEGY_TABLES]; /* its own */
    struct range_map map;                 /* its own index, of those that have one */
    struct acl_record call;               /* what STRATEGY_CALLS asks for */
};

/* Binds to the store of a run, whose strategy it is. */
struct strategy strategy_bind(struct store *store, const struct strategy_row *row);

/* Asks for a call by its name, with its first argument that is no output. */
enum strategy_answer strategy_call(struct strategy *strategy, const char *name, uint64_t argument);

size_t strategy_count(void);
const struct strategy_row *strategy_get(size_t place);
const struct strategy_row *strategy_find(const char *name); /* NULL when there is none */

#endif
