/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/strategy_plain.h"

static enum strategy_answer begin(struct strategy *strategy,
                                  const struct strategy_request *request) {
    return plain_begin(strategy, request, "aclrtMalloc");
}

const struct strategy_row strategy_direct = {
    .name = "direct",
    .summary = "one aclrtMalloc and one aclrtFree for each block",
    .bind = plain_bind,
    .begin = begin,
    .go_on = plain_go_on,
    .holdings = plain_holdings,
    .address = plain_address,
};
