/* SPDX-License-Identifier: Apache-2.0 */
#include "core/choice.h"

#include <stddef.h>

#include "base/must.h"

static const char *const names[CHOICE_KINDS] = {
    [CHOICE_NEXT] = "next", [CHOICE_COMPLETE] = "complete", [CHOICE_DIE] = "die",
    [CHOICE_FAIL] = "fail", [CHOICE_DRAW] = "draw",         [CHOICE_PLACE] = "place",
};

const char *choice_name(enum choice_kind kind) {
    must(kind < CHOICE_KINDS);
    return names[kind];
}

struct choice choice_first(void) {
    return (struct choice){ .answer = NULL, .context = NULL, .kinds = 0 };
}

static uint32_t answer_at_random(void *context, enum choice_kind kind, uint32_t count) {
    (void)kind;
    return (uint32_t)random_below(context, count);
}

struct choice choice_random(struct random_stream *stream, uint32_t kinds) {
    return (struct choice){ .answer = answer_at_random, .context = stream, .kinds = kinds };
}
