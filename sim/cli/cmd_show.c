/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "cli/catalog.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "cli/sheet.h"
#include "machine/product_leaf.h"

/* Letters of basis and confidence, as models write them: "V H"; "assumed" for neither. */
static void add_leaf(struct sheet *sheet, const struct product_leaf *leaf) {
    sheet_add(sheet, "%s", leaf->pointer);
    sheet_add(sheet, "%s", leaf->value);
    sheet_add(sheet, "%s", leaf->unit);
    if (leaf->basis == '-') {
        sheet_add(sheet, "assumed");
    } else {
        sheet_add(sheet, "%c %c", leaf->basis, leaf->confidence);
    }
    sheet_add(sheet, "%s", leaf->model == NULL ? "" : leaf->model);
    sheet_add(sheet, "%s", leaf->meaning);
    sheet_add(sheet, "%s", leaf->basis == '-' ? "" : leaf->source);
}

static void show(const struct product *product, const struct invocation *invocation) {
    struct sheet sheet = {
        .column = { "name", "value", "unit", "basis", "model", "meaning", "source" },
    };
    bool is_narrow = options_has(invocation, "assumed");
    uint32_t count = product_leaf_count(product);
    for (uint32_t place = 0; place < count; place++) {
        struct product_leaf leaf = product_leaf_get(product, place);
        if (!is_narrow || product_leaf_is_guess(&leaf)) {
            add_leaf(&sheet, &leaf);
        }
    }
    if (options_has(invocation, "json")) {
        sheet_print_json(&sheet, stdout);
    } else {
        sheet_print(&sheet, stdout);
        printf("# %s of family %s: %" PRIu32 " values, %" PRIu32 " of them assumed or inferred\n",
               product->name, product->family_name, count, outcome_guesses(product));
    }
    sheet_fini(&sheet);
}

static enum command_exit show_product(const struct invocation *invocation) {
    static const char *const kinds[] = { "product" };
    struct catalog catalog;
    struct problem problem = { 0 };
    if (strcmp(invocation->words[0], kinds[0]) != 0) {
        return command_refuse("kind", invocation->words[0], kinds, 1);
    }
    if (catalog_open(&catalog, options_value(invocation, "models"), &problem)) {
        const struct product *product = catalog_find(&catalog, invocation->words[1], &problem);
        if (product != NULL) {
            show(product, invocation);
        }
    }
    bool is_well = problem_is_empty(&problem);
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&catalog);
    return is_well ? COMMAND_EXIT_EXPECTED : COMMAND_EXIT_USAGE;
}

const struct command cmd_show = {
    .name = "show",
    .summary = "show every value of a product, and where it is from",
    .words = "product NAME",
    .words_min = 2,
    .words_max = 2,
    .about = "Prints a line for each value: JSON pointer, value, unit, basis, the model that says "
             "it, meaning, source. The basis is a letter and a confidence (H high, M medium, L "
             "low): A measured on Ascend, C measured on CUDA, V a vendor document, S vendor source "
             "code, T a third party, I inferred from other values; or \"assumed\". Values of "
             "/rules are the choices where editions and drivers differ.",
    .option = { { "assumed", NULL, "only what is assumed or inferred" },
                { "json", NULL, "print a JSON list of objects instead" },
                COMMAND_MODELS },
    .example = { { "show product atlas-a2-910b1", "all values of a product" },
                 { "show product atlas-350 --assumed", "the numbers that nobody documents" } },
    .body = show_product,
};
