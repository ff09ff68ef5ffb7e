/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded workloads of all kinds as streams of requests. A file form is one file of this folder
 * and is recognised by its content. An importer says what it used and what it could not.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stddef.h>

#include "form/form_source.h"
#include "replay/request.h"

#define IMPORT_ANY_DEVICE UINT32_MAX

struct import {
    struct request_source source;
    void (*close)(void *context); /* of the source */
};

struct import_format {
    const char *name;    /* "torch-snapshot" */
    const char *summary; /* what it is, and who writes it */
    bool (*recognise)(const unsigned char *first, size_t size);
    bool (*open)(struct form_source *source, uint32_t device, struct import *import,
                 struct problem *problem);
};

/* Opens a recorded workload and takes the requests of one device, the busiest one for
 * IMPORT_ANY_DEVICE. False, with a problem. The caller ends it with import_close(). */
bool import_open(const char *path, uint32_t device, struct import *import, struct problem *problem);
void import_close(struct import *import);

size_t import_format_count(void);
const struct import_format *import_format_get(size_t place);

#endif
