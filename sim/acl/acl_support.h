/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which family of products supports which call: models/support.csv and nothing else. The columns
 * of that file are the families; a product names its own.
 */
#ifndef ACL_ACL_SUPPORT_H
#define ACL_ACL_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"

enum { ACL_FAMILIES = 8 };

struct acl_support {
    uint8_t *rows; /* by number of the call: a bit for each family; for acl_new() */
    char *family[ACL_FAMILIES];
    uint32_t family_count;
};

/* Reads the table. False, with problems, when it can not be read or a call has no line. */
bool acl_support_read(const char *path, struct acl_support *support, struct problem *problem);
void acl_support_fini(struct acl_support *support);

/* The number of a family; false when there is none of that name. */
bool acl_support_find(const struct acl_support *support, const char *family, uint32_t *number);

#endif
