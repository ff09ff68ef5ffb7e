/* SPDX-License-Identifier: Apache-2.0 */
/* Servers as a scenario wishes them, on products that can and can not be so. */
#include "scenario/run_server.h"

#include <check.h>
#include <stdlib.h>

#include "tests/stage.h"
#include "tests/world.h"

/* A scenario with one server; ' stands for ". */
#define SERVER(members) "{'format':1,'servers':{'s':{" members "}},'processes':{'A':{'steps':[]}}}"

static struct stage stage;

/* Eight cores, 62,432 MiB, and on every second device 2,432 MiB less. */
static void set_up(void) {
    stage_init(&stage);
    struct product *product = stage.product;
    product->cores = 8;
    product->unlike[0] = (struct product_unlike){ .every = 2, .from = 1, .usable = 60000 * MIB };
    product->unlike_count = 1;
    product->vnpu[0] = (struct product_template){ .name = "vir02", .cores = 2, .cpus = 1 };
    product->vnpu[1] =
        (struct product_template){ .name = "vir04_4g", .cores = 4, .cpus = 1, .memory = 4 * GIB };
    product->vnpu_count = 2;
    product->vnpu_container = true;
}

static void tear_down(void) {
    stage_fini(&stage);
}

/* Forms a server with four devices; what is wrong, "" for nothing. */
static const char *form(const char *json, struct site_server *server) {
    ck_assert_str_eq(stage_read(&stage, json), "");
    *server = (struct site_server){ .product = stage.product };
    text_clear(&stage.happened);
    if (!run_server_form(server, &stage.scenario->servers.items[0], &stage.problem)) {
        char *complaints = stage_complaints(&stage.problem);
        text_append(&stage.happened, complaints);
        free(complaints);
    }
    return text_get(&stage.happened);
}

static uint64_t usable_of(const struct site_server *server, uint32_t device) {
    struct site site = { .server = server, .server_count = 1, .device_count = 4 };
    return site_usable(&site, device);
}

START_TEST(a_server_has_the_devices_of_its_product_or_as_many_as_wished) {
    struct site_server server;
    ck_assert_str_eq(form(SERVER(""), &server), "");
    ck_assert_uint_eq(server.device_count, 8);
    ck_assert_str_eq(form(SERVER("'devices':3"), &server), "");
    ck_assert_uint_eq(server.device_count, 3);
    ck_assert_uint_eq(server.quota_bytes, 0);
    ck_assert_uint_eq(usable_of(&server, 1), 60000 * MIB);
}
END_TEST

START_TEST(a_template_by_cores_gives_each_device_its_own_part) {
    struct site_server server;
    ck_assert_str_eq(form(SERVER("'virtual_npu':true"), &server), "");
    ck_assert_uint_eq(usable_of(&server, 0), 15608 * MIB);
    ck_assert_uint_eq(usable_of(&server, 1), 15000 * MIB);
    ck_assert_str_eq(form(SERVER("'virtual_npu':'vir02'"), &server), "");
    ck_assert_uint_eq(usable_of(&server, 0), 15608 * MIB);
}
END_TEST

START_TEST(a_template_with_memory_gives_that_and_a_size_gives_a_size) {
    struct site_server server;
    ck_assert_str_eq(form(SERVER("'virtual_npu':'vir04_4g'"), &server), "");
    ck_assert_uint_eq(usable_of(&server, 0), 4 * GIB);
    ck_assert_uint_eq(usable_of(&server, 1), 4 * GIB);
    ck_assert_str_eq(form(SERVER("'virtual_npu':'16GiB'"), &server), "");
    ck_assert_uint_eq(usable_of(&server, 0), 16 * GIB);
    ck_assert_str_eq(form(SERVER("'virtual_npu':false"), &server), "");
    ck_assert_uint_eq(usable_of(&server, 0), 62432 * MIB);
}
END_TEST

START_TEST(an_unknown_template_is_told_with_the_nearest) {
    struct site_server server;
    ck_assert_str_eq(form(SERVER("'virtual_npu':'vir03'"), &server),
                     "x.json:1:43: /servers/s/virtual_npu: by-hand has no template \"vir03\"; did "
                     "you mean \"vir02\"?\n");
    stage.product->vnpu_count = 0;
    ck_assert_str_eq(form(SERVER("'virtual_npu':true"), &server),
                     "x.json:1:43: /servers/s/virtual_npu: by-hand has no templates of virtual "
                     "NPUs\n");
}
END_TEST

START_TEST(a_virtual_machine_needs_a_product_that_has_virtual_npus_there) {
    struct site_server server;
    const char *json = SERVER("'virtual_machine':true,'virtual_npu':true");
    ck_assert_str_eq(form(json, &server),
                     "x.json:1:66: /servers/s/virtual_npu: a virtual NPU of by-hand can not be "
                     "used in a virtual machine\n");
    stage.product->vnpu_machine = true;
    ck_assert_str_eq(form(json, &server), "");
}
END_TEST

START_TEST(a_form_that_the_product_lacks_is_refused) {
    struct site_server server;
    const char *json = SERVER("'rc_form':true,'compute_group':true");
    ck_assert_str_eq(form(json, &server),
                     "x.json:1:39: /servers/s/rc_form: by-hand has no Ascend RC form\n"
                     "x.json:1:60: /servers/s/compute_group: by-hand has no compute groups\n");
    stage.product->rc_form = true;
    stage.product->compute_groups = true;
    ck_assert_str_eq(form(json, &server), "");
    ck_assert(server.rc_form);
    ck_assert(server.compute_group);
}
END_TEST

START_TEST(a_device_reports_its_own_memory_and_has_no_more) {
    ck_assert_str_eq(stage_read_steps(&stage, ""), "");
    ck_assert_str_eq(stage_run(&stage), "");
    struct machine *machine = run_machine(stage.run);
    struct pool_usage even = pool_usage(&machine->pools, machine_pool(0, MEDIUM_MAIN));
    struct pool_usage odd = pool_usage(&machine->pools, machine_pool(1, MEDIUM_MAIN));
    ck_assert_uint_eq(even.frames_free * PAGE_HUGE_BYTES, 62432 * MIB);
    ck_assert_uint_eq(odd.frames_free * PAGE_HUGE_BYTES, 60000 * MIB);
    ck_assert_uint_eq(site_usable(machine->site, 1), 60000 * MIB);
}
END_TEST

Suite *test_run_server(void);

Suite *test_run_server(void) {
    Suite *suite = suite_create("run_server");
    TCase *tests = tcase_create("run_server");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_server_has_the_devices_of_its_product_or_as_many_as_wished);
    tcase_add_test(tests, a_template_by_cores_gives_each_device_its_own_part);
    tcase_add_test(tests, a_template_with_memory_gives_that_and_a_size_gives_a_size);
    tcase_add_test(tests, an_unknown_template_is_told_with_the_nearest);
    tcase_add_test(tests, a_virtual_machine_needs_a_product_that_has_virtual_npus_there);
    tcase_add_test(tests, a_form_that_the_product_lacks_is_refused);
    tcase_add_test(tests, a_device_reports_its_own_memory_and_has_no_more);
    suite_add_tcase(suite, tests);
    return suite;
}
