/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an allocation becomes: how its size is rounded, and which pages its policy means on a
 * product (spec: malloc 3, 5 and 19). Where editions differ the product says which rule holds.
 */
#ifndef ACL_ACL_POLICY_H
#define ACL_ACL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/product.h"
#include "memory/page.h"

enum acl_policy {
    ACL_MALLOC_HUGE_FIRST,
    ACL_MALLOC_HUGE_ONLY,
    ACL_MALLOC_NORMAL_ONLY,
    ACL_MALLOC_HUGE_FIRST_P2P,
    ACL_MALLOC_HUGE_ONLY_P2P,
    ACL_MALLOC_NORMAL_ONLY_P2P,
    ACL_MALLOC_HUGE1G_ONLY,
    ACL_MALLOC_HUGE1G_ONLY_P2P,
    ACL_TYPE_LOW_BAND_WIDTH = 0x100,
    ACL_TYPE_HIGH_BAND_WIDTH = 0x1000,
    ACL_ACCESS_USER_SPACE_READONLY = 0x100000,
};

struct acl_plan {
    uint64_t rounded;
    enum page_class page;
    enum page_class fallback; /* when the first class is short; the same one for none */
    bool p2p;
    bool supported; /* by the product */
};

/* The multiple of 32 that holds the size and some extra bytes; false on overflow. */
bool acl_policy_round(uint64_t size, uint64_t extra, uint64_t *rounded);

/* The plan for a call that adds extra bytes; 1 GiB policies add none. False on overflow. */
bool acl_policy_plan(const struct product *product, uint64_t policy, uint64_t size, uint64_t extra,
                     struct acl_plan *plan);

#endif
