/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of models that a test writes, and the product that it reads from there. */
#ifndef TESTS_MODEL_FOLDER_H
#define TESTS_MODEL_FOLDER_H

#include "machine/product.h"

/* Sources for what write_base() gives values to, and for one thing more. */
#define SOURCES ",'sources':{'/memory':'V H a document'}"
#define SOURCES_COSTS ",'sources':{'/memory':'V H a document','/costs':'assumed'}"
#define SOURCES_DEVICES ",'sources':{'/memory':'V H a document','/devices':'I L guess'}"

struct model_folder {
    char path[64];
    struct product *product; /* the last one that was read well */
};

void model_folder_init(struct model_folder *folder);
void model_folder_fini(struct model_folder *folder); /* removes it */

/* Writes a model: format and product are given, ' stands for ". Over an older one of its name. */
void write_model(struct model_folder *folder, const char *name, const char *members);

/* Writes a file as it is but for the quotes. */
void write_raw(struct model_folder *folder, const char *name, const char *text);

/* The smallest model there can be, with the name "base", and more members. */
void write_base(struct model_folder *folder, const char *more);

void read_well(struct model_folder *folder, const char *name);

/* What is said of a model, where % stands for the folder. */
void check_refused(const struct model_folder *folder, const char *name, const char *expected);

/* What is known of the source of a value of the product; NULL for nothing. */
const struct product_source *find_source(const struct model_folder *folder, const char *pointer);

#endif
