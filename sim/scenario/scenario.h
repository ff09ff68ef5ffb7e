/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scenario as its file says it: servers, containers, processes with their steps, and what is
 * expected. It knows no product: a run brings one. Read as a whole, with every mistake of the
 * file reported at once, or not at all.
 */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/json_set.h"
#include "base/name_list.h"
#include "base/problem.h"
#include "core/distribution.h"
#include "scenario/program.h"

enum {
    SCENARIO_FORMAT = 1,
    SCENARIO_SERVERS_MAX = 256,
    SCENARIO_DEVICES_MAX = 1024, /* of a server */
    SCENARIO_PROCESSES_MAX = 65535,
    SCENARIO_NAMES_MAX = 10000,
    SCENARIO_DISTRIBUTIONS_MAX = 1000,
    SCENARIO_QUOTA_MIN = 2 << 20, /* bytes */
};
#define SCENARIO_STEPS_MAX UINT64_C(10000000000)

struct scenario_server {
    const char *name;
    const char *product;  /* NULL: that of the run */
    uint32_t devices;     /* 0: as many as the product has */
    uint64_t quota_bytes; /* of a virtual NPU; 0: none, or that of a template */
    bool rc_form;
    bool compute_group;
    bool virtual_machine;
    const struct json *model; /* fields that differ from the product's; NULL: none */
    const struct json *where; /* in the file; NULL: it does not stand there */
    const struct json *vnpu;  /* the template of virtual NPUs, or true; NULL: none */
};

enum scenario_unit { SCENARIO_PLAIN, SCENARIO_SIZE, SCENARIO_TIME };

/* What random values are drawn from. */
struct scenario_distribution {
    const char *name;
    enum scenario_unit unit; /* of what its draws are */
    struct distribution distribution;
};

struct scenario_container {
    const char *name;
    uint32_t server;
    uint32_t visible_first; /* of the scenario's visible devices */
    uint32_t visible_count;
    bool own_pids;
};

struct scenario_process {
    const char *name;
    uint32_t server;
    uint32_t container; /* PROGRAM_NONE: none */
    uint32_t device;    /* set before time 0; PROGRAM_NONE: not set */
    bool starts_later;  /* by a step of another process */
    uint32_t binding_first;
    uint32_t binding_count; /* names that its steps bind */
    uint32_t thread_first;
    uint32_t thread_count;
};

/* One of the answers that an expectation gives, by what must hold: "default", a product, a
 * family, or no:call when the product lacks a call. */
struct scenario_alternative {
    const char *key;
    int64_t value;
    const struct json *where; /* in the file, for messages */
};

/* How often a finding is expected. */
struct scenario_finding {
    const char *name;
    struct step_code count; /* 1 where nothing is said of it */
};

enum scenario_bound { BOUND_EXACT, BOUND_LEAST, BOUND_MOST };

/* A figure that is expected, or a bound of it. */
struct scenario_figure {
    const struct json *where; /* in the file, for messages */
    uint32_t row;             /* of all figures */
    uint32_t server;          /* of a device */
    uint32_t place;           /* the process, or the device on its server */
    enum scenario_bound bound;
    struct step_code value;
};

struct scenario {
    struct json_document *document; /* owns the strings */
    const char *file;               /* as it was named */
    const char *title;
    uint64_t seed;
    bool all_products;
    ARRAY(const char *) products;
    ARRAY(struct scenario_server) servers;
    ARRAY(struct scenario_container) containers;
    ARRAY(struct scenario_distribution) distributions;
    ARRAY(uint32_t) visible;
    ARRAY(struct scenario_process) processes;
    ARRAY(struct program) programs; /* one a thread */
    struct name_list server_names;  /* by number, like those below */
    struct name_list container_names;
    struct name_list distribution_names;
    struct name_list process_names;
    struct name_list bindings; /* in the scopes of processes, one behind the other */
    struct name_list names;    /* of barriers, phases, tags */
    ARRAY(struct step) steps;
    ARRAY(struct step_argument) arguments;
    ARRAY(struct step_piece) pieces;
    ARRAY(struct scenario_alternative) alternatives;
    struct expression_code code;
    bool expects_findings;
    ARRAY(struct scenario_finding) findings;
    ARRAY(struct scenario_figure) figures;
};

/* NULL, with problems, when anything in the file is wrong. Settings, or NULL, change it first. */
struct scenario *scenario_read(const char *path, const struct json_settings *settings,
                               struct problem *problem);
struct scenario *scenario_parse(const char *name, const char *text, size_t size,
                                struct problem *problem); /* caller owns, scenario_free() */
void scenario_free(struct scenario *scenario);

/* The number of a process or server by its name; PROGRAM_NONE when there is none. */
uint32_t scenario_find_process(const struct scenario *scenario, const char *name);

/* The number of a barrier, phase or tag, given on first use; PROGRAM_NONE when there are too many.
 */
uint32_t scenario_name(struct scenario *scenario, const char *name);

#endif
