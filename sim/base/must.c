/* SPDX-License-Identifier: Apache-2.0 */
#include "base/must.h"

#include <stdlib.h>
#include <string.h>

static struct {
    must_last_words *hook;
    void *context;
} last_words;

void must_set_last_words(must_last_words *hook, void *context) {
    last_words.hook = hook;
    last_words.context = context;
}

/* The folder is dropped, so that the message does not depend on where the program was built. */
static const char *without_folder(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

void must_fail(const char *file, int line, const char *claim) {
    must_last_words *hook = last_words.hook;

    /* Should the last words themselves fail a claim, they are not asked again. */
    last_words.hook = NULL;
    (void)fflush(stdout);
    (void)fprintf(stderr, "%s:%d: this must hold: %s\n", without_folder(file), line, claim);
    if (hook != NULL) {
        hook(stderr, last_words.context);
    }
    (void)fflush(stderr);
    abort();
}
