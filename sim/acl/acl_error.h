/* SPDX-License-Identifier: Apache-2.0 */
/* The codes that calls return (spec: malloc and friends 18). */
#ifndef ACL_ACL_ERROR_H
#define ACL_ACL_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum acl_error {
    ACL_SUCCESS = 0,
#define ERROR(value, name, ...) ACL_ERROR_##name = value,
#include "acl/acl_errors.inc"
#undef ERROR
};

const char *acl_error_name(int32_t code);    /* "ACL_ERROR_RT_PARAM_INVALID"; NULL if unknown */
const char *acl_error_meaning(int32_t code); /* NULL if unknown */

/* All of them, in the order of their values. */
size_t acl_error_count(void);
int32_t acl_error_get(size_t place);

/* The code of a name, with or without the prefix; false when there is none. */
bool acl_error_find(const char *name, int64_t *code);

/* The name most like a word; NULL when none is near. */
const char *acl_error_nearest(const char *word);

#endif
