/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "acl/acl_row.h"
#include "acl/acl_rule.h"
#include "base/units.h"
#include "cli/catalog.h"
#include "machine/product.h"

/* A kind of thing that can be listed. */
struct listing {
    const char *name;
    const char *summary;
    void (*print)(void);
};

static void print_units(const struct unit *units, size_t count, const char *base) {
    for (size_t index = 0; index < count; index++) {
        const char *name = units[index].name[0] != '\0' ? units[index].name : "(none)";
        printf("  %-7s %13" PRIu64 " %s\n", name, units[index].factor, base);
    }
}

static void list_units(void) {
    size_t count;
    const struct unit *units = units_get_sizes(&count);

    puts("Sizes are a whole number and one of");
    print_units(units, count, "bytes");
    units = units_get_times(&count);
    puts("Times are a whole number and one of");
    print_units(units, count, "ns");
}

/* A call, its parameters in the order of the prototype; those in brackets may be left out. */
static void list_calls(void) {
    for (uint32_t number = 0; number < acl_row_count(); number++) {
        const struct acl_row *row = acl_row_get(number);
        printf("%-36s", row->name);
        for (uint32_t place = 0; place < acl_row_parameters(row); place++) {
            const struct acl_parameter *parameter = &row->parameter[place];
            bool is_output = acl_kind_is_output(parameter->kind);
            bool is_optional = !is_output && parameter->need == ACL_OPTIONAL;
            printf(" %s%s%s",
                   is_output     ? ">"
                   : is_optional ? "["
                                 : "",
                   parameter->name, is_optional ? "]" : "");
        }
        printf("%s%s\n", row->python == NULL ? "" : "  = ", row->python == NULL ? "" : row->python);
    }
}

static void list_fields(void) {
    for (uint32_t place = 0; place < product_field_count(); place++) {
        const struct product_field *field = product_field(place);
        printf("%-36s %s", field->pointer, field->meaning);
        if (field->kind == PRODUCT_CHOICE) {
            printf("; one of: %s\n", field->words);
        } else {
            printf("; else %" PRIu64 "\n", field->absent);
        }
    }
}

static void list_costs(void) {
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        printf("%-20s %s\n", cost_name((enum cost_key)key), cost_meaning((enum cost_key)key));
    }
}

/* Name, family, usable memory of the first device, devices of a server; "all" in scenarios. */
static void print_product(const struct product *product) {
    char size[UNITS_TEXT_SIZE];
    printf("%-27s %-17s %9s %2" PRIu32 " device%s%s\n", product->name, product->family_name,
           units_write_size(product_usable(product, 0), size), product->devices,
           product->devices == 1 ? "" : "s", product->is_standard ? "  standard" : "");
}

static void list_products(void) {
    struct catalog catalog;
    struct problem problem = { 0 };
    size_t count = 0;
    if (catalog_open(&catalog, NULL, &problem)) {
        char **names = catalog_names(&catalog, &count);
        for (size_t place = 0; place < count; place++) {
            const struct product *product = catalog_find(&catalog, names[place], &problem);
            if (product != NULL) {
                print_product(product);
            }
        }
        catalog_free_names(names, count);
    }
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&catalog);
}

static void list_commands(void) {
    for (size_t place = 0; place < command_count(); place++) {
        printf("%-8s %s\n", command_get(place)->name, command_get(place)->summary);
    }
}

static void list_rules(void) {
    for (uint32_t rule = ACL_NO_RULE + 1; rule < ACL_RULES; rule++) {
        int32_t code = acl_rule_code((enum acl_rule)rule);
        const char *section = acl_rule_section((enum acl_rule)rule);
        char number[16] = "product";
        if (code != 0) {
            (void)snprintf(number, sizeof number, "%d", code);
        }
        printf("%-21s %-7s  %-24s %s\n", acl_rule_name((enum acl_rule)rule), number,
               section == NULL ? "the call's" : section, acl_rule_sentence((enum acl_rule)rule));
    }
}

static const struct listing listings[] = {
    { "products", "the device models that --product may name; the standard ones are \"all\"",
      list_products },
    { "calls", "the ACL calls: parameters, [optional] ones, >outputs, Python name", list_calls },
    { "fields", "what a model may say, by JSON pointer, and the value where it is silent",
      list_fields },
    { "costs", "what costs time", list_costs },
    { "rules",
      "why calls are refused: code, section of the specification, sentence with {places}",
      list_rules },
    { "commands", "what aclsim can do", list_commands },
    { "units", "the units of sizes and times that files and options may use", list_units },
};

enum { LISTING_COUNT = sizeof listings / sizeof listings[0] };

static enum command_exit list_kinds(void) {
    for (size_t index = 0; index < LISTING_COUNT; index++) {
        printf("%-10s %s\n", listings[index].name, listings[index].summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_kind(const char *kind) {
    const char *names[LISTING_COUNT];

    for (size_t index = 0; index < LISTING_COUNT; index++) {
        if (strcmp(listings[index].name, kind) == 0) {
            listings[index].print();
            return COMMAND_EXIT_EXPECTED;
        }
        names[index] = listings[index].name;
    }
    return command_refuse("kind", kind, names, LISTING_COUNT);
}

static enum command_exit list(const struct invocation *invocation) {
    return invocation->word_count == 1 ? list_kind(invocation->words[0]) : list_kinds();
}

const struct command cmd_list = {
    .name = "list",
    .summary = "show what the simulator knows",
    .words = "[KIND]",
    .words_max = 1,
    .about = "Prints one entry a line, its name first. Without a KIND, shows the kinds of things "
             "that can be listed.",
    .example = { { "list", "what can be listed" },
                 { "list calls", "every ACL call with its parameters" },
                 { "list products", "the products that --product may name" } },
    .body = list,
};
