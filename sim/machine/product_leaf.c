/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_leaf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/must.h"
#include "base/text.h"
#include "base/units.h"

static const char costs[] = "/costs/";
static const char assumed[] = "assumed";

static void forget(struct product_source *note) {
    free(note->pointer);
    free(note->value);
    free(note->source);
    free(note->model);
}

static struct product_source *find(const struct product *product, const char *pointer) {
    for (size_t place = 0; place < product->sources.count; place++) {
        if (strcmp(product->sources.items[place].pointer, pointer) == 0) {
            return &product->sources.items[place];
        }
    }
    return NULL;
}

void product_leaf_note(struct product *product, const char *pointer, const char *value,
                       const char *source, const char *model) {
    struct product_source note = { host_copy_string(pointer), host_copy_string(value),
                                   host_copy_string(source),
                                   model == NULL ? NULL : host_copy_string(model) };
    struct product_source *old = find(product, pointer);
    if (old == NULL) {
        array_add(&product->sources, note);
    } else {
        forget(old);
        *old = note;
    }
}

/* Drops the notes below a pointer, or those that no model made. */
static void drop(struct product *product, const char *pointer) {
    size_t size = pointer == NULL ? 0 : strlen(pointer);
    size_t kept = 0;
    for (size_t place = 0; place < product->sources.count; place++) {
        struct product_source *note = &product->sources.items[place];
        bool goes = pointer == NULL
                        ? note->model == NULL
                        : strncmp(note->pointer, pointer, size) == 0 && note->pointer[size] == '/';
        if (goes) {
            forget(note);
        } else {
            product->sources.items[kept++] = *note;
        }
    }
    product->sources.count = kept;
}

void product_leaf_drop(struct product *product, const char *pointer) {
    drop(product, pointer);
}

void product_leaf_reopen(struct product *product) {
    drop(product, NULL);
}

/* The place of a word in the words of a choice. */
static void write_word(const char *words, uint64_t place, struct text *value) {
    while (place-- > 0) {
        words = strchr(words, ' ') + 1;
    }
    text_append_bytes(value, words, strcspn(words, " "));
}

static void write_field(const struct product *product, const struct product_field *field,
                        struct text *value) {
    char size[UNITS_TEXT_SIZE];
    uint64_t number = product_get(product, field);
    switch (field->kind) {
    case PRODUCT_BYTES:
        text_append(value, units_write_size(number, size));
        break;
    case PRODUCT_COUNT:
        text_printf(value, "%" PRIu64, number);
        break;
    case PRODUCT_FLAG:
        text_append(value, number != 0 ? "true" : "false");
        break;
    case PRODUCT_CHOICE:
        write_word(field->words, number, value);
        break;
    }
}

/* The usable memory is as well known as the lesser of the two that it follows from. */
static void note_usable(struct product *product, const char *value) {
    const struct product_source *whole = find(product, "/memory/physical");
    const struct product_source *part = find(product, "/memory/reserved");
    bool is_guess = whole == NULL || part == NULL || strncmp(whole->source, assumed, 7) == 0 ||
                    strncmp(part->source, assumed, 7) == 0;
    char confidence = 'L';
    if (!is_guess) {
        char first = whole->source[2];
        char second = part->source[2];
        confidence = first == 'L' || second == 'L' ? 'L' : first > second ? first : second;
    }
    char source[] = "I L physical less reserved, in whole pages of 2 MiB";
    source[2] = confidence;
    product_leaf_note(product, "/memory/usable", value,
                      is_guess ? "assumed physical less reserved, in whole pages of 2 MiB" : source,
                      NULL);
}

static void note_field(struct product *product, const struct product_field *field) {
    struct text value = { 0 };
    bool is_derived = product->is_usable_derived && strcmp(field->pointer, "/memory/usable") == 0;
    write_field(product, field, &value);
    if (is_derived) {
        note_usable(product, text_get(&value));
    } else if (find(product, field->pointer) == NULL) {
        product_leaf_note(product, field->pointer, text_get(&value),
                          "assumed the simulator's default", NULL);
    }
    text_fini(&value);
}

/* Whether any part of a cost is written. */
static bool has_cost(const struct product *product, const char *pointer) {
    size_t size = strlen(pointer);
    for (size_t place = 0; place < product->sources.count; place++) {
        const char *other = product->sources.items[place].pointer;
        if (strncmp(other, pointer, size) == 0 && (other[size] == '\0' || other[size] == '/')) {
            return true;
        }
    }
    return false;
}

/* A key without a cost of its own has that of "default", and its source. */
static void note_cost(struct product *product, enum cost_key key) {
    struct text pointer = { 0 };
    char value[UNITS_TEXT_SIZE];
    text_printf(&pointer, "%s%s", costs, cost_name(key));
    if (!has_cost(product, text_get(&pointer))) {
        const struct product_source *other = find(product, "/costs/default");
        char *source =
            host_copy_string(other == NULL ? "assumed the simulator's default" : other->source);
        product_leaf_note(product, text_get(&pointer),
                          units_write_time(product->cost[key].base_ns, value), source, NULL);
        free(source);
    }
    text_fini(&pointer);
}

static int by_pointer(const void *left, const void *right) {
    return strcmp(((const struct product_source *)left)->pointer,
                  ((const struct product_source *)right)->pointer);
}

void product_leaf_complete(struct product *product) {
    for (uint32_t place = 0; place < product_field_count(); place++) {
        note_field(product, product_field(place));
    }
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        note_cost(product, (enum cost_key)key);
    }
    qsort(product->sources.items, product->sources.count, sizeof *product->sources.items,
          by_pointer);
}

uint32_t product_leaf_count(const struct product *product) {
    return (uint32_t)product->sources.count;
}

static void tell_meaning(struct product_leaf *leaf) {
    for (uint32_t place = 0; place < product_field_count(); place++) {
        const struct product_field *field = product_field(place);
        if (strcmp(field->pointer, leaf->pointer) == 0) {
            bool is_rate = strcmp(field->name, "memory_rate") == 0;
            leaf->meaning = field->meaning;
            leaf->unit = field->kind != PRODUCT_BYTES ? "" : is_rate ? "bytes/s" : "bytes";
        }
    }
    if (strncmp(leaf->pointer, costs, sizeof costs - 1) != 0) {
        return;
    }
    const char *name = leaf->pointer + sizeof costs - 1;
    leaf->unit = "time";
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        size_t size = strlen(cost_name((enum cost_key)key));
        if (strncmp(name, cost_name((enum cost_key)key), size) == 0 &&
            (name[size] == '\0' || name[size] == '/')) {
            leaf->meaning = cost_meaning((enum cost_key)key);
        }
    }
}

struct product_leaf product_leaf_get(const struct product *product, uint32_t place) {
    must(place < product->sources.count);
    const struct product_source *note = &product->sources.items[place];
    struct product_leaf leaf = { .pointer = note->pointer,
                                 .value = note->value,
                                 .unit = "",
                                 .meaning = "",
                                 .basis = '-',
                                 .confidence = '-',
                                 .source = note->source,
                                 .model = note->model };
    tell_meaning(&leaf);
    if (strncmp(note->source, assumed, sizeof assumed - 1) == 0) {
        leaf.source += sizeof assumed - 1;
        leaf.source += leaf.source[0] == ' ';
    } else {
        leaf.basis = note->source[0];
        leaf.confidence = note->source[2];
        leaf.source += 4;
    }
    return leaf;
}

bool product_leaf_is_guess(const struct product_leaf *leaf) {
    return leaf->basis == '-' || leaf->basis == 'I';
}
