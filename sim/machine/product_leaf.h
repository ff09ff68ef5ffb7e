/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a product one by one, each with where it is from: what `aclsim show product`
 * prints. A leaf is a field, a part of a cost, a link or a curve of it, or an item of a list. They
 * stand in the order of their JSON pointers.
 */
#ifndef MACHINE_PRODUCT_LEAF_H
#define MACHINE_PRODUCT_LEAF_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/product.h"

struct product_leaf {
    const char *pointer; /* "/memory/physical" */
    const char *value;   /* as the model writes it: "64GiB", "30us", "true" */
    const char *unit;    /* "bytes", "bytes/s", "time" or "" */
    const char *meaning; /* "" for what is not a field or a cost */
    char basis;          /* A C V S T I, or '-': assumed */
    char confidence;     /* H M L, or '-' where it is assumed */
    const char *source;  /* the text behind them */
    const char *model;   /* whose file says so; NULL: none does */
};

uint32_t product_leaf_count(const struct product *product);
struct product_leaf product_leaf_get(const struct product *product, uint32_t place); /* borrowed */

/* Whether nobody measured or documented it: assumed, or inferred from other values. */
bool product_leaf_is_guess(const struct product_leaf *leaf);

/* For the readers of models: notes a value in place of an older one, and forgets all values
 * below a pointer. */
void product_leaf_note(struct product *product, const char *pointer, const char *value,
                       const char *source, const char *model);
void product_leaf_drop(struct product *product, const char *pointer);

/* Notes what no model says (what follows from other values, and defaults), and sorts. */
void product_leaf_complete(struct product *product);

/* Forgets that again, before more values are read. */
void product_leaf_reopen(struct product *product);

#endif
