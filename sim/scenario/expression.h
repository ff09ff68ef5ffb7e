/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in a scenario: "4MiB", "0x10", "$name", "ACL_MEM_MALLOC_HUGE_ONLY", and expressions of
 * them with + - * / %, brackets, align_up(n, k), align_down(n, k), min(a, b), max(a, b). Compiled
 * once when a scenario is read, evaluated in whole numbers of 64 bits. What overflows or divides
 * by zero is no number, never a wrong one. A time has a unit ("15us", "3 * 10us"); 0 needs none.
 */
#ifndef SCENARIO_EXPRESSION_H
#define SCENARIO_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/json.h"

enum expression_operation {
    EXPRESSION_CONSTANT,
    EXPRESSION_NAME,
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_REMAINDER,
    EXPRESSION_ALIGN_UP,
    EXPRESSION_ALIGN_DOWN,
    EXPRESSION_MIN,
    EXPRESSION_MAX,
};

struct expression_token {
    enum expression_operation operation;
    uint64_t value; /* the constant, or the number of the name */
};

/* Postfix code of all expressions of a scenario. */
struct expression_code {
    ARRAY(struct expression_token) tokens;
};

struct expression {
    uint32_t first; /* of the code */
    uint32_t count; /* of tokens; 0 for no expression */
};

/* The number of a name that may be used here; false, and the nearest or NULL, when there is none.
 */
typedef bool expression_find(void *context, const char *name, uint32_t *number,
                             const char **nearest);

struct expression_reader {
    struct expression_code *code;
    expression_find *find;
    void *context;
    bool as_time; /* units are those of time: "15us" */
};

/* Whether a word can be a name: letters, digits, _ and dots. */
bool expression_is_name(const char *word);

/* Compiles a number or a string; false, with a complaint about the value, when it is neither. */
bool expression_read(const struct expression_reader *reader, const struct json *value,
                     struct expression *expression, struct problem *problem);

/* The value of a name by its number; false when it is not bound. */
typedef bool expression_name_value(void *context, uint32_t number, uint64_t *value);

bool expression_evaluate(const struct expression_code *code, struct expression expression,
                         expression_name_value *name_value, void *context, uint64_t *value);

#endif
