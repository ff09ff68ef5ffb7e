/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lanes.h"

#include <check.h>

static const uint32_t limits[] = { 0, 1, 2, 7, 255, 256, 65535, 65536, INT32_MAX - 1, INT32_MAX };

enum { LIMITS = sizeof limits / sizeof limits[0] };

/* Each value is the limit, one less or one more: by lane and by round. */
static void fill(uint32_t value[LANES], uint32_t limit, uint32_t round) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t step = (lane * 5 + lane / 3 + round) % 3;
        uint32_t up = limit < INT32_MAX ? limit + 1 : limit;
        value[lane] = step == 0 ? limit : step == 1 ? up : limit > 0 ? limit - 1 : 0;
    }
}

START_TEST(every_lane_is_compared_as_by_a_loop) {
    uint32_t value[LANES], met = 0;
    for (uint32_t limit = 0; limit < LIMITS; limit++) {
        for (uint32_t round = 0; round < 3; round++) {
            fill(value, limits[limit], round);
            uint32_t found = lanes_at_least(value, limits[limit]);
            ck_assert_uint_eq(found, lanes_at_least_loop(value, limits[limit]));
            met |= found;
        }
    }
    ck_assert_uint_eq(met, (1U << LANES) - 1);
}
END_TEST

Suite *test_lanes(void);

Suite *test_lanes(void) {
    Suite *suite = suite_create("lanes");
    TCase *tests = tcase_create("lanes");

    tcase_add_test(tests, every_lane_is_compared_as_by_a_loop);
    suite_add_tcase(suite, tests);
    return suite;
}
