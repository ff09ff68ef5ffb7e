/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/strategy_plain.h"

static enum strategy_answer begin(struct strategy *strategy,
                                  const struct strategy_request *request) {
    return plain_begin(strategy, request, "aclrtMallocAlign32");
}

const struct strategy_row strategy_align32 = {
    .name = "align32",
    .summary = "one aclrtMallocAlign32 and one aclrtFree for each block",
    .bind = plain_bind,
    .begin = begin,
    .go_on = plain_go_on,
    .holdings = plain_holdings,
    .address = plain_address,
};
