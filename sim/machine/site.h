/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The site of a run: servers with devices of a product, containers on them, processes and their
 * threads. It does not change during a run.
 */
#ifndef MACHINE_SITE_H
#define MACHINE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/product.h"

enum { SITE_PID_FIRST = 1000, SITE_NO_CONTAINER = UINT32_MAX, SITE_NO_DEVICE = UINT32_MAX };

struct site_server {
    const struct product *product; /* borrowed */
    uint32_t device_first;         /* its devices in the site are numbered from here */
    uint32_t device_count;
    bool rc_form;       /* the chip is its own host (Ascend RC) */
    bool compute_group; /* AI cores are split into groups */
    bool virtual_machine;
    uint64_t quota_bytes; /* of a virtual NPU; 0: whole devices */
    uint32_t quota_cores; /* its memory is the part that it has of the AI cores; 0: quota_bytes */
};

struct site_container {
    uint32_t server;
    uint32_t visible_first; /* its visible devices in `visible`, as numbers on the server */
    uint32_t visible_count;
    bool own_pids; /* its processes count from 1 inside */
};

struct site_process {
    const char *name; /* borrowed */
    uint32_t server;
    uint32_t container; /* SITE_NO_CONTAINER */
    uint32_t pid;       /* on the host */
    uint32_t pid_inside;
    uint32_t device;       /* set before time 0; SITE_NO_DEVICE when it is not */
    uint32_t thread_first; /* its threads follow each other in the site */
    uint32_t thread_count;
};

struct site_thread {
    uint32_t process;
};

struct site {
    const struct site_server *server;
    const struct site_container *container;
    const uint32_t *visible;
    const struct site_process *process;
    const struct site_thread *thread;
    uint32_t server_count;
    uint32_t container_count;
    uint32_t process_count;
    uint32_t thread_count;
    uint32_t device_count;
};

/* The server of a device: servers number their devices one after the other. */
uint32_t site_server_of(const struct site *site, uint32_t device);

/* How many devices a process sees, and the device behind its own number; SITE_NO_DEVICE when
 * the number is not one of them. */
uint32_t site_visible_count(const struct site *site, uint32_t process);
uint32_t site_device(const struct site *site, uint32_t process, uint32_t number);

/* The number of a device for a process; SITE_NO_DEVICE when it does not see it. */
uint32_t site_number(const struct site *site, uint32_t process, uint32_t device);

/* The number of a device on its server. */
uint32_t site_number_there(const struct site *site, uint32_t device);

/* Bytes that a device reports: of its memory or the virtual NPU on it, of its second medium. */
uint64_t site_usable(const struct site *site, uint32_t device);
uint64_t site_ddr_usable(const struct site *site, uint32_t device);

/* Whether peer access between two devices of the site can be enabled. */
bool site_can_peer(const struct site *site, uint32_t from, uint32_t to);

#endif
