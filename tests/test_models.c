/* SPDX-License-Identifier: Apache-2.0 */
/* The models that are shipped: all load, every number has a source and is that of the papers. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_support.h"
#include "machine/audit.h"
#include "machine/link.h"
#include "machine/model_names.h"
#include "machine/product_leaf.h"
#include "machine/product_read.h"
#include "tests/random_calls.h"
#include "tests/stage.h"
#include "tests/world.h"

enum { MODELS = 39, STANDARD = 11, BLOCKS = 5 };

static struct product *read_shipped(const char *name) {
    struct problem problem = { 0 };
    struct product *product = product_read(SOURCE_MODELS, name, &problem);
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, "");
    ck_assert_ptr_nonnull(product);
    free(complaints);
    problem_fini(&problem);
    return product;
}

/* Does something with every model that is a product. */
static void for_each(void (*check)(const struct product *product, void *context), void *context) {
    size_t count = 0;
    char **names = model_names(SOURCE_MODELS, false, &count);
    ck_assert_uint_eq(count, MODELS);
    for (size_t place = 0; place < count; place++) {
        struct product *product = read_shipped(names[place]);
        check(product, context);
        product_free(product);
    }
    model_free_names(names, count);
}

static void check_family(const struct product *product, void *context) {
    uint32_t family = 0;
    ck_assert_msg(acl_support_find(context, product->family_name, &family), "%s", product->name);
}

START_TEST(every_model_is_of_a_family_of_the_table_of_support) {
    struct problem problem = { 0 };
    struct acl_support support;
    ck_assert(acl_support_read(SOURCE_MODELS "/support.csv", &support, &problem));
    for_each(check_family, &support);
    acl_support_fini(&support);
}
END_TEST

static void count_standard(const struct product *product, void *context) {
    *(uint32_t *)context += product->is_standard;
}

START_TEST(eleven_models_are_the_standard_ones) {
    uint32_t count = 0;
    for_each(count_standard, &count);
    ck_assert_uint_eq(count, STANDARD);
}
END_TEST

/* What no model writes is the usable memory, which follows, and a cost that is the default. */
static void check_leaves(const struct product *product, void *context) {
    (void)context;
    for (uint32_t place = 0; place < product_leaf_count(product); place++) {
        struct product_leaf leaf = product_leaf_get(product, place);
        bool follows =
            strcmp(leaf.pointer, "/memory/usable") == 0 || strncmp(leaf.pointer, "/costs/", 7) == 0;
        ck_assert_msg(leaf.model != NULL || follows, "%s %s", product->name, leaf.pointer);
        ck_assert_msg(leaf.source[0] != '\0' || leaf.basis == '-', "%s %s", product->name,
                      leaf.pointer);
    }
}

START_TEST(no_model_leaves_a_value_to_the_defaults_of_the_simulator) {
    for_each(check_leaves, NULL);
}
END_TEST

static void check_links(const struct product *product, void *context) {
    (void)context;
    ck_assert_msg(link_between(product, 0, LINK_TO_HOST) != NULL, "%s", product->name);
    for (uint32_t device = 1; device < product->devices; device++) {
        ck_assert_msg(link_between(product, 0, device) != NULL, "%s", product->name);
    }
}

START_TEST(every_device_has_a_link_to_the_others_and_to_the_host) {
    for_each(check_links, NULL);
}
END_TEST

static bool find_template_number(const struct product *product, const char *pointer,
                                 uint64_t *number) {
    unsigned place = 0;
    char member[8] = "";
    if (sscanf(pointer, "/virtual/templates/%u/%7s", &place, member) != 2 ||
        place >= product->vnpu_count) {
        return false;
    }
    const struct product_template *at = &product->vnpu[place];
    *number = strcmp(member, "cores") == 0  ? at->cores
              : strcmp(member, "cpus") == 0 ? at->cpus
                                            : at->memory;
    return true;
}

static bool find_link_number(const struct product *product, const char *pointer, uint64_t *number) {
    char curve[8] = "";
    char member[12] = "";
    if (sscanf(pointer, "/links/0/%4[a-z]/%11s", curve, member) != 2) {
        return false;
    }
    const struct link_curve *at =
        strcmp(curve, "push") == 0 ? &product->link[0].push : &product->link[0].pull;
    *number = strcmp(member, "rate") == 0 ? at->rate : at->overhead_ns;
    return true;
}

static bool find_number(const struct product *product, const char *pointer, uint64_t *number) {
    const struct product_field *field = product_find_field(pointer);
    if (field != NULL) {
        *number = product_get(product, field);
        return true;
    }
    if (strcmp(pointer, "/unlike/0/reserved") == 0) {
        *number = product->unlike_count > 0 ? product->unlike[0].reserved : 0;
        return true;
    }
    if (strcmp(pointer, "/unlike/0/ddr_usable") == 0) {
        *number = product->unlike_count > 0 ? product->unlike[0].ddr_usable : 0;
        return true;
    }
    if (strcmp(pointer, "/virtual/templates") == 0) {
        *number = product->vnpu_count;
        return true;
    }
    return find_template_number(product, pointer, number) ||
           find_link_number(product, pointer, number);
}

/* The file is sorted by models. */
START_TEST(the_numbers_are_those_of_the_product_papers) {
    FILE *file = fopen(SOURCE_MODELS "/../tests/product-numbers.csv", "r");
    struct product *product = NULL;
    char name[64];
    char pointer[64];
    uint64_t expected = 0;
    uint32_t rows = 0;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "model,pointer,value\n"), 0);
    while (fscanf(file, "%63[^,],%63[^,],%" SCNu64 "\n", name, pointer, &expected) == 3) {
        uint64_t number = 0;
        if (product == NULL || strcmp(product->name, name) != 0) {
            product_free(product);
            product = read_shipped(name);
        }
        ck_assert_msg(find_number(product, pointer, &number), "%s %s", name, pointer);
        ck_assert_msg(number == expected, "%s %s is %" PRIu64 ", not %" PRIu64, name, pointer,
                      number, expected);
        rows++;
    }
    ck_assert(feof(file));
    ck_assert_uint_gt(rows, 1000);
    product_free(product);
    (void)fclose(file);
}
END_TEST

/* A curve of a model and its published rates by block size, in tenths of GB/s. */
struct published {
    const char *model;
    uint32_t link;
    bool pull;
    uint32_t tenths[BLOCKS];
};

static const struct published curves[] = {
    { "atlas-a2-910b1", 0, false, { 89, 158, 190, 200, 203 } },
    { "atlas-a2-910b1", 0, true, { 103, 197, 248, 263, 268 } },
    { "atlas-a3", 1, false, { 180, 701, 1560, 1610, 1650 } },
    { "atlas-a3", 1, true, { 172, 604, 1170, 1500, 1650 } },
    { "atlas-a3", 2, false, { 100, 317, 485, 572, 598 } },
    { "atlas-a3", 2, true, { 94, 262, 429, 519, 544 } },
};
enum { CURVES = sizeof curves / sizeof *curves };

START_TEST(curves_come_out_within_five_percent_of_what_was_published) {
    static const uint64_t blocks[BLOCKS] = { 16 << 10, 64 << 10, 256 << 10, 1 << 20, 2 << 20 };
    struct product *product = read_shipped(curves[_i].model);
    const struct link *link = &product->link[curves[_i].link];
    for (int block = 0; block < BLOCKS; block++) {
        uint64_t time_ns =
            link_curve_time(curves[_i].pull ? &link->pull : &link->push, blocks[block]);
        double tenths = (double)blocks[block] / (double)time_ns * 10;
        ck_assert_double_ge(tenths, curves[_i].tenths[block] * 0.95);
        ck_assert_double_le(tenths, curves[_i].tenths[block] * 1.05);
    }
    product_free(product);
}
END_TEST

START_TEST(second_dies_and_two_chips_have_other_memory) {
    struct product *product = read_shipped("atlas-a3");
    ck_assert_uint_eq(product_usable(product, 0), 62120 * MIB);
    ck_assert_uint_eq(product_usable(product, 15), 62340 * MIB);
    product_free(product);
    product = read_shipped("atlas-inference-duo");
    ck_assert_uint_eq(product_usable(product, 2), 44280 * MIB);
    ck_assert_uint_eq(product_usable(product, 3), 43692 * MIB);
    product_free(product);
    product = read_shipped("atlas-training");
    ck_assert_uint_eq(product_ddr_usable(product, 2), 15665 * MIB);
    ck_assert_uint_eq(product_ddr_usable(product, 3), 13553 * MIB);
    ck_assert_uint_eq(product_ddr_usable(product, 7), 13553 * MIB);
    ck_assert_uint_eq(product_usable(product, 7), 32750 * MIB);
    product_free(product);
}
END_TEST

START_TEST(dies_of_one_card_and_quads_are_joined_as_the_papers_say) {
    struct product *product = read_shipped("atlas-inference-duo");
    ck_assert(!link_between(product, 0, 1)->peer_access);
    ck_assert(link_between(product, 1, 2)->peer_access);
    product_free(product);
    product = read_shipped("atlas-training");
    ck_assert_str_eq(link_between(product, 4, 7)->name, "HCCS");
    ck_assert_str_eq(link_between(product, 3, 4)->name, "PCIe");
    product_free(product);
    product = read_shipped("atlas-a3");
    ck_assert_str_eq(link_between(product, 14, 15)->name, "SIO");
    ck_assert_str_eq(link_between(product, 1, 2)->name, "HCCS_SW");
    product_free(product);
}
END_TEST

START_TEST(a_template_of_two_of_eight_cores_has_a_quarter_in_whole_pages) {
    struct product *product = read_shipped("atlas-inference-24g");
    ck_assert_str_eq(product->vnpu[1].name, "vir02");
    ck_assert_uint_eq(product_share(product, 0, product->vnpu[1].cores), 5380 * MIB);
    product_free(product);
}
END_TEST

/* A world of four devices of a model, in place of the product by hand. */
static void start_with(struct world *world, const char *name) {
    world_prepare(world);
    product_free(world->product);
    world->product = read_shipped(name);
    world->server[0].product = world->product;
    world_start(world);
}

/* What aclrtGetMemInfo reports as total of plain HBM and DDR, in MiB, by the number of a device. */
struct reported {
    const char *model;
    uint32_t device;
    uint32_t hbm;
    uint32_t ddr;
};

static const struct reported totals[] = {
    { "atlas-350", 0, 110248, 0 },
    { "atlas-a3", 0, 62120, 0 },
    { "atlas-a3", 1, 62340, 0 },
    { "atlas-a2-910b1", 0, 62432, 0 },
    { "atlas-a2-910b4", 0, 29664, 0 },
    { "atlas-200i-500-a2", 0, 10752, 10752 },
    { "atlas-inference-24g", 0, 21524, 21524 },
    { "atlas-inference-48g", 0, 44280, 44280 },
    { "atlas-inference-duo", 0, 44280, 44280 },
    { "atlas-inference-duo", 3, 43692, 43692 },
    { "atlas-training", 0, 32750, 15664 },
    { "atlas-training", 3, 32750, 13552 },
};
enum { TOTALS = sizeof totals / sizeof *totals };

/* What the device's own system holds is in the total and is not free. */
START_TEST(a_device_reports_the_memory_of_its_model) {
    struct world world;
    const struct reported *at = &totals[_i];
    start_with(&world, at->model);
    ck_assert_int_eq(world_call(&world, 0, "aclrtSetDevice", at->device), 0);
    ck_assert_int_eq(world_call(&world, 0, "aclrtGetMemInfo", 1), 0);
    ck_assert_uint_eq(world.result.out[1], at->hbm * MIB);
    uint64_t left = at->hbm * MIB - world.product->held;
    ck_assert_uint_eq(world.result.out[0], left / (2 * MIB) * (2 * MIB));
    ck_assert_int_eq(world_call(&world, 0, "aclrtGetMemInfo", 0), 0);
    ck_assert_uint_eq(world.result.out[1], at->ddr * MIB);
    world_fini(&world);
}
END_TEST

/* Whatever the product lacks. */
START_TEST(the_rules_hold_on_every_model_after_any_sequence_of_calls) {
    size_t count = 0;
    char **names = model_names(SOURCE_MODELS, false, &count);
    struct random_calls calls = random_calls((uint64_t)_i + 1);
    struct text wrong = { 0 };
    struct world world;
    start_with(&world, names[_i]);
    for (int round = 0; round < 10; round++) {
        random_call_many(&calls, &world, WORLD_PROCESSES, 40);
        ck_assert_msg(audit_machine(&world.machine, &wrong), "%s", text_get(&wrong));
    }
    text_fini(&wrong);
    world_fini(&world);
    model_free_names(names, count);
}
END_TEST

Suite *test_models(void);

Suite *test_models(void) {
    Suite *suite = suite_create("models");
    TCase *tests = tcase_create("models");

    tcase_add_test(tests, every_model_is_of_a_family_of_the_table_of_support);
    tcase_add_test(tests, eleven_models_are_the_standard_ones);
    tcase_add_test(tests, no_model_leaves_a_value_to_the_defaults_of_the_simulator);
    tcase_add_test(tests, every_device_has_a_link_to_the_others_and_to_the_host);
    tcase_add_test(tests, the_numbers_are_those_of_the_product_papers);
    tcase_add_loop_test(tests, curves_come_out_within_five_percent_of_what_was_published, 0,
                        CURVES);
    tcase_add_loop_test(tests, the_rules_hold_on_every_model_after_any_sequence_of_calls, 0,
                        MODELS);
    tcase_add_loop_test(tests, a_device_reports_the_memory_of_its_model, 0, TOTALS);
    tcase_add_test(tests, second_dies_and_two_chips_have_other_memory);
    tcase_add_test(tests, dies_of_one_card_and_quads_are_joined_as_the_papers_say);
    tcase_add_test(tests, a_template_of_two_of_eight_cores_has_a_quarter_in_whole_pages);
    suite_add_tcase(suite, tests);
    return suite;
}
