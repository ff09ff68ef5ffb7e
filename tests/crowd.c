/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/crowd.h"

#include <stdlib.h>

#include "base/host.h"
#include "base/must.h"
#include "machine/process.h"
#include "tests/world.h"

static void ignore(void *context, struct action action) {
    (void)context;
    (void)action;
}

static void make_site(struct crowd *crowd, struct crowd_size size) {
    for (uint32_t server = 0; server < size.servers; server++) {
        crowd->server[server] = (struct site_server){
            .product = crowd->product,
            .device_first = server * size.devices,
            .device_count = size.devices,
        };
    }
    for (uint32_t process = 0; process < size.processes; process++) {
        crowd->process[process] = (struct site_process){
            .name = "P",
            .server = process % size.servers,
            .container = SITE_NO_CONTAINER,
            .pid = SITE_PID_FIRST + process,
            .pid_inside = SITE_PID_FIRST + process,
            .thread_first = process,
            .thread_count = 1,
        };
        crowd->thread[process].process = process;
    }
    crowd->site = (struct site){
        .server = crowd->server,
        .process = crowd->process,
        .thread = crowd->thread,
        .server_count = size.servers,
        .process_count = size.processes,
        .thread_count = size.processes,
        .device_count = size.servers * size.devices,
    };
}

struct crowd *crowd_new(struct crowd_size size, enum engine_policy policy) {
    struct crowd *crowd = host_zeroed(1, sizeof *crowd);
    crowd->product = world_product();
    crowd->server = host_zeroed(size.servers, sizeof *crowd->server);
    crowd->process = host_zeroed(size.processes, sizeof *crowd->process);
    crowd->thread = host_zeroed(size.processes, sizeof *crowd->thread);
    crowd->store = store_new();
    make_site(crowd, size);
    struct engine engine = engine_bind(crowd->store, ENGINE_FREE, choice_first(), ignore, NULL);
    crowd->machine = machine_bind(crowd->store, &crowd->site, engine, false);
    crowd->acl = acl_new(&crowd->machine, NULL);
    for (uint32_t process = 0; process < size.processes; process++) {
        struct acl_record set = { .arg = { process / size.servers % size.devices } };
        process_start(&crowd->machine, (struct process_id){ process });
        crowd_call(crowd, process, "aclInit", &(struct acl_record){ 0 });
        crowd_call(crowd, process, "aclrtSetDevice", &set);
    }
    crowd->machine.engine.policy = policy;
    return crowd;
}

void crowd_free(struct crowd *crowd) {
    acl_free(crowd->acl);
    store_free(crowd->store);
    product_free(crowd->product);
    free(crowd->server);
    free(crowd->process);
    free(crowd->thread);
    free(crowd);
}

uint64_t crowd_call(struct crowd *crowd, uint32_t process, const char *name,
                    const struct acl_record *values) {
    struct acl_record record = *values;
    struct acl_result result;
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    record.row = (uint16_t)row;
    record.thread = (struct thread_id){ process };
    acl_call(crowd->acl, &record, &result);
    must(result.code == ACL_SUCCESS);
    return result.out[0];
}
