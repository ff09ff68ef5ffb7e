/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An audit of the whole machine: the rules that must hold between any two calls (spec: VMM 8.4),
 * and that every index equals what the records say. It walks everything: for tests and for doubt.
 */
#ifndef MACHINE_AUDIT_H
#define MACHINE_AUDIT_H

#include <stdbool.h>

#include "base/text.h"
#include "machine/machine.h"

/* True when all is well; otherwise what is wrong is appended, a line each. */
bool audit_machine(const struct machine *machine, struct text *wrong);

#endif
