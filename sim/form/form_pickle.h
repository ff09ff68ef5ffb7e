/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads pickles of plain values (protocols 0 to 5 of Python): None, bool, int, float, str, tuple,
 * list, dict. An opcode that could run code, or one that plain values never need, is refused by
 * name and offset. Values go to a consumer as they are put together and are not kept: memory is
 * 16 bytes for each value on the stack and in the memo.
 */
#ifndef FORM_FORM_PICKLE_H
#define FORM_FORM_PICKLE_H

#include <stdbool.h>

#include "form/form_source.h"
#include "form/form_value.h"

/* Reads one pickle, which ends with the file; the value that it is. False, with a problem, when it
 * is none. */
bool form_pickle_read(struct form_source *source, const struct form_consumer *consumer,
                      struct form_value *result, struct problem *problem);

#endif
