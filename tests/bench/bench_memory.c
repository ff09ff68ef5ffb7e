/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much host memory a run takes: many processes on many devices, and the same number of live
 * blocks after ever more calls, which must not grow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/host.h"
#include "base/must.h"
#include "machine/peer.h"
#include "tests/world.h"

enum { SERVERS = 24, PER_SERVER = 16, DEVICES = SERVERS * PER_SERVER, PROCESSES = 10000 };
enum { LIVE = 1000, PEERS = 10 };

static double peak_mib(void) {
    struct rusage usage;
    must(getrusage(RUSAGE_SELF, &usage) == 0);
    return (double)usage.ru_maxrss / 1024;
}

static void ignore(void *context, struct action action) {
    (void)context;
    (void)action;
}

static uint16_t row_of(const char *name) {
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    return (uint16_t)row;
}

static void call(struct acl *acl, uint32_t thread, const char *name, uint64_t argument) {
    struct acl_record record = { .row = row_of(name), .thread = { thread }, .arg = { argument } };
    struct acl_result result;
    acl_call(acl, &record, &result);
    must(result.code == ACL_SUCCESS);
}

struct crowd {
    struct site_server server[SERVERS];
    struct site_process process[PROCESSES];
    struct site_thread thread[PROCESSES];
    struct site site;
};

static void make_crowd(struct crowd *crowd, const struct product *product) {
    for (uint32_t server = 0; server < SERVERS; server++) {
        crowd->server[server] = (struct site_server){ .product = product,
                                                      .device_first = server * PER_SERVER,
                                                      .device_count = PER_SERVER };
    }
    for (uint32_t process = 0; process < PROCESSES; process++) {
        crowd->process[process] = (struct site_process){ .name = "P",
                                                         .server = process % SERVERS,
                                                         .container = SITE_NO_CONTAINER,
                                                         .pid = SITE_PID_FIRST + process,
                                                         .thread_first = process,
                                                         .thread_count = 1 };
        crowd->thread[process].process = process;
    }
    crowd->site = (struct site){ .server = crowd->server,
                                 .process = crowd->process,
                                 .thread = crowd->thread,
                                 .server_count = SERVERS,
                                 .process_count = PROCESSES,
                                 .thread_count = PROCESSES,
                                 .device_count = DEVICES };
}

static void bench_processes(void) {
    struct product *product = world_product();
    struct crowd *crowd = host_zeroed(1, sizeof *crowd);
    struct store *store = store_new();
    double before = peak_mib();
    make_crowd(crowd, product);
    struct engine engine = engine_bind(store, ENGINE_FREE, choice_first(), ignore, NULL);
    struct machine machine = machine_bind(store, &crowd->site, engine, false);
    struct acl *acl = acl_new(&machine, NULL);
    for (uint32_t process = 0; process < PROCESSES; process++) {
        process_start(&machine, (struct process_id){ process });
        call(acl, process, "aclInit", 0);
        call(acl, process, "aclrtSetDevice", process / SERVERS % PER_SERVER);
    }
    for (uint32_t process = 0; process < PEERS; process++) {
        for (uint32_t device = 0; device < DEVICES; device++) {
            peer_enable(&machine, (struct process_id){ process }, (struct device_id){ process },
                        (struct device_id){ device });
        }
    }
    printf("%d processes with a device set on %d devices, %d with peer access to all: "
           "%.0f MiB, target under 200\n",
           PROCESSES, DEVICES, PEERS, peak_mib() - before);
    acl_free(acl);
    store_free(store);
    free(crowd);
    product_free(product);
}

static void bench_calls(void) {
    struct world world;
    uint64_t address[LIVE];
    uint64_t victims = 88172645463325252;
    struct acl_record take = { .row = row_of("aclrtMalloc") };
    struct acl_record give = { .row = row_of("aclrtFree") };
    struct acl_result result;
    world_init(&world);
    uint64_t calls = 0;
    for (uint64_t stop = 1000000; stop <= 10000000; stop *= 10) {
        for (; calls < stop; calls += calls < LIVE ? 1 : 2) {
            uint32_t place = (uint32_t)(calls < LIVE ? calls : (victims >> 33) % LIVE);
            victims ^= victims << 13;
            victims ^= victims >> 7;
            victims ^= victims << 17;
            if (calls >= LIVE) {
                give.arg[0] = address[place];
                acl_call(world.acl, &give, &result);
            }
            take.arg[0] = 512 + victims % MIB;
            acl_call(world.acl, &take, &result);
            must(result.code == ACL_SUCCESS);
            address[place] = result.out[0];
            engine_pass(&world.machine.engine, result.cost_ns);
        }
        printf("after %10llu calls with %d live blocks: %.2f MiB at the peak\n",
               (unsigned long long)stop, LIVE, peak_mib());
    }
    world_fini(&world);
}

int main(void) {
    puts("host memory: the peak of this process");
    bench_calls();
    bench_processes();
    return 0;
}
