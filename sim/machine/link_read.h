/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the links of a model; a list of its own replaces that of the model it extends. */
#ifndef MACHINE_LINK_READ_H
#define MACHINE_LINK_READ_H

#include "machine/product_value.h"

void link_read_all(struct product_reader *reader, const struct json *list);

#endif
