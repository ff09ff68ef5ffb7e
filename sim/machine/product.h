/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A product: what a chip can do and what things cost on it. Data only: the engine asks questions
 * of it and knows no product by name. The members are the rows of product_fields.inc, the costs
 * the rows of cost_keys.inc.
 */
#ifndef MACHINE_PRODUCT_H
#define MACHINE_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "machine/cost.h"
#include "machine/link.h"

enum { FAMILIES = 6 };

/* A value that a model gives, as it was written, and where it is from. */
struct product_source {
    char *pointer;
    char *value;
    char *source;
    char *model; /* whose file says so */
};

struct product {
    char *name;
    char *family_name; /* column of the support table */
    uint32_t family;   /* its number there, set by whoever reads that table */
    bool is_standard;  /* one of those that "all" stands for */
    ARRAY(struct product_source) sources;
#define BYTES(member, ...) uint64_t member;
#define COUNT(member, ...) uint32_t member;
#define FLAG(member, ...) bool member;
#define CHOICE(member, ...) uint32_t member; /* place among the words of its row */
#include "machine/product_fields.inc"
#undef BYTES
#undef COUNT
#undef FLAG
#undef CHOICE
    struct cost cost[COST_KEYS];
    struct link link[LINKS]; /* the first one that joins two devices is theirs */
    uint32_t link_count;
};

enum product_field_kind { PRODUCT_BYTES, PRODUCT_COUNT, PRODUCT_FLAG, PRODUCT_CHOICE };

/* A row of the table of fields: where the member lies, how it is written in a model. */
struct product_field {
    const char *name;
    const char *pointer; /* JSON pointer in a model */
    const char *meaning;
    const char *words; /* of a choice, between blanks; the first one is the default */
    enum product_field_kind kind;
    size_t offset;
    uint64_t absent; /* its value where a model is silent */
};

uint32_t product_field_count(void);
const struct product_field *product_field(uint32_t place);

/* Every member at the value it has where a model is silent; the name is copied. */
struct product *product_new(const char *name); /* caller owns, product_free() */
struct product *product_copy(const struct product *product);
void product_free(struct product *product);

/* The value of a field, and setting it; a choice by the place of its word. */
uint64_t product_get(const struct product *product, const struct product_field *field);
void product_set(struct product *product, const struct product_field *field, uint64_t value);

#endif
