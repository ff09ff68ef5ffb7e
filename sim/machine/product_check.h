/* SPDX-License-Identifier: Apache-2.0 */
/* What the values of a product must be together, whichever file each of them is from. */
#ifndef MACHINE_PRODUCT_CHECK_H
#define MACHINE_PRODUCT_CHECK_H

#include "base/problem.h"
#include "machine/product.h"

/* False, with a problem for each thing that is found and what was expected; the file is where the
 * product is from. */
bool product_check(const struct product *product, const char *file, struct problem *problem);

#endif
