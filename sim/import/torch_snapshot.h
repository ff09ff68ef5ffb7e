/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a memory snapshot of PyTorch or torch_npu holds, as it was read: the events of each device,
 * and the segments with their blocks at the moment of the dump.
 */
#ifndef IMPORT_TORCH_SNAPSHOT_H
#define IMPORT_TORCH_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "form/form_source.h"

enum torch_action {
    TORCH_ALLOC,
    TORCH_FREE_REQUESTED,
    TORCH_FREE_COMPLETED,
    TORCH_SEGMENT_ALLOC,
    TORCH_SEGMENT_FREE,
    TORCH_SEGMENT_MAP,
    TORCH_SEGMENT_UNMAP,
    TORCH_SNAPSHOT,
    TORCH_OOM,
    TORCH_OTHER, /* an action that nobody knows */
    TORCH_ACTIONS
};

struct torch_event {
    uint64_t address;
    uint64_t size;
    uint64_t stream;
    uint64_t time_us; /* since 1970; 0 where the file has no times */
    uint32_t action;  /* enum torch_action */
    uint32_t unused;
};

struct torch_block {
    uint64_t address; /* 0 in old files: it follows the block before it */
    uint64_t size;
    uint64_t requested; /* the size where the file does not say */
    bool is_active;
};

struct torch_segment {
    uint64_t address;
    uint64_t size;
    uint32_t device;
    uint32_t block_first;
    uint32_t block_count;
    uint32_t unused;
    uint64_t list; /* that it stands in */
};

/* The events of one device, in the order of the log. */
struct torch_device {
    size_t event_first;
    size_t event_count;
    uint64_t skipped;  /* items of the log that are no events, or stand there a second time */
    uint64_t list;     /* that it stands in */
    uint64_t segments; /* on it, and their bytes */
    uint64_t reserved;
};

struct torch_snapshot {
    ARRAY(struct torch_event) events;
    ARRAY(struct torch_block) blocks;
    ARRAY(struct torch_segment) segments;
    ARRAY(struct torch_device) devices;
    uint64_t skipped; /* items of lists of segments or blocks that are none */
    bool has_times;
};

/* Whether a file that begins like this is a pickle; of a snapshot, at least two bytes. */
bool torch_snapshot_is_pickle(const unsigned char *first, size_t size);

/* False, with a problem, when the file holds no snapshot. The caller owns it either way. */
bool torch_snapshot_read(struct form_source *source, struct torch_snapshot *snapshot,
                         struct problem *problem);
void torch_snapshot_fini(struct torch_snapshot *snapshot);

#endif
