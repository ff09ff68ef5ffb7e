/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/schedule_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A step of the schedule that is looked at: "process/thread:what#rounds". */
struct named_step {
    const struct scenario *scenario;
    struct problem *problem;
    struct problem_place place;
    char *process; /* owned, like what */
    char *what;
    const char *rounds; /* inside of what; NULL for none */
    uint32_t thread;    /* from 1, of the process */
};

static char *copy_part(const char *from, size_t size) {
    struct text text = { 0 };
    text_append_bytes(&text, from, size);
    return text_get(&text)[0] == '\0' ? host_copy_string("") : text_steal(&text);
}

static bool is_number(const char *word) {
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

/* Splits the name; false when a part is none. */
static bool split(struct named_step *step, const char *name) {
    size_t size = strcspn(name, ":");
    step->process = copy_part(name, size);
    step->what = copy_part(name + size + 1, strlen(name + size + 1));
    char *slash = strchr(step->process, '/');
    char *hash = strchr(step->what, '#');
    step->thread = 1;
    if (slash != NULL) {
        *slash = '\0';
        step->thread = is_number(slash + 1) ? (uint32_t)strtoul(slash + 1, NULL, 10) : 0;
    }
    if (hash != NULL) {
        *hash = '\0';
        step->rounds = hash + 1;
    }
    if (step->rounds != NULL &&
        (step->rounds[0] == '\0' || strspn(step->rounds, "0123456789.") < strlen(step->rounds))) {
        problem_add(step->problem, step->place, "\"#%s\" is no round; expected one like #2 or #2.1",
                    step->rounds);
        return false;
    }
    return true;
}

static const struct scenario_process *find_process(const struct named_step *step) {
    uint32_t place = scenario_find_process(step->scenario, step->process);
    const struct name_list *names = &step->scenario->process_names;
    if (place != PROGRAM_NONE) {
        return &step->scenario->processes.items[place];
    }
    const char *nearest = problem_nearest(step->process, names->items, names->count);
    problem_add(step->problem, step->place, "there is no process \"%.60s\"%s%s%s", step->process,
                nearest == NULL ? "" : "; did you mean \"", nearest == NULL ? "" : nearest,
                nearest == NULL ? "" : "\"?");
    return NULL;
}

static const struct step *get_step(const struct named_step *step, const struct program *program,
                                   uint32_t place) {
    return &step->scenario->steps.items[program->step_first + place];
}

/* Its place in the program, the number of steps behind the last for the end of a
 * thread and for the ends of lifetimes. */
static uint32_t find_step(const struct named_step *step, const struct program *program) {
    uint32_t number = is_number(step->what) ? (uint32_t)strtoul(step->what, NULL, 10) : 0;
    bool is_lifetime = strcmp(step->what, "lifetime") == 0 && program->lifetimes > 0;
    if (is_lifetime || strcmp(step->what, "end") == 0) {
        return program->step_count;
    }
    for (uint32_t place = 0; place < program->step_count; place++) {
        const struct step *at = get_step(step, program, place);
        bool is_it = number > 0 ? at->number == number && at->label == NULL
                                : at->label != NULL && strcmp(at->label, step->what) == 0;
        if (is_it && at->kind != STEP_REPEAT && at->kind != STEP_AGAIN) {
            return place;
        }
    }
    return PROGRAM_NONE;
}

static uint32_t last_number(const struct named_step *step, const struct program *program) {
    uint32_t last = 0;
    for (uint32_t place = 0; place < program->step_count; place++) {
        uint32_t number = get_step(step, program, place)->number;
        last = number > last ? number : last;
    }
    return last;
}

/* A number of a step that has a label is answered with that. */
static void complain_of_step(const struct named_step *step, const struct program *program) {
    ARRAY(const char *) labels = { 0 };
    const char *nearest = NULL;
    for (uint32_t place = 0; place < program->step_count; place++) {
        const struct step *at = get_step(step, program, place);
        if (at->label == NULL) {
            continue;
        }
        array_add(&labels, at->label);
        if (is_number(step->what) && strtoul(step->what, NULL, 10) == at->number) {
            nearest = at->label;
        }
    }
    if (nearest == NULL && labels.count > 0) {
        nearest = problem_nearest(step->what, labels.items, labels.count);
    }
    if (nearest != NULL) {
        problem_add(step->problem, step->place, "%s has no step \"%.60s\"; did you mean \"%s\"?",
                    step->process, step->what, nearest);
    } else {
        problem_add(step->problem, step->place,
                    "%s has no step \"%.60s\"; expected a label, a number up to %u, or end",
                    step->process, step->what, last_number(step, program));
    }
    array_fini(&labels);
}

/* How many loops there are around a step. */
static uint32_t depth_of(const struct named_step *step, const struct program *program,
                         uint32_t place) {
    uint32_t depth = 0;
    for (uint32_t before = 0; before < place; before++) {
        const struct step *at = get_step(step, program, before);
        depth += at->kind == STEP_REPEAT && at->target > program->step_first + place;
    }
    return depth;
}

static void check_rounds(const struct named_step *step, uint32_t depth) {
    uint32_t given = 1;
    for (const char *at = step->rounds; at != NULL && *at != '\0'; at++) {
        given += *at == '.';
    }
    if (step->rounds != NULL && depth == 0) {
        problem_add(step->problem, step->place, "the step \"%.60s\" is in no loop, so no \"#%s\"",
                    step->what, step->rounds);
    } else if (step->rounds != NULL && given != depth) {
        problem_add(step->problem, step->place,
                    "\"#%s\" names rounds of %u loop%s, and the step \"%.60s\" is in %u",
                    step->rounds, given, given == 1 ? "" : "s", step->what, depth);
    }
}

static void check_step(struct named_step *step) {
    const struct scenario_process *process = find_process(step);
    if (process == NULL) {
        return;
    }
    if (step->thread == 0 || step->thread > process->thread_count) {
        problem_add(step->problem, step->place, "%s has %u thread%s; expected a number of them",
                    step->process, process->thread_count, process->thread_count == 1 ? "" : "s");
        return;
    }
    const struct program *program =
        &step->scenario->programs.items[process->thread_first + step->thread - 1];
    uint32_t place = find_step(step, program);
    if (place == PROGRAM_NONE) {
        complain_of_step(step, program);
    } else {
        check_rounds(step, depth_of(step, program, place));
    }
}

bool schedule_check(const struct schedule *schedule, const struct scenario *scenario,
                    struct problem *problem) {
    size_t before = problem->complaints.count;
    for (uint32_t place = 0; place < schedule_count(schedule); place++) {
        struct named_step step = { .scenario = scenario,
                                   .problem = problem,
                                   .place = schedule_place(schedule, place) };
        if (split(&step, schedule_get(schedule, place))) {
            check_step(&step);
        }
        free(step.process);
        free(step.what);
    }
    return problem->complaints.count == before;
}
