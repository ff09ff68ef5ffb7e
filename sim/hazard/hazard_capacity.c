/* SPDX-License-Identifier: Apache-2.0 */
/* Advice on what a program spends. */
#include "hazard/churn.h"
#include "hazard/hazard_family.h"

enum row { MANY_SMALL, CACHE_CALL };

static const struct finding_row rows[] = {
    [MANY_SMALL] = { "many_small_blocks", FINDING_ADVICE,
                     "the process makes and frees many small blocks, one by one",
                     "each call waits for the driver; a block of the same bytes can be cut up "
                     "(malloc-and-friends 13)",
                     "allocate one large block and cut it up by the rule of sub-allocation",
                     { "pairs of calls", "nanoseconds spent in them" } },
    [CACHE_CALL] = { "cache_call_needless", FINDING_ADVICE, "the call does nothing",
                     "caches are kept coherent by the device (malloc-and-friends 6.4)",
                     "leave the call out", { 0 } },
};

static struct churn *edit(struct hazard *hazard, struct process_id process) {
    return table_edit(hazard->churn, 0, process.index);
}

static void see_malloc(struct hazard *hazard, const struct hazard_event *event) {
    uint64_t size = 0;
    if (event->result->code != ACL_SUCCESS || !hazard_argument(event, ACL_SIZE, &size) ||
        size >= CHURN_SMALL_BYTES) {
        return;
    }
    struct churn *churn = edit(hazard, event->process);
    if (churn->made == 0) {
        churn->first = hazard_here(hazard, event);
    }
    churn->made++;
    churn->cost_ns += event->result->cost_ns;
}

/* The block is known by its fact, which comes before that of the call. */
static void see_block_freed(struct hazard *hazard, const struct hazard_event *event) {
    if (event->fact->row != FACT_NO_ROW && event->fact->value[1] < CHURN_SMALL_BYTES) {
        edit(hazard, event->process)->is_freeing = 1;
    }
}

static void see_free(struct hazard *hazard, const struct hazard_event *event) {
    const struct churn *seen = table_get(hazard->churn, 0, event->process.index);
    if (seen->is_freeing == 0) {
        return;
    }
    struct churn *churn = edit(hazard, event->process);
    churn->is_freeing = 0;
    churn->freed++;
    churn->cost_ns += event->result->cost_ns;
    churn->last = hazard_here(hazard, event);
}

static void see_ending(struct hazard *hazard, const struct hazard_event *event) {
    struct churn churn = *(const struct churn *)table_get(hazard->churn, 0, event->process.index);
    uint64_t pairs = churn.made < churn.freed ? churn.made : churn.freed;
    if (pairs >= CHURN_PAIRS) {
        struct finding finding = hazard_finding(hazard, event, &rows[MANY_SMALL]);
        finding.wrong = churn.last;
        finding.cause = churn.first;
        finding.number[0] = pairs;
        finding.number[1] = churn.cost_ns;
        hazard_report(hazard, &finding);
    }
    if (churn.made > 0) {
        *edit(hazard, event->process) = (struct churn){ 0 };
    }
}

static void see_cache_call(struct hazard *hazard, const struct hazard_event *event) {
    if (event->result->code == ACL_SUCCESS) {
        struct finding finding = hazard_finding(hazard, event, &rows[CACHE_CALL]);
        (void)hazard_argument(event, ACL_ADDRESS, &finding.address);
        (void)hazard_argument(event, ACL_SIZE, &finding.size);
        hazard_report(hazard, &finding);
    }
}

static const struct hazard_watcher watchers[] = {
    { FACT_CALLED, "aclrtMalloc", see_malloc },
    { FACT_CALLED, "aclrtMallocAlign32", see_malloc },
    { FACT_CALLED, "aclrtMallocCached", see_malloc },
    { FACT_BLOCK_FREED, NULL, see_block_freed },
    { FACT_CALLED, "aclrtFree", see_free },
    { FACT_CALLED, "aclrtFreeWithDevSync", see_free },
    { FACT_CALLED, "aclrtMemFlush", see_cache_call },
    { FACT_CALLED, "aclrtMemInvalidate", see_cache_call },
    { FACT_PROCESS_ENDING, NULL, see_ending },
};

const struct hazard_family hazard_capacity = HAZARD_FAMILY(rows, watchers);
