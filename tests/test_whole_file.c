/* SPDX-License-Identifier: Apache-2.0 */
#include "base/whole_file.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static struct text folder;
static struct problem problem;

static void set_up(void) {
    const char *temporary = getenv("TMPDIR");
    text_printf(&folder, "%s/aclsim-file.XXXXXX", temporary == NULL ? "/tmp" : temporary);
    ck_assert_ptr_nonnull(mkdtemp(folder.bytes));
    ck_assert_int_eq(chdir(text_get(&folder)), 0);
}

static void tear_down(void) {
    (void)unlink("x");
    (void)unlink("link");
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(text_get(&folder)), 0); /* no draft was left */
    text_fini(&folder);
    problem_fini(&problem);
}

static void write_now(const char *path, const char *what) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(what, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void check_holds(const char *path, const char *what) {
    char bytes[64] = { 0 };
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    (void)fread(bytes, 1, sizeof bytes - 1, file);
    (void)fclose(file);
    ck_assert_str_eq(bytes, what);
}

START_TEST(a_file_appears_when_it_is_closed) {
    struct whole_file file;
    ck_assert(whole_file_open(&file, "x", &problem));
    (void)fputs("new", file.stream);
    ck_assert_int_ne(access("x", F_OK), 0);
    ck_assert(whole_file_close(&file, &problem));
    check_holds("x", "new");
}
END_TEST

START_TEST(what_was_there_stays_until_then_and_lends_its_mode) {
    struct whole_file file;
    struct stat status;
    write_now("x", "old");
    ck_assert_int_eq(chmod("x", 0600), 0);
    ck_assert(whole_file_open(&file, "x", &problem));
    (void)fputs("new", file.stream);
    (void)fflush(file.stream);
    check_holds("x", "old");
    ck_assert(whole_file_close(&file, &problem));
    check_holds("x", "new");
    ck_assert_int_eq(stat("x", &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
}
END_TEST

START_TEST(abandoned_it_was_never_there) {
    struct whole_file file;
    write_now("x", "old");
    ck_assert(whole_file_open(&file, "x", &problem));
    (void)fputs("new", file.stream);
    whole_file_abandon(&file);
    check_holds("x", "old");
}
END_TEST

START_TEST(links_are_followed) {
    struct whole_file file;
    struct stat status;
    write_now("x", "old");
    ck_assert_int_eq(symlink("x", "link"), 0);
    ck_assert(whole_file_open(&file, "link", &problem));
    (void)fputs("new", file.stream);
    ck_assert(whole_file_close(&file, &problem));
    check_holds("x", "new");
    ck_assert_int_eq(lstat("link", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
}
END_TEST

START_TEST(an_error_of_the_writer_is_told_and_nothing_changes) {
    struct whole_file file;
    write_now("x", "old");
    ck_assert(whole_file_open(&file, "x", &problem));
    (void)fputs("new", file.stream);
    file.error = ENOSPC;
    ck_assert(!whole_file_close(&file, &problem));
    check_holds("x", "old");
    ck_assert_uint_eq(problem.complaints.count, 1);
    ck_assert_ptr_nonnull(strstr(problem.complaints.items[0].message, "it can not be written: "));
}
END_TEST

START_TEST(two_writers_do_not_mix) {
    struct whole_file first;
    struct whole_file second;
    ck_assert(whole_file_open(&first, "x", &problem));
    ck_assert(whole_file_open(&second, "x", &problem));
    (void)fputs("first", first.stream);
    (void)fputs("second", second.stream);
    ck_assert(whole_file_close(&first, &problem));
    check_holds("x", "first");
    ck_assert(whole_file_close(&second, &problem));
    check_holds("x", "second");
}
END_TEST

Suite *test_whole_file(void);
Suite *test_whole_file(void) {
    Suite *suite = suite_create("whole_file");
    TCase *tests = tcase_create("whole_file");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_file_appears_when_it_is_closed);
    tcase_add_test(tests, what_was_there_stays_until_then_and_lends_its_mode);
    tcase_add_test(tests, abandoned_it_was_never_there);
    tcase_add_test(tests, links_are_followed);
    tcase_add_test(tests, an_error_of_the_writer_is_told_and_nothing_changes);
    tcase_add_test(tests, two_writers_do_not_mix);
    suite_add_tcase(suite, tests);
    return suite;
}
