/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/part_row.h"

#include "base/must.h"

/* A process has steps or threads or both, so neither of them must be there. */
static const struct part_row rows[PART_KINDS] = {
    [PART_SCENARIO] = { "a scenario",
                        { { "format", PART_FORMAT, 0, true },
                          { "scenario", PART_WORD, 0, false },
                          { "about", PART_WORD, 0, false },
                          { "products", PART_NAMES, 0, false },
                          { "seed", PART_NUMBER, 0, false },
                          { "servers", PART_MANY, PART_SERVER, false },
                          { "containers", PART_MANY, PART_CONTAINER, false },
                          { "distributions", PART_DRAWN, 0, false },
                          { "processes", PART_MANY, PART_PROCESS, true },
                          { "expect", PART_ONE, PART_EXPECT, false } } },
    [PART_SERVER] = { "a server",
                      { { "product", PART_WORD, 0, false },
                        { "devices", PART_SOME, 0, false },
                        { "rc_form", PART_FLAG, 0, false },
                        { "compute_group", PART_FLAG, 0, false },
                        { "virtual_machine", PART_FLAG, 0, false },
                        { "virtual_npu", PART_NPU, 0, false },
                        { "model", PART_MODEL, 0, false } } },
    [PART_CONTAINER] = { "a container",
                         { { "server", PART_WORD, 0, false },
                           { "visible", PART_DEVICES, 0, true },
                           { "own_pids", PART_FLAG, 0, false } } },
    [PART_PROCESS] = { "a process",
                       { { "server", PART_WORD, 0, false },
                         { "container", PART_WORD, 0, false },
                         { "device", PART_NUMBER, 0, false },
                         { "starts", PART_LATER, 0, false },
                         { "steps", PART_STEPS, 0, false },
                         { "threads", PART_MANY, PART_THREAD, false } } },
    [PART_THREAD] = { "a thread", { { "steps", PART_STEPS, 0, true } } },
    [PART_EXPECT] = { "what is expected",
                      { { "findings", PART_FINDINGS, 0, false },
                        { "totals", PART_TOTALS, 0, false },
                        { "finally", PART_FINALLY, 0, false } } },
};

const struct part_row *part_row_get(enum part_kind kind) {
    must(kind < PART_KINDS);
    return &rows[kind];
}

size_t part_row_names(enum part_kind kind, const char *names[PART_KEYS]) {
    const struct part_row *row = part_row_get(kind);
    size_t count = 0;
    while (count < PART_KEYS && row->key[count].name != NULL) {
        names[count] = row->key[count].name;
        count++;
    }
    return count;
}
