/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/expect.h"

#include <string.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "scenario/run_state.h"

static bool is_unsupported(const struct run *run, const struct product *product, const char *call) {
    const struct acl_support *support = run->options.support;
    uint32_t row = 0;
    return support != NULL && acl_row_find(call, &row) &&
           (support->rows[row] >> product->family & 1) == 0;
}

static bool holds(const struct run *run, const struct product *product, const char *key) {
    const struct acl_support *support = run->options.support;
    uint32_t family = 0;
    if (strcmp(key, product->name) == 0) {
        return true;
    }
    if (strncmp(key, "no:", 3) == 0) {
        const struct product_field *field = product_find_field(key + 3);
        return field != NULL ? product_get(product, field) == 0
                             : is_unsupported(run, product, key + 3);
    }
    return support != NULL && acl_support_find(support, key, &family) && family == product->family;
}

bool expect_value(const struct run *run, struct step_code code, const struct product *product,
                  int64_t *expected) {
    bool is_given = false;
    for (uint32_t place = 0; place < code.count; place++) {
        const struct scenario_alternative *at =
            &run->scenario->alternatives.items[code.first + place];
        if (holds(run, product, at->key)) {
            *expected = at->value;
            return true;
        }
        if (strcmp(at->key, "default") == 0) {
            *expected = at->value;
            is_given = true;
        }
    }
    return is_given;
}

bool expect_code(const struct run *run, struct step_code code, uint32_t process,
                 int64_t *expected) {
    const struct product *product = run->servers[run->processes[process].server].product;
    return expect_value(run, code, product, expected);
}

/* The same thing in a loop is told once, and counted. */
static void note_mismatch(struct run *run, struct run_mismatch mismatch) {
    for (size_t place = run->mismatches.count; place-- > 0;) {
        struct run_mismatch *other = &run->mismatches.items[place];
        if (other->thread == mismatch.thread && other->step == mismatch.step &&
            other->code == mismatch.code) {
            other->times++;
            return;
        }
    }
    array_add(&run->mismatches, mismatch);
}

void expect_compare(struct run *run, uint32_t thread, uint32_t step, int32_t code) {
    struct step_code wish = run->scenario->steps.items[step].code;
    int64_t expected = 0;
    if (!expect_code(run, wish, run->threads[thread].process, &expected)) {
        run->unasked_failures += code != ACL_SUCCESS;
    } else if (expected != code) {
        note_mismatch(run, (struct run_mismatch){ thread, step, code, expected, 1 });
    }
}
