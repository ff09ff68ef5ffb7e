/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event queue beside the bare 4-ary heap, in one process, in alternating runs. HOLD takes an
 * event and puts it back later; M/M/1 is many single-server queues at 90 % load. Both sides draw
 * the same increments from one table, so they must take the same events in the same order.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/host.h"
#include "core/event.h"
#include "tests/bench/bench.h"
#include "tests/bench/floor_heap.h"

enum {
    DRAWS = 1 << 16,
    RUNS = 15,
};

#define MEAN_NS 1e9
#define LOAD 0.9

/* Whole nanoseconds, which a double holds exactly: both sides meet the same ties. */
struct draws {
    uint64_t service_ns[DRAWS];
    uint64_t arrival_ns[DRAWS];
    double service[DRAWS];
    double arrival[DRAWS];
};

/* One side of a comparison. */
struct side {
    const struct draws *draws;
    uint64_t next;     /* draw */
    uint64_t trace;    /* what was taken, in order */
    uint32_t *waiting; /* by station of M/M/1 */
    struct store *store;
    struct event_queue queue;
    struct floor_heap heap;
};

struct bench {
    const char *name;
    uint64_t pending;
    uint64_t events; /* in one run */
    double target;   /* 0 for none */
    void (*start_ours)(struct side *side, uint64_t pending);
    void (*start_floor)(struct side *side, uint64_t pending);
    void (*run_ours)(struct side *side, uint64_t events);
    void (*run_floor)(struct side *side, uint64_t events);
};

static double exponential(uint64_t *random) {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return -log((double)((*random >> 11) + 1) * 0x1p-53);
}

static struct draws *draws_new(void) {
    struct draws *draws = host_zeroed(1, sizeof *draws);
    uint64_t random = UINT64_C(88172645463325252);
    for (uint32_t index = 0; index < DRAWS; index++) {
        draws->service[index] = floor(exponential(&random) * MEAN_NS);
        draws->arrival[index] = floor(exponential(&random) * MEAN_NS / LOAD);
        draws->service_ns[index] = (uint64_t)draws->service[index];
        draws->arrival_ns[index] = (uint64_t)draws->arrival[index];
    }
    return draws;
}

static uint64_t follow(uint64_t trace, uint64_t id) {
    return trace * 31 + id;
}

static void push(struct side *side, uint64_t now_ns, const uint64_t *delays, uint64_t id) {
    uint64_t delay_ns = delays[side->next++ % DRAWS];
    event_push(&side->queue, (struct event){ now_ns + delay_ns, id });
}

static void push_floor(struct side *side, double now, const double *delays, uint64_t id) {
    double delay = delays[side->next++ % DRAWS];
    floor_push(&side->heap, floor_event_at(&side->heap, now + delay, id));
}

static void start_hold(struct side *side, uint64_t pending) {
    for (uint64_t id = 0; id < pending; id++) {
        push(side, 0, side->draws->service_ns, id);
    }
}

static void start_hold_floor(struct side *side, uint64_t pending) {
    for (uint64_t id = 0; id < pending; id++) {
        push_floor(side, 0, side->draws->service, id);
    }
}

static void hold(struct side *side, uint64_t events) {
    struct event event = { 0, 0 };
    for (uint64_t taken = 0; taken < events; taken++) {
        event_pop(&side->queue, &event);
        side->trace = follow(side->trace, event.what);
        push(side, event.time_ns, side->draws->service_ns, event.what);
    }
}

static void hold_floor(struct side *side, uint64_t events) {
    for (uint64_t taken = 0; taken < events; taken++) {
        struct floor_event event = side->heap.events[0];
        uint64_t id = event.key & 0xffffff;
        side->trace = follow(side->trace, id);
        double delay = side->draws->service[side->next++ % DRAWS];
        floor_replace(&side->heap, floor_event_at(&side->heap, event.time + delay, id));
    }
}

/* Of 19 pending events, 10 are arrivals, and 9 are ends of service. */
static uint64_t stations_of(uint64_t pending) {
    return pending < 19 ? 1 : pending * 10 / 19;
}

static void start_stations(struct side *side, uint64_t pending) {
    uint64_t stations = stations_of(pending);
    side->waiting = host_zeroed(stations, sizeof *side->waiting);
    for (uint64_t station = 0; station < stations; station++) {
        push(side, 0, side->draws->arrival_ns, station * 2);
    }
}

static void start_stations_floor(struct side *side, uint64_t pending) {
    uint64_t stations = stations_of(pending);
    side->waiting = host_zeroed(stations, sizeof *side->waiting);
    for (uint64_t station = 0; station < stations; station++) {
        push_floor(side, 0, side->draws->arrival, station * 2);
    }
}

static void serve(struct side *side, uint64_t events) {
    struct event event = { 0, 0 };
    for (uint64_t taken = 0; taken < events; taken++) {
        event_pop(&side->queue, &event);
        side->trace = follow(side->trace, event.what);
        uint32_t *waiting = &side->waiting[event.what / 2];
        if (event.what % 2 == 0) {
            push(side, event.time_ns, side->draws->arrival_ns, event.what);
            if ((*waiting)++ == 0) {
                push(side, event.time_ns, side->draws->service_ns, event.what + 1);
            }
        } else if (--*waiting > 0) {
            push(side, event.time_ns, side->draws->service_ns, event.what);
        }
    }
}

static void serve_floor(struct side *side, uint64_t events) {
    for (uint64_t taken = 0; taken < events; taken++) {
        struct floor_event event = floor_pop(&side->heap);
        uint64_t id = event.key & 0xffffff;
        side->trace = follow(side->trace, id);
        uint32_t *waiting = &side->waiting[id / 2];
        if (id % 2 == 0) {
            push_floor(side, event.time, side->draws->arrival, id);
            if ((*waiting)++ == 0) {
                push_floor(side, event.time, side->draws->service, id + 1);
            }
        } else if (--*waiting > 0) {
            push_floor(side, event.time, side->draws->service, id);
        }
    }
}

static const struct bench benches[] = {
    { "hold", 100, 1000000, 1.5, start_hold, start_hold_floor, hold, hold_floor },
    { "hold", 10000, 1000000, 2, start_hold, start_hold_floor, hold, hold_floor },
    { "hold", 1000000, 700000, 4, start_hold, start_hold_floor, hold, hold_floor },
    { "mm1", 2, 2000000, 0, start_stations, start_stations_floor, serve, serve_floor },
    { "mm1", 100, 1000000, 1.5, start_stations, start_stations_floor, serve, serve_floor },
    { "mm1", 10000, 1000000, 2, start_stations, start_stations_floor, serve, serve_floor },
    { "mm1", 1000000, 700000, 4, start_stations, start_stations_floor, serve, serve_floor },
};

/* Millions of events in a second of the host's time. */
static double rate(void (*run)(struct side *side, uint64_t events), struct side *side,
                   uint64_t events) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    run(side, events);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    return (double)events / seconds / 1e6;
}

static int compare_rates(const void *left, const void *right) {
    double one = *(const double *)left, other = *(const double *)right;
    return (one > other) - (one < other);
}

static double median(double rates[RUNS]) {
    qsort(rates, RUNS, sizeof rates[0], compare_rates);
    return rates[RUNS / 2];
}

static void print_result(const struct bench *bench, double ours, double floor, bool is_equal) {
    double ratio = ours / floor;
    printf("%-6s %9llu %9.2f %9.2f %6.2f", bench->name, (unsigned long long)bench->pending, ours,
           floor, ratio);
    if (!is_equal) {
        printf("  the orders differ\n");
    } else if (bench->target > 0) {
        printf(" %6.1f %s\n", bench->target, ratio >= bench->target ? "met" : "missed");
    } else {
        printf(" %6s %s\n", "-", "-");
    }
}

static void compare(const struct bench *bench, const struct draws *draws) {
    struct side ours = { .draws = draws, .store = store_new() };
    struct side floor = { .draws = draws };
    double ours_rates[RUNS], floor_rates[RUNS];
    ours.queue = event_queue_bind(ours.store);
    floor.heap.events = host_zeroed(bench->pending * 2 + 64, sizeof *floor.heap.events);
    bench->start_ours(&ours, bench->pending);
    bench->start_floor(&floor, bench->pending);

    /* Both queues have turned over once before anything is measured. */
    bench->run_ours(&ours, bench->events + bench->pending);
    bench->run_floor(&floor, bench->events + bench->pending);
    for (int run = 0; run < RUNS; run++) {
        ours_rates[run] = rate(bench->run_ours, &ours, bench->events);
        floor_rates[run] = rate(bench->run_floor, &floor, bench->events);
    }
    print_result(bench, median(ours_rates), median(floor_rates), ours.trace == floor.trace);
    store_free(ours.store);
    free(ours.waiting);
    free(floor.waiting);
    free(floor.heap.events);
}

static void run_all(void) {
    struct draws *draws = draws_new();
    printf("%-6s %9s %9s %9s %6s %6s\n", "name", "pending", "ours M/s", "floor M/s", "ratio",
           "target");
    for (size_t index = 0; index < sizeof benches / sizeof benches[0]; index++) {
        compare(&benches[index], draws);
    }
    free(draws);
}

int main(int argc, char **argv) {
    static const struct bench_section section = {
        "queue", "HOLD and M/M/1; 1.5, 2 and 4 times the bare heap", run_all, false
    };
    return bench_main(argc, argv,
                      "Event queue beside a bare 4-ary heap, medians of alternating runs; both\n"
                      "take their increments from one table.",
                      &section, 1);
}
