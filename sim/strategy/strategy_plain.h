/* SPDX-License-Identifier: Apache-2.0 */
/* What `direct` and `align32` have in common: a call of ACL for each request. */
#ifndef STRATEGY_STRATEGY_PLAIN_H
#define STRATEGY_STRATEGY_PLAIN_H

#include "strategy/strategy.h"

void plain_bind(struct strategy *strategy);
enum strategy_answer plain_begin(struct strategy *strategy, const struct strategy_request *request,
                                 const char *allocate);
enum strategy_answer plain_go_on(struct strategy *strategy, const struct acl_result *result);
struct strategy_holdings plain_holdings(const struct strategy *strategy);
uint64_t plain_address(const struct strategy *strategy, uint32_t block);

#endif
