/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links: who reaches whom, how fast alone, and how copies share. A product has rules of links;
 * the first rule that joins two devices is their link. A copy occupies the way out of where it
 * comes from and the way in to where it goes; copies split what they share max-min fairly, and
 * rates change only when a copy starts or ends. That is timing only, so it is all notes.
 */
#ifndef MACHINE_LINK_H
#define MACHINE_LINK_H

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct product;

enum { LINKS = 8, LINK_POINTS = 8, LINK_NAME = 16 };
#define LINK_TO_HOST UINT32_MAX /* in the place of a device: the host's memory */
#define FLOW_NONE UINT32_MAX

enum link_peers {
    LINK_PAIRS,  /* devices 2k and 2k+1 */
    LINK_GROUPS, /* devices of the same group of `group` */
    LINK_ALL,    /* all devices of a server */
    LINK_HOST,   /* each device with its host */
};

/* How long bytes take alone: by a table where there is one, else overhead + bytes / rate. */
struct link_curve {
    uint32_t points;
    uint32_t unused;
    uint64_t bytes[LINK_POINTS]; /* rising */
    uint64_t time_ns[LINK_POINTS];
    uint64_t overhead_ns;
    uint64_t rate; /* bytes per second; also beyond the last point when that is not given */
};

struct link {
    char name[LINK_NAME]; /* "HCCS" */
    uint32_t peers;       /* enum link_peers */
    uint32_t group;
    bool peer_access;       /* it can be enabled between devices that it joins */
    struct link_curve push; /* the device that works sends; towards a device on LINK_HOST */
    struct link_curve pull; /* it fetches; from a device on LINK_HOST */
};

/* The time that bytes take alone on a curve. Rounded up; saturates. */
uint64_t link_curve_time(const struct link_curve *curve, uint64_t bytes);

/* The link between two devices of one server (numbers on it), or one and LINK_TO_HOST; NULL. */
const struct link *link_between(const struct product *product, uint32_t from, uint32_t to);

struct link_way {
    uint32_t server;
    uint32_t from; /* numbers on the server, or LINK_TO_HOST */
    uint32_t to;
    bool pull; /* the device at `to` does the work */
};

/* The time of a copy alone; from a device to itself by its memory's bandwidth. */
uint64_t link_time(const struct machine *machine, struct link_way way, uint64_t bytes);

/* Who waits for a copy: the head of a stream, or a thread in a synchronous call. */
struct flow_end {
    uint32_t server;
    bool is_thread;
    uint32_t owner; /* of a stream: its process */
    uint32_t slot;  /* stream or thread */
};

/*
 * Starts a copy. The engine makes the stream's work or the thread's next step ready when it ends,
 * and moves that when other copies start or end meanwhile. The time it ends if none does.
 */
uint64_t link_start(struct machine *machine, struct link_way way, uint64_t bytes,
                    struct flow_end end);

/* The copy of a stream ended, was dropped, or its thread died. */
void link_stop(struct machine *machine, struct flow_end end);

/* ACTION_LINK: the copy of a synchronous call ends. */
void link_perform(struct machine *machine, uint32_t server, uint32_t flow);

#endif
