/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema (2020-12) of a model, made from the tables of fields and costs. */
#ifndef MACHINE_PRODUCT_SCHEMA_H
#define MACHINE_PRODUCT_SCHEMA_H

#include "base/text.h"

void product_schema_write(struct text *text);

#endif
