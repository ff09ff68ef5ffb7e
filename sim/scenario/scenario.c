/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/units.h"
#include "scenario/step_read.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct reader {
    struct scenario *scenario;
    struct problem *problem;
    bool is_bad;
};

static bool expect(struct reader *reader, const struct json *value, enum json_type type,
                   const char *what) {
    bool fits = json_expect(value, type, what, reader->problem);
    reader->is_bad = reader->is_bad || !fits;
    return fits;
}

static bool check_keys(struct reader *reader, const struct json *object, const char *const *keys,
                       size_t count) {
    bool fits = json_check_keys(object, keys, count, reader->problem);
    reader->is_bad = reader->is_bad || !fits;
    return fits;
}

static void complain(struct reader *reader, const struct json *value, const char *what) {
    reader->is_bad = true;
    json_complain(value, reader->problem, "%s", what);
}

/* A member that is a string, a whole number, or a flag; absent ones leave the default. */
static void read_word(struct reader *reader, const struct json *object, const char *key,
                      const char **word) {
    const struct json *value = json_find(object, key);
    if (value != NULL && expect(reader, value, JSON_STRING, key)) {
        *word = json_string(value);
    }
}

static void read_number(struct reader *reader, const struct json *object, const char *key,
                        uint32_t *number) {
    const struct json *value = json_find(object, key);
    if (value == NULL || !expect(reader, value, JSON_NUMBER, key)) {
        return;
    }
    if (json_integer(value) < 0 || json_integer(value) >= PROGRAM_NONE) {
        complain(reader, value, "expected a number from 0 to 4294967294");
        return;
    }
    *number = (uint32_t)json_integer(value);
}

static void read_flag(struct reader *reader, const struct json *object, const char *key,
                      bool *flag) {
    const struct json *value = json_find(object, key);
    if (value != NULL && expect(reader, value, JSON_TRUE, key)) {
        *flag = json_type(value) == JSON_TRUE;
    }
}

static void read_size(struct reader *reader, const struct json *object, const char *key,
                      uint64_t *size) {
    const struct json *value = json_find(object, key);
    if (value == NULL || !expect(reader, value, JSON_STRING, key)) {
        return;
    }
    if (!units_read_size(json_string(value), size)) {
        json_complain(value, reader->problem, "\"%s\" is not a size; expected one like \"4MiB\"",
                      json_string(value));
        reader->is_bad = true;
    }
}

static void read_server(struct reader *reader, const struct json *json) {
    static const char *const keys[] = { "product",       "devices",         "rc_form",
                                        "compute_group", "virtual_machine", "virtual_npu",
                                        "model" };
    struct scenario_server server = { .name = json_key(json) };
    if (!expect(reader, json, JSON_OBJECT, "a server") ||
        !check_keys(reader, json, keys, COUNT(keys))) {
        return;
    }
    read_word(reader, json, "product", &server.product);
    read_number(reader, json, "devices", &server.devices);
    if (server.devices > SCENARIO_DEVICES_MAX) {
        complain(reader, json_find(json, "devices"), "a server has at most 1024 devices");
    }
    read_flag(reader, json, "rc_form", &server.rc_form);
    read_flag(reader, json, "compute_group", &server.compute_group);
    read_flag(reader, json, "virtual_machine", &server.virtual_machine);
    read_size(reader, json, "virtual_npu", &server.quota_bytes);
    if (json_find(json, "virtual_npu") != NULL && server.quota_bytes < SCENARIO_QUOTA_MIN) {
        complain(reader, json_find(json, "virtual_npu"), "a virtual NPU has at least 2MiB");
    }
    server.model = json_find(json, "model");
    if (server.model != NULL) {
        expect(reader, server.model, JSON_OBJECT, "fields of the model");
    }
    if (reader->scenario->servers.count == SCENARIO_SERVERS_MAX) {
        complain(reader, json, "a scenario has at most 256 servers");
        return;
    }
    array_add(&reader->scenario->servers, server);
}

static uint32_t find_server(const struct scenario *scenario, const char *name) {
    for (uint32_t server = 0; server < scenario->servers.count; server++) {
        if (strcmp(scenario->servers.items[server].name, name) == 0) {
            return server;
        }
    }
    return PROGRAM_NONE;
}

static uint32_t find_container(const struct scenario *scenario, const char *name) {
    for (uint32_t container = 0; container < scenario->containers.count; container++) {
        if (strcmp(scenario->containers.items[container].name, name) == 0) {
            return container;
        }
    }
    return PROGRAM_NONE;
}

/* The server that a container or process names; the first one when it names none. */
static void read_place(struct reader *reader, const struct json *json, uint32_t *server) {
    const struct json *value = json_find(json, "server");
    if (value == NULL || !expect(reader, value, JSON_STRING, "a server")) {
        return;
    }
    *server = find_server(reader->scenario, json_string(value));
    if (*server == PROGRAM_NONE) {
        complain(reader, value, "there is no server of this name");
        *server = 0;
    }
}

static void read_container(struct reader *reader, const struct json *json) {
    static const char *const keys[] = { "server", "visible", "own_pids" };
    struct scenario *scenario = reader->scenario;
    struct scenario_container container = { .name = json_key(json), .own_pids = true };
    const struct json *visible = NULL;
    if (!expect(reader, json, JSON_OBJECT, "a container") ||
        !check_keys(reader, json, keys, COUNT(keys))) {
        return;
    }
    read_place(reader, json, &container.server);
    read_flag(reader, json, "own_pids", &container.own_pids);
    visible = json_find(json, "visible");
    container.visible_first = (uint32_t)scenario->visible.count;
    if (visible == NULL) {
        complain(reader, json, "a container lists its \"visible\" devices");
    } else if (expect(reader, visible, JSON_ARRAY, "visible devices")) {
        for (const struct json *at = json_first(visible); at != NULL; at = json_next(at)) {
            if (expect(reader, at, JSON_NUMBER, "a device")) {
                array_add(&scenario->visible, (uint32_t)json_integer(at));
                container.visible_count++;
            }
        }
    }
    array_add(&scenario->containers, container);
}

/* Everything of a process but its steps, which may name processes further down. */
static void read_process(struct reader *reader, const struct json *json) {
    static const char *const keys[] = { "server", "container", "device",
                                        "starts", "steps",     "threads" };
    struct scenario_process process = { .name = json_key(json),
                                        .container = PROGRAM_NONE,
                                        .device = PROGRAM_NONE };
    const char *starts = NULL;
    if (!expect(reader, json, JSON_OBJECT, "a process") ||
        !check_keys(reader, json, keys, COUNT(keys))) {
        return;
    }
    read_place(reader, json, &process.server);
    read_number(reader, json, "device", &process.device);
    read_word(reader, json, "starts", &starts);
    if (starts != NULL && strcmp(starts, "later") != 0) {
        complain(reader, json_find(json, "starts"), "expected \"later\", or no such key");
    }
    process.starts_later = starts != NULL;
    const struct json *container = json_find(json, "container");
    if (container != NULL && expect(reader, container, JSON_STRING, "a container")) {
        process.container = find_container(reader->scenario, json_string(container));
        if (process.container == PROGRAM_NONE) {
            complain(reader, container, "there is no container of this name");
        } else {
            process.server = reader->scenario->containers.items[process.container].server;
        }
    }
    if (reader->scenario->processes.count == SCENARIO_PROCESSES_MAX) {
        complain(reader, json, "a scenario has at most 65535 processes");
        return;
    }
    if (process.name[0] == '\0' || strpbrk(process.name, ": #/\t") != NULL) {
        complain(reader, json, "the name of a process has no blanks, colons, slashes or #");
    }
    array_add(&reader->scenario->processes, process);
}

static int by_label(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Labels name steps in schedules, so a thread has each only once. */
static void check_labels(struct reader *reader, const struct json *json, uint32_t first) {
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

static void read_thread(struct reader *reader, const struct json *steps, uint32_t process) {
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
    array_add(&scenario->programs, program);
    scenario->processes.items[process].thread_count++;
    reader->is_bad = reader->is_bad || inner.is_bad;
    check_labels(reader, steps, program.step_first);
    if (inner.total > SCENARIO_STEPS_MAX) {
        complain(reader, steps, "the loops of these steps make more than 10^10 steps");
    }
}

static void read_steps(struct reader *reader, const struct json *json, uint32_t process) {
    const struct json *steps = json_find(json, "steps");
    const struct json *threads = json_find(json, "threads");
    struct scenario_process *at = &reader->scenario->processes.items[process];
    at->binding_first = (uint32_t)reader->scenario->bindings.count;
    at->thread_first = (uint32_t)reader->scenario->programs.count;
    if (steps != NULL) {
        read_thread(reader, steps, process);
    } else if (threads == NULL) {
        complain(reader, json, "a process has \"steps\" or \"threads\"");
    }
    if (threads == NULL || !expect(reader, threads, JSON_OBJECT, "threads")) {
        return;
    }
    for (const struct json *thread = json_first(threads); thread != NULL;
         thread = json_next(thread)) {
        static const char *const keys[] = { "steps" };
        if (!expect(reader, thread, JSON_OBJECT, "a thread") ||
            !check_keys(reader, thread, keys, COUNT(keys))) {
            continue;
        }
        if (json_find(thread, "steps") == NULL) {
            complain(reader, thread, "a thread has \"steps\"");
            continue;
        }
        read_thread(reader, json_find(thread, "steps"), process);
    }
}

/* Calls a function for each member of an object that may be absent. */
static void each_member(struct reader *reader, const struct json *root, const char *key,
                        void (*visit)(struct reader *reader, const struct json *member)) {
    const struct json *object = json_find(root, key);
    if (object == NULL || !expect(reader, object, JSON_OBJECT, key)) {
        return;
    }
    for (const struct json *at = json_first(object); at != NULL; at = json_next(at)) {
        visit(reader, at);
    }
}

static void read_products(struct reader *reader, const struct json *root) {
    const struct json *products = json_find(root, "products");
    if (products == NULL) {
        reader->scenario->all_products = true;
        return;
    }
    if (!expect(reader, products, JSON_ARRAY, "products")) {
        return;
    }
    for (const struct json *at = json_first(products); at != NULL; at = json_next(at)) {
        if (!expect(reader, at, JSON_STRING, "a product")) {
            continue;
        }
        if (strcmp(json_string(at), "all") == 0) {
            reader->scenario->all_products = true;
        } else {
            array_add(&reader->scenario->products, json_string(at));
        }
    }
}

static void read_finding(struct reader *reader, const struct json *json) {
    struct scenario_finding finding = { NULL, 1 };
    if (json_type(json) == JSON_STRING) {
        finding.name = json_string(json);
    } else if (json_type(json) == JSON_OBJECT && json_count(json) == 1 &&
               json_type(json_first(json)) == JSON_NUMBER) {
        finding.name = json_key(json_first(json));
        finding.count = (uint32_t)json_integer(json_first(json));
    } else {
        complain(reader, json, "a finding is a name, or {\"name\": how often}");
        return;
    }
    array_add(&reader->scenario->findings, finding);
}

static void read_expectations(struct reader *reader, const struct json *root) {
    static const char *const keys[] = { "findings" };
    const struct json *expected = json_find(root, "expect");
    if (expected == NULL || !expect(reader, expected, JSON_OBJECT, "what is expected") ||
        !check_keys(reader, expected, keys, COUNT(keys))) {
        return;
    }
    const struct json *findings = json_find(expected, "findings");
    if (findings == NULL || !expect(reader, findings, JSON_ARRAY, "findings")) {
        return;
    }
    reader->scenario->expects_findings = true;
    for (const struct json *at = json_first(findings); at != NULL; at = json_next(at)) {
        read_finding(reader, at);
    }
}

/* A newer format is refused by its number, before anything else is said about the file. */
static bool read_format(struct reader *reader, const struct json *root) {
    const struct json *format = json_find(root, "format");
    if (format == NULL) {
        complain(reader, root, "the key \"format\" is missing; this version writes \"format\": 1");
        return false;
    }
    if (!expect(reader, format, JSON_NUMBER, "format")) {
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

static void read_root(struct reader *reader, const struct json *root) {
    static const char *const keys[] = { "format",  "scenario",   "about",     "products", "seed",
                                        "servers", "containers", "processes", "expect" };
    struct scenario *scenario = reader->scenario;
    const char *about = NULL;
    uint32_t seed = 1;
    uint32_t process = 0;
    if (!expect(reader, root, JSON_OBJECT, "a scenario") || !read_format(reader, root)) {
        return;
    }
    check_keys(reader, root, keys, COUNT(keys));
    read_word(reader, root, "scenario", &scenario->title);
    read_word(reader, root, "about", &about);
    read_number(reader, root, "seed", &seed);
    scenario->seed = seed;
    read_products(reader, root);
    each_member(reader, root, "servers", read_server);
    if (scenario->servers.count == 0) {
        array_add(&scenario->servers, (struct scenario_server){ .name = "server" });
    }
    each_member(reader, root, "containers", read_container);
    each_member(reader, root, "processes", read_process);
    if (json_find(root, "processes") == NULL) {
        complain(reader, root, "the key \"processes\" is missing: what a scenario is about");
    } else if (!reader->is_bad || scenario->processes.count > 0) {
        const struct json *json = json_first(json_find(root, "processes"));
        for (; json != NULL && process < scenario->processes.count; json = json_next(json)) {
            if (strcmp(json_key(json), scenario->processes.items[process].name) == 0) {
                read_steps(reader, json, process++);
            }
        }
    }
    read_expectations(reader, root);
}

/* Takes the document over. */
static struct scenario *scenario_of(struct json_document *document, struct problem *problem) {
    if (document == NULL) {
        return NULL;
    }
    struct scenario *scenario = host_zeroed(1, sizeof *scenario);
    struct reader reader = { scenario, problem, false };
    scenario->document = document;
    scenario->title = "";
    scenario->file = json_name(document);
    read_root(&reader, json_root(document));
    if (reader.is_bad) {
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

struct scenario *scenario_parse(const char *name, const char *text, size_t size,
                                struct problem *problem) {
    return scenario_of(json_parse(name, text, size, problem), problem);
}

struct scenario *scenario_read(const char *path, struct problem *problem) {
    return scenario_of(json_read(path, problem), problem);
}

void scenario_free(struct scenario *scenario) {
    if (scenario == NULL) {
        return;
    }
    json_free(scenario->document);
    array_fini(&scenario->products);
    array_fini(&scenario->servers);
    array_fini(&scenario->containers);
    array_fini(&scenario->visible);
    array_fini(&scenario->processes);
    array_fini(&scenario->programs);
    array_fini(&scenario->bindings);
    array_fini(&scenario->names);
    array_fini(&scenario->steps);
    array_fini(&scenario->arguments);
    array_fini(&scenario->alternatives);
    array_fini(&scenario->code.tokens);
    array_fini(&scenario->findings);
    free(scenario);
}

uint32_t scenario_find_process(const struct scenario *scenario, const char *name) {
    for (uint32_t process = 0; process < scenario->processes.count; process++) {
        if (strcmp(scenario->processes.items[process].name, name) == 0) {
            return process;
        }
    }
    return PROGRAM_NONE;
}

uint32_t scenario_name(struct scenario *scenario, const char *name) {
    for (uint32_t number = 0; number < scenario->names.count; number++) {
        if (strcmp(scenario->names.items[number], name) == 0) {
            return number;
        }
    }
    if (scenario->names.count == SCENARIO_NAMES_MAX) {
        return PROGRAM_NONE;
    }
    array_add(&scenario->names, name);
    return (uint32_t)scenario->names.count - 1;
}
