/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise() */
#endif

#include "base/host.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

void host_out_of_memory(void) {
    (void)fputs("aclsim: the host is out of memory\n", stderr);
    exit(3);
}

void *host_resize(void *block, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        host_out_of_memory();
    }

    /* realloc() of nothing may free the block or return NULL, so at least one byte is asked for. */
    size_t total = count * size;
    void *resized = realloc(block, total != 0 ? total : 1);
    if (resized == NULL) {
        host_out_of_memory();
    }
    return resized;
}

void *host_zeroed(size_t count, size_t size) {
    /* Not a resize and a fill: large blocks of zeros cost the host nothing until they are used. */
    void *block = calloc(count != 0 ? count : 1, size != 0 ? size : 1);
    if (block == NULL) {
        host_out_of_memory();
    }
    return block;
}

void *host_zeroed_large(size_t size) {
    unsigned char *block = host_zeroed(size, 1);
#if defined __linux__ && defined MADV_HUGEPAGE
    enum { PAGE = 4096 }; /* advice begins at a page; what is refused is only slower */
    uintptr_t skip = (PAGE - (uintptr_t)block % PAGE) % PAGE;
    if (size > skip) {
        (void)madvise(block + skip, (size - skip) / PAGE * PAGE, MADV_HUGEPAGE);
    }
#endif
    return block;
}

char *host_copy_string(const char *string) {
    size_t size = strlen(string) + 1;
    return memcpy(host_resize(NULL, size, 1), string, size);
}
