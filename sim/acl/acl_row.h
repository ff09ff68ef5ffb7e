/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call table: families of rows, in the order of local.mk. A row is all that is known of a
 * call: names, parameters, how each argument's thing is touched, cost, body.
 */
#ifndef ACL_ACL_ROW_H
#define ACL_ACL_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/cost.h"

enum { ACL_PARAMETERS = 10 };

enum acl_kind {
    ACL_NO_KIND,
#define KIND(kind, ...) ACL_##kind,
#include "acl/acl_kinds.inc"
#undef KIND
    ACL_KINDS
};

/* How values of a kind are written for people. */
enum acl_notation { ACL_DECIMAL, ACL_HEXADECIMAL, ACL_BYTES };

/* How the thing behind an argument is touched. Adding to a counter commutes with adding. */
enum acl_touch { ACL_NOTHING, ACL_READ, ACL_WRITE, ACL_ADD };

/* What a scenario may leave out, and what it is then; a size, an address, a handle never. */
enum acl_need { ACL_REQUIRED, ACL_OPTIONAL };

struct acl_parameter {
    const char *name; /* of the C prototype */
    enum acl_kind kind;
    enum acl_touch touch;
    enum acl_need need;
    uint64_t absent;
};

enum acl_flag {
    ACL_KERNEL = 1,  /* waits in the driver queue */
    ACL_NO_INIT = 2, /* allowed before aclInit */
    ACL_CONTEXT = 4, /* needs a current device: 107002 */
    ACL_DRIVER = 8,  /* needs that the process has set some device: 107017 */
};

struct acl_frame;
typedef int32_t acl_body(struct acl_frame *frame);

struct acl_row {
    const char *name;
    const char *section; /* of the specification: "vmm-and-sharing 4.7" */
    const char *python;  /* NULL where there is no such name */
    const char *returns; /* names of the outputs in Python's order, between blanks; NULL as in C */
    const char *released_by; /* the call that takes its first output, and ends it; NULL for none */
    struct acl_parameter parameter[ACL_PARAMETERS];
    uint32_t flags;
    enum cost_key cost;
    acl_body *check; /* NULL and enum checks; may be NULL */
    acl_body *body;
};

struct acl_family {
    const struct acl_row *rows;
    uint32_t count;
};

#define ACL_FAMILY(rows) \
    { rows, sizeof(rows) / sizeof *(rows) }

uint32_t acl_row_count(void);
const struct acl_row *acl_row_get(uint32_t row);
/* Members of a struct that a call fills are outputs of their own, "prop.memAttr": how long the name
 * of the pointer is, and whether the parameter before has the same pointer. */
size_t acl_parameter_length(const struct acl_parameter *parameter);
bool acl_row_goes_on(const struct acl_row *row, uint32_t number);

bool acl_row_find(const char *name, uint32_t *row); /* by its C or its Python name */

/* How many parameters a row has; how a kind is called, how many values it takes, what it is. */
uint32_t acl_row_parameters(const struct acl_row *row);
uint32_t acl_row_args(const struct acl_row *row); /* values of arg that it uses */
const char *acl_kind_name(enum acl_kind kind);
uint32_t acl_kind_width(enum acl_kind kind);
bool acl_kind_is_list(enum acl_kind kind);
bool acl_kind_is_output(enum acl_kind kind);
enum acl_notation acl_kind_notation(enum acl_kind kind);

#endif
