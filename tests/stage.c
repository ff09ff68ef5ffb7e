/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/stage.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory/piece.h"
#include "tests/world.h"

void stage_init(struct stage *stage) {
    *stage = (struct stage){ .product = world_product() };
    stage->options = (struct run_options){
        .product = stage->product,
        .choice = choice_first(),
        .steps_max = 100000,
    };
}

void stage_fini(struct stage *stage) {
    run_free(stage->run);
    scenario_free(stage->scenario);
    product_free(stage->product);
    problem_fini(&stage->problem);
    text_fini(&stage->happened);
}

char *stage_complaints(const struct problem *problem) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    problem_print(problem, stream);
    ck_assert_int_eq(fclose(stream), 0);
    return text;
}

/* Kept in the text that a run fills later. */
static const char *say_complaints(struct stage *stage) {
    char *text = stage_complaints(&stage->problem);
    text_clear(&stage->happened);
    text_append(&stage->happened, text);
    free(text);
    return text_get(&stage->happened);
}

const char *stage_read(struct stage *stage, const char *json) {
    struct text text = { 0 };
    run_free(stage->run);
    stage->run = NULL;
    scenario_free(stage->scenario);
    problem_fini(&stage->problem);
    text_append(&text, json);
    for (size_t place = 0; place < text.size; place++) {
        text.bytes[place] = text.bytes[place] == '\'' ? '"' : text.bytes[place];
    }
    stage->scenario = scenario_parse("x.json", text_get(&text), text.size, &stage->problem);
    text_fini(&text);
    ck_assert((stage->scenario == NULL) == !problem_is_empty(&stage->problem));
    return say_complaints(stage);
}

static const char *read_inside(struct stage *stage, const char *before, const char *json,
                               const char *after) {
    struct text text = { 0 };
    text_printf(&text, "%s%s%s", before, json, after);
    const char *complaints = stage_read(stage, text_get(&text));
    text_fini(&text);
    return complaints;
}

const char *stage_read_processes(struct stage *stage, const char *json) {
    return read_inside(stage, "{'format':1,'processes':{", json, "}}");
}

const char *stage_read_steps(struct stage *stage, const char *json) {
    return read_inside(stage, "{'format':1,'processes':{'A':{'device':0,'steps':[", json, "]}}}");
}

static const char *process_name(const struct stage *stage, uint64_t process) {
    return stage->scenario->processes.items[process].name;
}

static void note_fact(void *context, const struct fact *fact, const void *detail) {
    struct stage *stage = context;
    struct text *text = &stage->happened;
    const struct scenario *scenario = stage->scenario;
    const char *self = fact->thread < scenario->programs.count
                           ? process_name(stage, scenario->programs.items[fact->thread].process)
                           : "";
    (void)detail;
    switch ((enum fact_kind)fact->kind) {
    case FACT_PHASE:
        text_printf(text, "%s:%s", self, scenario->names.items[fact->value[0]]);
        break;
    case FACT_SENT:
        text_printf(text, "%s>%s=%" PRIu64, self, process_name(stage, fact->value[1]),
                    fact->value[0]);
        break;
    case FACT_RECEIVED:
        text_printf(text, "%s<%s=%" PRIu64, self, process_name(stage, fact->value[1]),
                    fact->value[0]);
        break;
    case FACT_MEDIA_TOUCHED:
        text_printf(text, "%s:%s-%" PRIu64, self, fact->value[2] == 0 ? "reads" : "writes",
                    fact->value[4]);
        break;
    case FACT_BLOCK_CUT:
        text_printf(text, "%s:cut=%" PRIu64 "/%" PRIu64, self, fact->value[2], fact->value[3]);
        break;
    case FACT_PIECE_BREACHED:
        text_printf(text, "%s:%s=%" PRIu64 "/%" PRIu64, self,
                    piece_breach_name((enum piece_breach)fact->value[0]), fact->value[3],
                    fact->value[4]);
        break;
    case FACT_PROCESS_ENDED:
        text_printf(text, "%s:%s", process_name(stage, fact->value[0]),
                    fact->value[1] == 0 ? "end" : "killed");
        break;
    default:
        text_printf(text, "%s:start", process_name(stage, fact->value[0]));
        break;
    }
    text_printf(text, "@%" PRIu64 " ", fact->time_ns);
}

const char *stage_run(struct stage *stage) {
    uint64_t kinds = journal_kind(FACT_PHASE) | journal_kind(FACT_SENT) |
                     journal_kind(FACT_RECEIVED) | journal_kind(FACT_PROCESS_ENDED) |
                     journal_kind(FACT_PROCESS_STARTED) | journal_kind(FACT_MEDIA_TOUCHED) |
                     journal_kind(FACT_BLOCK_CUT) | journal_kind(FACT_PIECE_BREACHED);
    run_free(stage->run);
    stage->run = run_new(stage->scenario, &stage->options, &stage->problem);
    if (stage->run == NULL) {
        return say_complaints(stage);
    }
    text_clear(&stage->happened);
    journal_add_reader(&run_machine(stage->run)->journal, kinds, note_fact, stage);
    bool is_well = run_to_end(stage->run, &stage->problem);
    ck_assert(is_well == problem_is_empty(&stage->problem));
    return is_well ? "" : say_complaints(stage);
}

static const char *play(struct stage *stage, const char *complaints) {
    ck_assert_str_eq(complaints, "");
    ck_assert_str_eq(stage_run(stage), "");
    return text_get(&stage->happened);
}

const char *stage_play(struct stage *stage, const char *processes) {
    return play(stage, stage_read_processes(stage, processes));
}

const char *stage_play_steps(struct stage *stage, const char *steps) {
    return play(stage, stage_read_steps(stage, steps));
}

const char *stage_digest(const struct stage *stage) {
    static char digits[33];
    struct hash128 digest = journal_digest(&run_machine(stage->run)->journal);
    (void)snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
    return digits;
}
