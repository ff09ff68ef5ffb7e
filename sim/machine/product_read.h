/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads products from model files. A model may extend another one. Every number in it has a
 * source: "assumed", or basis, confidence and text such as "V H vendor header"; the source of a
 * value is that of the longest pointer in the "sources" of the same file. A model with a number
 * that has none does not load.
 */
#ifndef MACHINE_PRODUCT_READ_H
#define MACHINE_PRODUCT_READ_H

#include "base/json.h"
#include "base/problem.h"
#include "machine/product.h"

/* Reads DIRECTORY/NAME.json and what it extends. NULL, with problems, when anything is wrong. */
struct product *product_read(const char *directory, const char *name,
                             struct problem *problem); /* caller owns, product_free() */

/* A copy of a product with the fields of a scenario's "model" changed; they have sources too. */
struct product *product_change(const struct product *product, const struct json *model,
                               struct problem *problem); /* caller owns, product_free() */

#endif
