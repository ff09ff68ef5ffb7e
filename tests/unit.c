/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every suite in the list of local.mk; CK_RUN_SUITE=units tests/unit runs one. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTRY(name) Suite *name(void);
#include "tests/suites.inc"
#undef ENTRY

#define ENTRY(name) name,
static Suite *(*const suites[])(void) = {
#include "tests/suites.inc"
};
#undef ENTRY

int main(void) {
    SRunner *runner = srunner_create(NULL);

    for (size_t index = 0; index < sizeof suites / sizeof suites[0]; index++) {
        srunner_add_suite(runner, suites[index]());
    }
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);

    printf("%d passed, %d failed\n", run - failed, failed);
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
