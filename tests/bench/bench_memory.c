/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much host memory a run takes: many processes on many devices, and the same number of live
 * blocks after ever more calls, which must not grow.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/host.h"
#include "base/must.h"
#include "machine/peer.h"
#include "tests/bench/bench.h"
#include "tests/crowd.h"
#include "tests/world.h"

enum { SERVERS = 24, PER_SERVER = 16, DEVICES = SERVERS * PER_SERVER, PROCESSES = 10000 };
enum { LIVE = 1000, PEERS = 10 };

static uint16_t row_of(const char *name) {
    uint32_t row = 0;
    must(acl_row_find(name, &row));
    return (uint16_t)row;
}

static void bench_processes(void) {
    double before = bench_peak_mib();
    struct crowd *crowd =
        crowd_new((struct crowd_size){ SERVERS, PER_SERVER, PROCESSES }, ENGINE_FREE);
    for (uint32_t process = 0; process < PEERS; process++) {
        for (uint32_t device = 0; device < DEVICES; device++) {
            peer_enable(&crowd->machine, (struct process_id){ process },
                        (struct device_id){ process }, (struct device_id){ device });
        }
    }
    double took = bench_peak_mib() - before;
    printf("%d processes with a device set on %d devices, %d with peer access to all: "
           "%.0f MiB; under 200 MB: %s\n",
           PROCESSES, DEVICES, PEERS, took, bench_verdict(took * 1.048576 < 200));
    crowd_free(crowd);
}

/* Pairs with a random victim, so many calls in all. */
static void call_on(struct world *world, uint64_t address[LIVE], uint64_t calls, uint64_t stop) {
    static uint64_t victims = BENCH_SEED;
    struct acl_record take = { .row = row_of("aclrtMalloc") };
    struct acl_record give = { .row = row_of("aclrtFree") };
    struct acl_result result;
    for (; calls < stop; calls += calls < LIVE ? 1 : 2) {
        uint32_t place = (uint32_t)(calls < LIVE ? calls : (victims >> 33) % LIVE);
        take.arg[0] = 512 + bench_draw(&victims) % MIB;
        if (calls >= LIVE) {
            give.arg[0] = address[place];
            acl_call(world->acl, &give, &result);
        }
        acl_call(world->acl, &take, &result);
        must(result.code == ACL_SUCCESS);
        address[place] = result.out[0];
        engine_pass(&world->machine.engine, result.cost_ns);
    }
}

static void bench_calls(uint64_t most) {
    struct world world;
    uint64_t address[LIVE];
    world_init(&world);
    call_on(&world, address, 0, 1000000);
    double early = bench_peak_mib();
    call_on(&world, address, 1000000, most);
    double late = bench_peak_mib();
    printf("%d live blocks: %.2f MiB at the peak after 10^6 calls, %.2f after %.0e; "
           "at most 1 MiB more: %s\n",
           LIVE, early, late, (double)most, bench_verdict(late - early <= 1));
    world_fini(&world);
}

static void bench_many(void) {
    bench_calls(10000000);
}

static void bench_long(void) {
    bench_calls(100000000);
}

int main(int argc, char **argv) {
    static const struct bench_section sections[] = {
        { "calls", "peak after 10^7 calls is that after 10^6, within 1 MiB", bench_many, false },
        { "processes", "10,000 on 384 devices, ten with peers; 200 MB", bench_processes, false },
        { "long", "peak after 10^8 calls, which takes a minute", bench_long, true },
    };
    return bench_main(argc, argv, "\nHost memory: the peak of this process.", sections,
                      sizeof sections / sizeof *sections);
}
