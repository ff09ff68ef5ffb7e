/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as a whole: made, released, copied, undone. For the store only. */
#ifndef STORE_TABLE_WHOLE_H
#define STORE_TABLE_WHOLE_H

#include "store/table.h"

struct table *table_new(struct store *store, const uint32_t *epoch, uint64_t *walked,
                        struct table_type type, uint32_t id);
void table_free(struct table *table);

/* Fills an empty table from another one of the same type. */
void table_copy_records(struct table *to, const struct table *from);

/* Undoes one change; the bytes of a record that comes back are another change. */
void table_unadd(struct table *table, uint32_t owner, uint32_t slot);
void table_unremove(struct table *table, uint32_t owner, uint32_t slot);

/* Every record counts as not saved in any epoch. */
void table_forget_stamps(struct table *table);

/* Host memory behind it. */
uint64_t table_bytes(const struct table *table);

#endif
