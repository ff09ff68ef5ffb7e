/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/model_folder.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/product_read.h"
#include "tests/stage.h"

void model_folder_init(struct model_folder *folder) {
    *folder = (struct model_folder){ .path = "/tmp/aclsim-models-XX"
                                             "XXXX" };
    ck_assert_ptr_nonnull(mkdtemp(folder->path));
}

static void path_of(const struct model_folder *folder, const char *file, struct text *path) {
    text_printf(path, "%s/%s", folder->path, file);
}

void model_folder_fini(struct model_folder *folder) {
    DIR *directory = opendir(folder->path);
    const struct dirent *entry = NULL;
    ck_assert_ptr_nonnull(directory);
    while ((entry = readdir(directory)) != NULL) {
        struct text path = { 0 };
        path_of(folder, entry->d_name, &path);
        if (entry->d_name[0] != '.') {
            ck_assert_int_eq(remove(text_get(&path)), 0);
        }
        text_fini(&path);
    }
    ck_assert_int_eq(closedir(directory), 0);
    ck_assert_int_eq(rmdir(folder->path), 0);
    product_free(folder->product);
}

void write_raw(struct model_folder *folder, const char *name, const char *text) {
    struct text path = { 0 };
    text_printf(&path, "%s/%s.json", folder->path, name);
    FILE *file = fopen(text_get(&path), "w");
    ck_assert_ptr_nonnull(file);
    for (const char *at = text; *at != '\0'; at++) {
        ck_assert_int_ne(fputc(*at == '\'' ? '"' : *at, file), EOF);
    }
    ck_assert_int_eq(fclose(file), 0);
    text_fini(&path);
}

void write_model(struct model_folder *folder, const char *name, const char *members) {
    struct text json = { 0 };
    text_printf(&json, "{'format':1,'product':'%s',%s}", name, members);
    write_raw(folder, name, text_get(&json));
    text_fini(&json);
}

void write_base(struct model_folder *folder, const char *more) {
    struct text members = { 0 };
    text_printf(&members, "'family':'f','memory':{'usable':'1GiB'}%s", more);
    write_model(folder, "base", text_get(&members));
    text_fini(&members);
}

void read_well(struct model_folder *folder, const char *name) {
    struct problem problem = { 0 };
    product_free(folder->product);
    folder->product = product_read(folder->path, name, &problem);
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, "");
    ck_assert_ptr_nonnull(folder->product);
    free(complaints);
    problem_fini(&problem);
}

void check_refused(const struct model_folder *folder, const char *name, const char *expected) {
    struct problem problem = { 0 };
    struct text wanted = { 0 };
    ck_assert_ptr_null(product_read(folder->path, name, &problem));
    for (const char *at = expected; *at != '\0'; at++) {
        if (*at == '%') {
            text_append(&wanted, folder->path);
        } else {
            text_append_bytes(&wanted, at, 1);
        }
    }
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, text_get(&wanted));
    free(complaints);
    text_fini(&wanted);
    problem_fini(&problem);
}

const struct product_source *find_source(const struct model_folder *folder, const char *pointer) {
    for (size_t place = 0; place < folder->product->sources.count; place++) {
        if (strcmp(folder->product->sources.items[place].pointer, pointer) == 0) {
            return &folder->product->sources.items[place];
        }
    }
    return NULL;
}
