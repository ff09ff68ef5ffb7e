/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/finding.h"

#include "base/must.h"

struct left_out {
    uint64_t count;
};

struct findings findings_bind(struct store *store) {
    struct findings findings = {
        .table = store_table(store, &(const struct table_type){ "finding", sizeof(struct finding),
                                                                TABLE_NOTE, false }),
        .left = store_table(store, &(const struct table_type){ "finding_left_out",
                                                               sizeof(struct left_out), TABLE_NOTE,
                                                               true }),
    };
    return findings;
}

static bool is_same_place(const struct finding_place *left, const struct finding_place *right) {
    return left->known == right->known && left->thread == right->thread &&
           left->step == right->step;
}

/* The latest first: what repeats in a loop was found just before. */
static struct finding *find_equal(struct findings *findings, const struct finding *finding) {
    for (uint32_t place = findings_count(findings); place-- > 0;) {
        const struct finding *other = findings_get(findings, place);
        if (other->row == finding->row && is_same_place(&other->wrong, &finding->wrong) &&
            is_same_place(&other->cause, &finding->cause)) {
            return table_edit(findings->table, 0, place);
        }
    }
    return NULL;
}

void findings_add(struct findings *findings, const struct finding *finding) {
    struct finding *equal = find_equal(findings, finding);
    if (equal != NULL) {
        equal->times++;
        return;
    }
    if (findings_count(findings) == FINDINGS_MAX) {
        ((struct left_out *)table_edit(findings->left, 0, 0))->count++;
        return;
    }
    struct finding *added = table_edit(findings->table, 0, table_add(findings->table, 0));
    *added = *finding;
    added->times = 1;
}

uint32_t findings_count(const struct findings *findings) {
    return table_count(findings->table, 0);
}

const struct finding *findings_get(const struct findings *findings, uint32_t place) {
    return table_get(findings->table, 0, place);
}

uint64_t findings_left_out(const struct findings *findings) {
    return ((const struct left_out *)table_get(findings->left, 0, 0))->count;
}

const char *finding_severity_name(enum finding_severity severity) {
    static const char *const names[] = {
        [FINDING_ADVICE] = "advice",
        [FINDING_LEAK] = "leak",
        [FINDING_UNDEFINED] = "undefined behaviour",
        [FINDING_ERROR] = "error",
    };
    return names[severity];
}

const char *finding_thing_name(enum finding_thing thing) {
    static const char *const names[THINGS] = {
        [THING_NONE] = "nothing",       [THING_BLOCK] = "device memory",
        [THING_HOST_BLOCK] = "host memory", [THING_HANDLE] = "handle",
        [THING_SHARE] = "share",        [THING_RANGE] = "reserved range",
        [THING_MAPPING] = "mapping",
    };
    must(thing < THINGS);
    return names[thing];
}
