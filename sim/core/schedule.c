/* SPDX-License-Identifier: Apache-2.0 */
#include "core/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/host.h"

struct step_line {
    char *step;
    uint32_t line; /* of the file; 0 for none */
};

struct schedule {
    char *file; /* NULL for none */
    ARRAY(struct step_line) steps;
};

struct schedule *schedule_new(void) {
    return host_zeroed(1, sizeof(struct schedule));
}

void schedule_free(struct schedule *schedule) {
    if (schedule == NULL) {
        return;
    }
    for (size_t place = 0; place < schedule->steps.count; place++) {
        free(schedule->steps.items[place].step);
    }
    array_fini(&schedule->steps);
    free(schedule->file);
    free(schedule);
}

static void add(struct schedule *schedule, const char *step, uint32_t line) {
    array_add(&schedule->steps, (struct step_line){ host_copy_string(step), line });
}

void schedule_add(struct schedule *schedule, const char *step) {
    add(schedule, step, 0);
}

uint32_t schedule_count(const struct schedule *schedule) {
    return (uint32_t)schedule->steps.count;
}

const char *schedule_get(const struct schedule *schedule, uint32_t place) {
    return schedule->steps.items[place].step;
}

struct problem_place schedule_place(const struct schedule *schedule, uint32_t place) {
    return (struct problem_place){
        .file = schedule->file != NULL ? schedule->file : "schedule",
        .line = schedule->steps.items[place].line,
    };
}

void schedule_print(const struct schedule *schedule, struct text *text) {
    for (size_t place = 0; place < schedule->steps.count; place++) {
        text_append(text, schedule->steps.items[place].step);
        text_append(text, "\n");
    }
}

/* A step is the name of a program, a colon, and a label or number that may end in #round. */
static bool is_step(const char *step) {
    const char *colon = strchr(step, ':');
    return colon != NULL && colon != step && colon[1] != '\0' && strpbrk(step, " \t\r") == NULL;
}

struct schedule *schedule_parse(const char *file, const char *lines, struct problem *problem) {
    struct schedule *schedule = schedule_new();
    schedule->file = host_copy_string(file);
    struct text step = { 0 };
    bool bad = false;
    uint32_t line = 0;
    for (const char *next = lines; *next != '\0'; next += *next == '\n') {
        size_t size = strcspn(next, "\n");
        size_t begin = strspn(next, " \t\r");
        size_t end = size;
        while (end > begin && strchr(" \t\r", next[end - 1]) != NULL) {
            end--;
        }
        line++;
        text_clear(&step);
        text_append_bytes(&step, next + begin, end > begin ? end - begin : 0);
        if (end > begin && next[begin] != '#') {
            if (is_step(text_get(&step))) {
                add(schedule, text_get(&step), line);
            } else {
                bad = true;
                problem_add(problem, (struct problem_place){ .file = file, .line = line },
                            "\"%s\" is not a step; expected process:label or process:number",
                            text_get(&step));
            }
        }
        next += size;
    }
    text_fini(&step);
    if (bad) {
        schedule_free(schedule);
        return NULL;
    }
    return schedule;
}

struct follower {
    const struct schedule *schedule;
    struct engine *engine;
    schedule_name *name;
    void *context;
    const char **remaining; /* the steps that are still to come, sorted */
    size_t remaining_count;
    struct text text;
};

static int by_name(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void sort_remaining(struct follower *follower) {
    uint32_t count = schedule_count(follower->schedule);
    follower->remaining = host_resize(NULL, count, sizeof *follower->remaining);
    follower->remaining_count = count;
    for (uint32_t place = 0; place < count; place++) {
        follower->remaining[place] = schedule_get(follower->schedule, place);
    }
    qsort(follower->remaining, count, sizeof *follower->remaining, by_name);
}

static bool is_listed(const struct follower *follower, const char *name) {
    return bsearch(&name, follower->remaining, follower->remaining_count,
                   sizeof *follower->remaining, by_name) != NULL;
}

/* Whether a step of the list means this action: with its rounds, or without for any round. */
static bool means(const char *step, const char *name) {
    size_t size = strlen(step);
    return strncmp(step, name, size) == 0 && (name[size] == '\0' || name[size] == '#');
}

static bool is_named(const struct follower *follower, const char *name) {
    struct text any_round = { 0 };
    text_append_bytes(&any_round, name, strcspn(name, "#"));
    bool is_there = is_listed(follower, name) || is_listed(follower, text_get(&any_round));
    text_fini(&any_round);
    return is_there;
}

static bool is_same_program(const char *left, const char *right) {
    size_t size = strcspn(left, ":");
    return size == strcspn(right, ":") && strncmp(left, right, size) == 0;
}

/* How well an action helps to reach a step: the higher the better, 0 not at all. */
static int rank(const struct follower *follower, const char *step, const char *name) {
    if (means(step, name)) {
        return 3;
    }
    if (is_named(follower, name)) {
        return 0;
    }
    return is_same_program(name, step) ? 2 : 1;
}

/* Performs what helps most to reach a step; the rank of it, 0 when nothing helps. */
static int approach(struct follower *follower, const char *step) {
    struct engine *engine = follower->engine;
    struct action action;
    struct action best = { 0, 0, 0 };
    int best_rank = 0;
    for (bool more = engine_next(engine, NULL, &action); more;
         more = engine_next(engine, &action, &action)) {
        text_clear(&follower->text);
        follower->name(follower->context, action, &follower->text);
        int helps = rank(follower, step, text_get(&follower->text));
        if (helps > best_rank || (helps > 0 && helps == best_rank &&
                                  engine_due(engine, action) < engine_due(engine, best))) {
            best = action;
            best_rank = helps;
        }
    }
    if (best_rank > 0) {
        engine_run_action(engine, best);
    }
    return best_rank;
}

/* A step that was reached no longer keeps others of its name from running unasked. */
static void strike(struct follower *follower, const char *step) {
    const char **found = bsearch(&step, follower->remaining, follower->remaining_count,
                                 sizeof *follower->remaining, by_name);
    size_t after = follower->remaining_count - (size_t)(found - follower->remaining) - 1;
    memmove(found, found + 1, after * sizeof *found);
    follower->remaining_count--;
}

bool schedule_follow(const struct schedule *schedule, struct engine *engine, schedule_name *name,
                     void *context, struct problem *problem) {
    struct follower follower = { schedule, engine, name, context, NULL, 0, { 0 } };
    bool followed = true;
    sort_remaining(&follower);
    for (uint32_t place = 0; followed && place < schedule_count(schedule); place++) {
        const char *step = schedule_get(schedule, place);
        int reached = 1;
        while (reached > 0 && reached < 3) {
            reached = approach(&follower, step);
        }
        followed = reached == 3;
        if (followed) {
            strike(&follower, step);
        } else {
            problem_add(problem, schedule_place(schedule, place),
                        "step %" PRIu32 ", \"%s\", can not be reached: nothing that is ready "
                        "leads to it",
                        place + 1, step);
        }
    }
    free(follower.remaining);
    text_fini(&follower.text);
    return followed;
}
