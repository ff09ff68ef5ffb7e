/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes of pickles that plain values do not need, for messages. */
#ifndef FORM_FORM_PICKLE_CODES_H
#define FORM_FORM_PICKLE_CODES_H

#include <stdbool.h>

struct pickle_code {
    int code;
    const char *name;
    bool runs_code;
};

/* NULL when it is no opcode, or one that is read. */
const struct pickle_code *form_pickle_code(int code);

#endif
