/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the host. When there is none left the program says so in one line and exits with 3,
 * so callers never see a failed allocation.
 */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include <stddef.h>

/* Ends the program because the host has no memory left. */
_Noreturn void host_out_of_memory(void);

/* Resizes a block (NULL for a new one) to count items of size bytes; free() releases it. */
void *host_resize(void *block, size_t count, size_t size);

/* A new block of zero bytes; free() releases it. */
void *host_zeroed(size_t count, size_t size);

/* The same for many records that are used in no order: in large pages of the host, if it can. */
void *host_zeroed_large(size_t size);

/* Copies a string; the caller owns the copy, free(). */
char *host_copy_string(const char *string);

#endif
