/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/run_turn.h"

/* A stream of its own for each thread and distribution, made of the seed and the names: neither
 * another process nor another distribution shifts its draws. */
static uint64_t start_of(const struct turn *turn, const struct scenario_distribution *at) {
    const struct run *run = turn->run;
    const struct site_process *process = &run->processes[turn->process];
    uint64_t seed = random_start(run->scenario->seed, process->name);
    return random_start(seed + (turn->thread - process->thread_first), at->name);
}

void run_draw(struct turn *turn) {
    struct run *run = turn->run;
    const struct scenario_distribution *at = &run->scenario->distributions.items[turn->step->name];
    struct random_stream stream =
        random_stream_at(run->random, turn->thread + 1, turn->step->name, start_of(turn, at));
    run_bind(turn, turn->step->binding[0], distribution_draw(&at->distribution, &stream));
    run_go_on(turn, 0);
}
