/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/world.h"

#include <string.h>

#include "base/must.h"

struct product *world_product(void) {
    struct product *product = product_new("by-hand");
    product->family = 2;
    product->usable = 62432 * MIB;
    product->media_quota = 16 * GIB;
    product->giant_policy = true;
    product->giant_p2p_policy = true;
    product->giant_hbm_attribute = true;
    product->giant_attribute = true;
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        product->cost[key] = (struct cost){ 1000 + key, { 3, 1600, 1300 * 512 } };
    }
    return product;
}

static void prepare_server(struct world *world) {
    world->server[0] = (struct site_server){
        .product = world->product,
        .device_first = 0,
        .device_count = 4,
    };
}

void world_prepare(struct world *world) {
    memset(world, 0, sizeof *world);
    world->policy = ENGINE_CLOCK;
    world->product = world_product();
    prepare_server(world);
    static const char *const names[WORLD_PROCESSES] = { "A", "B", "C", "D" };
    for (uint32_t process = 0; process < WORLD_PROCESSES; process++) {
        world->process[process] = (struct site_process){
            .name = names[process],
            .container = SITE_NO_CONTAINER,
            .pid = SITE_PID_FIRST + process,
            .pid_inside = SITE_PID_FIRST + process,
            .device = 0,
            .thread_first = process,
            .thread_count = 1,
        };
        world->thread[process].process = process;
    }
    world->site = (struct site){
        .server = world->server,
        .container = world->container,
        .visible = world->visible,
        .process = world->process,
        .thread = world->thread,
        .server_count = 1,
        .container_count = 0,
        .process_count = WORLD_PROCESSES,
        .thread_count = WORLD_PROCESSES,
        .device_count = 4,
    };
}

/* A thread that wakes is asked again by the test itself. */
static void perform(void *context, struct action action) {
    struct world *world = context;
    if (action.kind == ACTION_STEP) {
        engine_withdraw(&world->machine.engine, action);
    } else {
        machine_perform(&world->machine, action);
    }
}

void world_start(struct world *world) {
    world->store = store_new();
    struct engine engine = engine_bind(world->store, world->policy, choice_first(), perform, world);
    world->machine = machine_bind(world->store, &world->site, engine, world->places_are_state);
    world->acl = acl_new(&world->machine, NULL);
    for (uint32_t process = 0; process < world->site.process_count; process++) {
        const struct site_process *at = &world->process[process];
        process_start(&world->machine, (struct process_id){ process });
        must(world_call(world, at->thread_first, "aclInit", 0) == ACL_SUCCESS);
        if (at->device != SITE_NO_DEVICE) {
            must(world_call(world, at->thread_first, "aclrtSetDevice", at->device) == ACL_SUCCESS);
        }
    }
}

void world_init(struct world *world) {
    world_prepare(world);
    world_start(world);
}

void world_fini(struct world *world) {
    acl_free(world->acl);
    store_free(world->store);
    product_free(world->product);
}

int32_t world_call_values(struct world *world, uint32_t thread, const char *name,
                          const uint64_t *value, const uint64_t *list, uint32_t list_count,
                          uint32_t null_mask) {
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    struct acl_record record = {
        .row = (uint16_t)row,
        .list_count = (uint16_t)list_count,
        .null_mask = null_mask,
        .thread = { thread },
        .list = list,
    };
    memcpy(record.arg, value, sizeof record.arg);
    acl_call(world->acl, &record, &world->result);
    engine_pass(&world->machine.engine, world->result.cost_ns);
    return world->result.code;
}

uint64_t world_free_bytes(const struct world *world, uint32_t device) {
    struct pool_usage usage = pool_usage(&world->machine.pools, machine_pool(device, MEDIUM_MAIN));
    return usage.frames_free * PAGE_HUGE_BYTES + usage.pages_free_in_cut_frames * PAGE_NORMAL_BYTES;
}
