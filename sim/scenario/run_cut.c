/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/host.h"
#include "base/units.h"
#include "machine/block.h"
#include "memory/piece.h"
#include "scenario/cut_read.h"
#include "scenario/run_turn.h"

struct cut {
    struct turn *turn;
    struct piece_block block;
    struct piece *pieces;
    uint32_t count;
};

/* What a program may cut up is what it asked for. An address that is in no block, because the
 * allocation failed, is a block of 0 bytes: every piece is out of it. */
static struct piece_block find_block(const struct turn *turn, uint64_t address) {
    const struct machine *machine = &turn->run->machine;
    const struct site_process *at = &turn->run->processes[turn->process];
    struct process_id process = { turn->process };
    struct piece_block found = { .start = address };
    uint32_t slot = 0;
    found.extra = turn->run->servers[at->server].product->piece_extra;
    if (block_find(machine, process, address, &slot)) {
        const struct block *block = block_get(machine, process, slot);
        found.start = block->address;
        found.size = block->requested;
        found.media = block->kind == BLOCK_MEDIA || block->kind == BLOCK_MEDIA_V2;
    }
    return found;
}

/* Where the first of some pieces starts: at its offset, or packed by the rule (spec: malloc 4). */
static bool find_start(struct cut *cut, const struct step_piece *at, uint64_t *start) {
    uint64_t offset = 0;
    uint64_t unit = piece_alignment(cut->block.media);
    if (at->at.count > 0) {
        return run_evaluate(cut->turn, at->at, &offset) &&
               units_add(cut->block.start, offset, start);
    }
    if (cut->count == 0) {
        return units_align_up(cut->block.start, unit, start);
    }
    const struct piece *before = &cut->pieces[cut->count - 1];
    return units_add(before->start, piece_need(before->size, cut->block.extra), start) &&
           units_align_up(*start, unit, start);
}

static bool place_pieces(struct cut *cut, const struct step_piece *at) {
    uint64_t size = 0;
    uint64_t start = 0;
    if (!run_evaluate(cut->turn, at->size, &size)) {
        return false;
    }
    if (size == 0) {
        run_fail(cut->turn, "a piece has 0 bytes, which the rule for pieces does not cover");
        return false;
    }
    uint64_t stride = piece_stride(size, cut->block.extra, cut->block.media);
    uint64_t length = 0;
    if (!find_start(cut, at, &start) || !units_multiply(stride, at->count, &length) ||
        !units_add(start, length, &length)) {
        run_fail(cut->turn, "a piece reaches beyond the last address");
        return false;
    }
    run_bind(cut->turn, at->binding, start);
    for (uint32_t number = 0; number < at->count; number++) {
        cut->pieces[cut->count++] = (struct piece){ start + number * stride, size };
    }
    return true;
}

static void record_breach(void *context, const struct piece_finding *finding) {
    const struct cut *cut = context;
    const struct piece *piece = &cut->pieces[finding->piece];
    bool overlaps = finding->breach == PIECE_OVERLAP;
    machine_record_all(&cut->turn->run->machine, FACT_PIECE_BREACHED, finding->breach, piece->start,
                       piece->size, overlaps ? cut->pieces[finding->other].start : finding->has,
                       finding->needs);
}

void run_cut(struct turn *turn) {
    const struct scenario *scenario = turn->run->scenario;
    struct cut cut = { .turn = turn };
    uint64_t address = 0;
    uint64_t total = 0;
    bool is_well = run_evaluate(turn, turn->step->value, &address);
    for (uint32_t place = 0; place < turn->step->piece_count; place++) {
        total += scenario->pieces.items[turn->step->piece_first + place].count;
    }
    cut.block = find_block(turn, address);
    cut.pieces = host_resize(NULL, total, sizeof *cut.pieces);
    for (uint32_t place = 0; is_well && place < turn->step->piece_count; place++) {
        is_well = place_pieces(&cut, &scenario->pieces.items[turn->step->piece_first + place]);
    }
    if (is_well) {
        uint32_t breaches = piece_check(&cut.block, cut.pieces, cut.count, record_breach, &cut);
        machine_record_all(&turn->run->machine, FACT_BLOCK_CUT, cut.block.start, cut.block.size,
                           cut.count, breaches, cut.block.media);
        run_go_on(turn, 0);
    }
    free(cut.pieces);
}
