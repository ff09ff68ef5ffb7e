/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/must.h"
#include "memory/page.h"

#define ROW(kind, member, pointer, absent, words, meaning) \
    { #member, pointer, meaning, words, kind, offsetof(struct product, member), absent },

static const struct product_field fields[] = {
#define BYTES(member, pointer, absent, meaning) \
    ROW(PRODUCT_BYTES, member, pointer, absent, NULL, meaning)
#define COUNT(member, pointer, absent, meaning) \
    ROW(PRODUCT_COUNT, member, pointer, absent, NULL, meaning)
#define FLAG(member, pointer, absent, meaning) \
    ROW(PRODUCT_FLAG, member, pointer, absent, NULL, meaning)
#define CHOICE(member, pointer, words, meaning) \
    ROW(PRODUCT_CHOICE, member, pointer, 0, words, meaning)
#include "machine/product_fields.inc"
#undef BYTES
#undef COUNT
#undef FLAG
#undef CHOICE
};

uint32_t product_field_count(void) {
    return sizeof fields / sizeof *fields;
}

const struct product_field *product_field(uint32_t place) {
    must(place < product_field_count());
    return &fields[place];
}

const struct product_field *product_find_field(const char *pointer) {
    for (uint32_t place = 0; place < product_field_count(); place++) {
        if (strcmp(fields[place].pointer, pointer) == 0) {
            return &fields[place];
        }
    }
    return NULL;
}

struct product *product_new(const char *name) {
    struct product *product = host_zeroed(1, sizeof *product);
    product->name = host_copy_string(name);
    for (uint32_t place = 0; place < product_field_count(); place++) {
        product_set(product, &fields[place], fields[place].absent);
    }
    return product;
}

void product_free(struct product *product) {
    if (product != NULL) {
        for (size_t place = 0; place < product->sources.count; place++) {
            free(product->sources.items[place].pointer);
            free(product->sources.items[place].value);
            free(product->sources.items[place].source);
            free(product->sources.items[place].model);
        }
        array_fini(&product->sources);
        free(product->family_name);
        free(product->about);
        free(product->name);
        free(product);
    }
}

static char *copy_or_null(const char *string) {
    return string == NULL ? NULL : host_copy_string(string);
}

struct product *product_copy(const struct product *product) {
    struct product *copy = host_zeroed(1, sizeof *copy);
    *copy = *product;
    copy->name = host_copy_string(product->name);
    copy->about = copy_or_null(product->about);
    copy->family_name = copy_or_null(product->family_name);
    memset(&copy->sources, 0, sizeof copy->sources);
    for (size_t place = 0; place < product->sources.count; place++) {
        const struct product_source *source = &product->sources.items[place];
        array_add(&copy->sources, (struct product_source){ host_copy_string(source->pointer),
                                                           host_copy_string(source->value),
                                                           host_copy_string(source->source),
                                                           copy_or_null(source->model) });
    }
    return copy;
}

uint64_t product_get(const struct product *product, const struct product_field *field) {
    const unsigned char *member = (const unsigned char *)product + field->offset;
    switch (field->kind) {
    case PRODUCT_BYTES:
        return *(const uint64_t *)(const void *)member;
    case PRODUCT_COUNT:
    case PRODUCT_CHOICE:
        return *(const uint32_t *)(const void *)member;
    case PRODUCT_FLAG:
        return *(const bool *)(const void *)member;
    }
    return 0;
}

void product_set(struct product *product, const struct product_field *field, uint64_t value) {
    unsigned char *member = (unsigned char *)product + field->offset;
    switch (field->kind) {
    case PRODUCT_BYTES:
        *(uint64_t *)(void *)member = value;
        break;
    case PRODUCT_COUNT:
    case PRODUCT_CHOICE:
        must(value <= UINT32_MAX);
        *(uint32_t *)(void *)member = (uint32_t)value;
        break;
    case PRODUCT_FLAG:
        *(bool *)(void *)member = value != 0;
        break;
    }
}

static uint64_t whole_pages(uint64_t bytes) {
    return bytes / PAGE_HUGE_BYTES * PAGE_HUGE_BYTES;
}

/* The rule for a device; NULL when it is like the others. */
static const struct product_unlike *unlike_of(const struct product *product, uint32_t number) {
    for (uint32_t place = 0; place < product->unlike_count; place++) {
        const struct product_unlike *at = &product->unlike[place];
        if (number % at->every == at->from) {
            return at;
        }
    }
    return NULL;
}

uint64_t product_usable(const struct product *product, uint32_t number) {
    const struct product_unlike *unlike = unlike_of(product, number);
    if (unlike != NULL && unlike->usable != 0) {
        return unlike->usable;
    }
    if (unlike != NULL && unlike->reserved != 0 && product->is_usable_derived) {
        return whole_pages(product->physical - unlike->reserved);
    }
    return product->usable;
}

uint64_t product_ddr_usable(const struct product *product, uint32_t number) {
    const struct product_unlike *unlike = unlike_of(product, number);
    return unlike != NULL && unlike->ddr_usable != 0 ? unlike->ddr_usable : product->ddr_usable;
}

uint64_t product_share(const struct product *product, uint32_t number, uint32_t cores) {
    must(cores <= product->cores);
    return whole_pages(product_usable(product, number) * cores / product->cores);
}

void product_derive(struct product *product) {
    product->is_usable_derived = product->usable == 0;
    if (product->is_usable_derived && product->physical > product->reserved) {
        product->usable = whole_pages(product->physical - product->reserved);
    }
}
