/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/churn.h"

struct table *churn_table(struct store *store) {
    return store_table(store, &(const struct table_type){ "churn", sizeof(struct churn), TABLE_NOTE,
                                                          true });
}
