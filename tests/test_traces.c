/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worked traces of the specification (VMM 8.4) as they stand there, a test each. After every
 * step the counts are those of the specification, and its invariants hold.
 */
#include <check.h>

#include "machine/mapping.h"
#include "machine/peer.h"
#include "tests/counts.h"

enum { LOCATION_DEVICE = 1, HBM_HUGE = 4, READ_WRITE = 3 };

struct trace {
    struct world world;
    struct counts counts;             /* at its beginning */
    uint64_t handle[WORLD_PROCESSES]; /* that the process got last */
    uint64_t address[WORLD_PROCESSES];
    uint64_t share;
};

/* One line of a trace: who does what. */
typedef int32_t act(struct trace *trace, uint32_t process);

struct step {
    uint32_t process;
    act *act;
    int32_t code;
    const char *counts; /* after it */
};

static uint32_t device_of(const struct trace *trace, uint32_t process) {
    return trace->world.process[process].device;
}

/* Keeps an output where there is one. */
static int32_t keep(const struct trace *trace, int32_t code, uint64_t *value) {
    if (code == ACL_SUCCESS) {
        *value = trace->world.result.out[0];
    }
    return code;
}

static int32_t make(struct trace *trace, uint32_t process) {
    return keep(trace,
                world_call(&trace->world, process, "aclrtMallocPhysical", SHARING_SIZE, 0, 0,
                           HBM_HUGE, device_of(trace, process), LOCATION_DEVICE),
                &trace->handle[process]);
}

static int32_t release(struct trace *trace, uint32_t process) {
    return world_call(&trace->world, process, "aclrtFreePhysical", trace->handle[process]);
}

static int32_t reserve(struct trace *trace, uint32_t process) {
    return keep(trace,
                world_call(&trace->world, process, "aclrtReserveMemAddress", 2 * SHARING_SIZE),
                &trace->address[process]);
}

static int32_t unreserve(struct trace *trace, uint32_t process) {
    return world_call(&trace->world, process, "aclrtReleaseMemAddress", trace->address[process]);
}

static int32_t map(struct trace *trace, uint32_t process) {
    return world_call(&trace->world, process, "aclrtMapMem", trace->address[process], SHARING_SIZE,
                      0, trace->handle[process]);
}

static int32_t map_behind(struct trace *trace, uint32_t process) {
    return world_call(&trace->world, process, "aclrtMapMem", trace->address[process] + SHARING_SIZE,
                      SHARING_SIZE, 0, trace->handle[process]);
}

static int32_t unmap(struct trace *trace, uint32_t process) {
    return world_call(&trace->world, process, "aclrtUnmapMem", trace->address[process]);
}

static int32_t set_access(struct trace *trace, uint32_t process) {
    const uint64_t value[16] = { trace->address[process], SHARING_SIZE, 1 };
    const uint64_t list[] = { READ_WRITE, device_of(trace, process), LOCATION_DEVICE };
    return world_call_values(&trace->world, process, "aclrtMemSetAccess", value, list, 3, 0);
}

/* The access that the traces call OK: the process's device may read and write the mapping. */
static int32_t reach(struct trace *trace, uint32_t process) {
    uint32_t slot = 0;
    struct process_id owner = { process };
    ck_assert(mapping_find(&trace->world.machine, owner, trace->address[process], &slot));
    ck_assert_uint_eq(mapping_access(&trace->world.machine, owner, slot, LOCATION_DEVICE,
                                     device_of(trace, process)),
                      READ_WRITE);
    return ACL_SUCCESS;
}

/* Retaining and a repeated import answer with the handle there is. */
static int32_t retain(struct trace *trace, uint32_t process) {
    int32_t code = world_call(&trace->world, process, "aclrtMemRetainAllocationHandle",
                              trace->address[process]);
    ck_assert_uint_eq(trace->world.result.out[0], trace->handle[process]);
    return code;
}

static int32_t export(struct trace *trace, uint32_t process) {
    return keep(trace,
                world_call(&trace->world, process, "aclrtMemExportToShareableHandle",
                           trace->handle[process]),
                &trace->share);
}

static int32_t export_open(struct trace *trace, uint32_t process) {
    return keep(trace,
                world_call(&trace->world, process, "aclrtMemExportToShareableHandle",
                           trace->handle[process], 0, 1),
                &trace->share);
}

static int32_t list_b(struct trace *trace, uint32_t process) {
    return sharing_list(&trace->world, process, trace->share, sharing_pid(&trace->world, B));
}

static int32_t import(struct trace *trace, uint32_t process) {
    return keep(trace,
                world_call(&trace->world, process, "aclrtMemImportFromShareableHandle",
                           trace->share, device_of(trace, process)),
                &trace->handle[process]);
}

static int32_t import_again(struct trace *trace, uint32_t process) {
    uint64_t first = trace->handle[process];
    int32_t code = import(trace, process);
    ck_assert_uint_eq(trace->handle[process], first);
    return code;
}

static int32_t end(struct trace *trace, uint32_t process) {
    process_end(&trace->world.machine, (struct process_id){ process }, PROCESS_KILLED);
    return ACL_SUCCESS;
}

static void start(struct trace *trace) {
    world_start(&trace->world);
    trace->counts = counts_begin(&trace->world);
}

static void walk(struct trace *trace, const struct step *steps, size_t count) {
    for (size_t place = 0; place < count; place++) {
        const struct step *step = &steps[place];
        int32_t code = step->act(trace, step->process);
        ck_assert_msg(code == step->code, "step %zu: %d, not %d", place, code, step->code);
        counts_check(&trace->counts, &trace->world, step->counts, place);
    }
}

#define STEPS(steps) (steps), sizeof(steps) / sizeof *(steps)

/* A whole trace in a world of its own; nothing is left on any device. */
static void walk_alone(const struct step *steps, size_t count) {
    struct trace trace = { 0 };
    world_prepare(&trace.world);
    start(&trace);
    walk(&trace, steps, count);
    counts_check(&trace.counts, &trace.world, "", count);
    world_fini(&trace.world);
}

START_TEST(t1_private_memory_goes_with_its_last_mapping) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },    { A, reserve, 0, "h(1,0) P" }, { A, map, 0, "h(2,1) P" },
        { A, release, 0, "h(1,1) P" }, { A, reach, 0, "h(1,1) P" },   { A, unmap, 0, "" },
        { A, unreserve, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

/* The steps that T2, T3, T10 and T11 have in common: B has mapped what A exported. */
static const struct step shared[] = {
    { A, make, 0, "h(1,0) P" },
    { A, export, 0, "h(1,0) S(1) P" },
    { A, list_b, 0, "h(1,0) S(1) P" },
    { B, import, 0, "h(1,0) h'(1,0) S(2) P" },
    { B, reserve, 0, "h(1,0) h'(1,0) S(2) P" },
    { B, map, 0, "h(1,0) h'(2,1) S(2) P" },
};

static void walk_shared(const struct step *steps, size_t count) {
    struct trace trace = { 0 };
    world_prepare(&trace.world);
    start(&trace);
    walk(&trace, STEPS(shared));
    walk(&trace, steps, count);
    counts_check(&trace.counts, &trace.world, "", count);
    world_fini(&trace.world);
}

START_TEST(t2_a_clean_share_ends_with_its_exporter) {
    static const struct step steps[] = {
        { B, reach, 0, "h(1,0) h'(2,1) S(2) P" },
        { B, unmap, 0, "h(1,0) h'(1,0) S(2) P" },
        { B, release, 0, "h(1,0) S(1) P" },
        { A, release, 0, "" },
    };
    walk_shared(STEPS(steps));
}
END_TEST

START_TEST(t3_memory_outlives_an_exporter_that_frees_first) {
    static const struct step steps[] = {
        { A, release, 0, "h'(2,1) S(1) P" },
        { B, reach, 0, "h'(2,1) S(1) P" },
        { B, unmap, 0, "h'(1,0) S(1) P" },
        { B, release, 0, "" },
    };
    walk_shared(STEPS(steps));
}
END_TEST

START_TEST(t4_memory_that_is_freed_too_early_cannot_be_imported) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },        { A, export, 0, "h(1,0) S(1) P" },
        { A, list_b, 0, "h(1,0) S(1) P" }, { A, release, 0, "" },
        { B, import, 107017, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t5_a_share_that_was_mapped_before_lives_until_the_unmap) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },
        { A, reserve, 0, "h(1,0) P" },
        { A, map, 0, "h(2,1) P" },
        { A, set_access, 0, "h(2,1) P" },
        { A, export, 0, "h(2,1) S(1) P" },
        { A, release, 0, "h(1,1) S(1) P" },
        { A, release, 107000, "h(1,1) S(1) P" },
        { A, unmap, 0, "" },
        { A, unreserve, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t5_a_share_that_is_freed_but_mapped_can_still_be_imported) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },
        { A, reserve, 0, "h(1,0) P" },
        { A, map, 0, "h(2,1) P" },
        { A, export, 0, "h(2,1) S(1) P" },
        { A, list_b, 0, "h(2,1) S(1) P" },
        { A, release, 0, "h(1,1) S(1) P" },
        { B, import, 0, "h(1,1) h'(1,0) S(2) P" },
        { A, unmap, 0, "h'(1,0) S(1) P" },
        { B, release, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t6_a_retained_handle_needs_a_free_of_its_own) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },         { A, reserve, 0, "h(1,0) P" },
        { A, map, 0, "h(2,1) P" },          { A, retain, 0, "h(3,1) P" },
        { A, release, 0, "h(2,1) P" },      { A, release, 0, "h(1,1) P" },
        { A, release, 107000, "h(1,1) P" }, { A, unmap, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t7_a_handle_imported_twice_needs_two_frees) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },
        { A, export, 0, "h(1,0) S(1) P" },
        { A, list_b, 0, "h(1,0) S(1) P" },
        { B, import, 0, "h(1,0) h'(1,0) S(2) P" },
        { B, import_again, 0, "h(1,0) h'(2,0) S(2) P" },
        { B, release, 0, "h(1,0) h'(1,0) S(2) P" },
        { B, release, 0, "h(1,0) S(1) P" },
        { A, release, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t8_without_validation_any_process_imports_and_none_can_be_listed) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },
        { A, export_open, 0, "h(1,0) S(1) P" },
        { B, import, 0, "h(1,0) h'(1,0) S(2) P" },
        { C, import, 0, "h(1,0) h'(1,0) h'(1,0) S(3) P" },
        { A, list_b, 207006, "h(1,0) h'(1,0) h'(1,0) S(3) P" },
        { C, release, 0, "h(1,0) h'(1,0) S(2) P" },
        { B, release, 0, "h(1,0) S(1) P" },
        { A, release, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t9_a_process_imports_once_it_is_listed) {
    static const struct step steps[] = {
        { A, make, 0, "h(1,0) P" },
        { A, export, 0, "h(1,0) S(1) P" },
        { B, import, 507899, "h(1,0) S(1) P" },
        { A, list_b, 0, "h(1,0) S(1) P" },
        { B, import, 0, "h(1,0) h'(1,0) S(2) P" },
        { B, release, 0, "h(1,0) S(1) P" },
        { A, release, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

START_TEST(t10_the_end_of_an_importer_drops_what_it_mapped) {
    static const struct step steps[] = {
        { B, end, 0, "h(1,0) S(1) P" },
        { A, release, 0, "" },
    };
    walk_shared(STEPS(steps));
}
END_TEST

START_TEST(t11_memory_outlives_an_exporter_that_ends) {
    static const struct step steps[] = {
        { A, end, 0, "h'(2,1) S(1) P" },
        { B, reach, 0, "h'(2,1) S(1) P" },
        { B, unmap, 0, "h'(1,0) S(1) P" },
        { B, release, 0, "" },
    };
    walk_shared(STEPS(steps));
}
END_TEST

/* A on device 0, B on device 1. */
static void start_across(struct trace *trace, bool import_enables_peers) {
    world_prepare(&trace->world);
    trace->world.process[B].device = 1;
    trace->world.product->import_enables_peers = import_enables_peers;
    start(trace);
}

static uint64_t status(struct trace *trace) {
    ck_assert_int_eq(world_call(&trace->world, B, "aclrtDevicePeerAccessStatus", 0, 1), 0);
    return trace->world.result.out[0];
}

static bool is_enabled_in_b(const struct trace *trace, uint32_t from, uint32_t to) {
    return peer_is_enabled(&trace->world.machine, (struct process_id){ B },
                           (struct device_id){ from }, (struct device_id){ to });
}

START_TEST(t12_an_import_across_devices_enables_both_directions) {
    struct trace trace = { 0 };
    start_across(&trace, true);
    ck_assert_uint_eq(status(&trace), 0);
    walk(&trace, STEPS(shared));
    ck_assert(is_enabled_in_b(&trace, 0, 1));
    ck_assert(is_enabled_in_b(&trace, 1, 0));
    ck_assert_uint_eq(status(&trace), 1);
    world_fini(&trace.world);
}
END_TEST

START_TEST(t12_without_the_automatic_step_both_directions_must_be_enabled) {
    struct trace trace = { 0 };
    start_across(&trace, false);
    walk(&trace, STEPS(shared));
    ck_assert_uint_eq(status(&trace), 0);
    ck_assert_int_eq(world_call(&trace.world, B, "aclrtDeviceEnablePeerAccess", 0, 0), 0);
    ck_assert_uint_eq(status(&trace), 0);
    ck_assert_int_eq(world_call(&trace.world, A, "aclrtDeviceEnablePeerAccess", 1, 0), 0);
    ck_assert_uint_eq(status(&trace), 1);
    world_fini(&trace.world);
}
END_TEST

static int32_t make_on_device_1(struct trace *trace, uint32_t process) {
    return keep(trace,
                world_call(&trace->world, process, "aclrtMallocPhysical", SHARING_SIZE, 0, 0,
                           HBM_HUGE, 1, LOCATION_DEVICE),
                &trace->handle[process]);
}

START_TEST(t13_a_reservation_is_tied_to_one_device_until_its_release) {
    static const struct step steps[] = {
        { A, reserve, 0, "" },
        { A, make, 0, "h(1,0) P" },
        { A, map, 0, "h(2,1) P" },
        { A, make_on_device_1, 0, "h(2,1) h(1,0) P P" },
        { A, map_behind, 507899, "h(2,1) h(1,0) P P" },
        { A, unmap, 0, "h(1,0) h(1,0) P P" },
        { A, map, 507899, "h(1,0) h(1,0) P P" },
        { A, unreserve, 0, "h(1,0) h(1,0) P P" },
        { A, reserve, 0, "h(1,0) h(1,0) P P" },
        { A, map, 0, "h(1,0) h(2,1) P P" },
        { A, map_behind, 0, "h(1,0) h(3,2) P P" },
        { A, end, 0, "" },
    };
    walk_alone(STEPS(steps));
}
END_TEST

Suite *test_traces(void);

Suite *test_traces(void) {
    Suite *suite = suite_create("traces");
    TCase *tcase = tcase_create("traces");
    tcase_add_test(tcase, t1_private_memory_goes_with_its_last_mapping);
    tcase_add_test(tcase, t2_a_clean_share_ends_with_its_exporter);
    tcase_add_test(tcase, t3_memory_outlives_an_exporter_that_frees_first);
    tcase_add_test(tcase, t4_memory_that_is_freed_too_early_cannot_be_imported);
    tcase_add_test(tcase, t5_a_share_that_was_mapped_before_lives_until_the_unmap);
    tcase_add_test(tcase, t5_a_share_that_is_freed_but_mapped_can_still_be_imported);
    tcase_add_test(tcase, t6_a_retained_handle_needs_a_free_of_its_own);
    tcase_add_test(tcase, t7_a_handle_imported_twice_needs_two_frees);
    tcase_add_test(tcase, t8_without_validation_any_process_imports_and_none_can_be_listed);
    tcase_add_test(tcase, t9_a_process_imports_once_it_is_listed);
    tcase_add_test(tcase, t10_the_end_of_an_importer_drops_what_it_mapped);
    tcase_add_test(tcase, t11_memory_outlives_an_exporter_that_ends);
    tcase_add_test(tcase, t12_an_import_across_devices_enables_both_directions);
    tcase_add_test(tcase, t12_without_the_automatic_step_both_directions_must_be_enabled);
    tcase_add_test(tcase, t13_a_reservation_is_tied_to_one_device_until_its_release);
    suite_add_tcase(suite, tcase);
    return suite;
}
