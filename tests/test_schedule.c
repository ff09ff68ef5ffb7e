/* SPDX-License-Identifier: Apache-2.0 */
#include "core/schedule.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

enum { PROGRAMS = 4, STEPS = 6 };

/* Programs whose steps may wait for what another program gives: as many times as it is given. */
struct step {
    const char *name; /* NULL after the last */
    char gives;       /* a letter, or 0 */
    char takes;       /* a letter, or 0: the step is not ready until it is given */
    uint64_t cost_ns;
};

struct world {
    struct store *store;
    struct engine engine;
    struct text trace; /* "a:1@20 " is a step that started at 20 ns */
    struct problem problem;
    struct step steps[PROGRAMS][STEPS];
    uint32_t next[PROGRAMS]; /* step */
    uint32_t given['z' + 1];
};

static const struct step *next_step(const struct world *world, uint32_t program) {
    return &world->steps[program][world->next[program]];
}

/* Makes the next step of a program ready, if there is one and it has what it takes. */
static void make_ready(struct world *world, uint32_t program, uint64_t due_ns) {
    const struct step *step = next_step(world, program);
    struct action action = { ACTION_STEP, 0, program };

    if (step->name != NULL && !engine_is_ready(&world->engine, action) &&
        (step->takes == 0 || world->given[(int)step->takes] > 0)) {
        engine_ready(&world->engine, action, due_ns);
    }
}

static void perform(void *context, struct action action) {
    struct world *world = context;
    const struct step *step = next_step(world, action.slot);
    uint64_t now_ns = engine_now(&world->engine);

    text_printf(&world->trace, "%s@%" PRIu64 " ", step->name, now_ns);
    world->next[action.slot]++;
    if (step->takes != 0) {
        world->given[(int)step->takes]--;
    }
    make_ready(world, action.slot, now_ns + step->cost_ns);
    if (step->gives != 0) {
        world->given[(int)step->gives]++;
        for (uint32_t program = 0; program < PROGRAMS; program++) {
            if (next_step(world, program)->takes == step->gives) {
                make_ready(world, program, now_ns);
            }
        }
    }
}

static void name_step(void *context, struct action action, struct text *name) {
    text_append(name, next_step(context, action.slot)->name);
}

static void start(struct world *world) {
    world->store = store_new();
    world->engine = engine_bind(world->store, ENGINE_SCHEDULE, choice_first(), perform, world);
    for (uint32_t program = 0; program < PROGRAMS; program++) {
        make_ready(world, program, 0);
    }
}

static void finish(struct world *world) {
    problem_fini(&world->problem);
    text_fini(&world->trace);
    store_free(world->store);
}

static bool follow(struct world *world, const char *lines) {
    struct schedule *schedule = schedule_parse("test", lines, &world->problem);

    ck_assert_ptr_nonnull(schedule);
    bool followed = schedule_follow(schedule, &world->engine, name_step, world, &world->problem);
    schedule_free(schedule);
    return followed;
}

/* Follows a schedule that can be followed, and compares all that was done. */
static void check_followed(struct world *world, const char *lines, const char *expected) {
    start(world);
    ck_assert(follow(world, lines));
    ck_assert(problem_is_empty(&world->problem));
    ck_assert_str_eq(text_get(&world->trace), expected);
    finish(world);
}

/* Reads lines that are right, and compares what is printed. */
static void check_read(const char *lines, const char *expected) {
    struct problem problem = { 0 };
    struct text text = { 0 };
    struct schedule *schedule = schedule_parse("test", lines, &problem);

    ck_assert_ptr_nonnull(schedule);
    schedule_print(schedule, &text);
    ck_assert_str_eq(text_get(&text), expected);
    schedule_free(schedule);
    text_fini(&text);
}

START_TEST(what_is_printed_is_read_as_the_same) {
    struct schedule *schedule = schedule_new();
    struct text text = { 0 };

    schedule_add(schedule, "worker:import");
    schedule_add(schedule, "owner:12");
    schedule_add(schedule, "owner:12#3");
    schedule_print(schedule, &text);
    check_read(text_get(&text), "worker:import\nowner:12\nowner:12#3\n");
    schedule_free(schedule);
    text_fini(&text);
}
END_TEST

START_TEST(steps_are_counted_and_kept_in_order) {
    struct problem problem = { 0 };
    struct schedule *schedule = schedule_parse("test", "b:2\na:1\nb:2\n", &problem);

    ck_assert_uint_eq(schedule_count(schedule), 3);
    ck_assert_str_eq(schedule_get(schedule, 0), "b:2");
    ck_assert_str_eq(schedule_get(schedule, 1), "a:1");
    ck_assert_str_eq(schedule_get(schedule, 2), "b:2");
    schedule_free(schedule);
}
END_TEST

START_TEST(a_line_may_end_with_a_carriage_return) {
    check_read("a:1\r\n\r\n# comment\r\nb:2\r\n", "a:1\nb:2\n");
}
END_TEST

START_TEST(comments_and_empty_lines_are_passed_over) {
    check_read("# a: 1\n\na:1\n#b:2\n\n", "a:1\n");
}
END_TEST

START_TEST(the_last_line_needs_no_end) {
    check_read("a:1\nb:2", "a:1\nb:2\n");
}
END_TEST

START_TEST(no_lines_are_an_empty_schedule) {
    check_read("", "");
}
END_TEST

START_TEST(every_bad_line_gives_one_complaint_with_its_line) {
    struct problem problem = { 0 };
    const char *lines = "# comment\na:1\nimport\n\r\nb:2\n:3\r\nc:\na step:1\n \n d:4\t";
    const uint32_t bad[] = { 3, 6, 7, 8 };

    ck_assert_ptr_null(schedule_parse("test", lines, &problem));
    ck_assert_uint_eq(problem.complaints.count, 4);
    for (int place = 0; place < 4; place++) {
        ck_assert_str_eq(problem.complaints.items[place].place.file, "test");
        ck_assert_uint_eq(problem.complaints.items[place].place.line, bad[place]);
    }
    problem_fini(&problem);
}
END_TEST

START_TEST(a_complaint_repeats_the_line) {
    struct problem problem = { 0 };

    ck_assert_ptr_null(schedule_parse("test", "a:1\nim port\r\n", &problem));
    ck_assert_ptr_nonnull(strstr(problem.complaints.items[0].message, "\"im port\""));
    problem_fini(&problem);
}
END_TEST

START_TEST(a_carriage_return_alone_ends_no_line) {
    struct problem problem = { 0 };

    ck_assert_ptr_null(schedule_parse("test", "a:1\rb:2\r", &problem));
    ck_assert_uint_eq(problem.complaints.count, 1);
    problem_fini(&problem);
}
END_TEST

START_TEST(an_empty_schedule_does_nothing) {
    struct world world = { .steps = { { { "a:1", 0, 0, 10 } } } };

    check_followed(&world, "", "");
}
END_TEST

START_TEST(the_named_order_wins_over_due_times) {
    struct world world = { .steps = { { { "a:1", 0, 0, 10 }, { "a:2", 0, 0, 10 } },
                                      { { "b:1", 0, 0, 90 }, { "b:2", 0, 0, 10 } } } };

    check_followed(&world, "b:1\nb:2\na:1\na:2\n", "b:1@0 b:2@90 a:1@90 a:2@100 ");
}
END_TEST

START_TEST(nothing_runs_after_the_last_named_step) {
    struct world world = { .steps = { { { "a:1", 0, 0, 10 }, { "a:2", 0, 0, 10 } },
                                      { { "b:1", 0, 0, 10 } } } };

    check_followed(&world, "a:1\n", "a:1@0 ");
}
END_TEST

START_TEST(unnamed_earlier_steps_of_the_same_program_run_first) {
    struct world world = {
        .steps = { { { "a:1", 0, 0, 10 } },
                   { { "b:1", 0, 0, 10 }, { "b:2", 0, 0, 10 }, { "b:3", 0, 0, 10 } } }
    };

    check_followed(&world, "b:3\na:1\n", "b:1@0 b:2@10 b:3@20 a:1@20 ");
}
END_TEST

START_TEST(a_name_that_begins_like_another_is_another_program) {
    struct world shorter = { .steps = { { { "aa:1", 0, 0, 0 } },
                                        { { "a:1", 0, 0, 0 }, { "a:2", 0, 0, 0 } } } };
    struct world longer = { .steps = { { { "a:1", 0, 0, 0 } },
                                       { { "aa:1", 0, 0, 0 }, { "aa:2", 0, 0, 0 } } } };

    check_followed(&shorter, "a:2\n", "a:1@0 a:2@0 ");
    check_followed(&longer, "aa:2\n", "aa:1@0 aa:2@0 ");
}
END_TEST

START_TEST(while_a_program_waits_others_run_until_it_is_ready) {
    struct world world = {
        .steps = { { { "a:take", 0, 'x', 10 } },
                   { { "b:1", 0, 0, 10 }, { "b:give", 'x', 0, 10 }, { "b:3", 0, 0, 10 } } }
    };

    check_followed(&world, "a:take\n", "b:1@0 b:give@10 a:take@10 ");
}
END_TEST

START_TEST(while_a_program_waits_the_earliest_of_the_others_is_next) {
    struct world world = { .steps = {
                               { { "a:take", 0, 'x', 0 } },
                               { { "b:1", 0, 0, 20 }, { "b:give", 'x', 0, 0 } },
                               { { "c:1", 0, 0, 30 }, { "c:2", 0, 0, 0 } },
                               { { "d:1", 0, 0, 10 }, { "d:2", 0, 0, 30 }, { "d:3", 0, 0, 0 } } } };

    check_followed(&world, "a:take\n", "b:1@0 c:1@0 d:1@0 d:2@10 b:give@20 a:take@20 ");
}
END_TEST

START_TEST(a_step_named_later_never_runs_early) {
    struct world world = { .steps = { { { "a:take", 0, 'x', 0 } },
                                      { { "b:1", 0, 0, 0 }, { "b:2", 0, 0, 0 } },
                                      { { "c:1", 0, 0, 50 }, { "c:give", 'x', 0, 0 } } } };

    check_followed(&world, "a:take\nb:2\n", "b:1@0 c:1@0 c:give@50 a:take@50 b:2@50 ");
}
END_TEST

START_TEST(reaching_a_step_holds_back_all_that_are_named_later) {
    struct world world = { .steps = { { { "a:1", 0, 0, 0 } },
                                      { { "b:take", 0, 'x', 0 } },
                                      { { "c:1", 0, 0, 0 } },
                                      { { "d:1", 0, 0, 50 }, { "d:give", 'x', 0, 0 } } } };

    check_followed(&world, "a:1\nb:take\nc:1\n", "a:1@0 d:1@0 d:give@50 b:take@50 c:1@50 ");
}
END_TEST

START_TEST(freeing_no_schedule_does_nothing) {
    schedule_free(NULL);
}
END_TEST

START_TEST(a_step_named_twice_runs_once_for_each) {
    struct world world = { .steps = {
                               { { "a:1", 0, 0, 0 }, { "a:1", 0, 0, 0 }, { "a:1", 0, 0, 0 } },
                               { { "b:1", 0, 0, 0 }, { "b:2", 0, 0, 0 } } } };

    check_followed(&world, "a:1\nb:1\na:1\nb:2\n", "a:1@0 b:1@0 a:1@0 b:2@0 ");
}
END_TEST

START_TEST(a_step_may_run_unasked_once_it_was_reached) {
    struct world world = { .steps = {
                               { { "a:1", 0, 0, 0 }, { "a:1", 0, 0, 0 }, { "a:2", 0, 0, 0 } } } };

    check_followed(&world, "a:1\na:2\n", "a:1@0 a:1@0 a:2@0 ");
}
END_TEST

START_TEST(a_schedule_survives_an_unrelated_step) {
    const char *lines = "b:give\na:take\nb:last\n";
    struct world before = { .steps = { { { "a:take", 0, 'x', 10 } },
                                       { { "b:give", 'x', 0, 10 }, { "b:last", 0, 0, 10 } } } };
    struct world after = { .steps = { { { "a:new", 0, 0, 10 }, { "a:take", 0, 'x', 10 } },
                                      { { "b:new", 0, 0, 0 },
                                        { "b:give", 'x', 0, 10 },
                                        { "b:newer", 0, 0, 0 },
                                        { "b:last", 0, 0, 10 } } } };

    check_followed(&before, lines, "b:give@0 a:take@0 b:last@10 ");
    check_followed(&after, lines, "b:new@0 b:give@0 a:new@0 a:take@10 b:newer@10 b:last@10 ");
}
END_TEST

/* Follows a schedule that can not be followed, and compares the complaint. */
static void check_refused(struct world *world, const char *lines, const char *message) {
    start(world);
    ck_assert(!follow(world, lines));
    ck_assert_uint_eq(world->problem.complaints.count, 1);
    ck_assert_str_eq(world->problem.complaints.items[0].message, message);
    finish(world);
}

START_TEST(a_step_that_does_not_exist_is_a_problem) {
    struct world world = { .steps = { { { "a:1", 0, 0, 0 }, { "a:2", 0, 0, 0 } } } };

    check_refused(&world, "# comment\na:1\na:3\n",
                  "step 2, \"a:3\", can not be reached: nothing that is ready leads to it");
}
END_TEST

START_TEST(a_step_that_waits_for_a_later_named_one_is_a_problem) {
    struct world world = { .steps = { { { "a:take", 0, 'x', 0 } }, { { "b:give", 'x', 0, 0 } } } };

    check_refused(&world, "a:take\nb:give\n",
                  "step 1, \"a:take\", can not be reached: nothing that is ready leads to it");
}
END_TEST

START_TEST(steps_of_a_program_against_their_order_are_a_problem) {
    struct world world = { .steps = { { { "a:1", 0, 0, 0 }, { "a:2", 0, 0, 0 } } } };

    check_refused(&world, "a:2\na:1\n",
                  "step 1, \"a:2\", can not be reached: nothing that is ready leads to it");
}
END_TEST

Suite *test_schedule(void);

Suite *test_schedule(void) {
    Suite *suite = suite_create("schedule");
    TCase *tests = tcase_create("schedule");

    tcase_add_test(tests, what_is_printed_is_read_as_the_same);
    tcase_add_test(tests, steps_are_counted_and_kept_in_order);
    tcase_add_test(tests, a_line_may_end_with_a_carriage_return);
    tcase_add_test(tests, comments_and_empty_lines_are_passed_over);
    tcase_add_test(tests, the_last_line_needs_no_end);
    tcase_add_test(tests, no_lines_are_an_empty_schedule);
    tcase_add_test(tests, every_bad_line_gives_one_complaint_with_its_line);
    tcase_add_test(tests, a_complaint_repeats_the_line);
    tcase_add_test(tests, a_carriage_return_alone_ends_no_line);
    tcase_add_test(tests, an_empty_schedule_does_nothing);
    tcase_add_test(tests, the_named_order_wins_over_due_times);
    tcase_add_test(tests, nothing_runs_after_the_last_named_step);
    tcase_add_test(tests, unnamed_earlier_steps_of_the_same_program_run_first);
    tcase_add_test(tests, a_name_that_begins_like_another_is_another_program);
    tcase_add_test(tests, while_a_program_waits_others_run_until_it_is_ready);
    tcase_add_test(tests, while_a_program_waits_the_earliest_of_the_others_is_next);
    tcase_add_test(tests, a_step_named_later_never_runs_early);
    tcase_add_test(tests, reaching_a_step_holds_back_all_that_are_named_later);
    tcase_add_test(tests, freeing_no_schedule_does_nothing);
    tcase_add_test(tests, a_step_named_twice_runs_once_for_each);
    tcase_add_test(tests, a_step_may_run_unasked_once_it_was_reached);
    tcase_add_test(tests, a_schedule_survives_an_unrelated_step);
    tcase_add_test(tests, a_step_that_does_not_exist_is_a_problem);
    tcase_add_test(tests, a_step_that_waits_for_a_later_named_one_is_a_problem);
    tcase_add_test(tests, steps_of_a_program_against_their_order_are_a_problem);
    suite_add_tcase(suite, tests);
    return suite;
}
