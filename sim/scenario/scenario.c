/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/scenario.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "scenario/distribution_read.h"
#include "scenario/figure_expect.h"
#include "scenario/finding_expect.h"
#include "scenario/part_read.h"
#include "scenario/step_read.h"

/* A size, the name of a template of the model, or true: the model's first template. */
static void read_virtual_npu(struct part_reader *reader, const struct json *json,
                             struct scenario_server *server) {
    const struct json *value = json_find(json, "virtual_npu");
    if (value == NULL || json_type(value) == JSON_FALSE) {
        return;
    }
    bool is_name = json_type(value) == JSON_STRING && isalpha((unsigned char)*json_string(value));
    if (is_name || json_type(value) == JSON_TRUE) {
        server->vnpu = value;
    } else if (part_read_size(reader, json, "virtual_npu", &server->quota_bytes) &&
               server->quota_bytes < SCENARIO_QUOTA_MIN) {
        part_complain(reader, value, "a virtual NPU has at least 2MiB");
    }
}

static void read_server(struct part_reader *reader, const struct json *json) {
    struct scenario_server server = { .name = json_key(json), .where = json };
    part_check(reader, json, PART_SERVER);
    part_read_word(reader, json, "product", &server.product);
    part_read_number(reader, json, "devices", &server.devices);
    if (server.devices > SCENARIO_DEVICES_MAX) {
        part_complain(reader, json_find(json, "devices"), "a server has at most 1024 devices");
    }
    part_read_flag(reader, json, "rc_form", &server.rc_form);
    part_read_flag(reader, json, "compute_group", &server.compute_group);
    part_read_flag(reader, json, "virtual_machine", &server.virtual_machine);
    read_virtual_npu(reader, json, &server);
    server.model = json_find(json, "model");
    if (server.model != NULL) {
        part_expect(reader, server.model, JSON_OBJECT, "fields of the model");
    }
    if (reader->scenario->servers.count == SCENARIO_SERVERS_MAX) {
        part_complain(reader, json, "a scenario has at most 256 servers");
        return;
    }
    array_add(&reader->scenario->servers, server);
    name_list_add(&reader->scenario->server_names, 0, server.name);
}

/* The server that a container or process names; the first one when it names none. */
static void read_place(struct part_reader *reader, const struct json *json, uint32_t *server) {
    const struct json *value = json_find(json, "server");
    if (value == NULL) {
        return;
    }
    uint32_t found = part_find_name(reader, value, "server", &reader->scenario->server_names);
    *server = found == PROGRAM_NONE ? 0 : found;
}

/* A process is on the server of its container. */
static void read_container_of(struct part_reader *reader, const struct json *json,
                              struct scenario_process *process) {
    const struct json *value = json_find(json, "container");
    const struct scenario *scenario = reader->scenario;
    if (value == NULL) {
        return;
    }
    process->container = part_find_name(reader, value, "container", &scenario->container_names);
    if (process->container == PROGRAM_NONE) {
        return;
    }
    uint32_t server = scenario->containers.items[process->container].server;
    if (json_find(json, "server") != NULL && process->server != server) {
        part_complain(reader, json_find(json, "server"), "its container is on another server");
    }
    process->server = server;
}

/* A device of a container's list, in which it may stand once. */
static bool read_visible(struct part_reader *reader, const struct json *json, uint32_t first) {
    struct scenario *scenario = reader->scenario;
    if (!part_expect(reader, json, JSON_NUMBER, "a device")) {
        return false;
    }
    bool is_device = json_integer(json) >= 0 && json_integer(json) < SCENARIO_DEVICES_MAX;
    uint32_t device = is_device ? (uint32_t)json_integer(json) : 0;
    for (size_t place = first; is_device && place < scenario->visible.count; place++) {
        is_device = scenario->visible.items[place] != device;
    }
    if (!is_device) {
        part_complain(reader, json, "a list of visible devices has each once, from 0 to 1023");
    } else {
        array_add(&scenario->visible, device);
    }
    return is_device;
}

static void read_container(struct part_reader *reader, const struct json *json) {
    struct scenario *scenario = reader->scenario;
    struct scenario_container container = { .name = json_key(json), .own_pids = true };
    const struct json *visible = NULL;
    bool is_object = part_check(reader, json, PART_CONTAINER);
    read_place(reader, json, &container.server);
    part_read_flag(reader, json, "own_pids", &container.own_pids);
    visible = json_find(json, "visible");
    container.visible_first = (uint32_t)scenario->visible.count;
    if (visible == NULL && is_object) {
        part_complain(reader, json, "a container lists its \"visible\" devices");
    } else if (visible != NULL && part_expect(reader, visible, JSON_ARRAY, "visible devices")) {
        for (const struct json *at = json_first(visible); at != NULL; at = json_next(at)) {
            container.visible_count += read_visible(reader, at, container.visible_first);
        }
    }
    array_add(&scenario->containers, container);
    name_list_add(&scenario->container_names, 0, container.name);
}

/* Everything of a process but its steps, which may name processes further down. */
static void read_process(struct part_reader *reader, const struct json *json) {
    struct scenario_process process = { .name = json_key(json),
                                        .container = PROGRAM_NONE,
                                        .device = PROGRAM_NONE };
    const char *starts = NULL;
    part_check(reader, json, PART_PROCESS);
    read_place(reader, json, &process.server);
    part_read_number(reader, json, "device", &process.device);
    part_read_word(reader, json, "starts", &starts);
    if (starts != NULL && strcmp(starts, "later") != 0) {
        part_complain(reader, json_find(json, "starts"), "expected \"later\", or no such key");
    }
    process.starts_later = starts != NULL;
    read_container_of(reader, json, &process);
    if (reader->scenario->processes.count == SCENARIO_PROCESSES_MAX) {
        part_complain(reader, json, "a scenario has at most 65535 processes");
        return;
    }
    if (process.name[0] == '\0' || strpbrk(process.name, ": #/\t\r\n") != NULL) {
        part_complain(reader, json, "the name of a process has no blanks, colons, slashes or #");
    }
    array_add(&reader->scenario->processes, process);
    name_list_add(&reader->scenario->process_names, 0, process.name);
}

static int by_label(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Labels name steps in schedules, so a thread has each only once. */
static void check_labels(struct part_reader *reader, const struct json *json, uint32_t first) {
    const struct scenario *scenario = reader->scenario;
    ARRAY(const char *) labels = { 0 };
    for (size_t place = first; place < scenario->steps.count; place++) {
        if (scenario->steps.items[place].label != NULL) {
            array_add(&labels, scenario->steps.items[place].label);
        }
    }
    if (labels.count > 0) {
        qsort(labels.items, labels.count, sizeof *labels.items, by_label);
    }
    for (size_t place = 1; place < labels.count; place++) {
        if (strcmp(labels.items[place - 1], labels.items[place]) == 0) {
            json_complain(json, reader->problem, "the label \"%s\" stands at two steps",
                          labels.items[place]);
            reader->is_bad = true;
        }
    }
    array_fini(&labels);
}

static void read_thread(struct part_reader *reader, const struct json *steps, uint32_t process) {
    struct scenario *scenario = reader->scenario;
    struct step_reader inner = { .scenario = scenario,
                                 .problem = reader->problem,
                                 .process = process,
                                 .number = 1,
                                 .rounds = 1 };
    struct program program = { .process = process,
                               .step_first = (uint32_t)scenario->steps.count,
                               .thread = (uint32_t)scenario->programs.count };
    step_read_all(&inner, steps);
    program.step_count = (uint32_t)scenario->steps.count - program.step_first;
    for (uint32_t place = 0; place < program.step_count; place++) {
        program.lifetimes += scenario->steps.items[program.step_first + place].lifetime.count > 0;
    }
    array_add(&scenario->programs, program);
    scenario->processes.items[process].thread_count++;
    reader->is_bad = reader->is_bad || inner.is_bad;
    check_labels(reader, steps, program.step_first);
    scenario->programs.items[program.thread].steps_total = inner.total;
    if (inner.total > SCENARIO_STEPS_MAX) {
        part_complain(reader, steps, "the loops of these steps make more than 10^10 steps");
    }
}

static void read_steps(struct part_reader *reader, const struct json *json, uint32_t process) {
    const struct json *steps = json_find(json, "steps");
    const struct json *threads = json_find(json, "threads");
    struct scenario_process *at = &reader->scenario->processes.items[process];
    at->binding_first = (uint32_t)reader->scenario->bindings.count;
    at->thread_first = (uint32_t)reader->scenario->programs.count;
    if (steps != NULL) {
        read_thread(reader, steps, process);
    } else if (threads == NULL && json_type(json) == JSON_OBJECT) {
        part_complain(reader, json, "a process has \"steps\" or \"threads\"");
    }
    if (threads == NULL || !part_expect(reader, threads, JSON_OBJECT, "threads")) {
        return;
    }
    for (const struct json *thread = json_first(threads); thread != NULL;
         thread = json_next(thread)) {
        bool is_object = part_check(reader, thread, PART_THREAD);
        if (json_find(thread, "steps") != NULL) {
            read_thread(reader, json_find(thread, "steps"), process);
        } else if (is_object) {
            part_complain(reader, thread, "a thread has \"steps\"");
        }
    }
}

/* A process that waits for its start has a step that starts it. */
static void check_starts(struct part_reader *reader, const struct json *processes) {
    const struct scenario *scenario = reader->scenario;
    bool *is_started = host_zeroed(scenario->processes.count, sizeof *is_started);
    for (size_t place = 0; place < scenario->steps.count; place++) {
        const struct step *step = &scenario->steps.items[place];
        if (step->kind == STEP_START && step->process != PROGRAM_NONE) {
            is_started[step->process] = true;
        }
    }
    for (uint32_t process = 0; !reader->is_bad && process < scenario->processes.count; process++) {
        const struct scenario_process *at = &scenario->processes.items[process];
        if (at->starts_later && !is_started[process]) {
            part_complain(reader, json_find(json_find(processes, at->name), "starts"),
                          "no step starts this process");
        }
    }
    free(is_started);
}

/* Calls a function for each member of an object that may be absent. */
static void each_member(struct part_reader *reader, const struct json *root, const char *key,
                        void (*visit)(struct part_reader *reader, const struct json *member)) {
    const struct json *object = json_find(root, key);
    if (object == NULL || !part_expect(reader, object, JSON_OBJECT, key)) {
        return;
    }
    for (const struct json *at = json_first(object); at != NULL; at = json_next(at)) {
        visit(reader, at);
    }
}

static void read_products(struct part_reader *reader, const struct json *root) {
    const struct json *products = json_find(root, "products");
    if (products == NULL) {
        reader->scenario->all_products = true;
        return;
    }
    if (!part_expect(reader, products, JSON_ARRAY, "products")) {
        return;
    }
    for (const struct json *at = json_first(products); at != NULL; at = json_next(at)) {
        if (!part_expect(reader, at, JSON_STRING, "a product")) {
            continue;
        }
        if (strcmp(json_string(at), "all") == 0) {
            reader->scenario->all_products = true;
        } else {
            array_add(&reader->scenario->products, json_string(at));
        }
    }
}

static void read_expectations(struct part_reader *reader, const struct json *root) {
    const struct json *expected = json_find(root, "expect");
    if (expected == NULL || !part_check(reader, expected, PART_EXPECT)) {
        return;
    }
    if (json_find(expected, "totals") != NULL) {
        figure_expect_read(reader, json_find(expected, "totals"), FIGURE_TOTALS);
    }
    if (json_find(expected, "finally") != NULL) {
        figure_expect_read(reader, json_find(expected, "finally"), FIGURE_FINALLY);
    }
    const struct json *findings = json_find(expected, "findings");
    if (findings == NULL || !part_expect(reader, findings, JSON_ARRAY, "findings")) {
        return;
    }
    reader->scenario->expects_findings = true;
    for (const struct json *at = json_first(findings); at != NULL; at = json_next(at)) {
        finding_expect_read(reader, at);
    }
}

/* A newer format is refused by its number, before anything else is said about the file. */
static bool read_format(struct part_reader *reader, const struct json *root) {
    const struct json *format = json_find(root, "format");
    if (format == NULL) {
        part_complain(reader, root,
                      "the key \"format\" is missing; this version writes \"format\": 1");
        return false;
    }
    if (!part_expect(reader, format, JSON_NUMBER, "format")) {
        return false;
    }
    if (json_integer(format) != SCENARIO_FORMAT) {
        json_complain(format, reader->problem, "format %lld is not known; this version reads %d",
                      (long long)json_integer(format), SCENARIO_FORMAT);
        reader->is_bad = true;
        return false;
    }
    return true;
}

static void read_root(struct part_reader *reader, const struct json *root) {
    struct scenario *scenario = reader->scenario;
    const char *about = NULL;
    uint32_t seed = 1;
    uint32_t process = 0;
    if (!part_expect(reader, root, JSON_OBJECT, "a scenario") || !read_format(reader, root)) {
        return;
    }
    part_check(reader, root, PART_SCENARIO);
    part_read_word(reader, root, "scenario", &scenario->title);
    part_read_word(reader, root, "about", &about);
    part_read_number(reader, root, "seed", &seed);
    scenario->seed = seed;
    read_products(reader, root);
    each_member(reader, root, "servers", read_server);
    if (scenario->servers.count == 0) {
        array_add(&scenario->servers, (struct scenario_server){ .name = "server" });
    }
    each_member(reader, root, "containers", read_container);
    each_member(reader, root, "distributions", distribution_read);
    each_member(reader, root, "processes", read_process);
    if (json_find(root, "processes") == NULL) {
        part_complain(reader, root, "the key \"processes\" is missing: what a scenario is about");
    } else {
        const struct json *json = json_first(json_find(root, "processes"));
        for (; json != NULL && process < scenario->processes.count; json = json_next(json)) {
            if (strcmp(json_key(json), scenario->processes.items[process].name) == 0) {
                read_steps(reader, json, process++);
            }
        }
        check_starts(reader, json_find(root, "processes"));
    }
    read_expectations(reader, root);
}

/* Takes the document over; of it there may be complaints since there were so many. */
static struct scenario *scenario_of(struct json_document *document, size_t before,
                                    struct problem *problem) {
    if (document == NULL) {
        return NULL;
    }
    struct scenario *scenario = host_zeroed(1, sizeof *scenario);
    struct part_reader reader = { scenario, problem, false };
    scenario->document = document;
    scenario->title = "";
    scenario->file = json_name(document);
    read_root(&reader, json_root(document));
    if (problem->complaints.count > before) {
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

struct scenario *scenario_parse(const char *name, const char *text, size_t size,
                                struct problem *problem) {
    size_t before = problem->complaints.count;
    return scenario_of(json_parse(name, text, size, problem), before, problem);
}

struct scenario *scenario_read(const char *path, const struct json_settings *settings,
                               struct problem *problem) {
    size_t before = problem->complaints.count;
    struct json_document *document = json_read(path, problem);
    if (document != NULL && settings != NULL && !json_set(document, settings, problem)) {
        json_free(document);
        return NULL;
    }
    return scenario_of(document, before, problem);
}

void scenario_free(struct scenario *scenario) {
    if (scenario == NULL) {
        return;
    }
    for (size_t place = 0; place < scenario->distributions.count; place++) {
        distribution_fini(&scenario->distributions.items[place].distribution);
    }
    array_fini(&scenario->distributions);
    json_free(scenario->document);
    array_fini(&scenario->products);
    array_fini(&scenario->servers);
    array_fini(&scenario->containers);
    array_fini(&scenario->visible);
    array_fini(&scenario->processes);
    array_fini(&scenario->programs);
    name_list_fini(&scenario->server_names);
    name_list_fini(&scenario->container_names);
    name_list_fini(&scenario->distribution_names);
    name_list_fini(&scenario->process_names);
    name_list_fini(&scenario->bindings);
    name_list_fini(&scenario->names);
    array_fini(&scenario->steps);
    array_fini(&scenario->arguments);
    array_fini(&scenario->pieces);
    array_fini(&scenario->alternatives);
    array_fini(&scenario->code.tokens);
    array_fini(&scenario->findings);
    array_fini(&scenario->figures);
    free(scenario);
}

uint32_t scenario_find_process(const struct scenario *scenario, const char *name) {
    return name_list_find(&scenario->process_names, 0, name);
}

uint32_t scenario_name(struct scenario *scenario, const char *name) {
    uint32_t number = name_list_find(&scenario->names, 0, name);
    if (number != NAME_NONE || scenario->names.count == SCENARIO_NAMES_MAX) {
        return number;
    }
    return name_list_add(&scenario->names, 0, name);
}
