/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/catalog.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/host.h"
#include "base/text.h"
#include "cli/place.h"
#include "machine/model_names.h"
#include "machine/product_read.h"

static const char without[] = "not:";

static char *usual_directory(void) {
    const char *named = getenv("ACLSIM_MODELS");
    return named != NULL && named[0] != '\0' ? host_copy_string(named) : place_find("models");
}

bool catalog_open(struct catalog *catalog, const char *directory, struct problem *problem) {
    struct text path = { 0 };
    *catalog = (struct catalog){
        .directory = directory != NULL ? host_copy_string(directory) : usual_directory(),
    };
    text_printf(&path, "%s/support.csv", catalog->directory);
    bool is_open = acl_support_read(text_get(&path), &catalog->support, problem);
    text_fini(&path);
    return is_open;
}

void catalog_close(struct catalog *catalog) {
    for (size_t place = 0; place < catalog->products.count; place++) {
        product_free(catalog->products.items[place]);
    }
    array_fini(&catalog->products);
    acl_support_fini(&catalog->support);
    free(catalog->directory);
}

static bool has_model(const struct catalog *catalog, const char *name) {
    struct text path = { 0 };
    struct stat status;
    text_printf(&path, "%s/%s.json", catalog->directory, name);
    bool is_there =
        !model_is_base(name) && strchr(name, '/') == NULL && stat(text_get(&path), &status) == 0;
    text_fini(&path);
    return is_there;
}

/* Names that a scenario may use besides those of products, and what it uses them for. */
struct kind_of_name {
    const char *what;
    const char *const *others;
    size_t other_count;
};

/* Complains about a name in a scenario that is neither a product nor one of the others. */
static void check_name(const struct catalog *catalog, const struct json *where, const char *name,
                       const struct kind_of_name *kind, struct problem *problem) {
    ARRAY(const char *) known = { 0 };
    size_t count = 0;
    char **names = catalog_names(catalog, &count);
    bool is_known = false;
    for (size_t place = 0; place < count + kind->other_count; place++) {
        const char *at = place < count ? names[place] : kind->others[place - count];
        array_add(&known, at);
        is_known = is_known || strcmp(at, name) == 0;
    }
    if (!is_known) {
        const char *nearest = problem_nearest(name, known.items, known.count);
        json_complain(where, problem, "there is no %s \"%.60s\"%s%s%s", kind->what, name,
                      nearest == NULL ? "; see `aclsim list products`" : "; did you mean \"",
                      nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    }
    array_fini(&known);
    catalog_free_names(names, count);
}

/* Names of products, families and one word besides. */
struct family_names {
    const char *others[ACL_FAMILIES + 1];
    struct kind_of_name kind;
};

static void fill_names(const struct catalog *catalog, const char *word,
                       struct family_names *names) {
    names->others[0] = word;
    names->kind = (struct kind_of_name){ "product or family", names->others, 1 };
    for (uint32_t family = 0; family < catalog->support.family_count; family++) {
        names->others[names->kind.other_count++] = catalog->support.family[family];
    }
}

/* An expectation under a key that never holds would never be looked at. */
static void check_alternatives(const struct catalog *catalog, const struct scenario *scenario,
                               struct problem *problem) {
    struct family_names names;
    fill_names(catalog, "default", &names);
    for (size_t place = 0; place < scenario->alternatives.count; place++) {
        const struct scenario_alternative *at = &scenario->alternatives.items[place];
        if (strcmp(at->key, "default") != 0 && strncmp(at->key, "no:", 3) != 0) {
            check_name(catalog, at->where, at->key, &names.kind, problem);
        }
    }
}

bool catalog_check(const struct catalog *catalog, const struct scenario *scenario,
                   struct problem *problem) {
    struct family_names names;
    const struct json *root = json_root(scenario->document);
    const struct json *products = json_find(root, "products");
    const struct json *servers = json_find(root, "servers");
    const struct kind_of_name served = { "product", NULL, 0 };
    size_t before = problem->complaints.count;
    const struct json *at = products == NULL ? NULL : json_first(products);
    fill_names(catalog, "all", &names);
    for (; at != NULL; at = json_next(at)) {
        bool is_not = strncmp(json_string(at), without, sizeof without - 1) == 0;
        check_name(catalog, at, json_string(at) + (is_not ? sizeof without - 1 : 0), &names.kind,
                   problem);
    }
    at = servers == NULL ? NULL : json_first(servers);
    for (; at != NULL; at = json_next(at)) {
        const struct json *product = json_find(at, "product");
        if (product != NULL) {
            check_name(catalog, product, json_string(product), &served, problem);
        }
    }
    check_alternatives(catalog, scenario, problem);
    return problem->complaints.count == before;
}

static bool is_of(const struct product *product, const char *name) {
    return strcmp(name, product->name) == 0 || strcmp(name, product->family_name) == 0;
}

bool catalog_picks(const struct scenario *scenario, const struct product *product,
                   bool only_standard) {
    bool is_meant = product->is_standard || !only_standard;
    bool is_picked = scenario->all_products && is_meant;
    for (size_t place = 0; place < scenario->products.count; place++) {
        const char *name = scenario->products.items[place];
        if (strncmp(name, without, sizeof without - 1) == 0) {
            if (is_of(product, name + sizeof without - 1)) {
                return false;
            }
        } else if (strcmp(name, product->name) == 0) {
            is_picked = true;
        } else if (strcmp(name, product->family_name) == 0) {
            is_picked = is_picked || is_meant;
        }
    }
    return is_picked;
}

static void complain_of_name(const struct catalog *catalog, const char *name,
                             struct problem *problem) {
    size_t count = 0;
    char **names = catalog_names(catalog, &count);
    const char *nearest = problem_nearest(name, (const char *const *)names, count);
    problem_add(problem, (struct problem_place){ .file = catalog->directory },
                "there is no product \"%s\"%s%s%s", name,
                nearest == NULL ? "; see `aclsim list products`" : "; did you mean \"",
                nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    catalog_free_names(names, count);
}

static void complain_of_family(const struct catalog *catalog, const struct product *product,
                               struct problem *problem) {
    const char *nearest =
        problem_nearest(product->family_name, (const char *const *)catalog->support.family,
                        catalog->support.family_count);
    problem_add(problem,
                (struct problem_place){ .file = catalog->directory, .place = product->name },
                "the family \"%.40s\" is no column of support.csv%s%s%s", product->family_name,
                nearest == NULL ? "" : "; did you mean \"", nearest == NULL ? "" : nearest,
                nearest == NULL ? "" : "\"?");
}

const struct product *catalog_find(struct catalog *catalog, const char *name,
                                   struct problem *problem) {
    for (size_t place = 0; place < catalog->products.count; place++) {
        if (strcmp(catalog->products.items[place]->name, name) == 0) {
            return catalog->products.items[place];
        }
    }
    if (!has_model(catalog, name)) {
        complain_of_name(catalog, name, problem);
        return NULL;
    }
    struct product *product = product_read(catalog->directory, name, problem);
    if (product == NULL) {
        return NULL;
    }
    if (!acl_support_find(&catalog->support, product->family_name, &product->family)) {
        complain_of_family(catalog, product, problem);
        product_free(product);
        return NULL;
    }
    array_add(&catalog->products, product);
    return product;
}

char **catalog_names(const struct catalog *catalog, size_t *count) {
    return model_names(catalog->directory, false, count);
}

void catalog_free_names(char **names, size_t count) {
    model_free_names(names, count);
}
