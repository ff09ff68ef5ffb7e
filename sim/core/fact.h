/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts: what happened, as a name and some integers. A kind of fact is a row of fact_rows.inc and
 * nothing more; what the integers mean is known to whoever records and reads them.
 */
#ifndef CORE_FACT_H
#define CORE_FACT_H

#include <stdint.h>

enum { FACT_VALUES = 5, FACT_NO_ROW = UINT16_MAX };

enum fact_kind {
#define FACT(kind, ...) FACT_##kind,
#include "core/fact_rows.inc"
#undef FACT
    FACT_KINDS
};

struct fact {
    uint64_t time_ns;
    uint16_t kind;
    uint16_t row;    /* of the call table: the call in which it happened, or FACT_NO_ROW */
    uint32_t thread; /* who called */
    uint32_t step;   /* of that thread */
    int32_t code;    /* what the call returned; 0 in facts other than CALLED */
    uint64_t value[FACT_VALUES];
};

const char *fact_name(enum fact_kind kind);
const char *fact_value_name(enum fact_kind kind, uint32_t place); /* NULL beyond the last */

#endif
