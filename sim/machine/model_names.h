/* SPDX-License-Identifier: Apache-2.0 */
/* The models of a directory, by their names. */
#ifndef MACHINE_MODEL_NAMES_H
#define MACHINE_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A model whose name begins with _ is there to be extended, and is no product. */
bool model_is_base(const char *name);

/* The names of the models or, with bases, also of those that are no products; sorted. */
char **model_names(const char *directory, bool with_bases, size_t *count); /* caller frees them */
void model_free_names(char **names, size_t count);

#endif
