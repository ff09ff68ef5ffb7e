/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "acl/acl_rule.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/catalog.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/sheet.h"
#include "hazard/hazard.h"
#include "import/import.h"
#include "machine/product.h"
#include "strategy/strategy.h"
#include "trace/trace.h"

/* A kind of thing that can be listed: what is printed of each, its name first. */
struct listing {
    const char *name;
    const char *summary;
    const char *column[SHEET_COLUMNS];
    enum command_exit (*fill)(const struct invocation *invocation, struct sheet *sheet);
};

static void add_units(struct sheet *sheet, const struct unit *units, size_t count,
                      const char *base) {
    for (size_t place = 0; place < count; place++) {
        sheet_add(sheet, "%s", units[place].name);
        sheet_add(sheet, "%" PRIu64, units[place].factor);
        sheet_add(sheet, "%s", base);
    }
}

static enum command_exit list_units(const struct invocation *invocation, struct sheet *sheet) {
    size_t count;
    const struct unit *units = units_get_sizes(&count);
    (void)invocation;
    add_units(sheet, units, count, "bytes");
    units = units_get_times(&count);
    add_units(sheet, units, count, "ns");
    return COMMAND_EXIT_EXPECTED;
}

/* In the order of the prototype; those in brackets may be left out, > is an output. */
static void add_parameters(struct sheet *sheet, const struct acl_row *row) {
    struct text text = { 0 };
    for (uint32_t place = 0; place < acl_row_parameters(row); place++) {
        const struct acl_parameter *parameter = &row->parameter[place];
        bool is_output = acl_kind_is_output(parameter->kind);
        bool is_optional = !is_output && parameter->need == ACL_OPTIONAL;
        text_append(&text, place == 0 ? "" : " ");
        text_append(&text, is_output ? ">" : is_optional ? "[" : "");
        text_printf(&text, "%s%s", parameter->name, is_optional ? "]" : "");
    }
    sheet_add(sheet, "%s", text_get(&text));
    text_fini(&text);
}

/* How the things behind the arguments are touched. */
static void add_touches(struct sheet *sheet, const struct acl_row *row) {
    static const char *const names[] = { "", "read", "write", "add" };
    struct text text = { 0 };
    for (uint32_t place = 0; place < acl_row_parameters(row); place++) {
        const struct acl_parameter *parameter = &row->parameter[place];
        if (parameter->touch != ACL_NOTHING) {
            text_printf(&text, "%s%s:%s", text.size == 0 ? "" : ",", parameter->name,
                        names[parameter->touch]);
        }
    }
    sheet_add(sheet, "%s", text_get(&text));
    text_fini(&text);
}

/* The families of products that have a call. */
static void add_families(struct sheet *sheet, const struct acl_support *support, uint32_t number) {
    struct text text = { 0 };
    uint32_t count = 0;
    for (uint32_t family = 0; family < support->family_count; family++) {
        if ((support->rows[number] >> family & 1) != 0) {
            text_printf(&text, "%s%s", count == 0 ? "" : ",", support->family[family]);
            count++;
        }
    }
    sheet_add(sheet, "%s", count == support->family_count ? "all" : text_get(&text));
    text_fini(&text);
}

static enum command_exit list_calls(const struct invocation *invocation, struct sheet *sheet) {
    struct catalog catalog;
    struct problem problem = { 0 };
    bool is_open = catalog_open(&catalog, options_value(invocation, "models"), &problem);
    for (uint32_t number = 0; is_open && number < acl_row_count(); number++) {
        const struct acl_row *row = acl_row_get(number);
        sheet_add(sheet, "%s", row->name);
        sheet_add(sheet, "%s", row->python == NULL ? "" : row->python);
        sheet_add(sheet, "%s", row->section);
        sheet_add(sheet, "%s", cost_name(row->cost));
        add_touches(sheet, row);
        add_parameters(sheet, row);
        add_families(sheet, &catalog.support, number);
    }
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&catalog);
    return is_open ? COMMAND_EXIT_EXPECTED : COMMAND_EXIT_USAGE;
}

static enum command_exit list_fields(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (uint32_t place = 0; place < product_field_count(); place++) {
        const struct product_field *field = product_field(place);
        sheet_add(sheet, "%s", field->pointer);
        if (field->kind == PRODUCT_CHOICE) {
            sheet_add(sheet, "%s", "");
            sheet_add(sheet, "%s; one of: %s", field->meaning, field->words);
        } else {
            sheet_add(sheet, "%" PRIu64, field->absent);
            sheet_add(sheet, "%s", field->meaning);
        }
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_costs(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (uint32_t key = 0; key < COST_KEYS; key++) {
        sheet_add(sheet, "%s", cost_name((enum cost_key)key));
        sheet_add(sheet, "%s", cost_meaning((enum cost_key)key));
    }
    return COMMAND_EXIT_EXPECTED;
}

static void add_product(struct sheet *sheet, const struct product *product) {
    char size[UNITS_TEXT_SIZE];
    sheet_add(sheet, "%s", product->name);
    sheet_add(sheet, "%s", product->family_name);
    sheet_add(sheet, "%s", units_write_size(product_usable(product, 0), size));
    sheet_add(sheet, "%" PRIu32, product->devices);
    sheet_add(sheet, "%s", product->is_standard ? "standard" : "");
}

static enum command_exit list_products(const struct invocation *invocation, struct sheet *sheet) {
    struct catalog catalog;
    struct problem problem = { 0 };
    size_t count = 0;
    if (catalog_open(&catalog, options_value(invocation, "models"), &problem)) {
        char **names = catalog_names(&catalog, &count);
        for (size_t place = 0; place < count; place++) {
            const struct product *product = catalog_find(&catalog, names[place], &problem);
            if (product != NULL) {
                add_product(sheet, product);
            }
        }
        catalog_free_names(names, count);
    }
    bool is_well = problem_is_empty(&problem);
    problem_print(&problem, stderr);
    problem_fini(&problem);
    catalog_close(&catalog);
    return is_well ? COMMAND_EXIT_EXPECTED : COMMAND_EXIT_USAGE;
}

static enum command_exit list_commands(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (size_t place = 0; place < command_count(); place++) {
        sheet_add(sheet, "%s", command_get(place)->name);
        sheet_add(sheet, "%s", command_get(place)->summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_rules(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (uint32_t rule = ACL_NO_RULE + 1; rule < ACL_RULES; rule++) {
        int32_t code = acl_rule_code((enum acl_rule)rule);
        const char *section = acl_rule_section((enum acl_rule)rule);
        sheet_add(sheet, "%s", acl_rule_name((enum acl_rule)rule));
        sheet_add(sheet, code == 0 ? "product" : "%" PRId32, code);
        sheet_add(sheet, "%s", section == NULL ? "that of the call" : section);
        sheet_add(sheet, "%s", acl_rule_sentence((enum acl_rule)rule));
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_hazards(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (uint32_t number = 0; number < hazard_row_count(); number++) {
        const struct finding_row *row = hazard_row(number);
        sheet_add(sheet, "%s", row->name);
        sheet_add(sheet, "%s", finding_severity_name(row->severity));
        sheet_add(sheet, "%s", row->what);
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_strategies(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (size_t place = 0; place < strategy_count(); place++) {
        sheet_add(sheet, "%s", strategy_get(place)->name);
        sheet_add(sheet, "%s", strategy_get(place)->summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_traces(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (size_t place = 0; place < import_format_count(); place++) {
        sheet_add(sheet, "%s", import_format_get(place)->name);
        sheet_add(sheet, "%s", import_format_get(place)->summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static enum command_exit list_codes(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (size_t place = 0; place < acl_error_count(); place++) {
        int32_t code = acl_error_get(place);
        sheet_add(sheet, "%s", acl_error_name(code));
        sheet_add(sheet, "%" PRId32, code);
        sheet_add(sheet, "%s", acl_error_meaning(code));
    }
    return COMMAND_EXIT_EXPECTED;
}

/* Forms of files: what reads or writes them, and where they are described. */
static const char *const formats[][3] = {
    { "scenario", "read by run, verify", "JSON: docs/scenario.md, aclsim schema scenario" },
    { "model", "read by all", "JSON: models/README.md, aclsim schema model" },
    { "schedule", "read by run --schedule", "a step a line: docs/scenario.md" },
    { "outcome", "written by run --json", "JSON: docs/outcome.md" },
    { "list", "written by list, show --json", "JSON: a list of objects with the columns' names" },
    { "manual", "written by help --manual", "roff, for man" },
};

static enum command_exit list_formats(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (size_t place = 0; place < sizeof formats / sizeof *formats; place++) {
        for (int column = 0; column < 3; column++) {
            sheet_add(sheet, "%s", formats[place][column]);
        }
    }
    for (size_t place = 0; place < trace_format_count(); place++) {
        sheet_add(sheet, "trace%s", trace_format_ending(place));
        sheet_add(sheet, "written by run --trace");
        sheet_add(sheet, "%s", trace_format_meaning(place));
    }
    for (size_t place = 0; place < import_format_count(); place++) {
        sheet_add(sheet, "%s", import_format_get(place)->name);
        sheet_add(sheet, "read by replay, info");
        sheet_add(sheet, "%s", import_format_get(place)->summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static const struct listing listings[] = {
    { "products",
      "the device models that --product may name: family, memory that programs get, devices; the "
      "standard ones are \"all\" in scenarios",
      { "name", "family", "memory", "devices", "standard" },
      list_products },
    { "calls",
      "the ACL calls: Python name, section, cost, what they touch, parameters ([optional], "
      ">output), families of products that have them",
      { "name", "python", "section", "cost", "touches", "parameters", "families" },
      list_calls },
    { "codes", "what calls return", { "name", "code", "meaning" }, list_codes },
    { "rules",
      "why calls are refused: code, section of the specification, sentence with {places}",
      { "name", "code", "section", "sentence" },
      list_rules },
    { "hazards",
      "what a run can find; see `aclsim explain`",
      { "name", "severity", "what" },
      list_hazards },
    { "strategies",
      "the allocation strategies of `aclsim replay`",
      { "name", "summary" },
      list_strategies },
    { "traces",
      "the forms of recorded workloads that are read, known by their content",
      { "name", "summary" },
      list_traces },
    { "fields",
      "what a model may say, by JSON pointer, and the value where it is silent",
      { "name", "default", "meaning" },
      list_fields },
    { "costs", "what costs time", { "name", "meaning" }, list_costs },
    { "units",
      "the units of sizes and times that files and options may use",
      { "name", "factor", "base" },
      list_units },
    { "formats", "files that are read and written", { "name", "who", "form" }, list_formats },
    { "commands", "what aclsim can do", { "name", "summary" }, list_commands },
};

enum { LISTING_COUNT = sizeof listings / sizeof listings[0] };

static enum command_exit list_kinds(const struct invocation *invocation, struct sheet *sheet) {
    (void)invocation;
    for (size_t place = 0; place < LISTING_COUNT; place++) {
        sheet_add(sheet, "%s", listings[place].name);
        sheet_add(sheet, "%s", listings[place].summary);
    }
    return COMMAND_EXIT_EXPECTED;
}

static const struct listing kinds = { "kinds", "", { "name", "summary" }, list_kinds };

static const struct listing *find_listing(const struct invocation *invocation) {
    if (invocation->word_count == 0) {
        return &kinds;
    }
    for (size_t place = 0; place < LISTING_COUNT; place++) {
        if (strcmp(listings[place].name, invocation->words[0]) == 0) {
            return &listings[place];
        }
    }
    return NULL;
}

static enum command_exit refuse(const char *kind) {
    const char *names[LISTING_COUNT];
    for (size_t place = 0; place < LISTING_COUNT; place++) {
        names[place] = listings[place].name;
    }
    return command_refuse("kind", kind, names, LISTING_COUNT);
}

static enum command_exit list(const struct invocation *invocation) {
    const struct listing *listing = find_listing(invocation);
    struct sheet sheet = { .column = { NULL } };
    if (listing == NULL) {
        return refuse(invocation->words[0]);
    }
    memcpy(sheet.column, listing->column, sizeof sheet.column);
    enum command_exit status = listing->fill(invocation, &sheet);
    if (options_has(invocation, "json")) {
        sheet_print_json(&sheet, stdout);
    } else {
        sheet_print(&sheet, stdout);
    }
    sheet_fini(&sheet);
    return status;
}

const struct command cmd_list = {
    .name = "list",
    .summary = "show what the simulator knows",
    .words = "[KIND]",
    .words_max = 1,
    .about = "Prints one entry a line, its name first, columns aligned and \"-\" for what is not "
             "there. Without a KIND, shows the kinds of things that can be listed.",
    .option = { { "json", NULL, "print a JSON list of objects instead" }, COMMAND_MODELS },
    .example = { { "list", "what can be listed" },
                 { "list calls", "every ACL call with its parameters" },
                 { "list rules | grep 5.3", "why an import may be refused" } },
    .body = list,
};
