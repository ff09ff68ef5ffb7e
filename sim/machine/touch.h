/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an address of a process leads, and whether a device may touch it: plain blocks, mapped
 * ranges with their access, pinned host memory, and host memory that ACL knows nothing of.
 */
#ifndef MACHINE_TOUCH_H
#define MACHINE_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/link.h"
#include "machine/machine.h"

enum touch_place {
    TOUCH_DEVICE,
    TOUCH_PINNED,   /* pinned host memory */
    TOUCH_PAGEABLE, /* host memory from elsewhere: any address outside the device windows */
    TOUCH_NOWHERE,  /* nothing is mapped there, or the range leaves what is */
};

enum touch_answer {
    TOUCH_DONE,
    TOUCH_FAULT,   /* no memory, or no access: an access fault */
    TOUCH_NO_PEER, /* peer access to the device is not enabled */
};

/* Where memory that a media unit works on comes from: the last value of MEDIA_TOUCHED. */
enum touch_source {
    TOUCH_FROM_MEDIA, /* a media allocation of either version: what media units ask for */
    TOUCH_FROM_BLOCK, /* another block */
    TOUCH_FROM_MAPPING,
    TOUCH_FROM_HOST,
    TOUCH_FROM_NOWHERE, /* the range is in no memory, or leaves what it begins in */
};

struct touch_range {
    enum touch_place place;
    uint32_t device; /* where the memory is, of TOUCH_DEVICE */
    bool is_shared;  /* a mapping, whose accesses are rules of their own */
    uint32_t mapping;
};

/* Where a range of addresses is. Mapped neighbours on one device count as one range. */
struct touch_range touch_find(const struct machine *machine, struct process_id process,
                              uint64_t address, uint64_t size);

/* Whether a device, doing work for a process, may touch the range. */
enum touch_answer touch_check(const struct machine *machine, struct process_id process,
                              uint32_t device, uint64_t address, uint64_t size);

/* What one piece of work touches. */
struct touch_work {
    uint64_t from; /* 0: it reads nothing */
    uint64_t to;   /* 0: it writes nothing */
    uint64_t size; /* bytes of either */
    /* A media unit does it. Memory of another kind is touched all the same: nothing refuses it
     * (spec: malloc 13). */
    bool is_media;
};

/* The device touches all of it, or nothing where a part can not be touched. Records TOUCHED of what
 * was touched, or of what stood in the way; of a media unit MEDIA_TOUCHED before each. Returns the
 * first address that can not be touched, 0 when all was. */
uint64_t touch_do(struct machine *machine, struct process_id process, uint32_t device,
                  const struct touch_work *work);

/* Whether all that the work touched at its start is still there at its end. Records TOUCHED of the
 * first range that is not. */
bool touch_is_left(struct machine *machine, struct process_id process, uint32_t device,
                   const struct touch_work *work);

/* The way of a copy that a device works on. */
struct link_way touch_way(const struct machine *machine, struct process_id process, uint32_t device,
                          uint64_t to, uint64_t from);

#endif
