/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl.h"

#include <stdlib.h>

#include "acl/acl_frame.h"
#include "base/host.h"
#include "base/mix.h"
#include "base/must.h"
#include "base/units.h"
#include "machine/driver.h"

struct acl {
    struct machine *machine;
    const uint8_t *support;
    const struct acl_row **row; /* of the whole table, by number */
    uint32_t *args;
    uint32_t count;
};

struct acl *acl_new(struct machine *machine, const uint8_t *support) {
    struct acl *acl = host_zeroed(1, sizeof *acl);
    acl->machine = machine;
    acl->support = support;
    acl->count = acl_row_count();
    acl->row = host_resize(NULL, acl->count, sizeof(struct acl_row *));
    acl->args = host_resize(NULL, acl->count, sizeof *acl->args);
    for (uint32_t row = 0; row < acl->count; row++) {
        acl->row[row] = acl_row_get(row);
        acl->args[row] = acl_row_args(acl->row[row]);
    }
    return acl;
}

void acl_free(struct acl *acl) {
    if (acl != NULL) {
        free(acl->row);
        free(acl->args);
        free(acl);
    }
}

static void begin(struct acl *acl, const struct acl_record *record, struct acl_result *result,
                  struct acl_frame *frame) {
    struct machine *machine = acl->machine;
    *frame = (struct acl_frame){
        .machine = machine,
        .row = acl->row[record->row],
        .record = record,
        .result = result,
        .process = process_of_thread(machine, record->thread),
        .thread = record->thread,
        .presence = process_current(machine, record->thread),
        .device = SITE_NO_DEVICE,
        .times = 1,
        .cost = acl->row[record->row]->cost,
    };
    frame->server = &machine->site->server[machine->site->process[frame->process.index].server];
    frame->product = frame->server->product;
    if (frame->presence != PRESENCE_NONE) {
        frame->device = process_presence(machine, frame->process, frame->presence)->device;
    }
}

/* What is checked at once and free of charge. */
static int32_t check_at_once(const struct acl *acl, struct acl_frame *frame) {
    const struct acl_row *row = frame->row;
    if (frame->product->strict_init && (row->flags & ACL_NO_INIT) == 0 &&
        process_get(frame->machine, frame->process)->inits == 0) {
        return acl_refuse(frame, RULE_NOT_INITIALISED);
    }
    int32_t code = row->check != NULL ? row->check(frame) : ACL_SUCCESS;
    if (code == ACL_SUCCESS && acl->support != NULL &&
        (acl->support[frame->record->row] >> frame->product->family & 1) == 0) {
        return acl_refuse(frame, RULE_NOT_SUPPORTED);
    }
    return code;
}

static int32_t check_context(const struct acl_frame *frame) {
    if ((frame->row->flags & ACL_CONTEXT) != 0 && frame->presence == PRESENCE_NONE) {
        return acl_refuse(frame, RULE_NO_CONTEXT);
    }
    if ((frame->row->flags & ACL_DRIVER) != 0 &&
        process_get(frame->machine, frame->process)->opened == 0) {
        return acl_refuse(frame, RULE_DRIVER_CLOSED);
    }
    return ACL_SUCCESS;
}

static uint64_t cost_of_call(const struct acl_frame *frame, int32_t code) {
    if (frame->machine->engine.policy == ENGINE_FREE) {
        return 0;
    }
    enum cost_key key = code == ACL_SUCCESS ? frame->cost : COST_CALL;
    uint64_t cost = cost_of(&frame->product->cost[key], frame->page, frame->pages);
    uint64_t total = 0;
    bool fits =
        units_multiply(cost, frame->times, &total) && units_add(total, frame->busy_ns, &total);
    return fits ? total : UINT64_MAX;
}

static uint64_t mix_values(const uint64_t *value, uint32_t count) {
    uint64_t mixed = count;
    for (uint32_t place = 0; place < count; place++) {
        mixed = mix64(mixed ^ value[place], MIX_LOW);
    }
    return mixed;
}

static void record_called(const struct acl *acl, const struct acl_frame *frame) {
    const struct acl_record *record = frame->record;
    const struct acl_result *result = frame->result;
    if (!journal_wants(&frame->machine->journal, FACT_CALLED)) {
        return;
    }
    uint64_t arguments = mix_values(record->arg, acl->args[record->row]) ^ record->null_mask;
    if (record->list_count > 0) {
        arguments = mix64(arguments, mix_values(record->list, record->list_count));
    }
    struct fact fact = {
        .time_ns = machine_now(frame->machine),
        .kind = FACT_CALLED,
        .row = record->row,
        .thread = record->thread.index,
        .step = record->step,
        .code = result->code,
        .value = { result->cost_ns, arguments, mix_values(result->out, result->out_count),
                   result->rule, result->waited_ns },
    };
    struct acl_detail detail = { record, result };
    journal_record(&frame->machine->journal, &fact, &detail);
}

static void serve(struct acl_frame *frame) {
    struct acl_result *result = frame->result;
    result->code = check_context(frame);
    if (result->code == ACL_SUCCESS) {
        result->code = frame->row->body(frame);
    }
    if (frame->waits) {
        result->progress = ACL_WAITS;
    }
    if (frame->waits || result->code != ACL_SUCCESS) {
        result->out_count = 0;
    }
    result->cost_ns = frame->waits ? 0 : cost_of_call(frame, result->code);
}

/* A call that waits is asked again: the time of the first time is kept until it is done. */
static void note_asked(struct machine *machine, const struct acl_record *record,
                       struct acl_result *result) {
    const struct thread_asked *asked = table_get(machine->asked, 0, record->thread.index);
    bool waits = result->progress == ACL_WAITS;
    if (asked->since_ns != 0) {
        result->asked_ns = asked->since_ns - 1;
    }
    if (waits != (asked->since_ns != 0)) {
        struct thread_asked *edit = table_edit(machine->asked, 0, record->thread.index);
        edit->since_ns = waits ? result->asked_ns + 1 : 0;
    }
}

void acl_call(struct acl *acl, const struct acl_record *record, struct acl_result *result) {
    struct machine *machine = acl->machine;
    must(record->row < acl->count);
    *result = (struct acl_result){
        .code = ACL_SUCCESS,
        .progress = ACL_DONE,
        .asked_ns = machine_now(machine),
    };
    struct acl_frame frame;
    begin(acl, record, result, &frame);
    bool kernel = (frame.row->flags & ACL_KERNEL) != 0;
    must(process_get(machine, frame.process)->life == PROCESS_RUNNING);
    result->code = check_at_once(acl, &frame);
    bool served = result->code == ACL_SUCCESS;
    uint32_t queue = 0;
    if (served && kernel &&
        !driver_enter(machine, record->thread, frame.device, &queue, &result->waited_ns)) {
        result->progress = ACL_WAITS;
        note_asked(machine, record, result);
        return;
    }
    machine->moment = (struct moment){
        .call = machine_calls(machine) + 1,
        .row = record->row,
        .thread = record->thread,
        .step = record->step,
    };
    if (served) {
        serve(&frame);
    }
    if (served && kernel) {
        driver_leave(machine, queue, result->cost_ns);
    }
    note_asked(machine, record, result);
    if (result->progress == ACL_DONE) {
        must((result->code == ACL_SUCCESS) == (result->rule == ACL_NO_RULE));
        machine_count_call(machine);
        record_called(acl, &frame);
    }
    machine->moment = (struct moment){ .row = FACT_NO_ROW };
}
