/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_policy.h"

enum { ROUNDING = 32, ENUMERATED = 8 };

struct rule {
    enum page_class page;
    enum page_class fallback;
    bool limited; /* small sizes get normal pages */
    bool p2p;
};

static const struct rule rules[ENUMERATED] = {
    [ACL_MALLOC_HUGE_FIRST] = { PAGE_HUGE, PAGE_NORMAL, true, false },
    [ACL_MALLOC_HUGE_ONLY] = { PAGE_HUGE, PAGE_HUGE, false, false },
    [ACL_MALLOC_NORMAL_ONLY] = { PAGE_NORMAL, PAGE_NORMAL, false, false },
    [ACL_MALLOC_HUGE_FIRST_P2P] = { PAGE_HUGE, PAGE_NORMAL, true, true },
    [ACL_MALLOC_HUGE_ONLY_P2P] = { PAGE_HUGE, PAGE_HUGE, false, true },
    [ACL_MALLOC_NORMAL_ONLY_P2P] = { PAGE_NORMAL, PAGE_NORMAL, false, true },
    [ACL_MALLOC_HUGE1G_ONLY] = { PAGE_GIANT, PAGE_GIANT, false, false },
    [ACL_MALLOC_HUGE1G_ONLY_P2P] = { PAGE_GIANT, PAGE_GIANT, false, true },
};

static bool is_bandwidth(uint64_t flags) {
    return flags == ACL_TYPE_LOW_BAND_WIDTH || flags == ACL_TYPE_HIGH_BAND_WIDTH;
}

/* Members of the enum beyond the first eight, what may be OR-ed, and all that is neither. */
static const struct rule *find_other_rule(const struct product *product, uint64_t policy,
                                          uint64_t size) {
    uint64_t base = policy & 0xFF;
    if (is_bandwidth(policy) || policy == ACL_ACCESS_USER_SPACE_READONLY) {
        return &rules[ACL_MALLOC_HUGE_FIRST];
    }
    if (product->policy_or && is_bandwidth(policy ^ base) && base <= ACL_MALLOC_NORMAL_ONLY) {
        return &rules[base];
    }
    if (product->unknown_policy_first) {
        return &rules[ACL_MALLOC_HUGE_FIRST];
    }
    /* The size as asked for meets this limit, and there is no fallback (spec: malloc 19 row 4). */
    return &rules[size >= PAGE_HUGE_BYTES ? ACL_MALLOC_HUGE_ONLY : ACL_MALLOC_NORMAL_ONLY];
}

static bool is_supported(const struct product *product, const struct rule *rule) {
    if (rule->page == PAGE_GIANT) {
        return rule->p2p ? product->giant_p2p_policy : product->giant_policy;
    }
    return !rule->p2p || product->p2p_pages;
}

static bool is_normal(const struct product *product, const struct rule *rule, uint64_t size,
                      uint64_t rounded) {
    if (rule->p2p && rule->page == PAGE_HUGE && product->p2p_plain_normal) {
        return true;
    }
    return rule->limited && (!rule->p2p || product->p2p_first_limited) &&
           (product->huge_first_raw ? size : rounded) <= product->huge_first_limit;
}

bool acl_policy_round(uint64_t size, uint64_t extra, uint64_t *rounded) {
    uint64_t most = UINT64_MAX / ROUNDING * ROUNDING;
    if (extra > most || size > most - extra) {
        return false;
    }
    *rounded = (size + extra + ROUNDING - 1) / ROUNDING * ROUNDING;
    return true;
}

bool acl_policy_plan(const struct product *product, uint64_t policy, uint64_t size, uint64_t extra,
                     struct acl_plan *plan) {
    const struct rule *rule =
        policy < ENUMERATED ? &rules[policy] : find_other_rule(product, policy, size);
    if (!acl_policy_round(size, rule->page == PAGE_GIANT ? 0 : extra, &plan->rounded)) {
        return false;
    }
    bool normal = is_normal(product, rule, size, plan->rounded);
    plan->page = normal ? PAGE_NORMAL : rule->page;
    plan->fallback = normal ? PAGE_NORMAL : rule->fallback;
    plan->p2p = rule->p2p;
    plan->supported = is_supported(product, rule);
    return true;
}
