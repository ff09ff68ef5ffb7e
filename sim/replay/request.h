/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorded workload as a stream of requests for memory: whoever reads a file form makes one,
 * whoever drives an allocator pulls it. Blocks are named by small numbers that are used again when
 * a block is freed, so what is kept of them is bounded by how many live at a time.
 *
 * First come the blocks that were held before the log begins, in the order of their addresses; then
 * the requests of the log, in its order.
 */
#ifndef REPLAY_REQUEST_H
#define REPLAY_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum request_kind {
    REQUEST_HOLD, /* an allocation from before the log */
    REQUEST_ALLOC,
    REQUEST_FREE, /* of a block that a request before it made */
};

#define REQUEST_NO_EVENT UINT64_MAX

struct request {
    uint64_t event;   /* its place in the log, from 0; REQUEST_NO_EVENT before the log */
    uint64_t time_ns; /* since the first event; the place in the log where it has no times */
    uint64_t size;    /* bytes the program asked for; of a free those of its block */
    uint64_t stream;  /* as the log names it; 0 for the default one */
    uint32_t block;   /* number of the block, below request_trace.blocks_max */
    uint32_t kind;    /* enum request_kind */
};

/* How many bytes in how many blocks. */
struct request_sum {
    uint64_t count;
    uint64_t bytes;
};

/* Records of one sort that could not be taken as they are. */
struct request_odd {
    uint64_t count;
    uint64_t first; /* the event of the first one; REQUEST_NO_EVENT when there is none */
};

/* What a trace holds, known before its first request. All bytes are as requested, unless said. */
struct request_trace {
    const char *format; /* "PyTorch memory snapshot" */
    char class_letter;  /* A: allocations with addresses; B: without; C: a load to make them from */
    bool has_times;
    uint32_t device;       /* whose requests these are */
    uint32_t device_count; /* in the file */
    uint32_t devices_used; /* of them, with events or memory */
    uint32_t blocks_max;   /* block numbers are below this */
    uint64_t events;       /* in the log of the device */
    uint64_t allocs;
    uint64_t frees_requested;
    uint64_t frees; /* that completed */
    uint64_t segment_allocs;
    uint64_t segment_frees;
    uint64_t segment_maps;
    uint64_t segment_unmaps;
    uint64_t failures;             /* allocations that the recorded run could not make */
    uint64_t snapshots;            /* moments when a snapshot was taken */
    struct request_odd unknown;    /* events of other kinds, or without address or size */
    struct request_odd repeated;   /* allocs at an address that was live: taken as free and alloc */
    struct request_odd unpaired;   /* frees of what was free: passed over */
    struct request_odd resized;    /* frees of another size than the alloc, whose size counts */
    struct request_odd unfinished; /* frees that never completed: the blocks live on */
    uint64_t skipped;              /* things in the place of events or blocks that are none */
    uint64_t contradicted;         /* blocks that the log and the final list disagree on */
    uint64_t gaps;                 /* segments that their blocks do not fill */
    uint64_t peak_bytes;           /* of blocks that the log itself makes */
    uint64_t peak_event;           /* where that was first reached */
    uint64_t first_ns;             /* of the log, since 1970; 0 without times */
    uint64_t last_ns;
    struct request_sum held;     /* before the log */
    struct request_sum at_end;   /* made by the log and live at its end */
    struct request_sum segments; /* of the recorded allocator at the end: reserved bytes */
    struct request_sum active;   /* blocks in use in them, bytes as rounded by that allocator */
    uint64_t active_requested;   /* the same as requested */
    uint64_t reserved_peak;      /* of the recorded allocator, with what it had before the log */
    uint64_t reserved_before;    /* what it had before the log */
};

/* Where requests come from. The trace is borrowed and lives as long as the source. */
struct request_source {
    const struct request_trace *trace;
    bool (*next)(void *context, struct request *request); /* false at the end */
    void (*rewind)(void *context);                        /* back to the first request */
    void *context;
};

#endif
