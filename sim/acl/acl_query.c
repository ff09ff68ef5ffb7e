/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_frame.h"

enum { ATTRIBUTE };                   /* the value of the call */
enum { OUT_FREE = 1, OUT_TOTAL = 2 }; /* its outputs, by parameter */

enum where { DDR, HBM, EITHER };
enum what { ALL, NORMAL, LARGE, GIANT };

struct attribute {
    enum where where;
    enum what what;
    bool p2p;
};

/* By aclrtMemAttr (spec: malloc 7.1). */
static const struct attribute attributes[] = {
    { DDR, ALL, false },       { HBM, ALL, false },      { DDR, LARGE, false },
    { DDR, NORMAL, false },    { HBM, LARGE, false },    { HBM, NORMAL, false },
    { DDR, LARGE, true },      { DDR, NORMAL, true },    { HBM, LARGE, true },
    { HBM, NORMAL, true },     { HBM, GIANT, false },    { HBM, GIANT, true },
    { EITHER, NORMAL, false }, { EITHER, LARGE, false }, { EITHER, GIANT, false },
    { EITHER, NORMAL, true },  { EITHER, LARGE, true },  { EITHER, GIANT, true },
};

enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

static uint64_t least(uint64_t left, uint64_t right) {
    return left < right ? left : right;
}

/* A product without HBM answers for its DDR under every name; one with it has DDR beside it. */
static uint32_t medium_of(const struct product *product, const struct attribute *attribute) {
    return attribute->where == DDR && product->hbm ? MEDIUM_DDR : MEDIUM_MAIN;
}

/* The four 1 GiB classes go together, but for one that more products have (spec: malloc 5). */
static bool has_giant(const struct product *product, const struct attribute *attribute) {
    bool alone = attribute->where == HBM && !attribute->p2p;
    return alone ? product->giant_hbm_attribute : product->giant_attribute;
}

static bool has(const struct product *product, const struct attribute *attribute) {
    return (medium_of(product, attribute) == MEDIUM_MAIN || product->ddr_usable > 0) &&
           (!attribute->p2p || product->p2p_pages) &&
           (attribute->what != GIANT || has_giant(product, attribute));
}

/* The same for every class but the giant ones; what the device's own system holds counts. */
static uint64_t total(const struct acl_frame *frame, const struct attribute *attribute) {
    const struct site *site = frame->machine->site;
    uint64_t bytes = medium_of(frame->product, attribute) == MEDIUM_MAIN
                         ? site_usable(site, frame->device)
                         : site_ddr_usable(site, frame->device);
    uint64_t unit = page_bytes(attribute->what == GIANT ? PAGE_GIANT : PAGE_HUGE);
    return bytes / unit * unit;
}

/* Frames that a page class may still take. */
static uint64_t frames_left(const struct pool_usage *usage, enum page_class page) {
    return least(usage->frames_free, usage->limit[page] - usage->frames_used[page]);
}

static uint64_t free_bytes(const struct pool_usage *usage, enum what what) {
    uint64_t cut = usage->pages_free_in_cut_frames * PAGE_NORMAL_BYTES;
    switch (what) {
    case ALL:
        return usage->frames_free * PAGE_HUGE_BYTES + cut;
    case NORMAL:
        return frames_left(usage, PAGE_NORMAL) * PAGE_HUGE_BYTES + cut;
    case LARGE:
        return frames_left(usage, PAGE_HUGE) * PAGE_HUGE_BYTES;
    case GIANT:
        return least(frames_left(usage, PAGE_GIANT) / FRAMES_PER_GIANT, usage->giant_free) *
               PAGE_GIANT_BYTES;
    }
    return 0;
}

static int32_t check_outputs(struct acl_frame *frame) {
    if (acl_is_null(frame, OUT_FREE)) {
        return acl_refuse_null(frame, OUT_FREE);
    }
    return acl_is_null(frame, OUT_TOTAL) ? acl_refuse_null(frame, OUT_TOTAL) : ACL_SUCCESS;
}

static int32_t answer(struct acl_frame *frame) {
    uint64_t number = acl_arg(frame, ATTRIBUTE);
    if (number >= ATTRIBUTES) {
        return acl_refuse(frame, RULE_QUERY_ATTRIBUTE);
    }
    const struct attribute *attribute = &attributes[number];
    if (!has(frame->product, attribute)) {
        acl_put(frame, 0);
        acl_put(frame, 0);
        return ACL_SUCCESS;
    }
    uint32_t medium = medium_of(frame->product, attribute);
    struct pool_usage usage =
        pool_usage(&frame->machine->pools, machine_pool(frame->device, medium));
    acl_put(frame, free_bytes(&usage, attribute->what));
    acl_put(frame, total(frame, attribute));
    return ACL_SUCCESS;
}

static const struct acl_row calls[] = {
    { .name = "aclrtGetMemInfo",
      .section = "malloc-and-friends 7.1",
      .python = "acl.rt.get_mem_info",
      .parameter = { { "attr", ACL_ATTRIBUTE, ACL_READ, ACL_REQUIRED, 0 },
                     { "free", ACL_OUT_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 },
                     { "total", ACL_OUT_SIZE, ACL_NOTHING, ACL_REQUIRED, 0 } },
      .flags = ACL_CONTEXT,
      .cost = COST_CALL,
      .check = check_outputs,
      .body = answer },
};

const struct acl_family acl_query = ACL_FAMILY(calls);
