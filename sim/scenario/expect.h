/* SPDX-License-Identifier: Apache-2.0 */
/* What a scenario expects, under the product at hand. */
#ifndef SCENARIO_EXPECT_H
#define SCENARIO_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/run.h"

/*
 * What is expected on a product: the first alternative that holds, where "default"
 * holds when no other one does. Keys are a product, a family, or "no:" and a call that the product
 * lacks, or a field of the model that is false or 0. False when nothing is expected.
 */
bool expect_value(const struct run *run, struct step_code code, const struct product *product,
                  int64_t *expected);

/* The same of a step of a process. */
bool expect_code(const struct run *run, struct step_code code, uint32_t process, int64_t *expected);

/* Holds the code that a step of a thread returned against what is expected, and keeps what differs.
 */
void expect_compare(struct run *run, uint32_t thread, uint32_t step, int32_t code);

#endif
