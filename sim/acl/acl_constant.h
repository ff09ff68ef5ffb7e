/* SPDX-License-Identifier: Apache-2.0 */
/* Enumerators of the C headers by name: a scenario reads like the program that it models. */
#ifndef ACL_ACL_CONSTANT_H
#define ACL_ACL_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>

uint32_t acl_constant_count(void);
const char *acl_constant_name(uint32_t place);
bool acl_constant_find(const char *name, uint64_t *value);

#endif
