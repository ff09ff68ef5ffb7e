/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ends of lifetimes: a thread releases what has lived its time by a call of its own, when it is
 * in no other call. A step that is due then waits until the call has returned.
 */
#include "acl/acl_error.h"
#include "base/must.h"
#include "scenario/run_turn.h"

static struct action step_of(uint32_t thread) {
    return (struct action){ ACTION_STEP, 0, thread };
}

static struct action release_of(uint32_t thread) {
    return (struct action){ ACTION_RELEASE, 0, thread };
}

static struct pause *edit_pause(struct run *run, uint32_t thread) {
    return table_edit(run->pause, 0, thread);
}

static struct cursor *edit_cursor(struct run *run, uint32_t thread) {
    return table_edit(run->cursor, 0, thread);
}

static uint64_t later(uint64_t left, uint64_t right) {
    return left > right ? left : right;
}

/* A while after a time; the free policy knows no while. */
static uint64_t after(const struct run *run, uint64_t time_ns, uint64_t while_ns) {
    uint64_t wait_ns = run->machine.engine.policy == ENGINE_FREE ? 0 : while_ns;
    return wait_ns > UINT64_MAX - time_ns ? UINT64_MAX : time_ns + wait_ns;
}

/* The step of a thread is ready behind the call that it is in. */
static void ready_step(struct run *run, uint32_t thread) {
    const struct pause *pause = edit_pause(run, thread);
    engine_ready(&run->machine.engine, step_of(thread), later(pause->resume_ns, pause->busy_ns));
}

static bool has_ended(const struct run *run, uint32_t thread) {
    return run_current_step(run, thread) == NULL;
}

void run_resume(struct run *run, uint32_t thread, uint64_t due_ns) {
    const struct cursor *cursor = table_get(run->cursor, 0, thread);
    edit_pause(run, thread)->resume_ns = due_ns;
    if (cursor->releases != 0) {
        return;
    }
    if (has_ended(run, thread) && lifetime_count(&run->lifetimes, thread) > 0) {
        edit_cursor(run, thread)->wait = CURSOR_OUTLIVES;
    } else {
        ready_step(run, thread);
    }
}

/* The next release, or none; the thread is in no call. Its next step becomes ready later, so that a
 * release which is due with it goes first. */
static void arm(struct run *run, uint32_t thread) {
    if (lifetime_count(&run->lifetimes, thread) > 0) {
        uint64_t due = lifetime_due(&run->lifetimes, thread);
        uint64_t busy = ((const struct pause *)table_get(run->pause, 0, thread))->busy_ns;
        engine_ready(&run->machine.engine, release_of(thread),
                     later(later(due, busy), machine_now(&run->machine)));
    }
}

void run_hold_releases(struct turn *turn) {
    engine_withdraw(&turn->run->machine.engine, release_of(turn->thread));
}

void run_begin_lifetime(struct turn *turn, const struct acl_result *result) {
    struct run *run = turn->run;
    uint64_t lifetime_ns = 0;
    uint64_t busy_ns = after(run, machine_now(&run->machine), result->cost_ns);
    edit_pause(run, turn->thread)->busy_ns = busy_ns;
    if (turn->step->lifetime.count > 0 && result->code == ACL_SUCCESS && result->out_count > 0 &&
        run_evaluate(turn, turn->step->lifetime, &lifetime_ns)) {
        struct lifetime life = { .value = result->out[0], .step = turn->step_number };
        lifetime_begin(&run->lifetimes, turn->thread, life, after(run, busy_ns, lifetime_ns));
    }
    arm(run, turn->thread);
}

void run_release(struct run *run, uint32_t thread) {
    struct engine *engine = &run->machine.engine;
    struct cursor *cursor = edit_cursor(run, thread);
    bool is_ready = engine_is_ready(engine, step_of(thread));
    engine_withdraw(engine, release_of(thread));
    if (cursor->wait == CURSOR_RUNS) {
        edit_pause(run, thread)->resume_ns =
            is_ready ? engine_due(engine, step_of(thread)) : engine_now(engine);
        engine_withdraw(engine, step_of(thread));
    }
    cursor->releases = lifetime_take(&run->lifetimes, thread) + 1;
    run_release_again(run, thread);
}

void run_release_again(struct run *run, uint32_t thread) {
    struct cursor *cursor = edit_cursor(run, thread);
    uint32_t slot = cursor->releases - 1;
    const struct lifetime *life = lifetime_get(&run->lifetimes, thread, slot);
    struct machine *machine = &run->machine;
    struct acl_result result;
    struct acl_record record = {
        .row = run->scenario->steps.items[life->step].release_row,
        .thread = { thread },
        .step = life->step,
        .arg = { life->value },
    };
    machine->moment = (struct moment){
        .call = machine_calls(machine), .row = FACT_NO_ROW, .thread = { thread }, .step = life->step
    };
    acl_call(run->acl, &record, &result);
    machine->moment = (struct moment){ .row = FACT_NO_ROW };
    if (result.progress == ACL_WAITS) {
        return;
    }
    run->unasked_failures += result.code != ACL_SUCCESS;
    lifetime_end(&run->lifetimes, thread, slot);
    struct pause *pause = edit_pause(run, thread);
    pause->busy_ns = after(run, machine_now(machine), result.cost_ns);
    cursor = edit_cursor(run, thread);
    cursor->releases = 0;
    arm(run, thread);
    if (cursor->wait == CURSOR_RUNS || cursor->wait == CURSOR_OUTLIVES) {
        cursor->wait = CURSOR_RUNS;
        run_resume(run, thread, pause->resume_ns);
    }
}

void run_forget_lifetimes(struct run *run, uint32_t thread) {
    lifetime_forget(&run->lifetimes, thread);
    engine_withdraw(&run->machine.engine, release_of(thread));
    edit_cursor(run, thread)->releases = 0;
    *edit_pause(run, thread) = (struct pause){ 0, 0 };
}
