/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A first look at the log of one device: what it holds, and which blocks were there before it
 * begins. Those are the blocks in use at the end that the log did not make, and the blocks that it
 * frees and did not make, of which only the free tells address and size.
 */
#ifndef IMPORT_TORCH_SURVEY_H
#define IMPORT_TORCH_SURVEY_H

#include "import/torch_snapshot.h"
#include "replay/request.h"

struct torch_held {
    uint64_t address;
    uint64_t size; /* as requested */
};

struct torch_survey {
    struct torch_device device;
    struct request_trace trace;
    ARRAY(struct torch_held) held; /* by address */
    uint64_t origin_us;            /* of the first event */
};

/* Looks at a device, the busiest for IMPORT_ANY_DEVICE. False, with a problem, when there is no
 * such device or nothing happened on it. The caller owns the survey either way. */
bool torch_survey_make(struct torch_survey *survey, const struct torch_snapshot *snapshot,
                       uint32_t device, const char *path, struct problem *problem);
void torch_survey_fini(struct torch_survey *survey);

/* When an event happened, counted from the first; its place where the file has no times. */
uint64_t torch_survey_time(const struct torch_survey *survey, const struct torch_event *event,
                           uint64_t place);

#endif
