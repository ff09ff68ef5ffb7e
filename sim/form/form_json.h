/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON of any size as a stream, into the same consumer as pickles. Memory does not grow with
 * the file: 40 bytes for each level of nesting, of which there may be 200. Numbers that are whole
 * are integers, of at most 64 bits, also when they are written as 7.0; all others are floats.
 */
#ifndef FORM_FORM_JSON_H
#define FORM_FORM_JSON_H

#include <stdbool.h>

#include "form/form_source.h"
#include "form/form_value.h"

/* Reads one JSON value and what white space follows it; the value that it is. False, with a
 * problem, when the file holds anything else. */
bool form_json_read(struct form_source *source, const struct form_consumer *consumer,
                    struct form_value *result, struct problem *problem);

#endif
