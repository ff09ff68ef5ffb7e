/* SPDX-License-Identifier: Apache-2.0 */
/* Links: curves alone, which link joins two devices, and how copies share. */
#include <check.h>

#include "machine/link.h"
#include "machine/stream.h"
#include "tests/world.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { BLOCKS = 5 };
static const uint64_t blocks[BLOCKS] = { 16 << 10, 64 << 10, 256 << 10, 1 << 20, 2 << 20 };

/* Published rates by block size, in tenths of GB/s (hicann/hixl benchmarks/performance.md). */
static const uint32_t rates[][BLOCKS] = {
    { 89, 158, 190, 200, 203 },     { 103, 197, 248, 263, 268 },    { 183, 234, 236, 236, 237 },
    { 131, 189, 183, 183, 184 },    { 162, 224, 221, 187, 191 },    { 183, 235, 237, 237, 238 },
    { 180, 701, 1560, 1610, 1650 }, { 172, 604, 1170, 1500, 1650 }, { 100, 317, 485, 572, 598 },
    { 94, 262, 429, 519, 544 },     { 86, 262, 427, 504, 518 },     { 92, 323, 636, 862, 916 },
    { 29, 114, 450, 1750, 1810 },   { 28, 112, 450, 1660, 1830 },   { 35, 130, 375, 717, 900 },
    { 50, 187, 536, 986, 1180 },    { 30, 117, 454, 1200, 1250 },   { 27, 107, 421, 1490, 1580 },
    { 182, 235, 238, 238, 239 },
};

static struct link_curve curve_of(const uint32_t tenths[BLOCKS]) {
    struct link_curve curve = { .points = BLOCKS };
    for (int block = 0; block < BLOCKS; block++) {
        curve.bytes[block] = blocks[block];
        /* Two of the rows fall by a hair from one block size to the next: times may not. */
        uint64_t time_ns = blocks[block] * 10 / tenths[block];
        bool falls = block > 0 && time_ns < curve.time_ns[block - 1];
        curve.time_ns[block] = falls ? curve.time_ns[block - 1] : time_ns;
    }
    return curve;
}

START_TEST(each_published_curve_comes_out_within_five_percent) {
    struct link_curve curve = curve_of(rates[_i]);
    for (int block = 0; block < BLOCKS; block++) {
        uint64_t time_ns = link_curve_time(&curve, blocks[block]);
        double rate = (double)blocks[block] / (double)time_ns * 10;
        ck_assert_double_ge(rate, rates[_i][block] * 0.95);
        ck_assert_double_le(rate, rates[_i][block] * 1.05);
    }
}
END_TEST

START_TEST(a_larger_copy_never_takes_less_time) {
    struct link_curve curve = curve_of(rates[_i]);
    uint64_t before_ns = 0;
    for (uint64_t bytes = 1; bytes < 8 << 20; bytes += 1 + bytes / 7) {
        uint64_t time_ns = link_curve_time(&curve, bytes);
        ck_assert_uint_ge(time_ns, before_ns);
        before_ns = time_ns;
    }
}
END_TEST

START_TEST(below_the_first_point_its_time_holds_and_above_the_last_its_rate) {
    struct link_curve curve = { .points = 2, .bytes = { 100, 200 }, .time_ns = { 50, 80 } };
    ck_assert_uint_eq(link_curve_time(&curve, 1), 50);
    ck_assert_uint_eq(link_curve_time(&curve, 150), 65);
    ck_assert_uint_eq(link_curve_time(&curve, 2000), 800);
    ck_assert_uint_eq(link_curve_time(&curve, 2001), 801);
}
END_TEST

START_TEST(without_a_table_time_is_overhead_and_bytes_by_rate_rounded_up) {
    struct link_curve curve = { .overhead_ns = 1000, .rate = 3000000000 };
    ck_assert_uint_eq(link_curve_time(&curve, 3), 1001);
    ck_assert_uint_eq(link_curve_time(&curve, 4), 1002);
    ck_assert_uint_eq(link_curve_time(&curve, UINT64_MAX), UINT64_MAX / 3 + 1000);
}
END_TEST

/* Pairs first, then groups of four, then all, and the host. */
static void add_links(struct product *product) {
    const struct link_curve curve = { .rate = 1000000000 };
    product->link[0] = (struct link){ "pair", LINK_PAIRS, 0, true, curve, curve };
    product->link[1] = (struct link){ "group", LINK_GROUPS, 4, true, curve, curve };
    product->link[2] = (struct link){ "all", LINK_ALL, 0, false, curve, curve };
    product->link[3] = (struct link){ "host", LINK_HOST, 0, false, curve, curve };
    product->link_count = 4;
}

START_TEST(the_first_link_that_joins_two_devices_is_theirs) {
    struct product *product = world_product();
    add_links(product);
    ck_assert_str_eq(link_between(product, 2, 3)->name, "pair");
    ck_assert_str_eq(link_between(product, 1, 2)->name, "group");
    ck_assert_str_eq(link_between(product, 3, 4)->name, "all");
    ck_assert_str_eq(link_between(product, LINK_TO_HOST, 4)->name, "host");
    product->link_count = 1;
    ck_assert_ptr_null(link_between(product, 1, 2));
    product_free(product);
}
END_TEST

START_TEST(peer_access_follows_the_link_between_two_devices) {
    struct world world;
    world_prepare(&world);
    ck_assert(site_can_peer(&world.site, 0, 3));
    add_links(world.product);
    world.server[0].device_count = 8;
    world.site.device_count = 8;
    ck_assert(site_can_peer(&world.site, 0, 1));
    ck_assert(site_can_peer(&world.site, 0, 3));
    ck_assert(!site_can_peer(&world.site, 0, 4));
    world.product->link_count = 1;
    ck_assert(!site_can_peer(&world.site, 1, 2));
    product_free(world.product);
}
END_TEST

struct copies {
    struct world world;
    uint32_t stream[3];
};

/* A copy at one byte a nanosecond: device 0 has the link `all` with each other one. */
static void copies_init(struct copies *copies) {
    world_prepare(&copies->world);
    add_links(copies->world.product);
    copies->world.product->link[0] = copies->world.product->link[2];
    copies->world.product->link_count = 1;
    world_start(&copies->world);
    for (int place = 0; place < 3; place++) {
        copies->stream[place] =
            stream_make(&copies->world.machine, (struct process_id){ 0 }, 0, false);
    }
}

static struct flow_end end_of(const struct copies *copies, int place) {
    return (struct flow_end){ 0, false, 0, copies->stream[place] };
}

static uint64_t start(struct copies *copies, int place, uint32_t from, uint32_t to,
                      uint64_t bytes) {
    struct link_way way = { .server = 0, .from = from, .to = to };
    return link_start(&copies->world.machine, way, bytes, end_of(copies, place));
}

static uint64_t due(const struct copies *copies, int place) {
    struct action work = { ACTION_WORK, 0, copies->stream[place] };
    return engine_due(&copies->world.machine.engine, work);
}

static uint64_t now(const struct copies *copies) {
    return machine_now(&copies->world.machine);
}

START_TEST(a_copy_alone_has_the_whole_link) {
    struct copies copies;
    copies_init(&copies);
    ck_assert_uint_eq(start(&copies, 0, 0, 1, 1000) - now(&copies), 1000);
    world_fini(&copies.world);
}
END_TEST

START_TEST(two_copies_out_of_one_device_have_half_each) {
    struct copies copies;
    copies_init(&copies);
    start(&copies, 0, 0, 1, 1000);
    start(&copies, 1, 0, 2, 1000);
    ck_assert_uint_eq(due(&copies, 0) - now(&copies), 2000);
    ck_assert_uint_eq(due(&copies, 1) - now(&copies), 2000);
    world_fini(&copies.world);
}
END_TEST

START_TEST(copies_that_share_no_end_do_not_slow_each_other) {
    struct copies copies;
    copies_init(&copies);
    start(&copies, 0, 0, 1, 1000);
    start(&copies, 1, 1, 0, 1000);
    start(&copies, 2, 2, 3, 1000);
    for (int place = 0; place < 3; place++) {
        ck_assert_uint_eq(due(&copies, place) - now(&copies), 1000);
    }
    world_fini(&copies.world);
}
END_TEST

/* 0 to 1 and 0 to 2 share the way out of 0; 3 to 2 shares the way into 2 with the second. */
START_TEST(shares_are_max_min_fair) {
    struct copies copies;
    copies_init(&copies);
    start(&copies, 0, 0, 1, 1024);
    start(&copies, 1, 0, 2, 1024);
    start(&copies, 2, 3, 2, 1024);
    for (int place = 0; place < 3; place++) {
        ck_assert_uint_eq(due(&copies, place) - now(&copies), 2048);
    }
    world_fini(&copies.world);
}
END_TEST

START_TEST(the_rest_goes_faster_when_another_copy_stops) {
    struct copies copies;
    copies_init(&copies);
    uint64_t begin_ns = now(&copies);
    start(&copies, 0, 0, 1, 1000);
    start(&copies, 1, 0, 2, 1000);
    engine_pass(&copies.world.machine.engine, 600);
    link_stop(&copies.world.machine, end_of(&copies, 1));
    ck_assert_uint_eq(due(&copies, 0) - begin_ns, 600 + 700);
    world_fini(&copies.world);
}
END_TEST

START_TEST(a_copy_that_starts_slows_only_what_is_left_of_the_other) {
    struct copies copies;
    copies_init(&copies);
    uint64_t begin_ns = now(&copies);
    start(&copies, 0, 0, 1, 1000);
    engine_pass(&copies.world.machine.engine, 400);
    start(&copies, 1, 0, 2, 5000);
    ck_assert_uint_eq(due(&copies, 0) - begin_ns, 400 + 2 * 600);
    world_fini(&copies.world);
}
END_TEST

Suite *test_link(void);

Suite *test_link(void) {
    Suite *suite = suite_create("link");
    TCase *tests = tcase_create("link");
    tcase_add_loop_test(tests, each_published_curve_comes_out_within_five_percent, 0,
                        (int)COUNT(rates));
    tcase_add_loop_test(tests, a_larger_copy_never_takes_less_time, 0, (int)COUNT(rates));
    tcase_add_test(tests, below_the_first_point_its_time_holds_and_above_the_last_its_rate);
    tcase_add_test(tests, without_a_table_time_is_overhead_and_bytes_by_rate_rounded_up);
    tcase_add_test(tests, the_first_link_that_joins_two_devices_is_theirs);
    tcase_add_test(tests, peer_access_follows_the_link_between_two_devices);
    tcase_add_test(tests, a_copy_alone_has_the_whole_link);
    tcase_add_test(tests, two_copies_out_of_one_device_have_half_each);
    tcase_add_test(tests, copies_that_share_no_end_do_not_slow_each_other);
    tcase_add_test(tests, shares_are_max_min_fair);
    tcase_add_test(tests, the_rest_goes_faster_when_another_copy_stops);
    tcase_add_test(tests, a_copy_that_starts_slows_only_what_is_left_of_the_other);
    suite_add_tcase(suite, tests);
    return suite;
}
