/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_read.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model_folder.h"
#include "tests/stage.h"
#include "tests/world.h"

static struct model_folder folder;

static void set_up(void) {
    model_folder_init(&folder);
}

static void tear_down(void) {
    model_folder_fini(&folder);
}

static uint64_t base_cost(enum cost_key key) {
    return folder.product->cost[key].base_ns;
}

START_TEST(a_field_that_a_model_is_silent_about_has_its_default) {
    write_base(&folder, SOURCES);
    read_well(&folder, "base");
    ck_assert_uint_eq(folder.product->usable, GIB);
    ck_assert_uint_eq(folder.product->devices, 8);
    ck_assert(folder.product->hbm);
    ck_assert_uint_eq(folder.product->driver_queue, 0);
    ck_assert_str_eq(folder.product->family_name, "f");
    ck_assert(!folder.product->is_standard);
}
END_TEST

START_TEST(every_field_can_be_written) {
    write_base(&folder, SOURCES);
    read_well(&folder, "base");
    for (uint32_t place = 0; place < product_field_count(); place++) {
        const struct product_field *field = product_field(place);
        uint64_t value = product_get(folder.product, field);
        product_set(folder.product, field, field->kind == PRODUCT_FLAG ? value == 0 : 1);
        ck_assert_uint_eq(product_get(folder.product, field),
                          field->kind == PRODUCT_FLAG ? value == 0 : 1);
    }
}
END_TEST

START_TEST(a_value_is_a_number_a_size_a_flag_or_a_word) {
    write_base(&folder, ",'devices':4,'rules':{'driver_queue':'process','strict_init':false},"
                        "'limits':{'streams':12},'pages':{'huge_first_limit':'2MiB'}"
                        ",'sources':{'/memory':'assumed','/devices':'assumed','/rules':'assumed x',"
                        "'/limits':'assumed','/pages':'assumed'}");
    read_well(&folder, "base");
    ck_assert_uint_eq(folder.product->devices, 4);
    ck_assert_uint_eq(folder.product->driver_queue, 1);
    ck_assert(!folder.product->strict_init);
    ck_assert_uint_eq(folder.product->streams_max, 12);
    ck_assert_uint_eq(folder.product->huge_first_limit, 2 * MIB);
}
END_TEST

START_TEST(a_value_of_another_kind_is_refused) {
    write_base(&folder, ",'devices':'many','rules':{'driver_queue':'nobody','strict_init':1},"
                        "'limits':{'streams':5000000000}" SOURCES_DEVICES);
    check_refused(&folder, "base",
                  "%/base.json:1:80: /devices: this is \"many\"; expected a number below 2^32\n"
                  "%/base.json:1:111: /rules/driver_queue: this is \"nobody\"; expected one of: "
                  "device process server\n"
                  "%/base.json:1:134: /rules/strict_init: this is a whole number; expected true or "
                  "false\n"
                  "%/base.json:1:157: /limits/streams: this is a whole number; expected a number "
                  "below 2^32\n");
}
END_TEST

START_TEST(what_a_model_extends_is_taken_over_and_its_own_values_win) {
    write_base(&folder, ",'devices':4,'standard':true" SOURCES_DEVICES);
    write_model(&folder, "middle",
                "'extends':'base','memory':{'held':'2MiB'},'sources':{'/memory':'V H x'}");
    write_model(&folder, "top", "'extends':'middle','devices':2,'sources':{'/devices':'V H y'}");
    read_well(&folder, "top");
    ck_assert_str_eq(folder.product->name, "top");
    ck_assert_str_eq(folder.product->family_name, "f");
    ck_assert_uint_eq(folder.product->usable, GIB);
    ck_assert_uint_eq(folder.product->held, 2 * MIB);
    ck_assert_uint_eq(folder.product->devices, 2);
    ck_assert(!folder.product->is_standard);
    ck_assert_str_eq(find_source(&folder, "/devices")->model, "top");
    ck_assert_str_eq(find_source(&folder, "/devices")->source, "V H y");
    ck_assert_str_eq(find_source(&folder, "/memory/held")->model, "middle");
    ck_assert_str_eq(find_source(&folder, "/memory/usable")->model, "base");
}
END_TEST

START_TEST(models_that_extend_each_other_in_a_circle_are_refused) {
    write_model(&folder, "one", "'extends':'two'");
    write_model(&folder, "two", "'extends':'one'");
    write_model(&folder, "self", "'extends':'self'");
    check_refused(&folder, "one",
                  "%/two.json:1:39: /extends: \"one\" extends itself by way of this\n");
    check_refused(&folder, "self",
                  "%/self.json:1:40: /extends: \"self\" extends itself by way of this\n");
}
END_TEST

START_TEST(models_extend_each_other_8_deep) {
    char name[8];
    char members[32];
    write_base(&folder, SOURCES);
    for (int place = 1; place <= 8; place++) {
        (void)snprintf(name, sizeof name, "m%d", place);
        (void)snprintf(members, sizeof members, place == 1 ? "'extends':'base'" : "'extends':'m%d'",
                       place - 1);
        write_model(&folder, name, members);
    }
    read_well(&folder, "m7");
    check_refused(&folder, "m8",
                  "%/m1.json:1:38: /extends: models extend each other at most 8 deep\n");
}
END_TEST

START_TEST(a_model_that_is_not_there_can_not_be_extended) {
    write_model(&folder, "top", "'extends':'nobody'");
    write_model(&folder, "up", "'extends':'../base'");
    write_model(&folder, "odd", "'extends':7");
    check_refused(&folder, "top",
                  "%/top.json:1:39: /extends: there is no model \"nobody\" to extend\n");
    check_refused(&folder, "up",
                  "%/up.json:1:38: /extends: \"../base\" is not the name of a product\n");
    check_refused(&folder, "odd",
                  "%/odd.json:1:39: /extends: extends is a whole number; expected a string\n");
}
END_TEST

START_TEST(a_name_with_a_slash_or_a_dot_is_no_product) {
    check_refused(&folder, "../x", "%: \"../x\" is not the name of a product\n");
    check_refused(&folder, ".x", "%: \".x\" is not the name of a product\n");
    check_refused(&folder, "", "%: \"\" is not the name of a product\n");
}
END_TEST

START_TEST(a_value_without_a_source_is_refused) {
    write_base(&folder, "");
    check_refused(&folder, "base",
                  "%/base.json:1:62: /memory/usable: this value has no source; name one in "
                  "\"sources\", or say \"assumed\"\n");
}
END_TEST

START_TEST(the_source_of_a_value_is_that_of_the_longest_pointer_to_it) {
    write_base(&folder,
               ",'costs':{'map':'3us','free':'4us'},'sources':{'/memory':'V H a','/costs':'V L b',"
               "'/costs/map':'A M c'}");
    read_well(&folder, "base");
    ck_assert_str_eq(find_source(&folder, "/costs/map")->source, "A M c");
    ck_assert_str_eq(find_source(&folder, "/costs/free")->source, "V L b");
    ck_assert_str_eq(find_source(&folder, "/costs/free")->value, "4us");
}
END_TEST

START_TEST(an_inherited_source_does_not_cover_an_own_value) {
    write_base(&folder, SOURCES);
    write_model(&folder, "top", "'extends':'base','memory':{'usable':'2GiB'}");
    check_refused(&folder, "top",
                  "%/top.json:1:65: /memory/usable: this value has no source; name one in "
                  "\"sources\", or say \"assumed\"\n");
}
END_TEST

START_TEST(a_source_is_assumed_or_has_basis_confidence_and_text) {
    static const char *const good[] = { "assumed", "assumed for now", "A H x", "C M x",
                                        "V L x",   "S H x",           "T H x", "I H x" };
    static const char *const bad[] = { "",      "assumedly", "V",     "V H",   "V H ",
                                       "X H x", "V X x",     "v h x", "V  H x" };
    for (size_t place = 0; place < 17; place++) {
        struct problem problem = { 0 };
        char members[128];
        (void)snprintf(members, sizeof members, ",'sources':{'/memory':'%s'}",
                       place < 8 ? good[place] : bad[place - 8]);
        write_base(&folder, members);
        struct product *read = product_read(folder.path, "base", &problem);
        ck_assert_msg((read != NULL) == (place < 8), "%s", members);
        product_free(read);
        problem_fini(&problem);
    }
}
END_TEST

START_TEST(a_source_that_leads_nowhere_is_told) {
    write_base(&folder, ",'links':[{'name':'a','peers':'all','push':{'rate':5}}],'sources':{"
                        "'/memory':'assumed','/memory/usabel':'A H x','/links/0':'assumed',"
                        "'/links/1':'assumed','/links/x':'assumed','/links/':'assumed',"
                        "'/memory/usable/more':'assumed','/':'assumed'}");
    check_refused(&folder, "base",
                  "%/base.json:1:156: /sources/~1memory~1usabel: nothing in this file stands at "
                  "\"/memory/usabel\"\n"
                  "%/base.json:1:202: /sources/~1links~11: nothing in this file stands at "
                  "\"/links/1\"\n"
                  "%/base.json:1:223: /sources/~1links~1x: nothing in this file stands at "
                  "\"/links/x\"\n"
                  "%/base.json:1:244: /sources/~1links~1: nothing in this file stands at "
                  "\"/links/\"\n"
                  "%/base.json:1:264: /sources/~1memory~1usable~1more: nothing in this file stands "
                  "at \"/memory/usable/more\"\n"
                  "%/base.json:1:296: /sources/~1: nothing in this file stands at \"/\"\n");
}
END_TEST

START_TEST(a_source_belongs_to_a_pointer_below_the_whole) {
    write_base(&folder, ",'sources':{'':'assumed','memory':'assumed','/memory':'assumed'}");
    check_refused(&folder, "base",
                  "%/base.json:1:84: /sources/: a source belongs to a JSON pointer such as "
                  "\"/memory\"\n"
                  "%/base.json:1:103: /sources/memory: a source belongs to a JSON pointer such as "
                  "\"/memory\"\n");
}
END_TEST

START_TEST(an_unknown_field_is_told_with_the_nearest) {
    write_base(&folder, ",'memory':1,'memroy':{'usable':1},'colour':'red'" SOURCES);
    check_refused(&folder, "base",
                  "%/base.json:1:70: /memory: the key \"memory\" stands here a second time\n"
                  "%/base.json:1:100: /memroy/usable: a model has no such field; did you mean "
                  "\"/memory/usable\"?\n"
                  "%/base.json:1:112: /colour: a model has no such field; see `aclsim list "
                  "fields`\n");
}
END_TEST

START_TEST(a_key_without_a_cost_has_that_of_default) {
    write_base(&folder, ",'costs':{'map':'3us','default':'2us','create':{'per_page':{'huge':'7ns'}}"
                        "}" SOURCES_COSTS);
    read_well(&folder, "base");
    ck_assert_uint_eq(base_cost(COST_MAP), 3000);
    ck_assert_uint_eq(base_cost(COST_UNMAP), 2000);
    ck_assert_uint_eq(base_cost(COST_CREATE), 2000);
    ck_assert_uint_eq(folder.product->cost[COST_CREATE].page_ns[PAGE_HUGE], 7);
    ck_assert_uint_eq(folder.product->cost[COST_CREATE].page_ns[PAGE_NORMAL], 0);
}
END_TEST

START_TEST(an_own_default_leaves_inherited_costs_as_they_are) {
    write_base(&folder, ",'costs':{'default':'2us','map':'3us'}" SOURCES_COSTS);
    write_model(&folder, "top",
                "'extends':'base','costs':{'default':'9us'},'sources':{'/costs':'assumed'}");
    read_well(&folder, "top");
    ck_assert_uint_eq(base_cost(COST_MAP), 3000);
    ck_assert_uint_eq(base_cost(COST_UNMAP), 9000);
}
END_TEST

START_TEST(a_cost_that_is_one_time_replaces_an_inherited_one_with_its_parts) {
    write_base(&folder, ",'costs':{'map':{'base':'3us','per_page':{'huge':'7ns'}}}" SOURCES_COSTS);
    write_model(&folder, "top",
                "'extends':'base','costs':{'map':'5us'},'sources':{'/costs':'assumed'}");
    read_well(&folder, "top");
    ck_assert_uint_eq(base_cost(COST_MAP), 5000);
    ck_assert_uint_eq(folder.product->cost[COST_MAP].page_ns[PAGE_HUGE], 0);
    ck_assert_ptr_null(find_source(&folder, "/costs/map/per_page/huge"));
    ck_assert_ptr_nonnull(find_source(&folder, "/costs/map"));
}
END_TEST

START_TEST(an_unknown_cost_or_no_time_is_refused) {
    write_base(
        &folder,
        ",'costs':{'mapp':'3us','map':'3 weeks','free':7,'unmap':{'per':'1us'}}" SOURCES_COSTS);
    check_refused(
        &folder, "base",
        "%/base.json:1:79: /costs/mapp: there is no cost \"mapp\"; did you mean \"map\"?\n"
        "%/base.json:1:98: /costs/map: this is \"3 weeks\"; expected a time such as "
        "\"15us\"\n"
        "%/base.json:1:115: /costs/free: this is a whole number; expected a time such as "
        "\"15us\"\n"
        "%/base.json:1:126: /costs/unmap/per: there is no cost \"unmap/per\"; see "
        "`aclsim list costs`\n");
}
END_TEST

START_TEST(a_model_says_its_format_and_its_name) {
    write_model(&folder, "other", "'format':1");
    check_refused(&folder, "other",
                  "%/other.json:1:31: /format: the key \"format\" stands here a second time\n");
    write_raw(&folder, "other", "{'format':2,'product':'other'}");
    check_refused(&folder, "other",
                  "%/other.json:1:11: /format: format 2 is not known; this version reads 1\n");
    write_raw(&folder, "other", "{'format':1,'product':'othr'}");
    check_refused(&folder, "other",
                  "%/other.json:1:23: /product: a model says \"product\": \"other\", like its "
                  "file\n");
    write_raw(&folder, "other", "{'product':'other'}");
    check_refused(&folder, "other",
                  "%/other.json:1:1: the key \"format\" is missing; write \"format\": 1\n");
    write_raw(&folder, "other", "[]");
    check_refused(&folder, "other", "%/other.json:1:1: a model is a list; expected an object\n");
}
END_TEST

START_TEST(a_product_has_a_family_and_memory) {
    write_model(&folder, "bare", "'about':'nothing'");
    check_refused(
        &folder, "bare",
        "%/bare.json: /family: this is missing; expected a column of support.csv\n"
        "%/bare.json: /memory: this is 0; expected usable memory of 2MiB to 256GiB beyond "
        "what is held\n");
}
END_TEST

static void check_change(const char *model, const char *expected) {
    struct problem problem = { 0 };
    struct text json = { 0 };
    text_append(&json, model);
    for (size_t place = 0; place < json.size; place++) {
        json.bytes[place] = json.bytes[place] == '\'' ? '"' : json.bytes[place];
    }
    struct json_document *document = json_parse("x.json", text_get(&json), json.size, &problem);
    struct product *changed = product_change(folder.product, json_root(document), &problem);
    char *complaints = stage_complaints(&problem);
    ck_assert_str_eq(complaints, expected);
    ck_assert((changed != NULL) == (expected[0] == '\0'));
    if (changed != NULL) {
        ck_assert_uint_eq(changed->usable, 2 * GIB);
        ck_assert_uint_eq(changed->devices, folder.product->devices);
        ck_assert_str_eq(changed->name, folder.product->name);
    }
    product_free(changed);
    free(complaints);
    json_free(document);
    text_fini(&json);
    problem_fini(&problem);
}

START_TEST(a_scenario_changes_fields_with_their_sources_and_not_the_product) {
    write_base(&folder, SOURCES);
    read_well(&folder, "base");
    check_change("{'memory':{'usable':'2GiB'},'sources':{'/memory':'assumed'}}", "");
    ck_assert_uint_eq(folder.product->usable, GIB);
    check_change("{'memory':{'usable':'2GiB'}}",
                 "x.json:1:21: /memory/usable: this value has no source; name one in \"sources\", "
                 "or say \"assumed\"\n");
    check_change("{'devices':0,'addresses':{'plain':{'from':0}},'sources':{'/devices':'assumed',"
                 "'/addresses':'assumed'}}",
                 "base: /addresses/plain: this is from 0 to 24TiB; expected a window above 0 that "
                 "ends at 256TiB or below\n"
                 "base: /devices: this is 0; expected 1 to 1024\n");
    check_change("{'family':'g','extends':'base'}",
                 "x.json:1:2: /family: \"family\" can not be changed here\n"
                 "x.json:1:15: /extends: \"extends\" can not be changed here\n");
}
END_TEST

Suite *test_product_read(void);

Suite *test_product_read(void) {
    Suite *suite = suite_create("product_read");
    TCase *tests = tcase_create("product_read");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_field_that_a_model_is_silent_about_has_its_default);
    tcase_add_test(tests, every_field_can_be_written);
    tcase_add_test(tests, a_value_is_a_number_a_size_a_flag_or_a_word);
    tcase_add_test(tests, a_value_of_another_kind_is_refused);
    tcase_add_test(tests, what_a_model_extends_is_taken_over_and_its_own_values_win);
    tcase_add_test(tests, models_that_extend_each_other_in_a_circle_are_refused);
    tcase_add_test(tests, models_extend_each_other_8_deep);
    tcase_add_test(tests, a_model_that_is_not_there_can_not_be_extended);
    tcase_add_test(tests, a_name_with_a_slash_or_a_dot_is_no_product);
    tcase_add_test(tests, a_value_without_a_source_is_refused);
    tcase_add_test(tests, the_source_of_a_value_is_that_of_the_longest_pointer_to_it);
    tcase_add_test(tests, an_inherited_source_does_not_cover_an_own_value);
    tcase_add_test(tests, a_source_is_assumed_or_has_basis_confidence_and_text);
    tcase_add_test(tests, a_source_that_leads_nowhere_is_told);
    tcase_add_test(tests, a_source_belongs_to_a_pointer_below_the_whole);
    tcase_add_test(tests, an_unknown_field_is_told_with_the_nearest);
    tcase_add_test(tests, a_key_without_a_cost_has_that_of_default);
    tcase_add_test(tests, an_own_default_leaves_inherited_costs_as_they_are);
    tcase_add_test(tests, a_cost_that_is_one_time_replaces_an_inherited_one_with_its_parts);
    tcase_add_test(tests, an_unknown_cost_or_no_time_is_refused);
    tcase_add_test(tests, a_model_says_its_format_and_its_name);
    tcase_add_test(tests, a_product_has_a_family_and_memory);
    tcase_add_test(tests, a_scenario_changes_fields_with_their_sources_and_not_the_product);
    suite_add_tcase(suite, tests);
    return suite;
}
