/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/colour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

bool colour_read(const struct invocation *invocation, bool *wanted) {
    const char *when = options_value(invocation, "color");
    if (when == NULL || strcmp(when, "auto") == 0) {
        const char *never = getenv("NO_COLOR");
        *wanted = isatty(STDOUT_FILENO) && (never == NULL || never[0] == '\0');
        return true;
    }
    *wanted = strcmp(when, "always") == 0;
    if (!*wanted && strcmp(when, "never") != 0) {
        (void)fprintf(stderr, "aclsim: %s: --color is \"%s\"; expected auto, always or never\n",
                      invocation->command->name, when);
        return false;
    }
    return true;
}
