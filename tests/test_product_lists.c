/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a model, what follows from its values, and its values one by one. */
#include "machine/product_lists.h"

#include <check.h>
#include <string.h>

#include "machine/product_leaf.h"
#include "machine/product_read.h"
#include "tests/model_folder.h"
#include "tests/stage.h"
#include "tests/world.h"

/* A model with 64 GiB less 1 GiB, and more. */
#define PHYSICAL "'family':'f','memory':{'physical':'64GiB','reserved':'1025MiB'},'cores':8"
#define SOURCES_OF ",'sources':{'/memory':'A H npu-smi','/cores':'S M a file'}"
#define SOURCES_UNLIKE \
    ",'sources':{'/memory':'A H npu-smi','/cores':'S M a file','/unlike':'V H a'}"
#define SOURCES_VIRTUAL \
    ",'sources':{'/memory':'A H npu-smi','/cores':'S M a file','/virtual':'T L b'}"

static struct model_folder folder;

static void set_up(void) {
    model_folder_init(&folder);
}

static void tear_down(void) {
    model_folder_fini(&folder);
}

static struct product_leaf find_leaf(const char *pointer) {
    for (uint32_t place = 0; place < product_leaf_count(folder.product); place++) {
        struct product_leaf leaf = product_leaf_get(folder.product, place);
        if (strcmp(leaf.pointer, pointer) == 0) {
            return leaf;
        }
    }
    ck_abort_msg("no leaf %s", pointer);
    return (struct product_leaf){ .pointer = NULL };
}

START_TEST(what_is_not_reserved_is_usable_in_whole_pages) {
    write_model(&folder, "m", PHYSICAL SOURCES_OF);
    read_well(&folder, "m");
    ck_assert_uint_eq(folder.product->usable, 64510 * MIB);
    write_model(&folder, "n",
                "'extends':'m','memory':{'reserved':'3GiB'},'sources':{'/memory':"
                "'assumed'}");
    read_well(&folder, "n");
    ck_assert_uint_eq(folder.product->usable, 61 * GIB);
    write_model(&folder, "o",
                "'extends':'m','memory':{'usable':'5GiB'},'sources':{'/memory':"
                "'assumed'}");
    read_well(&folder, "o");
    ck_assert_uint_eq(folder.product->usable, 5 * GIB);
}
END_TEST

/* A copy of the product that was read last, with fields changed; ' stands for ". */
static struct product *change(const char *json) {
    struct problem problem = { 0 };
    struct text text = { 0 };
    text_append(&text, json);
    for (size_t place = 0; place < text.size; place++) {
        text.bytes[place] = text.bytes[place] == '\'' ? '"' : text.bytes[place];
    }
    struct json_document *document = json_parse("x.json", text_get(&text), text.size, &problem);
    struct product *changed = product_change(folder.product, json_root(document), &problem);
    ck_assert_ptr_nonnull(changed);
    json_free(document);
    text_fini(&text);
    problem_fini(&problem);
    return changed;
}

START_TEST(what_follows_is_worked_out_anew_when_a_scenario_changes_values) {
    write_model(&folder, "m", PHYSICAL SOURCES_OF);
    read_well(&folder, "m");
    struct product *changed =
        change("{'memory':{'reserved':'4GiB'},'sources':{'/memory':'assumed'}}");
    ck_assert_uint_eq(changed->usable, 60 * GIB);
    ck_assert_uint_eq(product_leaf_count(changed), product_leaf_count(folder.product));
    product_free(changed);
    changed = change("{'memory':{'usable':'32GiB'},'sources':{'/memory':'assumed'}}");
    ck_assert_uint_eq(changed->usable, 32 * GIB);
    product_free(changed);
    ck_assert_uint_eq(folder.product->usable, 64510 * MIB);
}
END_TEST

START_TEST(devices_can_be_unlike_the_others) {
    write_model(&folder, "m",
                PHYSICAL ",'unlike':[{'every':4,'from':3,'memory':{'ddr_usable':'3GiB'}},"
                         "{'every':2,'from':1,'memory':{'reserved':'3GiB'}}]" SOURCES_UNLIKE);
    read_well(&folder, "m");
    ck_assert_uint_eq(product_usable(folder.product, 0), 64510 * MIB);
    ck_assert_uint_eq(product_usable(folder.product, 1), 61 * GIB);
    ck_assert_uint_eq(product_usable(folder.product, 3), 64510 * MIB);
    ck_assert_uint_eq(product_ddr_usable(folder.product, 3), 3 * GIB);
    ck_assert_uint_eq(product_ddr_usable(folder.product, 1), 0);
    write_model(&folder, "n", "'extends':'m','unlike':[]");
    read_well(&folder, "n");
    ck_assert_uint_eq(product_usable(folder.product, 1), 64510 * MIB);
    ck_assert_ptr_null(find_source(&folder, "/unlike/0"));
}
END_TEST

START_TEST(usable_memory_that_is_written_holds_for_unlike_devices_too) {
    write_model(&folder, "m",
                PHYSICAL
                ",'unlike':[{'every':2,'from':1,'memory':{'reserved':'3GiB'}}]" SOURCES_UNLIKE);
    write_model(&folder, "n",
                "'extends':'m','memory':{'usable':'5GiB'},'sources':{'/memory':"
                "'assumed'}");
    read_well(&folder, "n");
    ck_assert_uint_eq(product_usable(folder.product, 0), 5 * GIB);
    ck_assert_uint_eq(product_usable(folder.product, 1), 5 * GIB);
}
END_TEST

START_TEST(a_template_has_memory_or_the_part_of_its_cores) {
    write_model(&folder, "m",
                PHYSICAL ",'virtual':{'templates':[{'name':'a','cores':2,'cpus':1,'memory':'7GiB'},"
                         "{'name':'b','cores':3,'cpus':0}]}" SOURCES_VIRTUAL);
    read_well(&folder, "m");
    ck_assert_uint_eq(folder.product->vnpu_count, 2);
    ck_assert_uint_eq(folder.product->vnpu[0].memory, 7 * GIB);
    ck_assert_uint_eq(folder.product->vnpu[1].cores, 3);
    ck_assert_uint_eq(product_share(folder.product, 0, 3), 24190 * MIB);
    ck_assert_str_eq(find_leaf("/virtual/templates/0").value, "a, cores 2, cpus 1, memory 7GiB");
}
END_TEST

static void check_list(const char *list, const char *expected) {
    struct text members = { 0 };
    text_printf(&members, PHYSICAL ",%s%s", list,
                strncmp(list, "'unlike'", 8) == 0 ? SOURCES_UNLIKE : SOURCES_VIRTUAL);
    write_model(&folder, "m", text_get(&members));
    struct problem problem = { 0 };
    ck_assert_ptr_null(product_read(folder.path, "m", &problem));
    ck_assert_uint_eq(problem.complaints.count, 1);
    ck_assert_str_eq(problem.complaints.items[0].message, expected);
    problem_fini(&problem);
    text_fini(&members);
}

START_TEST(mistakes_in_lists_are_told) {
    check_list("'unlike':{}", "this list is an object; expected a list");
    check_list("'unlike':[1]", "a kind of devices is a whole number; expected an object");
    check_list("'unlike':[{'from':1,'memory':{'usable':'1GiB'}}]",
               "expected \"every\", a number from 1 to 65535");
    check_list("'unlike':[{'every':2,'from':2,'memory':{'usable':'1GiB'}}]",
               "\"from\" is below \"every\"");
    check_list("'unlike':[{'every':2,'from':1}]",
               "expected \"memory\", an object with what differs");
    check_list("'unlike':[{'every':2,'from':1,'memory':{'usable':7}}]",
               "expected a size such as \"30GiB\"");
    check_list("'unlike':[{'every':2,'from':1,'memory':{'reserved':'65GiB'}}]",
               "this is 65GiB; expected at most /memory/physical");
    check_list("'virtual':{'templates':[{'cores':1,'cpus':1}]}",
               "a template has a \"name\" of at most 23 bytes");
    check_list("'virtual':{'templates':[{'name':'a','cores':0,'cpus':1}]}",
               "expected \"cores\", a number from 1 to 65535");
    check_list("'virtual':{'templates':[{'name':'a','cores':9,'cpus':1}]}",
               "this is a; expected a template with memory, or with no more than /cores");
}
END_TEST

START_TEST(pages_of_other_sizes_are_refused) {
    write_model(&folder, "m",
                PHYSICAL ",'pages':{'giant':'512MiB'},'sources':{'/memory':'assumed','/cores':"
                         "'assumed','/pages':'assumed'}");
    check_refused(&folder, "m",
                  "%/m.json: /pages/giant: this is 512MiB; expected 1GiB, or 0 for none\n");
}
END_TEST

START_TEST(an_item_of_a_list_needs_a_source) {
    write_model(&folder, "m",
                PHYSICAL ",'unlike':[{'every':2,'from':1,'memory':{'usable':'1GiB'}}],"
                         "'sources':{'/memory':'assumed','/cores':'assumed'}");
    check_refused(&folder, "m",
                  "%/m.json:1:111: /unlike/0: this value has no source; name one in \"sources\", "
                  "or say \"assumed\"\n");
}
END_TEST

START_TEST(a_leaf_tells_value_basis_confidence_and_source) {
    write_model(&folder, "m", PHYSICAL SOURCES_OF);
    read_well(&folder, "m");
    struct product_leaf leaf = find_leaf("/memory/physical");
    ck_assert_str_eq(leaf.value, "64GiB");
    ck_assert_str_eq(leaf.unit, "bytes");
    ck_assert_str_eq(leaf.meaning, "memory of a device as it is built");
    ck_assert_int_eq(leaf.basis, 'A');
    ck_assert_int_eq(leaf.confidence, 'H');
    ck_assert_str_eq(leaf.source, "npu-smi");
    ck_assert_str_eq(leaf.model, "m");
    ck_assert(!product_leaf_is_guess(&leaf));
}
END_TEST

START_TEST(what_no_model_says_is_inferred_or_assumed) {
    write_model(&folder, "m", PHYSICAL SOURCES_OF);
    read_well(&folder, "m");
    struct product_leaf leaf = find_leaf("/memory/usable");
    ck_assert_str_eq(leaf.value, "64510MiB");
    ck_assert_int_eq(leaf.basis, 'I');
    ck_assert_int_eq(leaf.confidence, 'H');
    ck_assert_ptr_null(leaf.model);
    leaf = find_leaf("/rules/driver_queue");
    ck_assert_str_eq(leaf.value, "device");
    ck_assert_int_eq(leaf.basis, '-');
    ck_assert_str_eq(leaf.source, "the simulator's default");
    ck_assert(product_leaf_is_guess(&leaf));
}
END_TEST

START_TEST(leaves_stand_in_the_order_of_their_pointers_and_once) {
    write_model(&folder, "m", PHYSICAL SOURCES_OF);
    read_well(&folder, "m");
    ck_assert_uint_eq(product_leaf_count(folder.product), product_field_count() + COST_KEYS);
    for (uint32_t place = 1; place < product_leaf_count(folder.product); place++) {
        ck_assert_int_lt(strcmp(product_leaf_get(folder.product, place - 1).pointer,
                                product_leaf_get(folder.product, place).pointer),
                         0);
    }
}
END_TEST

START_TEST(a_missing_base_is_told_with_the_nearest_name) {
    write_model(&folder, "_base", PHYSICAL SOURCES_OF);
    write_model(&folder, "m", "'extends':'_bass'");
    check_refused(&folder, "m",
                  "%/m.json:1:37: /extends: there is no model \"_bass\" to extend; did you mean "
                  "\"_base\"?\n");
}
END_TEST

Suite *test_product_lists(void);

Suite *test_product_lists(void) {
    Suite *suite = suite_create("product_lists");
    TCase *tests = tcase_create("product_lists");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_is_not_reserved_is_usable_in_whole_pages);
    tcase_add_test(tests, what_follows_is_worked_out_anew_when_a_scenario_changes_values);
    tcase_add_test(tests, devices_can_be_unlike_the_others);
    tcase_add_test(tests, usable_memory_that_is_written_holds_for_unlike_devices_too);
    tcase_add_test(tests, a_template_has_memory_or_the_part_of_its_cores);
    tcase_add_test(tests, mistakes_in_lists_are_told);
    tcase_add_test(tests, pages_of_other_sizes_are_refused);
    tcase_add_test(tests, an_item_of_a_list_needs_a_source);
    tcase_add_test(tests, a_leaf_tells_value_basis_confidence_and_source);
    tcase_add_test(tests, what_no_model_says_is_inferred_or_assumed);
    tcase_add_test(tests, leaves_stand_in_the_order_of_their_pointers_and_once);
    tcase_add_test(tests, a_missing_base_is_told_with_the_nearest_name);
    suite_add_tcase(suite, tests);
    return suite;
}
