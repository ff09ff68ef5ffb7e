/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/step_row.h"

#include "base/must.h"

#define INTO(member) offsetof(struct step, member)
#define SAID "?" /* its first key tells a step's kind, so that none is missing */

static const struct step_row rows[] = {
    { STEP_CALL,
      { { "call", FORM_CALL, SAID, 0 },
        { "as", FORM_BIND_ALL, NULL, 0 },
        { "tag", FORM_NAME, NULL, 0 },
        { "expect", FORM_CODE, NULL, 0 } } },
    { STEP_SEND,
      { { "send", FORM_VALUE, SAID, INTO(value) },
        { "to", FORM_PROCESS, "a send names the process that it goes to: \"to\"", 0 } } },
    { STEP_RECEIVE, { { "receive", FORM_BIND, SAID, 0 }, { "from", FORM_PROCESS, NULL, 0 } } },
    { STEP_BARRIER, { { "barrier", FORM_NAME, SAID, 0 } } },
    { STEP_DELAY, { { "delay", FORM_TIME, SAID, INTO(value) } } },
    { STEP_COMPUTE,
      { { "compute", FORM_TIME, SAID, INTO(value) },
        { "stream", FORM_VALUE, NULL, INTO(stream) },
        { "reads", FORM_RANGE, NULL, INTO(reads) },
        { "writes", FORM_RANGE, NULL, INTO(writes) } } },
    { STEP_MEDIA,
      { { "media", FORM_TIME, SAID, INTO(value) },
        { "stream", FORM_VALUE, NULL, INTO(stream) },
        { "reads", FORM_RANGE, NULL, INTO(reads) },
        { "writes", FORM_RANGE, NULL, INTO(writes) } } },
    { STEP_CUT,
      { { "cut", FORM_VALUE, SAID, INTO(value) },
        { "pieces", FORM_PIECES, "a cut lists its \"pieces\"", 0 } } },
    { STEP_LET,
      { { "let", FORM_BIND, SAID, 0 },
        { "value", FORM_VALUE, "a let has a \"value\"", INTO(value) } } },
    { STEP_DRAW,
      { { "draw", FORM_DRAWN, SAID, 0 }, { "as", FORM_BIND, "a draw binds a name: \"as\"", 0 } } },
    { STEP_START, { { "start", FORM_PROCESS, SAID, 0 } } },
    { STEP_KILL, { { "kill", FORM_PROCESS, SAID, 0 } } },
    { STEP_EXIT, { { "exit", FORM_TRUE, SAID, 0 } } },
    { STEP_PHASE, { { "phase", FORM_NAME, SAID, 0 } } },
    { STEP_REPEAT,
      { { "repeat", FORM_ROUNDS, SAID, INTO(value) },
        { "steps", FORM_STEPS, "a repeat has \"steps\"", 0 } } },
};
enum { ROWS = sizeof rows / sizeof *rows };

uint32_t step_row_count(void) {
    return ROWS;
}

const struct step_row *step_row_get(uint32_t row) {
    must(row < ROWS);
    return &rows[row];
}

uint32_t step_row_keys(const struct step_row *row) {
    uint32_t count = 0;
    while (count < STEP_KEYS && row->key[count].name != NULL) {
        count++;
    }
    return count;
}

const struct step_row *step_row_of(enum step_kind kind) {
    uint32_t row = 0;
    while (row < ROWS && rows[row].kind != kind) {
        row++;
    }
    return step_row_get(row);
}
