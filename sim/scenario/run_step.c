/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/run_state.h"

#include "acl/acl.h"
#include "base/must.h"
#include "machine/process.h"
#include "scenario/expect.h"
#include "scenario/run_turn.h"

static struct cursor *edit_cursor(struct run *run, uint32_t thread) {
    return table_edit(run->cursor, 0, thread);
}

static struct action step_of(uint32_t thread) {
    return (struct action){ ACTION_STEP, 0, thread };
}

static uint64_t now(const struct run *run) {
    return machine_now(&run->machine);
}

/* Makes a thread ready after a while; the free policy knows no while. */
static void ready_after(struct run *run, uint32_t thread, uint64_t duration_ns) {
    uint64_t start_ns = now(run);
    bool is_free = run->machine.engine.policy == ENGINE_FREE;
    uint64_t wait_ns = is_free ? 0 : duration_ns;
    uint64_t due_ns = wait_ns > UINT64_MAX - start_ns ? UINT64_MAX : start_ns + wait_ns;
    if (run_program(run, thread)->lifetimes > 0) {
        run_resume(run, thread, due_ns);
    } else {
        engine_ready(&run->machine.engine, step_of(thread), due_ns);
    }
}

void run_fail(struct turn *turn, const char *what) {
    struct run *run = turn->run;
    struct text place = { 0 };
    run_name_step(run, turn->thread, &place);
    run->has_failed = true;
    json_complain(turn->step->where, run->problem, "%s: %s", text_get(&place), what);
    text_fini(&place);
}

static bool value_of_name(void *context, uint32_t number, uint64_t *value) {
    struct turn *turn = context;
    struct run *run = turn->run;
    if (number == PROGRAM_LENGTH) {
        *value = turn->list_length;
        return true;
    }
    if (number == PROGRAM_CURRENT) {
        struct process_id process = { turn->process };
        uint32_t presence = process_current(&run->machine, (struct thread_id){ turn->thread });
        *value = presence == PRESENCE_NONE
                     ? 0
                     : site_number(&run->site, turn->process,
                                   process_presence(&run->machine, process, presence)->device);
        return true;
    }
    *value = ((const struct variable *)table_get(run->variable, turn->process, number))->value;
    return true;
}

bool run_evaluate(struct turn *turn, struct expression expression, uint64_t *value) {
    *value = 0;
    if (expression.count == 0 ||
        expression_evaluate(&turn->run->scenario->code, expression, value_of_name, turn, value)) {
        return true;
    }
    run_fail(turn, "a value overflows, falls below 0 or is divided by 0");
    return false;
}

void run_bind(struct turn *turn, uint32_t number, uint64_t value) {
    if (number != PROGRAM_NONE) {
        struct variable *variable = table_edit(turn->run->variable, turn->process, number);
        variable->value = value;
    }
}

/* A process that ended no longer stands at barriers, and its messages are lost: started anew it
 * is another one. */
static void forget_process(struct run *run, uint32_t process) {
    const struct site_process *at = &run->processes[process];
    struct mailbox *mailbox = table_edit(run->mailbox, 0, process);
    for (uint32_t place = 0; place < at->thread_count; place++) {
        uint32_t thread = at->thread_first + place;
        struct cursor *cursor = edit_cursor(run, thread);
        if (cursor->wait == CURSOR_AT_BARRIER) {
            uint32_t name = run_current_step(run, thread)->name;
            ((struct barrier *)table_edit(run->barrier, 0, name))->arrived--;
        }
        cursor->wait = CURSOR_ENDED;
        if (run_program(run, thread)->lifetimes > 0) {
            run_forget_lifetimes(run, thread);
        }
    }
    while (mailbox->first != 0) {
        uint32_t slot = mailbox->first - 1;
        mailbox->first = ((const struct message *)table_get(run->message, process, slot))->next;
        table_remove(run->message, process, slot);
    }
    mailbox->last = 0;
}

/* Ends the process when its last thread has no step left. */
static void end_thread(struct run *run, uint32_t thread) {
    struct process_id process = { run->threads[thread].process };
    const struct site_process *at = &run->processes[process.index];
    edit_cursor(run, thread)->wait = CURSOR_ENDED;
    for (uint32_t place = 0; place < at->thread_count; place++) {
        const struct cursor *cursor = table_get(run->cursor, 0, at->thread_first + place);
        if (cursor->wait != CURSOR_ENDED) {
            return;
        }
    }
    forget_process(run, process.index);
    process_end(&run->machine, process, PROCESS_EXITED);
}

/* Rounds of loops count like steps, so that an empty loop ends some time too. */
static bool count_step(struct turn *turn) {
    struct run *run = turn->run;
    uint64_t *steps = table_edit(run->progress, 0, 0);
    if (++*steps <= run->options.steps_max) {
        return true;
    }
    run_fail(turn, "the run takes more steps than --max-steps allows");
    return false;
}

/* Takes the jumps at the cursor, so that it rests on a step that does something. */
static void settle(struct turn *turn) {
    struct run *run = turn->run;
    const struct program *program = run_program(run, turn->thread);
    struct cursor *cursor = edit_cursor(run, turn->thread);
    uint64_t rounds = 0;
    while (cursor->at < program->step_count) {
        const struct step *step = &run->scenario->steps.items[program->step_first + cursor->at];
        if (step->kind != STEP_REPEAT && step->kind != STEP_AGAIN) {
            return;
        }
        turn->step = step;
        struct counter *counter = table_edit(run->counter, turn->thread, step->loop);
        if (step->kind == STEP_AGAIN) {
            if (!count_step(turn)) {
                return;
            }
            counter->done++;
            cursor->at = step->target - program->step_first;
        } else if (run_evaluate(turn, step->value, &rounds) && counter->done < rounds) {
            cursor->at++;
        } else {
            counter->done = 0;
            cursor->at = step->target - program->step_first;
        }
    }
}

void run_go_on(struct turn *turn, uint64_t duration_ns) {
    edit_cursor(turn->run, turn->thread)->at++;
    edit_cursor(turn->run, turn->thread)->wait = CURSOR_RUNS;
    settle(turn);
    ready_after(turn->run, turn->thread, duration_ns);
}

static bool fill_record(struct turn *turn, struct acl_record *record, uint64_t *list) {
    const struct scenario *scenario = turn->run->scenario;
    for (uint32_t place = 0; place < turn->step->argument_count; place++) {
        const struct step_argument *argument =
            &scenario->arguments.items[turn->step->argument_first + place];
        uint64_t value = 0;
        if (!run_evaluate(turn, argument->value, &value)) {
            return false;
        }
        if (argument->in_list) {
            list[argument->place] = value;
        } else {
            record->arg[argument->place] = value;
        }
    }
    return true;
}

static void take_call(struct turn *turn) {
    struct run *run = turn->run;
    uint64_t list[PROGRAM_LIST_MAX + 3];
    struct acl_result result;
    struct acl_record record = {
        .row = turn->step->row,
        .list_count = (uint16_t)turn->step->list_count,
        .null_mask = turn->step->null_mask,
        .thread = { turn->thread },
        .step = turn->step_number,
        .tag = turn->step->tag,
        .list = list,
    };
    turn->list_length = turn->step->list_length;
    if (!fill_record(turn, &record, list)) {
        return;
    }
    acl_call(run->acl, &record, &result);
    bool has_lifetimes = run_program(run, turn->thread)->lifetimes > 0;
    if (result.progress == ACL_WAITS) {
        if (has_lifetimes) {
            run_hold_releases(turn);
        }
        return;
    }
    for (uint32_t place = 0; place < result.out_count && place < PROGRAM_BINDINGS; place++) {
        run_bind(turn, turn->step->binding[place], result.out[place]);
    }
    expect_compare(run, turn->thread, turn->step_number, result.code);
    if (has_lifetimes) {
        run_begin_lifetime(turn, &result);
    }
    run_go_on(turn, result.cost_ns);
}

/* Wakes the threads of a process that wait for a message; each looks for itself. */
static void wake_receivers(struct run *run, uint32_t process) {
    const struct site_process *at = &run->processes[process];
    for (uint32_t place = 0; place < at->thread_count; place++) {
        struct cursor *cursor = edit_cursor(run, at->thread_first + place);
        if (cursor->wait == CURSOR_RECEIVES) {
            cursor->wait = CURSOR_RUNS;
            ready_after(run, at->thread_first + place, 0);
        }
    }
}

static void take_send(struct turn *turn) {
    struct run *run = turn->run;
    uint32_t to = turn->step->process;
    uint64_t value = 0;
    if (!run_evaluate(turn, turn->step->value, &value)) {
        return;
    }
    struct mailbox *mailbox = table_edit(run->mailbox, 0, to);
    uint32_t slot = table_add(run->message, to);
    struct message *message = table_edit(run->message, to, slot);
    message->value = value;
    message->from = turn->process;
    if (mailbox->first == 0) {
        mailbox->first = slot + 1;
    } else {
        ((struct message *)table_edit(run->message, to, mailbox->last - 1))->next = slot + 1;
    }
    mailbox->last = slot + 1;
    machine_record(&run->machine, FACT_SENT, value, to, 0, 0);
    wake_receivers(run, to);
    run_go_on(turn, 0);
}

/* Takes the oldest message that fits out of the box. */
static bool take_message(struct turn *turn, struct message *taken) {
    struct run *run = turn->run;
    struct mailbox *mailbox = table_edit(run->mailbox, 0, turn->process);
    uint32_t before = 0;
    for (uint32_t at = mailbox->first; at != 0;) {
        struct message *message = table_edit(run->message, turn->process, at - 1);
        if (turn->step->process != PROGRAM_NONE && message->from != turn->step->process) {
            before = at;
            at = message->next;
            continue;
        }
        *taken = *message;
        if (before == 0) {
            mailbox->first = message->next;
        } else {
            ((struct message *)table_edit(run->message, turn->process, before - 1))->next =
                message->next;
        }
        mailbox->last = mailbox->last == at ? before : mailbox->last;
        table_remove(run->message, turn->process, at - 1);
        return true;
    }
    return false;
}

static void take_receive(struct turn *turn) {
    struct message message;
    if (!take_message(turn, &message)) {
        edit_cursor(turn->run, turn->thread)->wait = CURSOR_RECEIVES;
        return;
    }
    run_bind(turn, turn->step->binding[0], message.value);
    machine_record(&turn->run->machine, FACT_RECEIVED, message.value, message.from, 0, 0);
    run_go_on(turn, 0);
}

/* The last one to arrive lets all go on, in the order of the threads. */
static void take_barrier(struct turn *turn) {
    struct run *run = turn->run;
    struct barrier *barrier = table_edit(run->barrier, 0, turn->step->name);
    barrier->arrived++;
    const struct barrier_threads *threads = &run->barriers[turn->step->name];
    if (barrier->arrived < threads->count) {
        edit_cursor(run, turn->thread)->wait = CURSOR_AT_BARRIER;
        return;
    }
    barrier->arrived = 0;
    for (size_t place = 0; place < threads->count; place++) {
        uint32_t thread = threads->items[place];
        const struct cursor *cursor = table_get(run->cursor, 0, thread);
        const struct step *step = run_current_step(run, thread);
        bool waits =
            cursor->wait == CURSOR_AT_BARRIER && step != NULL && step->name == turn->step->name;
        if (waits || thread == turn->thread) {
            struct turn other = { run, step, thread, run->threads[thread].process, 0, 0 };
            run_go_on(&other, 0);
        }
    }
}

static void take_delay(struct turn *turn) {
    uint64_t duration_ns = 0;
    if (run_evaluate(turn, turn->step->value, &duration_ns)) {
        run_go_on(turn, duration_ns);
    }
}

static void take_let(struct turn *turn) {
    uint64_t value = 0;
    if (run_evaluate(turn, turn->step->value, &value)) {
        run_bind(turn, turn->step->binding[0], value);
        run_go_on(turn, 0);
    }
}

void run_start_process(struct run *run, uint32_t process) {
    const struct site_process *at = &run->processes[process];
    struct process_id id = { process };
    /* It begins in its own name, whoever starts it. */
    struct moment before = run->machine.moment;
    run->machine.moment = (struct moment){ .row = FACT_NO_ROW, .thread = { at->thread_first } };
    process_start(&run->machine, id);
    if (at->device != SITE_NO_DEVICE) {
        struct device_id device = { site_device(&run->site, process, at->device) };
        process_initialise(&run->machine, id);
        uint32_t presence = process_make_presence(&run->machine, id, device);
        for (uint32_t place = 0; place < at->thread_count; place++) {
            struct thread_id thread = { at->thread_first + place };
            if (place == 0) {
                process_set_device(&run->machine, thread, presence);
            } else {
                process_set_current(&run->machine, thread, presence);
            }
        }
    }
    run->machine.moment = before;
    for (uint32_t name = 0; name < run->scenario->processes.items[process].binding_count; name++) {
        ((struct variable *)table_edit(run->variable, process, name))->value = 0;
    }
    for (uint32_t place = 0; place < at->thread_count; place++) {
        uint32_t thread = at->thread_first + place;
        struct turn turn = { .run = run, .thread = thread, .process = process };
        *edit_cursor(run, thread) = (struct cursor){ .at = 0, .wait = CURSOR_RUNS };
        for (uint32_t loop = 0; loop < PROGRAM_LOOPS; loop++) {
            ((struct counter *)table_edit(run->counter, thread, loop))->done = 0;
        }
        settle(&turn);
        ready_after(run, thread, 0);
    }
}

static bool is_running(const struct run *run, uint32_t process) {
    return process_get(&run->machine, (struct process_id){ process })->life == PROCESS_RUNNING;
}

static void take_start(struct turn *turn) {
    if (is_running(turn->run, turn->step->process)) {
        run_fail(turn, "the process that it starts runs already");
        return;
    }
    run_start_process(turn->run, turn->step->process);
    run_go_on(turn, 0);
}

static void stop_process(struct run *run, uint32_t process, enum process_end reason) {
    forget_process(run, process);
    process_end(&run->machine, (struct process_id){ process }, reason);
}

static void take_kill(struct turn *turn) {
    if (is_running(turn->run, turn->step->process)) {
        stop_process(turn->run, turn->step->process, PROCESS_KILLED);
    }
    if (turn->step->process != turn->process) {
        run_go_on(turn, 0);
    }
}

static void take_exit(struct turn *turn) {
    stop_process(turn->run, turn->process, PROCESS_EXITED);
}

static void take_phase(struct turn *turn) {
    machine_record(&turn->run->machine, FACT_PHASE, turn->step->name, 0, 0, 0);
    run_go_on(turn, 0);
}

static void take(struct turn *turn) {
    static void (*const takers[])(struct turn * turn) = {
        [STEP_CALL] = take_call,       [STEP_SEND] = take_send,   [STEP_RECEIVE] = take_receive,
        [STEP_BARRIER] = take_barrier, [STEP_DELAY] = take_delay, [STEP_COMPUTE] = run_work,
        [STEP_MEDIA] = run_work,       [STEP_CUT] = run_cut,      [STEP_LET] = take_let,
        [STEP_START] = take_start,     [STEP_KILL] = take_kill,   [STEP_EXIT] = take_exit,
        [STEP_PHASE] = take_phase,     [STEP_DRAW] = run_draw,
    };
    takers[turn->step->kind](turn);
}

void run_step(struct run *run, uint32_t thread) {
    const struct step *step = run_current_step(run, thread);
    struct machine *machine = &run->machine;
    if (((const struct cursor *)table_get(run->cursor, 0, thread))->releases != 0) {
        run_release_again(run, thread);
        return;
    }
    if (step == NULL) {
        end_thread(run, thread);
        return;
    }
    struct turn turn = {
        .run = run,
        .step = step,
        .thread = thread,
        .process = run->threads[thread].process,
        .step_number = (uint32_t)(step - run->scenario->steps.items),
    };
    if (!count_step(&turn)) {
        return;
    }
    machine->moment = (struct moment){ .call = machine_calls(machine),
                                       .row = FACT_NO_ROW,
                                       .thread = { thread },
                                       .step = turn.step_number };
    take(&turn);
    machine->moment = (struct moment){ .row = FACT_NO_ROW };
}
