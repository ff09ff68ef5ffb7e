/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/link_read.h"
#include "machine/model_names.h"
#include "machine/product_leaf.h"
#include "machine/product_value.h"
#include "memory/pool.h"

enum { EXTENDS_MAX = 8, MODEL_FORMAT = 1, DEVICES_MAX = 1024 };
static const uint64_t ADDRESSES = (uint64_t)1 << 48;

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

static bool check_sources(const struct json *sources, struct problem *problem) {
    size_t before = problem->complaints.count;
    for (const struct json *at = json_first(sources); at != NULL; at = json_next(at)) {
        if (json_key(at)[0] != '/') {
            json_complain(at, problem, "a source belongs to a JSON pointer such as \"/memory\"");
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
    const struct json *standard = json_find(root, "standard");
    product->is_standard = standard != NULL &&
                           json_expect(standard, JSON_TRUE, "standard", problem) &&
                           json_type(standard) == JSON_TRUE;
    if (sources != NULL && json_expect(sources, JSON_OBJECT, "sources", problem)) {
        check_sources(sources, problem);
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

static bool is_pool(uint64_t bytes) {
    return bytes >= PAGE_HUGE_BYTES && bytes <= POOL_FRAMES * PAGE_HUGE_BYTES;
}

/* Address 0 is NULL; an empty window may lie anywhere. */
static bool is_window(uint64_t from, uint64_t to) {
    return from <= to && to <= ADDRESSES && (from > 0 || to == 0);
}

static bool is_memory(const struct product *product, uint64_t usable, uint64_t ddr_usable) {
    return product->held < usable && is_pool(usable - product->held) &&
           (ddr_usable == 0 || is_pool(ddr_usable));
}

static bool check_memory(const struct product *product) {
    bool is_well = product->is_usable_derived ? product->reserved <= product->physical : true;
    is_well = is_well && is_memory(product, product->usable, product->ddr_usable);
    for (uint32_t place = 0; place < product->unlike_count; place++) {
        uint32_t number = product->unlike[place].from;
        is_well = is_well && product->unlike[place].reserved <= product->physical &&
                  is_memory(product, product_usable(product, number),
                            product_ddr_usable(product, number));
    }
    return is_well;
}

/* The sizes of pages are facts about the product that the simulator takes for granted. */
static bool check_pages(const struct product *product) {
    return product->page_normal == PAGE_NORMAL_BYTES && product->page_huge == PAGE_HUGE_BYTES &&
           (product->page_giant == PAGE_GIANT_BYTES || product->page_giant == 0) &&
           product->granularity == PAGE_HUGE_BYTES && product->granularity_best == PAGE_HUGE_BYTES;
}

static bool check_templates(const struct product *product) {
    for (uint32_t place = 0; place < product->vnpu_count; place++) {
        const struct product_template *at = &product->vnpu[place];
        if (at->memory == 0 ? at->cores > product->cores : !is_pool(at->memory)) {
            return false;
        }
    }
    return true;
}

/* What the fields must be together, whichever file each of them is from. */
static bool check_whole(const struct product *product, struct problem *problem) {
    struct problem_place place = { .place = product->name };
    size_t before = problem->complaints.count;
    if (product->family_name == NULL) {
        problem_add(problem, place, "a product has a \"family\"");
    }
    if (!check_memory(product)) {
        problem_add(problem, place,
                    "/memory: usable less held, and ddr_usable, are from 2MiB to 256GiB");
    }
    if (!check_pages(product)) {
        problem_add(
            problem, place,
            "/pages: 4KiB, 2MiB and 1GiB (or 0), with a granularity of 2MiB, are simulated");
    }
    if (!check_templates(product)) {
        problem_add(problem, place,
                    "/virtual/templates: memory is from 2MiB to 256GiB; without it a template has "
                    "no more cores than /cores");
    }
    if (!is_window(product->plain_from, product->plain_to) ||
        !is_window(product->reserve_from, product->reserve_to) ||
        !is_window(product->spill_from, product->spill_to) ||
        !is_window(product->host_from, product->host_to)) {
        problem_add(problem, place,
                    "/addresses: windows begin above 0, do not end before that, nor beyond 2^48");
    }
    if (product->devices == 0 || product->devices > DEVICES_MAX) {
        problem_add(problem, place, "/devices is from 1 to %d", DEVICES_MAX);
    }
    return problem->complaints.count == before;
}

/* After the last value was read. */
static bool finish(struct product *product, struct problem *problem) {
    product_derive(product);
    product_leaf_complete(product);
    return check_whole(product, problem);
}

struct product *product_read(const char *directory, const char *name, struct problem *problem) {
    struct chain chain = { .directory = directory, .problem = problem };
    struct product *product = product_new(name);
    if (!is_name(name)) {
        problem_add(problem, (struct problem_place){ .file = directory },
                    "\"%s\" is not the name of a product", name);
    } else if (read_model(&chain, name, product) && finish(product, problem)) {
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
        check_sources(sources, problem);
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
    if (problem->complaints.count != before || !finish(changed, problem)) {
        product_free(changed);
        return NULL;
    }
    return changed;
}
