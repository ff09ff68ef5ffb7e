/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_lists.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "machine/product_leaf.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A member that is a number from 1 (or from 0) to 65535; 0 with a complaint otherwise. */
static uint32_t read_count(struct product_reader *reader, const struct json *object,
                           const char *key, int64_t least) {
    const struct json *value = json_find(object, key);
    if (value == NULL || json_type(value) != JSON_NUMBER || json_integer(value) < least ||
        json_integer(value) > UINT16_MAX) {
        json_complain(value == NULL ? object : value, reader->problem,
                      "expected \"%s\", a number from %d to 65535", key, (int)least);
        return 0;
    }
    return (uint32_t)json_integer(value);
}

/* A member that is a size; 0 where it is absent, and with a complaint where it is none. */
static uint64_t read_size(struct product_reader *reader, const struct json *object,
                          const char *key) {
    const struct json *value = object == NULL ? NULL : json_find(object, key);
    uint64_t size = 0;
    if (value == NULL) {
        return 0;
    }
    if (json_type(value) != JSON_STRING || !units_read_size(json_string(value), &size) ||
        size == 0) {
        json_complain(value, reader->problem, "expected a size such as \"30GiB\"");
        return 0;
    }
    return size;
}

static void write_size(struct text *written, const char *name, uint64_t size) {
    char text[UNITS_TEXT_SIZE];
    if (size > 0) {
        text_printf(written, ", %s %s", name, units_write_size(size, text));
    }
}

static void read_unlike(struct product_reader *reader, const struct json *json,
                        struct text *written) {
    static const char *const keys[] = { "every", "from", "memory" };
    static const char *const sizes[] = { "reserved", "usable", "ddr_usable" };
    struct product *product = reader->product;
    struct product_unlike unlike = { .every = 1 };
    const struct json *memory = json_find(json, "memory");
    if (!json_check_keys(json, keys, COUNT(keys), reader->problem)) {
        return;
    }
    unlike.every = read_count(reader, json, "every", 1);
    unlike.from = read_count(reader, json, "from", 0);
    if (memory == NULL || json_type(memory) != JSON_OBJECT || json_count(memory) == 0) {
        json_complain(memory == NULL ? json : memory, reader->problem,
                      "expected \"memory\", an object with what differs");
        return;
    }
    if (unlike.every > 0 && unlike.from >= unlike.every) {
        json_complain(json, reader->problem, "\"from\" is below \"every\"");
    }
    json_check_keys(memory, sizes, COUNT(sizes), reader->problem);
    unlike.reserved = read_size(reader, memory, "reserved");
    unlike.usable = read_size(reader, memory, "usable");
    unlike.ddr_usable = read_size(reader, memory, "ddr_usable");
    text_printf(written, "devices %u, %u and so on", unlike.from, unlike.from + unlike.every);
    write_size(written, "reserved", unlike.reserved);
    write_size(written, "usable", unlike.usable);
    write_size(written, "ddr_usable", unlike.ddr_usable);
    product->unlike[product->unlike_count++] = unlike;
}

static void read_template(struct product_reader *reader, const struct json *json,
                          struct text *written) {
    static const char *const keys[] = { "name", "cores", "cpus", "memory" };
    struct product *product = reader->product;
    struct product_template template = { .memory = 0 };
    const struct json *name = json_find(json, "name");
    if (!json_check_keys(json, keys, COUNT(keys), reader->problem)) {
        return;
    }
    if (name == NULL || json_type(name) != JSON_STRING || json_string(name)[0] == '\0' ||
        strlen(json_string(name)) >= TEMPLATE_NAME) {
        json_complain(name == NULL ? json : name, reader->problem,
                      "a template has a \"name\" of at most %d bytes", TEMPLATE_NAME - 1);
        return;
    }
    strcpy(template.name, json_string(name));
    template.cores = read_count(reader, json, "cores", 1);
    template.cpus = read_count(reader, json, "cpus", 0);
    template.memory = read_size(reader, json, "memory");
    text_printf(written, "%s, cores %u, cpus %u", template.name, template.cores, template.cpus);
    write_size(written, "memory", template.memory);
    product->vnpu[product->vnpu_count++] = template;
}

/* A list in a model, and what becomes of an item. */
struct list {
    const char *pointer;
    const char *what;
    uint32_t most;
    void (*read)(struct product_reader *reader, const struct json *json, struct text *written);
};

static const struct list lists[] = {
    { "/unlike", "a kind of devices", UNLIKE_MAX, read_unlike },
    { "/virtual/templates", "a template", TEMPLATES_MAX, read_template },
};

static void read_list(struct product_reader *reader, const struct json *json,
                      const struct list *list) {
    uint32_t place = 0;
    product_leaf_drop(reader->product, list->pointer);
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at), place++) {
        struct text pointer = { 0 };
        struct text written = { 0 };
        if (place == list->most) {
            json_complain(at, reader->problem, "this list has at most %u items", list->most);
            return;
        }
        if (json_expect(at, JSON_OBJECT, list->what, reader->problem)) {
            text_printf(&pointer, "%s/%u", list->pointer, place);
            list->read(reader, at, &written);
            product_note_source(reader, at, text_get(&pointer), text_get(&written));
        }
        text_fini(&pointer);
        text_fini(&written);
    }
}

bool product_lists_read(struct product_reader *reader, const struct json *list,
                        const char *pointer) {
    for (size_t place = 0; place < COUNT(lists); place++) {
        if (strcmp(pointer, lists[place].pointer) != 0) {
            continue;
        }
        if (place == 0) {
            reader->product->unlike_count = 0;
        } else {
            reader->product->vnpu_count = 0;
        }
        if (json_expect(list, JSON_ARRAY, "this list", reader->problem)) {
            read_list(reader, list, &lists[place]);
        }
        return true;
    }
    return false;
}
