/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as text for people. Who a thread is and what a step is called, the caller knows. */
#ifndef HAZARD_FINDING_TEXT_H
#define HAZARD_FINDING_TEXT_H

#include "base/text.h"
#include "hazard/hazard.h"

/* Appends the name of a place, such as "B:import (line 17), aclrtFree". */
typedef void finding_name_place(const void *context, const struct finding_place *place,
                                struct text *text);

/* Appends a finding, in lines that each end with a newline. */
void finding_write(const struct finding *finding, finding_name_place *name, const void *context,
                   struct text *text);

#endif
