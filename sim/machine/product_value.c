/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_value.h"

#include <string.h>

#include "base/units.h"
#include "machine/link_read.h"
#include "machine/product_leaf.h"
#include "machine/product_lists.h"

enum { WORDS = 8 };

/* The longest pointer of the sources that leads to the value; NULL when there is none. */
static const char *find_source(const struct json *sources, const char *pointer) {
    const char *found = NULL;
    size_t longest = 0;
    const struct json *at =
        sources == NULL || json_type(sources) != JSON_OBJECT ? NULL : json_first(sources);
    for (; at != NULL; at = json_next(at)) {
        size_t size = strlen(json_key(at));
        bool leads = size > longest && strncmp(pointer, json_key(at), size) == 0 &&
                     (pointer[size] == '\0' || pointer[size] == '/');
        if (leads && json_type(at) == JSON_STRING) {
            found = json_string(at);
            longest = size;
        }
    }
    return found;
}

void product_note_source(struct product_reader *reader, const struct json *value,
                         const char *pointer, const char *written) {
    const char *source = find_source(reader->sources, pointer);
    if (source == NULL) {
        json_complain(value, reader->problem,
                      "this value has no source; name one in \"sources\", or say \"assumed\"");
        return;
    }
    product_leaf_note(reader->product, pointer, written, source, reader->model);
}

static void complain(struct product_reader *reader, const struct json *value, const char *wanted) {
    if (json_type(value) == JSON_STRING) {
        json_complain(value, reader->problem, "this is \"%.60s\"; expected %s", json_string(value),
                      wanted);
    } else {
        json_complain(value, reader->problem, "this is %s; expected %s", json_type_name(value),
                      wanted);
    }
}

/* A count of bytes or a plain number, as a number or with a unit. */
static bool read_bytes(const struct json *value, uint64_t *number) {
    if (json_type(value) == JSON_NUMBER && json_integer(value) >= 0) {
        *number = (uint64_t)json_integer(value);
        return true;
    }
    return json_type(value) == JSON_STRING && units_read_size(json_string(value), number);
}

/* The place of a word among those of a choice, which stand between blanks. */
static bool find_word(const char *choices, const char *word, uint64_t *place) {
    size_t size = strlen(word);
    *place = 0;
    for (const char *at = choices; *at != '\0'; (*place)++) {
        size_t length = strcspn(at, " ");
        if (length == size && strncmp(at, word, size) == 0) {
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

static bool read_field(struct product_reader *reader, const struct json *value,
                       const struct product_field *field) {
    uint64_t number = 0;
    bool is_well = false;
    struct text words = { 0 };
    const char *wanted = "a size such as \"4MiB\"";
    switch (field->kind) {
    case PRODUCT_BYTES:
        is_well = read_bytes(value, &number);
        break;
    case PRODUCT_COUNT:
        is_well = read_bytes(value, &number) && number <= UINT32_MAX;
        wanted = "a number below 2^32";
        break;
    case PRODUCT_FLAG:
        is_well = json_is_bool(value);
        number = json_type(value) == JSON_TRUE;
        wanted = "true or false";
        break;
    case PRODUCT_CHOICE:
        is_well =
            json_type(value) == JSON_STRING && find_word(field->words, json_string(value), &number);
        text_printf(&words, "one of: %s", field->words);
        wanted = text_get(&words);
        break;
    }
    if (is_well) {
        product_set(reader->product, field, number);
    } else {
        complain(reader, value, wanted);
    }
    text_fini(&words);
    return is_well;
}

/* The member of a cost that the rest of a pointer names; NULL when it names none. */
static uint64_t *find_cost(struct product *product, const char *pointer) {
    static const char *const members[] = { "/base", "/per_page/normal", "/per_page/huge",
                                           "/per_page/giant" };
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        size_t size = strlen(cost_name((enum cost_key)key));
        if (strncmp(pointer, cost_name((enum cost_key)key), size) != 0) {
            continue;
        }
        const char *rest = pointer + size;
        if (rest[0] == '\0') {
            /* Written as one time it has no other parts, whatever the extended model says. */
            struct text whole = { 0 };
            text_printf(&whole, "/costs/%s", pointer);
            product_leaf_drop(product, text_get(&whole));
            text_fini(&whole);
            product->cost[key] = (struct cost){ 0 };
            return &product->cost[key].base_ns;
        }
        if (strcmp(rest, members[0]) == 0) {
            return &product->cost[key].base_ns;
        }
        for (int page = 0; page < PAGE_CLASSES; page++) {
            if (strcmp(rest, members[1 + page]) == 0) {
                return &product->cost[key].page_ns[page];
            }
        }
    }
    return NULL;
}

/* Whether this model or one that it extends gives a key a cost of its own. */
static bool has_cost(const struct product *product, enum cost_key key) {
    static const char costs[] = "/costs/";
    size_t size = strlen(cost_name(key));
    for (size_t place = 0; place < product->sources.count; place++) {
        const char *pointer = product->sources.items[place].pointer;
        const char *name = pointer + sizeof costs - 1;
        if (strncmp(pointer, costs, sizeof costs - 1) == 0 &&
            strncmp(name, cost_name(key), size) == 0 && (name[size] == '\0' || name[size] == '/')) {
            return true;
        }
    }
    return false;
}

static void complain_of_cost(struct product_reader *reader, const struct json *value,
                             const char *pointer) {
    const char *names[COST_KEYS];
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        names[key] = cost_name((enum cost_key)key);
    }
    const char *nearest = problem_nearest(pointer, names, COST_KEYS);
    json_complain_of_key(value, reader->problem, "there is no cost \"%.60s\"%s%s%s", pointer,
                         nearest == NULL ? "; see `aclsim list costs`" : "; did you mean \"",
                         nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
}

/* A cost is a time; without one of its own a key has that of "default". */
static bool read_cost(struct product_reader *reader, const struct json *value,
                      const char *pointer) {
    uint64_t time_ns = 0;
    bool is_default = strcmp(pointer, "default") == 0;
    uint64_t *cost = is_default ? NULL : find_cost(reader->product, pointer);
    if (!is_default && cost == NULL) {
        complain_of_cost(reader, value, pointer);
        return false;
    }
    if (json_type(value) != JSON_STRING || !units_read_time(json_string(value), &time_ns)) {
        complain(reader, value, "a time such as \"15us\"");
        return false;
    }
    for (uint32_t key = 0; is_default && key < COST_KEYS; key++) {
        if (!has_cost(reader->product, (enum cost_key)key)) {
            reader->product->cost[key] = (struct cost){ .base_ns = time_ns };
        }
    }
    if (cost != NULL) {
        *cost = time_ns;
    }
    return true;
}

static void complain_of_field(struct product_reader *reader, const struct json *value,
                              const char *pointer) {
    ARRAY(const char *) names = { 0 };
    static const char *const others[] = {
        "/extends", "/family", "/standard", "/sources",
        "/links",   "/unlike", "/costs",    "/virtual/templates"
    };
    for (uint32_t place = 0; place < product_field_count(); place++) {
        array_add(&names, product_field(place)->pointer);
    }
    for (size_t place = 0; place < sizeof others / sizeof *others; place++) {
        array_add(&names, others[place]);
    }
    const char *nearest = problem_nearest(pointer, names.items, names.count);
    json_complain(value, reader->problem, "a model has no such field%s%s%s",
                  nearest == NULL ? "; see `aclsim list fields`" : "; did you mean \"",
                  nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    array_fini(&names);
}

static void write_value(const struct json *value, struct text *written) {
    if (json_type(value) == JSON_STRING) {
        text_append(written, json_string(value));
    } else if (json_type(value) == JSON_NUMBER) {
        text_printf(written, "%lld", (long long)json_integer(value));
    } else {
        text_append(written, json_type(value) == JSON_TRUE ? "true" : "false");
    }
}

static void read_leaf(struct product_reader *reader, const struct json *value,
                      const char *pointer) {
    static const char costs[] = "/costs/";
    struct text written = { 0 };
    bool is_well = false;
    const struct product_field *field = product_find_field(pointer);
    if (field != NULL) {
        is_well = read_field(reader, value, field);
    } else if (strncmp(pointer, costs, sizeof costs - 1) == 0) {
        is_well = read_cost(reader, value, pointer + sizeof costs - 1);
    } else {
        complain_of_field(reader, value, pointer);
    }
    if (is_well) {
        write_value(value, &written);
        product_note_source(reader, value, pointer, text_get(&written));
    }
    text_fini(&written);
}

static void read_member(struct product_reader *reader, const struct json *member,
                        struct text *pointer) {
    size_t size = pointer->size;
    text_printf(pointer, "/%s", json_key(member));
    product_read_value(reader, member, pointer);
    pointer->size = size;
    pointer->bytes[size] = '\0';
}

/* The default of the costs comes first, wherever it stands: the others override it. */
void product_read_value(struct product_reader *reader, const struct json *value,
                        struct text *pointer) {
    if (strcmp(text_get(pointer), "/links") == 0) {
        link_read_all(reader, value);
        return;
    }
    if (product_lists_read(reader, value, text_get(pointer))) {
        return;
    }
    if (json_type(value) != JSON_OBJECT) {
        read_leaf(reader, value, text_get(pointer));
        return;
    }
    bool is_costs = strcmp(text_get(pointer), "/costs") == 0;
    const struct json *first = is_costs ? json_find(value, "default") : NULL;
    if (first != NULL) {
        read_member(reader, first, pointer);
    }
    for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
        if (at != first) {
            read_member(reader, at, pointer);
        }
    }
}
