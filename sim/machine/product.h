/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A product: what a chip can do and what things cost on it. Data only: the engine asks questions
 * of it and knows no product by name. The members are the rows of product_fields.inc, the costs
 * the rows of cost_keys.inc; product_leaf.h tells where each value is from.
 */
#ifndef MACHINE_PRODUCT_H
#define MACHINE_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "machine/cost.h"
#include "machine/link.h"

enum { FAMILIES = 6, UNLIKE_MAX = 4, TEMPLATES_MAX = 8, TEMPLATE_NAME = 24 };

/* A value as a model writes it, and where it is from. */
struct product_source {
    char *pointer;
    char *value;
    char *source;
    char *model; /* whose file says so; NULL: none does, it follows from others or is a default */
};

/* Devices of a server whose memory is not that of the others: from, from + every, and so on. */
struct product_unlike {
    uint32_t every;
    uint32_t from;
    uint64_t reserved; /* each of these is 0 where the devices are like the others */
    uint64_t usable;
    uint64_t ddr_usable;
};

/* What a virtual NPU gets of a device. */
struct product_template {
    char name[TEMPLATE_NAME];
    uint32_t cores;
    uint32_t cpus;
    uint64_t memory; /* 0: the part of the device's memory that it has of the AI cores */
};

struct product {
    char *name;
    char *about;       /* for people; NULL when the models say nothing */
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
    struct product_unlike unlike[UNLIKE_MAX]; /* the first one that a device belongs to counts */
    uint32_t unlike_count;
    bool is_usable_derived; /* no model says it: it is what the device's system leaves */
    struct product_template vnpu[TEMPLATES_MAX];
    uint32_t vnpu_count;
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

/* A field by its pointer; NULL when there is none. */
const struct product_field *product_find_field(const char *pointer);

/* Every member at the value it has where a model is silent; the name is copied. */
struct product *product_new(const char *name); /* caller owns, product_free() */
struct product *product_copy(const struct product *product);
void product_free(struct product *product);

/* The value of a field, and setting it; a choice by the place of its word. */
uint64_t product_get(const struct product *product, const struct product_field *field);
void product_set(struct product *product, const struct product_field *field, uint64_t value);

/* Bytes that programs can use of a device of a server, by its number there; its second medium. */
uint64_t product_usable(const struct product *product, uint32_t number);
uint64_t product_ddr_usable(const struct product *product, uint32_t number);

/* Works out what no model says: the usable memory, from all of it and what is reserved. */
void product_derive(struct product *product);

/* Bytes that so many AI cores of a device stand for, in whole huge pages. */
uint64_t product_share(const struct product *product, uint32_t number, uint32_t cores);

#endif
