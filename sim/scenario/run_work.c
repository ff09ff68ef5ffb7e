/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/process.h"
#include "machine/stream.h"
#include "scenario/run_turn.h"

static bool queue_touch(struct turn *turn, uint32_t stream, const struct expression range[2],
                        struct task task) {
    uint64_t address = 0;
    if (!run_evaluate(turn, range[0], &address) || !run_evaluate(turn, range[1], &task.size)) {
        return false;
    }
    if (range == turn->step->reads) {
        task.from = address;
    } else {
        task.to = address;
    }
    stream_queue(&turn->run->machine, (struct process_id){ turn->process }, stream, &task);
    return true;
}

/* Work that reads and writes is two tasks: what it reads, then all of its time. */
void run_work(struct turn *turn) {
    struct run *run = turn->run;
    struct process_id process = { turn->process };
    uint32_t presence = process_current(&run->machine, (struct thread_id){ turn->thread });
    bool is_media = turn->step->kind == STEP_MEDIA;
    struct task task = { .kind = is_media ? TASK_MEDIA : TASK_COMPUTE };
    uint64_t value = 0;
    uint32_t stream = 0;
    if (!run_evaluate(turn, turn->step->value, &task.duration_ns) ||
        !run_evaluate(turn, turn->step->stream, &value)) {
        return;
    }
    if (presence == PRESENCE_NONE) {
        run_fail(turn, is_media ? "a media step needs a device: call aclrtSetDevice before it"
                                : "a compute step needs a device: call aclrtSetDevice before it");
        return;
    }
    if (value == 0) {
        stream = stream_default(&run->machine, process, presence);
    } else if (!stream_resolve(&run->machine, process, value, &stream)) {
        run_fail(turn, "this is no stream of the process");
        return;
    }
    struct task first = task;
    bool reads = turn->step->reads[0].count > 0;
    bool writes = turn->step->writes[0].count > 0;
    first.duration_ns = writes ? 0 : task.duration_ns;
    if ((reads && !queue_touch(turn, stream, turn->step->reads, first)) ||
        (writes && !queue_touch(turn, stream, turn->step->writes, task))) {
        return;
    }
    if (!reads && !writes) {
        stream_queue(&run->machine, process, stream, &task);
    }
    run_go_on(turn, 0);
}
