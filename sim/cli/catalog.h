/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models that commands find: products by name and the table of support, in one directory:
 * --models, else ACLSIM_MODELS, else the program's own (cli/place.h).
 */
#ifndef CLI_CATALOG_H
#define CLI_CATALOG_H

#include "acl/acl_support.h"
#include "base/array.h"
#include "base/problem.h"
#include "machine/product.h"
#include "scenario/scenario.h"

struct catalog {
    char *directory;
    struct acl_support support;
    ARRAY(struct product *) products; /* those that were read */
};

/* Opens a directory; NULL for the usual one. False, with problems, when it lacks the table. */
bool catalog_open(struct catalog *catalog, const char *directory, struct problem *problem);
void catalog_close(struct catalog *catalog);

/* A product by name, read on first use and kept; NULL with problems. */
const struct product *catalog_find(struct catalog *catalog, const char *name,
                                   struct problem *problem);

/* Complains about products and families that a scenario names and that are not there. */
bool catalog_check(const struct catalog *catalog, const struct scenario *scenario,
                   struct problem *problem);

/*
 * Whether a scenario is for a product: it names the product, its family or "all", and does not
 * exclude it by "not:" and its name or family. Whether that makes it run on a product that is no
 * standard one is another question, for who asked.
 */
bool catalog_picks(const struct scenario *scenario, const struct product *product,
                   bool only_standard);

/* The names of all models, sorted; the caller frees them with catalog_free_names(). */
char **catalog_names(const struct catalog *catalog, size_t *count);
void catalog_free_names(char **names, size_t count);

#endif
