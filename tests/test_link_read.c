/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/link_read.h"

#include <check.h>
#include <string.h>

#include "machine/product_read.h"
#include "tests/model_folder.h"
#include "tests/world.h"

static struct model_folder folder;

static void set_up(void) {
    model_folder_init(&folder);
}

static void tear_down(void) {
    model_folder_fini(&folder);
}

START_TEST(links_are_read_in_their_order_with_their_curves) {
    write_base(&folder,
               ",'links':[{'name':'fast','peers':'pairs','peer_access':true,'push':{'table':"
               "[['16KiB','1us'],[32768,'2us']]},'pull':{'overhead':'3us','rate':1000}},"
               "{'name':'far','peers':'groups','group':4,'push':{'rate':'1GiB'}},"
               "{'name':'bus','peers':'host','push':{'rate':5}}]"
               ",'sources':{'/memory':'assumed','/links':'V H a','/links/1':'A H b'}");
    read_well(&folder, "base");
    ck_assert_uint_eq(folder.product->link_count, 3);
    ck_assert_str_eq(folder.product->link[0].name, "fast");
    ck_assert(folder.product->link[0].peer_access);
    ck_assert_uint_eq(folder.product->link[0].peers, LINK_PAIRS);
    ck_assert_uint_eq(folder.product->link[0].push.points, 2);
    ck_assert_uint_eq(folder.product->link[0].push.bytes[1], 32768);
    ck_assert_uint_eq(folder.product->link[0].push.time_ns[1], 2000);
    ck_assert_uint_eq(folder.product->link[0].pull.overhead_ns, 3000);
    ck_assert_uint_eq(folder.product->link[0].pull.points, 0);
    ck_assert_uint_eq(folder.product->link[1].group, 4);
    ck_assert_uint_eq(folder.product->link[1].pull.rate, GIB);
    ck_assert_uint_eq(folder.product->link[2].peers, LINK_HOST);
    ck_assert_str_eq(find_source(&folder, "/links/0")->source, "V H a");
    ck_assert_str_eq(find_source(&folder, "/links/0")->value, "fast, pairs, peer access");
    ck_assert_str_eq(find_source(&folder, "/links/0/push")->value, "16KiB 1us, 32KiB 2us");
    ck_assert_str_eq(find_source(&folder, "/links/0/pull")->value, "3us and 1000 bytes/s");
    ck_assert_str_eq(find_source(&folder, "/links/1")->source, "A H b");
    ck_assert_str_eq(find_source(&folder, "/links/1")->value, "far, groups of 4");
    ck_assert_ptr_null(find_source(&folder, "/links/1/pull"));
}
END_TEST

START_TEST(own_links_replace_those_of_the_extended_model) {
    write_base(&folder, ",'links':[{'name':'a','peers':'all','push':{'rate':5}},"
                        "{'name':'b','peers':'host','push':{'rate':5}}]"
                        ",'sources':{'/memory':'assumed','/links':'assumed'}");
    write_model(&folder, "top",
                "'extends':'base','links':[{'name':'c','peers':'all','push':{'rate':5}}],"
                "'sources':{'/links':'assumed'}");
    read_well(&folder, "top");
    ck_assert_uint_eq(folder.product->link_count, 1);
    ck_assert_str_eq(folder.product->link[0].name, "c");
    ck_assert_ptr_null(find_source(&folder, "/links/1"));
    ck_assert_str_eq(find_source(&folder, "/links/0")->model, "top");
}
END_TEST

static void check_link(const char *link, const char *expected) {
    struct problem problem = { 0 };
    struct text more = { 0 };
    text_printf(&more, ",'links':[%s],'sources':{'/memory':'assumed','/links':'assumed'}", link);
    write_base(&folder, text_get(&more));
    ck_assert_ptr_null(product_read(folder.path, "base", &problem));
    ck_assert_uint_eq(problem.complaints.count, 1);
    ck_assert_str_eq(problem.complaints.items[0].message, expected);
    problem_fini(&problem);
    text_fini(&more);
}

START_TEST(mistakes_in_links_are_told) {
    check_link("{'peers':'all','push':{'rate':1}}", "a link has a \"name\" of at most 15 bytes");
    check_link("{'name':'sixteen letters!','peers':'all','push':{'rate':1}}",
               "a link has a \"name\" of at most 15 bytes");
    check_link("{'name':'a','push':{'rate':1}}", "a link says whom it joins: \"peers\"");
    check_link("{'name':'a','peers':'some','push':{'rate':1}}",
               "\"some\" joins nobody; expected pairs, groups, all or host");
    check_link("{'name':'a','peers':'groups','push':{'rate':1}}",
               "\"peers\": \"groups\" has a \"group\" of so many devices, such as 4");
    check_link("{'name':'a','peers':'groups','group':4294967296,'push':{'rate':1}}",
               "\"peers\": \"groups\" has a \"group\" of so many devices, such as 4");
    check_link("{'name':'a','peers':'all','group':4,'push':{'rate':1}}",
               "only \"peers\": \"groups\" has a \"group\"");
    check_link("{'name':'a','peers':'all'}", "a link has a curve \"push\"");
    check_link("{'name':'a','peers':'all','push':{}}", "a curve has a \"rate\" or a \"table\"");
    check_link("{'name':'a','peers':'all','push':{'table':[]}}",
               "a table has at least one pair of size and time");
    check_link("{'name':'a','peers':'all','push':{'table':[['1KiB','1us']],'rate':1}}",
               "a curve has a \"table\", or a \"rate\" and an \"overhead\"");
    check_link("{'name':'a','peers':'all','push':{'table':[[2,'1us'],[1,'2us']]}}",
               "sizes begin above 0 and rise, times do not fall");
    check_link("{'name':'a','peers':'all','push':{'table':[[1,'2us'],[2,'1us']]}}",
               "sizes begin above 0 and rise, times do not fall");
    check_link("{'name':'a','peers':'all','push':{'table':[[0,'1us']]}}",
               "sizes begin above 0 and rise, times do not fall");
    check_link("{'name':'a','peers':'all','push':{'rate':1,'overhead':3}}",
               "this is a whole number; expected a time such as \"900ns\"");
    check_link("{'name':'a','peers':'all','push':{'rate':'quick'}}",
               "this is quick; expected a number or a size such as \"16KiB\"");
    check_link("{'name':'a','peers':'all','push':{'rat':1}}",
               "unknown key \"rat\"; did you mean \"rate\"?");
    check_link("7", "a link is a whole number; expected an object");
}
END_TEST

Suite *test_link_read(void);

Suite *test_link_read(void) {
    Suite *suite = suite_create("link_read");
    TCase *tests = tcase_create("link_read");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, links_are_read_in_their_order_with_their_curves);
    tcase_add_test(tests, own_links_replace_those_of_the_extended_model);
    tcase_add_test(tests, mistakes_in_links_are_told);
    suite_add_tcase(suite, tests);
    return suite;
}
