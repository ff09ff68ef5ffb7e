/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/catalog.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/host.h"
#include "base/text.h"
#include "machine/product_read.h"

static bool is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static const char *usual_directory(void) {
    const char *named = getenv("ACLSIM_MODELS");
    if (named != NULL && named[0] != '\0') {
        return named;
    }
    return is_directory(SOURCE_MODELS) ? SOURCE_MODELS : INSTALLED_MODELS;
}

bool catalog_open(struct catalog *catalog, const char *directory, struct problem *problem) {
    struct text path = { 0 };
    *catalog = (struct catalog){ .directory = host_copy_string(
                                     directory != NULL ? directory : usual_directory()) };
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
    bool is_there = strchr(name, '/') == NULL && stat(text_get(&path), &status) == 0;
    text_fini(&path);
    return is_there;
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
    array_add(&catalog->products, product);
    if (!acl_support_find(&catalog->support, product->family_name, &product->family)) {
        problem_add(problem, (struct problem_place){ .file = catalog->directory, .place = name },
                    "the family \"%s\" is no column of support.csv", product->family_name);
        return NULL;
    }
    return product;
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

char **catalog_names(const struct catalog *catalog, size_t *count) {
    static const char suffix[] = ".json";
    ARRAY(char *) names = { 0 };
    DIR *directory = opendir(catalog->directory);
    const struct dirent *entry = NULL;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        size_t size = strlen(entry->d_name);
        if (entry->d_name[0] != '.' && size > sizeof suffix - 1 &&
            strcmp(entry->d_name + size - (sizeof suffix - 1), suffix) == 0) {
            char *name = host_copy_string(entry->d_name);
            name[size - (sizeof suffix - 1)] = '\0';
            array_add(&names, name);
        }
    }
    if (directory != NULL) {
        (void)closedir(directory);
    }
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof *names.items, by_name);
    }
    *count = names.count;
    return names.items;
}

void catalog_free_names(char **names, size_t count) {
    for (size_t place = 0; place < count; place++) {
        free(names[place]);
    }
    free(names);
}
