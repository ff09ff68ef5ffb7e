/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/driver.h"

#include "base/must.h"
#include "machine/process.h"

/* In the order of the words of product_fields.inc. */
enum queue_scope { QUEUE_OF_DEVICE, QUEUE_OF_PROCESS, QUEUE_OF_SERVER };

/* Queues of devices, processes and servers have numbers of their own. */
enum { QUEUE_SCOPES = 3 };

static uint32_t queue_of(const struct machine *machine, struct thread_id thread, uint32_t device) {
    struct process_id process = process_of_thread(machine, thread);
    uint32_t server = machine->site->process[process.index].server;
    const struct site_server *at = &machine->site->server[server];
    switch ((enum queue_scope)at->product->driver_queue) {
    case QUEUE_OF_DEVICE:
        return (device == SITE_NO_DEVICE ? at->device_first : device) * QUEUE_SCOPES;
    case QUEUE_OF_PROCESS:
        return process.index * QUEUE_SCOPES + 1;
    case QUEUE_OF_SERVER:
        return server * QUEUE_SCOPES + 2;
    }
    return 0;
}

static struct action step_of(uint32_t thread) {
    return (struct action){ ACTION_STEP, 0, thread };
}

static void wake_first(struct machine *machine, const struct driver *driver) {
    uint32_t thread = driver->first - 1;
    struct thread_turn *turn = table_edit(machine->turn, 0, thread);
    turn->has_turn = 1;
    engine_ready(&machine->engine, step_of(thread), driver->busy_until_ns);
}

static void append(struct machine *machine, uint32_t queue, uint32_t thread) {
    struct driver *driver = table_edit(machine->driver, 0, queue);
    *(struct thread_turn *)table_edit(machine->turn, 0, thread) = (struct thread_turn){
        .queue = queue,
        .before = driver->last,
        .since_ns = machine_now(machine),
    };
    if (driver->first == 0) {
        driver->first = thread + 1;
        driver->last = thread + 1;
        wake_first(machine, driver);
        return;
    }
    ((struct thread_turn *)table_edit(machine->turn, 0, driver->last - 1))->next = thread + 1;
    driver->last = thread + 1;
}

static void take_first(struct machine *machine, uint32_t queue) {
    struct driver *driver = table_edit(machine->driver, 0, queue);
    struct thread_turn *turn = table_edit(machine->turn, 0, driver->first - 1);
    driver->first = turn->next;
    if (turn->next == 0) {
        driver->last = 0;
    } else {
        ((struct thread_turn *)table_edit(machine->turn, 0, turn->next - 1))->before = 0;
    }
    *turn = (struct thread_turn){ 0 };
}

bool driver_enter(struct machine *machine, struct thread_id thread, uint32_t device,
                  uint32_t *queue, uint64_t *waited_ns) {
    *queue = 0;
    *waited_ns = 0;
    if (machine->engine.policy == ENGINE_FREE) {
        return true;
    }
    const struct thread_turn *turn = table_get(machine->turn, 0, thread.index);
    *queue = turn->has_turn != 0 ? turn->queue : queue_of(machine, thread, device);
    const struct driver *driver = table_get(machine->driver, 0, *queue);
    if (machine->engine.policy == ENGINE_SCHEDULE) {
        uint64_t asked_ns = machine_now(machine);
        engine_advance(&machine->engine, driver->busy_until_ns);
        *waited_ns = machine_now(machine) - asked_ns;
        return true;
    }
    if (turn->has_turn != 0) {
        must(driver->first == thread.index + 1);
        *waited_ns = machine_now(machine) - turn->since_ns;
        take_first(machine, *queue);
        return true;
    }
    if (driver->first == 0 && driver->busy_until_ns <= machine_now(machine)) {
        return true;
    }
    append(machine, *queue, thread.index);
    return false;
}

void driver_leave(struct machine *machine, uint32_t queue, uint64_t cost_ns) {
    if (machine->engine.policy == ENGINE_FREE) {
        return;
    }
    struct driver *driver = table_edit(machine->driver, 0, queue);
    driver->busy_until_ns = machine_now(machine) + cost_ns;
    if (driver->first != 0) {
        wake_first(machine, driver);
    }
}

void driver_abandon(struct machine *machine, struct thread_id thread) {
    const struct thread_turn *turn = table_get(machine->turn, 0, thread.index);
    const struct thread_turn left = *turn;
    const struct driver *driver = table_get(machine->driver, 0, left.queue);
    if (driver->first == thread.index + 1) {
        take_first(machine, left.queue);
        if (driver->first != 0) {
            wake_first(machine, driver);
        }
        return;
    }
    if (left.before == 0) {
        return;
    }
    ((struct thread_turn *)table_edit(machine->turn, 0, left.before - 1))->next = left.next;
    if (left.next == 0) {
        ((struct driver *)table_edit(machine->driver, 0, left.queue))->last = left.before;
    } else {
        ((struct thread_turn *)table_edit(machine->turn, 0, left.next - 1))->before = left.before;
    }
    *(struct thread_turn *)table_edit(machine->turn, 0, thread.index) = (struct thread_turn){ 0 };
}
