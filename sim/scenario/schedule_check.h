/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the steps that a schedule names are steps of a scenario, before anything runs. */
#ifndef SCENARIO_SCHEDULE_CHECK_H
#define SCENARIO_SCHEDULE_CHECK_H

#include <stdbool.h>

#include "core/schedule.h"
#include "scenario/scenario.h"

/* False with a complaint for each step that is none, with the nearest that is. */
bool schedule_check(const struct schedule *schedule, const struct scenario *scenario,
                    struct problem *problem);

#endif
