/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schedule: a list of named steps, one a line, "process:label"; a step without a label by its
 * number in the file, inside a loop with "#round" (without: in whichever round comes next). It
 * survives an unrelated step being added.
 *
 * What the list does not name runs when a named step needs it: earlier steps of the same thread,
 * and, while that thread waits, whatever is ready and not named further down, earliest due first.
 */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"
#include "core/engine.h"

/* The name of what an action would do next, put into the text. */
typedef void schedule_name(void *context, struct action action, struct text *name);

struct schedule;

/* Reads a schedule. Blanks around a step, empty lines and those that begin with # are passed over.
 * NULL with problems. */
struct schedule *schedule_parse(const char *file, const char *lines, struct problem *problem);
struct schedule *schedule_new(void); /* an empty one; caller owns, schedule_free() */
void schedule_free(struct schedule *schedule);

void schedule_add(struct schedule *schedule, const char *step);
uint32_t schedule_count(const struct schedule *schedule);
const char *schedule_get(const struct schedule *schedule, uint32_t place); /* borrowed */
struct problem_place schedule_place(const struct schedule *schedule, uint32_t place);
void schedule_print(const struct schedule *schedule, struct text *text);

/* Follows the schedule to its end. False, with a problem, when a step can not be reached. */
bool schedule_follow(const struct schedule *schedule, struct engine *engine, schedule_name *name,
                     void *context, struct problem *problem);

#endif
