/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/must.h"
#include "machine/process.h"
#include "machine/product_read.h"
#include "scenario/run_server.h"
#include "scenario/run_state.h"

static const struct table_type types[] = {
    { "cursor", sizeof(struct cursor), TABLE_STATE, false },
    { "counter", sizeof(struct counter), TABLE_STATE, false },
    { "variable", sizeof(struct variable), TABLE_STATE, false },
    { "mailbox", sizeof(struct mailbox), TABLE_STATE, false },
    { "message", sizeof(struct message), TABLE_STATE, false },
    { "barrier", sizeof(struct barrier), TABLE_STATE, false },
    { "pause", sizeof(struct pause), TABLE_NOTE, true },
    { "progress", sizeof(uint64_t), TABLE_NOTE, false },
};

static void perform(void *context, struct action action) {
    struct run *run = context;
    if (action.kind == ACTION_STEP) {
        run_step(run, action.slot);
    } else if (action.kind == ACTION_RELEASE) {
        run_release(run, action.slot);
    } else {
        machine_perform(&run->machine, action);
    }
}

/* The product of a server: the run's, one that it names, or either with fields changed. */
static const struct product *product_of(struct run *run, uint32_t server, struct problem *problem) {
    const struct scenario_server *wish = &run->scenario->servers.items[server];
    const struct product *product = run->options.product;
    if (wish->product != NULL && run->options.find_product == NULL) {
        problem_add(problem,
                    (struct problem_place){ .file = run->scenario->file, .place = wish->name },
                    "the product \"%s\" can not be looked up here", wish->product);
        return NULL;
    }
    if (wish->product != NULL) {
        product = run->options.find_product(run->options.context, wish->product, problem);
    }
    if (product == NULL || wish->model == NULL) {
        return product;
    }
    run->owned[server] = product_change(product, wish->model, problem);
    return run->owned[server];
}

static bool make_servers(struct run *run, struct problem *problem) {
    const struct scenario *scenario = run->scenario;
    uint32_t device = 0;
    for (uint32_t server = 0; server < scenario->servers.count; server++) {
        const struct scenario_server *wish = &scenario->servers.items[server];
        const struct product *product = product_of(run, server, problem);
        if (product == NULL) {
            return false;
        }
        run->servers[server] = (struct site_server){
            .product = product,
            .device_first = device,
        };
        if (!run_server_form(&run->servers[server], wish, problem)) {
            return false;
        }
        device += run->servers[server].device_count;
    }
    run->site.device_count = device;
    return true;
}

static bool complain_of_device(const struct run *run, const char *place, uint32_t device,
                               uint32_t count, struct problem *problem) {
    problem_add(problem, (struct problem_place){ .file = run->scenario->file, .place = place },
                "device %u is not there: there are %u", device, count);
    return false;
}

static bool make_containers(struct run *run, struct problem *problem) {
    const struct scenario *scenario = run->scenario;
    for (uint32_t place = 0; place < scenario->containers.count; place++) {
        const struct scenario_container *wish = &scenario->containers.items[place];
        uint32_t devices = run->servers[wish->server].device_count;
        for (uint32_t number = 0; number < wish->visible_count; number++) {
            uint32_t device = scenario->visible.items[wish->visible_first + number];
            if (device >= devices) {
                return complain_of_device(run, wish->name, device, devices, problem);
            }
        }
        run->containers[place] = (struct site_container){
            .server = wish->server,
            .visible_first = wish->visible_first,
            .visible_count = wish->visible_count,
            .own_pids = wish->own_pids,
        };
    }
    return true;
}

/* Inside a container with pids of its own its processes count from 1. */
static void give_pids_inside(struct run *run) {
    const struct scenario *scenario = run->scenario;
    uint32_t *inside = host_zeroed(scenario->containers.count, sizeof *inside);
    for (uint32_t process = 0; process < scenario->processes.count; process++) {
        uint32_t container = scenario->processes.items[process].container;
        bool has_own = container != PROGRAM_NONE && scenario->containers.items[container].own_pids;
        run->processes[process].pid_inside =
            has_own ? ++inside[container] : SITE_PID_FIRST + process;
    }
    free(inside);
}

static bool make_processes(struct run *run, struct problem *problem) {
    const struct scenario *scenario = run->scenario;
    for (uint32_t place = 0; place < scenario->processes.count; place++) {
        const struct scenario_process *wish = &scenario->processes.items[place];
        run->processes[place] = (struct site_process){
            .name = wish->name,
            .server = wish->server,
            .container = wish->container == PROGRAM_NONE ? SITE_NO_CONTAINER : wish->container,
            .pid = SITE_PID_FIRST + place,
            .device = wish->device == PROGRAM_NONE ? SITE_NO_DEVICE : wish->device,
            .thread_first = wish->thread_first,
            .thread_count = wish->thread_count,
        };
        uint32_t visible = site_visible_count(&run->site, place);
        if (wish->device != PROGRAM_NONE && wish->device >= visible) {
            return complain_of_device(run, wish->name, wish->device, visible, problem);
        }
    }
    give_pids_inside(run);
    for (uint32_t thread = 0; thread < scenario->programs.count; thread++) {
        run->threads[thread].process = scenario->programs.items[thread].process;
    }
    return true;
}

static void make_site(struct run *run) {
    const struct scenario *scenario = run->scenario;
    run->servers = host_zeroed(scenario->servers.count, sizeof *run->servers);
    run->containers = host_zeroed(scenario->containers.count, sizeof *run->containers);
    run->processes = host_zeroed(scenario->processes.count, sizeof *run->processes);
    run->threads = host_zeroed(scenario->programs.count, sizeof *run->threads);
    run->owned = host_zeroed(scenario->servers.count, sizeof(struct product *));
    run->barriers = host_zeroed(scenario->names.count, sizeof *run->barriers);
    run->site = (struct site){
        .server = run->servers,
        .container = run->containers,
        .visible = scenario->visible.items,
        .process = run->processes,
        .thread = run->threads,
        .server_count = (uint32_t)scenario->servers.count,
        .container_count = (uint32_t)scenario->containers.count,
        .process_count = (uint32_t)scenario->processes.count,
        .thread_count = (uint32_t)scenario->programs.count,
    };
}

/* The threads of each barrier in their order: once, however often their steps name it. */
static void list_barriers(struct run *run) {
    const struct scenario *scenario = run->scenario;
    uint32_t *seen = host_zeroed(scenario->names.count, sizeof *seen);
    for (uint32_t thread = 0; thread < scenario->programs.count; thread++) {
        const struct program *program = run_program(run, thread);
        for (uint32_t place = 0; place < program->step_count; place++) {
            const struct step *step = &scenario->steps.items[program->step_first + place];
            if (step->kind == STEP_BARRIER && seen[step->name] != thread + 1) {
                seen[step->name] = thread + 1;
                array_add(&run->barriers[step->name], thread);
            }
        }
    }
    free(seen);
}

static void make_state(struct run *run) {
    struct table **tables[] = { &run->cursor,  &run->counter, &run->variable, &run->mailbox,
                                &run->message, &run->barrier, &run->pause,    &run->progress };
    for (size_t place = 0; place < sizeof tables / sizeof *tables; place++) {
        *tables[place] = store_table(run->store, &types[place]);
    }
    run->lifetimes = lifetime_bind(run->store);
    run->random = random_table(run->store);
    table_add(run->progress, 0);
    for (uint32_t process = 0; process < run->site.process_count; process++) {
        table_add_at(run->mailbox, 0, process);
        for (uint32_t name = 0; name < run->scenario->processes.items[process].binding_count;
             name++) {
            table_add_at(run->variable, process, name);
        }
    }
    for (uint32_t thread = 0; thread < run->site.thread_count; thread++) {
        table_add_at(run->cursor, 0, thread);
        for (uint32_t loop = 0; loop < PROGRAM_LOOPS; loop++) {
            table_add_at(run->counter, thread, loop);
        }
    }
    for (uint32_t name = 0; name < run->scenario->names.count; name++) {
        table_add_at(run->barrier, 0, name);
    }
}

struct run *run_new(const struct scenario *scenario, const struct run_options *options,
                    struct problem *problem) {
    struct run *run = host_zeroed(1, sizeof *run);
    run->scenario = scenario;
    run->options = *options;
    make_site(run);
    if (!make_servers(run, problem) || !make_containers(run, problem) ||
        !make_processes(run, problem)) {
        run_free(run);
        return NULL;
    }
    list_barriers(run);
    run->store = store_new();
    enum engine_policy policy = options->is_free            ? ENGINE_FREE
                                : options->schedule != NULL ? ENGINE_SCHEDULE
                                                            : ENGINE_CLOCK;
    struct engine engine = engine_bind(run->store, policy, options->choice, perform, run);
    run->machine = machine_bind(run->store, &run->site, engine, false);
    run->acl = acl_new(&run->machine, options->support == NULL ? NULL : options->support->rows);
    run->hazard = hazard_bind(&run->machine);
    hazard_watch(&run->hazard);
    make_state(run);
    return run;
}

void run_free(struct run *run) {
    if (run == NULL) {
        return;
    }
    totals_close(&run->totals);
    acl_free(run->acl);
    store_free(run->store);
    for (uint32_t server = 0; server < run->scenario->servers.count; server++) {
        product_free(run->owned[server]);
    }
    free(run->owned);
    for (size_t name = 0; name < run->scenario->names.count; name++) {
        array_fini(&run->barriers[name]);
    }
    free(run->barriers);
    free(run->servers);
    free(run->containers);
    free(run->processes);
    free(run->threads);
    array_fini(&run->mismatches);
    free(run);
}

static void name_thread(const struct run *run, uint32_t thread, struct text *name) {
    const struct site_process *at = &run->processes[run->threads[thread].process];
    text_append(name, at->name);
    if (thread > at->thread_first) {
        text_printf(name, "/%u", thread - at->thread_first + 1);
    }
}

static void name_action(void *context, struct action action, struct text *name) {
    if (action.kind == ACTION_STEP) {
        run_name_step(context, action.slot, name);
    } else if (action.kind == ACTION_RELEASE) {
        name_thread(context, action.slot, name);
        text_append(name, ":lifetime");
    }
}

bool run_one(struct run *run) {
    return !run->has_failed && engine_run(&run->machine.engine);
}

bool run_to_end(struct run *run, struct problem *problem) {
    run->problem = problem;
    totals_open(&run->totals, &run->machine);
    for (uint32_t process = 0; process < run->site.process_count; process++) {
        if (!run->scenario->processes.items[process].starts_later) {
            run_start_process(run, process);
        }
    }
    if (run->options.schedule != NULL &&
        !schedule_follow(run->options.schedule, &run->machine.engine, name_action, run, problem)) {
        return false;
    }
    while (run_one(run)) {
    }
    totals_settle(&run->totals);
    return !run->has_failed;
}

const struct findings *run_findings(const struct run *run) {
    return &run->hazard.findings;
}

const struct totals *run_totals(const struct run *run) {
    return &run->totals;
}

struct machine *run_machine(struct run *run) {
    return &run->machine;
}

const struct scenario *run_scenario(const struct run *run) {
    return run->scenario;
}

uint64_t run_steps(const struct run *run) {
    return *(const uint64_t *)table_get(run->progress, 0, 0);
}

uint64_t run_unasked_failures(const struct run *run) {
    return run->unasked_failures;
}

uint32_t run_mismatch_count(const struct run *run) {
    return (uint32_t)run->mismatches.count;
}

const struct run_mismatch *run_mismatch_get(const struct run *run, uint32_t place) {
    return &run->mismatches.items[place];
}

const struct program *run_program(const struct run *run, uint32_t thread) {
    return &run->scenario->programs.items[thread];
}

static const struct cursor *cursor_of(const struct run *run, uint32_t thread) {
    return table_get(run->cursor, 0, thread);
}

uint32_t run_next_stuck(const struct run *run, uint32_t thread) {
    for (uint32_t at = thread; at < run->site.thread_count; at++) {
        struct process_id process = { run->threads[at].process };
        if (process_get(&run->machine, process)->life == PROCESS_RUNNING &&
            cursor_of(run, at)->wait != CURSOR_ENDED) {
            return at;
        }
    }
    return PROGRAM_NONE;
}

const struct step *run_current_step(const struct run *run, uint32_t thread) {
    const struct program *program = run_program(run, thread);
    uint32_t at = cursor_of(run, thread)->at;
    return at < program->step_count ? &run->scenario->steps.items[program->step_first + at] : NULL;
}

/* The rounds of the loops around a step, outermost first: "#2.1". */
static void name_rounds(const struct run *run, uint32_t thread, struct text *name) {
    const struct program *program = run_program(run, thread);
    uint32_t at = cursor_of(run, thread)->at;
    const char *sign = "#";
    for (uint32_t place = 0; place < at; place++) {
        const struct step *step = &run->scenario->steps.items[program->step_first + place];
        if (step->kind == STEP_REPEAT && step->target > program->step_first + at) {
            const struct counter *counter = table_get(run->counter, thread, step->loop);
            text_printf(name, "%s%llu", sign, (unsigned long long)counter->done + 1);
            sign = ".";
        }
    }
}

void run_name_step(const struct run *run, uint32_t thread, struct text *name) {
    const struct step *step = run_current_step(run, thread);
    name_thread(run, thread, name);
    text_append(name, ":");
    if (step == NULL) {
        text_append(name, "end");
    } else if (step->label != NULL) {
        text_append(name, step->label);
        name_rounds(run, thread, name);
    } else {
        text_printf(name, "%u", step->number);
        name_rounds(run, thread, name);
    }
}
