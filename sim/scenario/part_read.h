/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of the objects in a scenario's file. Each complains about what is not as it should be
 * and goes on, so that one reading shows all mistakes. For scenario.c.
 */
#ifndef SCENARIO_PART_READ_H
#define SCENARIO_PART_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/name_list.h"
#include "base/problem.h"
#include "scenario/part_row.h"

struct scenario;

struct part_reader {
    struct scenario *scenario;
    struct problem *problem;
    bool is_bad; /* a complaint was made */
};

void part_complain(struct part_reader *reader, const struct json *value, const char *what);
bool part_expect(struct part_reader *reader, const struct json *value, enum json_type type,
                 const char *what);

/* Whether a value is an object; its keys are checked. Either way its members are looked for, and
 * the thing has its name, so that one mistake does not make others. */
bool part_check(struct part_reader *reader, const struct json *value, enum part_kind kind);

/* The number of a name among others of scope 0, PROGRAM_NONE with the nearest in a complaint. */
uint32_t part_find_name(struct part_reader *reader, const struct json *value, const char *kind,
                        const struct name_list *names);

/* A member that is a string, a whole number, a flag, a size; an absent one leaves the default.
 * True of a size that was read. */
void part_read_word(struct part_reader *reader, const struct json *object, const char *key,
                    const char **word);
void part_read_number(struct part_reader *reader, const struct json *object, const char *key,
                      uint32_t *number);
void part_read_flag(struct part_reader *reader, const struct json *object, const char *key,
                    bool *flag);
bool part_read_size(struct part_reader *reader, const struct json *object, const char *key,
                    uint64_t *size);

#endif
