/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/link.h"

#include "base/mix.h"
#include "base/must.h"
#include "machine/flow.h"
#include "machine/machine.h"

static const uint64_t SECOND_NS = 1000000000;

/* value * numerator / denominator, rounded up; UINT64_MAX when it does not fit. */
static uint64_t scale(uint64_t value, uint64_t numerator, uint64_t denominator) {
    struct hash128 product = mix_multiply(value, numerator);
    uint64_t quotient = 0;
    uint64_t rest = 0;
    if (product.high >= denominator) {
        return UINT64_MAX;
    }
    /* Long division, bit by bit: exact on every machine, and no hot path. */
    rest = product.high;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t carry = rest >> 63;
        rest = rest << 1 | (product.low >> bit & 1);
        quotient <<= 1;
        if (carry != 0 || rest >= denominator) {
            rest -= denominator;
            quotient |= 1;
        }
    }
    return quotient + (rest != 0);
}

static uint64_t add(uint64_t left, uint64_t right) {
    return left > UINT64_MAX - right ? UINT64_MAX : left + right;
}

static uint64_t time_at_rate(uint64_t bytes, uint64_t rate) {
    return rate == 0 ? 0 : scale(bytes, SECOND_NS, rate);
}

uint64_t link_curve_time(const struct link_curve *curve, uint64_t bytes) {
    if (curve->points == 0) {
        return add(curve->overhead_ns, time_at_rate(bytes, curve->rate));
    }
    uint32_t last = curve->points - 1;
    if (bytes <= curve->bytes[0]) {
        return curve->time_ns[0];
    }
    if (bytes >= curve->bytes[last]) {
        return scale(bytes, curve->time_ns[last], curve->bytes[last]);
    }
    uint32_t above = 1;
    while (bytes > curve->bytes[above]) {
        above++;
    }
    uint64_t from = curve->bytes[above - 1];
    uint64_t rise = curve->time_ns[above] - curve->time_ns[above - 1];
    return curve->time_ns[above - 1] + scale(bytes - from, rise, curve->bytes[above] - from);
}

static bool joins(const struct link *link, uint32_t from, uint32_t to) {
    bool with_host = from == LINK_TO_HOST || to == LINK_TO_HOST;
    switch ((enum link_peers)link->peers) {
    case LINK_PAIRS:
        return !with_host && from / 2 == to / 2;
    case LINK_GROUPS:
        return !with_host && from / link->group == to / link->group;
    case LINK_ALL:
        return !with_host;
    case LINK_HOST:
        return with_host;
    }
    return false;
}

const struct link *link_between(const struct product *product, uint32_t from, uint32_t to) {
    for (uint32_t place = 0; place < product->link_count; place++) {
        if (joins(&product->link[place], from, to)) {
            return &product->link[place];
        }
    }
    return NULL;
}

uint64_t link_time(const struct machine *machine, struct link_way way, uint64_t bytes) {
    const struct product *product = machine->site->server[way.server].product;
    if (way.from == way.to) {
        return time_at_rate(bytes, product->memory_rate);
    }
    const struct link *link = link_between(product, way.from, way.to);
    if (link == NULL) {
        return time_at_rate(bytes, product->memory_rate);
    }
    return link_curve_time(way.pull ? &link->pull : &link->push, bytes);
}

uint64_t link_start(struct machine *machine, struct link_way way, uint64_t bytes,
                    struct flow_end end) {
    const struct product *product = machine->site->server[way.server].product;
    const struct link *link = way.from == way.to ? NULL : link_between(product, way.from, way.to);
    uint32_t rule = link == NULL ? FLOW_NO_LINK : (uint32_t)(link - product->link);
    return flow_start(machine, way, rule, link_time(machine, way, bytes), end);
}

void link_stop(struct machine *machine, struct flow_end end) {
    flow_stop(machine, end);
}

void link_perform(struct machine *machine, uint32_t server, uint32_t flow) {
    flow_perform(machine, server, flow);
}
