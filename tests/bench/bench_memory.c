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
#include "tests/crowd.h"
#include "tests/world.h"

enum { SERVERS = 24, PER_SERVER = 16, DEVICES = SERVERS * PER_SERVER, PROCESSES = 10000 };
enum { LIVE = 1000, PEERS = 10 };

static double peak_mib(void) {
    struct rusage usage;
    must(getrusage(RUSAGE_SELF, &usage) == 0);
    return (double)usage.ru_maxrss / 1024;
}

static uint16_t row_of(const char *name) {
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    return (uint16_t)row;
}

static void bench_processes(void) {
    double before = peak_mib();
    struct crowd *crowd =
        crowd_new((struct crowd_size){ SERVERS, PER_SERVER, PROCESSES }, ENGINE_FREE);
    for (uint32_t process = 0; process < PEERS; process++) {
        for (uint32_t device = 0; device < DEVICES; device++) {
            peer_enable(&crowd->machine, (struct process_id){ process },
                        (struct device_id){ process }, (struct device_id){ device });
        }
    }
    double took = peak_mib() - before;
    printf("%d processes with a device set on %d devices, %d with peer access to all: "
           "%.0f MiB, target 200: %s\n",
           PROCESSES, DEVICES, PEERS, took, took < 200 ? "met" : "missed");
    crowd_free(crowd);
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
