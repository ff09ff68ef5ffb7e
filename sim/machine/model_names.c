/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/model_names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

bool model_is_base(const char *name) {
    return name[0] == '_';
}

char **model_names(const char *directory, bool with_bases, size_t *count) {
    static const char suffix[] = ".json";
    ARRAY(char *) names = { 0 };
    DIR *folder = opendir(directory);
    const struct dirent *entry = NULL;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        size_t size = strlen(entry->d_name);
        if (entry->d_name[0] != '.' && size > sizeof suffix - 1 &&
            strcmp(entry->d_name + size - (sizeof suffix - 1), suffix) == 0 &&
            (with_bases || !model_is_base(entry->d_name))) {
            char *name = host_copy_string(entry->d_name);
            name[size - (sizeof suffix - 1)] = '\0';
            array_add(&names, name);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof *names.items, by_name);
    }
    *count = names.count;
    return names.items;
}

void model_free_names(char **names, size_t count) {
    for (size_t place = 0; place < count; place++) {
        free(names[place]);
    }
    free(names);
}
