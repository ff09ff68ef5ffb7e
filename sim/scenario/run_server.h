/* SPDX-License-Identifier: Apache-2.0 */
/* What a scenario wishes of a server, under the product at hand. */
#ifndef SCENARIO_RUN_SERVER_H
#define SCENARIO_RUN_SERVER_H

#include "machine/site.h"
#include "scenario/scenario.h"

/*
 * Gives a server with its product the devices and the form that the scenario wishes: virtual NPUs
 * by a template of the model, compute groups, the Ascend RC form. False, with problems, when the
 * product has none of the kind.
 */
bool run_server_form(struct site_server *server, const struct scenario_server *wish,
                     struct problem *problem);

#endif
