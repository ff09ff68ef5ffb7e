/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/text.h"
#include "machine/model_names.h"
#include "machine/product_check.h"
#include "machine/product_leaf.h"
#include "machine/product_value.h"

enum { EXTENDS_MAX = 8, MODEL_FORMAT = 1 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const words[] = { "format", "product",  "about",  "extends",
                                     "family", "standard", "sources" };

static bool is_word(const char *key) {
    for (size_t place = 0; place < COUNT(words); place++) {
        if (strcmp(words[place], key) == 0) {
            return true;
        }
    }
    return false;
}

/* "assumed", or a basis, a confidence and a text. */
static bool is_source(const char *text) {
    if (strcmp(text, "assumed") == 0 || strncmp(text, "assumed ", 8) == 0) {
        return true;
    }
    return text[0] != '\0' && strchr("ACVSTI", text[0]) != NULL && text[1] == ' ' &&
           text[2] != '\0' && strchr("HML", text[2]) != NULL && text[3] == ' ' && text[4] != '\0';
}

/* The item of a list by the number that a pointer goes on with; NULL when there is none. */
static const struct json *find_item(const struct json *list, const char *number, size_t size) {
    uint32_t place = 0;
    for (size_t digit = 0; digit < size; digit++) {
        if (number[digit] < '0' || number[digit] > '9' || digit > 4) {
            return NULL;
        }
        place = place * 10 + (uint32_t)(number[digit] - '0');
    }
    const struct json *at = size == 0 ? NULL : json_first(list);
    for (; at != NULL && place > 0; place--) {
        at = json_next(at);
    }
    return at;
}

/* Whether a pointer leads to something of the file. */
static bool leads_somewhere(const struct json *root, const char *pointer) {
    const struct json *at = root;
    while (at != NULL && *pointer == '/') {
        size_t size = strcspn(++pointer, "/");
        const struct json *inside = NULL;
        if (json_type(at) == JSON_ARRAY) {
            inside = find_item(at, pointer, size);
        } else if (json_type(at) == JSON_OBJECT) {
            inside = json_first(at);
            while (inside != NULL && (strlen(json_key(inside)) != size ||
                                      memcmp(json_key(inside), pointer, size) != 0)) {
                inside = json_next(inside);
            }
        }
        at = inside;
        pointer += size;
    }
    return at != NULL;
}

/* A source that leads nowhere was meant for a value that now has another one. */
static bool check_sources(const struct json *root, const struct json *sources,
                          struct problem *problem) {
    size_t before = problem->complaints.count;
    for (const struct json *at = json_first(sources); at != NULL; at = json_next(at)) {
        if (json_key(at)[0] != '/') {
            json_complain(at, problem, "a source belongs to a JSON pointer such as \"/memory\"");
        } else if (!leads_somewhere(root, json_key(at))) {
            json_complain_of_key(at, problem, "nothing in this file stands at \"%.60s\"",
                                 json_key(at));
        } else if (json_type(at) != JSON_STRING || !is_source(json_string(at))) {
            json_complain(at, problem,
                          "expected \"assumed\", or basis (A C V S T I), confidence (H M L) and "
                          "source, such as \"V H vendor header\"");
        }
    }
    return problem->complaints.count == before;
}

/* Everything of a file that is a value. */
static void read_values(struct product_reader *reader, const struct json *root) {
    for (const struct json *at = json_first(root); at != NULL; at = json_next(at)) {
        if (is_word(json_key(at))) {
            continue;
        }
        struct text pointer = { 0 };
        text_printf(&pointer, "/%s", json_key(at));
        product_read_value(reader, at, &pointer);
        text_fini(&pointer);
    }
}

static const char *read_string(const struct json *root, const char *key, struct problem *problem) {
    const struct json *value = json_find(root, key);
    return value != NULL && json_expect(value, JSON_STRING, key, problem) ? json_string(value)
                                                                          : NULL;
}

static bool check_head(const struct json *root, const char *name, struct problem *problem) {
    const struct json *format = json_find(root, "format");
    const struct json *product = json_find(root, "product");
    if (format == NULL) {
        json_complain(root, problem, "the key \"format\" is missing; write \"format\": %d",
                      MODEL_FORMAT);
        return false;
    }
    if (!json_expect(format, JSON_NUMBER, "format", problem)) {
        return false;
    }
    if (json_integer(format) != MODEL_FORMAT) {
        json_complain(format, problem, "format %lld is not known; this version reads %d",
                      (long long)json_integer(format), MODEL_FORMAT);
        return false;
    }
    if (product == NULL || json_type(product) != JSON_STRING ||
        strcmp(json_string(product), name) != 0) {
        json_complain(product == NULL ? root : product, problem,
                      "a model says \"product\": \"%s\", like its file", name);
        return false;
    }
    return true;
}

/* A name is that of a file beside the others. */
static bool is_name(const char *name) {
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

struct chain {
    const char *directory;
    const char *name[EXTENDS_MAX]; /* from the product to what it extends last */
    uint32_t count;
    struct problem *problem;
};

static bool read_model(struct chain *chain, const char *name, struct product *product);

/* Whether there is a model to extend; complains with the nearest name. */
static bool find_base(const struct chain *chain, const struct json *extends, const char *base) {
    size_t count = 0;
    char **names = model_names(chain->directory, true, &count);
    bool is_found = false;
    for (size_t place = 0; place < count; place++) {
        is_found = is_found || strcmp(names[place], base) == 0;
    }
    if (!is_found) {
        const char *nearest = problem_nearest(base, (const char *const *)names, count);
        json_complain(extends, chain->problem, "there is no model \"%.60s\" to extend%s%s%s", base,
                      nearest == NULL ? "" : "; did you mean \"", nearest == NULL ? "" : nearest,
                      nearest == NULL ? "" : "\"?");
    }
    model_free_names(names, count);
    return is_found;
}

/* What the model extends is read first, so that its own values win. */
static bool read_base(struct chain *chain, const struct json *root, struct product *product) {
    const struct json *extends = json_find(root, "extends");
    const char *base = read_string(root, "extends", chain->problem);
    for (uint32_t place = 0; base != NULL && place < chain->count; place++) {
        if (strcmp(chain->name[place], base) == 0) {
            json_complain(extends, chain->problem, "\"%s\" extends itself by way of this", base);
            return false;
        }
    }
    if (base != NULL && !is_name(base)) {
        json_complain(extends, chain->problem, "\"%.60s\" is not the name of a product", base);
        return false;
    }
    if (base != NULL && chain->count == EXTENDS_MAX) {
        json_complain(extends, chain->problem, "models extend each other at most %d deep",
                      EXTENDS_MAX);
        return false;
    }
    if (base != NULL && !find_base(chain, extends, base)) {
        return false;
    }
    return extends == NULL || (base != NULL && read_model(chain, base, product));
}

static bool read_root(struct chain *chain, const struct json *root, struct product *product) {
    struct problem *problem = chain->problem;
    const char *name = chain->name[chain->count - 1];
    const struct json *sources = json_find(root, "sources");
    size_t before = problem->complaints.count;
    if (!json_expect(root, JSON_OBJECT, "a model", problem) || !check_head(root, name, problem) ||
        !read_base(chain, root, product)) {
        return false;
    }
    const char *family = read_string(root, "family", problem);
    if (family != NULL) {
        free(product->family_name);
        product->family_name = host_copy_string(family);
    }
    const char *about = read_string(root, "about", problem);
    if (about != NULL) {
        free(product->about);
        product->about = host_copy_string(about);
    }
    const struct json *standard = json_find(root, "standard");
    product->is_standard = standard != NULL &&
                           json_expect(standard, JSON_TRUE, "standard", problem) &&
                           json_type(standard) == JSON_TRUE;
    if (sources != NULL && json_expect(sources, JSON_OBJECT, "sources", problem)) {
        check_sources(root, sources, problem);
    }
    struct product_reader reader = { product, name, sources, problem };
    read_values(&reader, root);
    return problem->complaints.count == before;
}

static bool read_model(struct chain *chain, const char *name, struct product *product) {
    struct text path = { 0 };
    size_t before = chain->problem->complaints.count;
    text_printf(&path, "%s/%s.json", chain->directory, name);
    struct json_document *document = json_read(text_get(&path), chain->problem);
    if (document != NULL) {
        chain->name[chain->count++] = name;
        read_root(chain, json_root(document), product);
        chain->count--;
    }
    json_free(document);
    text_fini(&path);
    return chain->problem->complaints.count == before;
}

/* After the last value was read. */
static bool finish(struct product *product, const char *file, struct problem *problem) {
    product_derive(product);
    product_leaf_complete(product);
    return product_check(product, file, problem);
}

struct product *product_read(const char *directory, const char *name, struct problem *problem) {
    struct chain chain = { .directory = directory, .problem = problem };
    struct product *product = product_new(name);
    struct text file = { 0 };
    bool is_well = false;
    text_printf(&file, "%s/%s.json", directory, name);
    if (!is_name(name)) {
        problem_add(problem, (struct problem_place){ .file = directory },
                    "\"%s\" is not the name of a product", name);
    } else {
        is_well = read_model(&chain, name, product) && finish(product, text_get(&file), problem);
    }
    text_fini(&file);
    if (is_well) {
        return product;
    }
    product_free(product);
    return NULL;
}

struct product *product_change(const struct product *product, const struct json *model,
                               struct problem *problem) {
    size_t before = problem->complaints.count;
    struct product *changed = product_copy(product);
    const struct json *sources = json_find(model, "sources");
    if (sources != NULL && json_expect(sources, JSON_OBJECT, "sources", problem)) {
        check_sources(model, sources, problem);
    }
    product_leaf_reopen(changed);
    changed->usable = changed->is_usable_derived ? 0 : changed->usable;
    struct product_reader reader = { changed, "the scenario", sources, problem };
    for (const struct json *at = json_first(model); at != NULL; at = json_next(at)) {
        if (is_word(json_key(at)) && at != sources) {
            json_complain_of_key(at, problem, "\"%s\" can not be changed here", json_key(at));
        }
    }
    read_values(&reader, model);
    if (problem->complaints.count != before || !finish(changed, product->name, problem)) {
        product_free(changed);
        return NULL;
    }
    return changed;
}
