/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Best fit over large pieces. A piece is 20 MiB, or the request rounded to 2 MiB if that is more;
 * it is cut into chunks of whole units of 512 bytes, and free neighbours are one chunk. Pieces go
 * back only when the device has no room for another one, and then all that are wholly free.
 */
#include "acl/acl_error.h"
#include "strategy/strategy.h"

enum { UNIT = 512, PIECE = 20 << 20, ROUND = 2 << 20 };
enum { CHUNKS, BLOCKS, STATE };
enum phase { PHASE_GROW, PHASE_GIVE_BACK, PHASE_GROW_AGAIN };

/* Free chunks stand on a line by size and slot: the first one behind a size is the best fit. Those
 * that are a whole piece stand on a second one too, by slot. */
enum { SLOT_BITS = 28, LINE_BITS = 62 };
enum { LINE_FREE, LINE_WHOLE };

struct chunk {
    uint64_t address;
    uint64_t units;
    uint32_t before; /* its neighbours in the piece, plus 1 */
    uint32_t behind;
    uint32_t is_used;
    uint32_t unused;
};

/* The chunk of a block. */
struct pooled_block {
    uint64_t chunk;
};

struct pooled_state {
    uint64_t held; /* bytes */
    uint64_t used;
    uint32_t block; /* of the request under way */
    uint32_t phase;
    uint64_t units;
    uint64_t piece;  /* bytes of the piece that is asked for */
    uint64_t giving; /* the chunk that is given back */
};

static struct pooled_state *edit_state(struct strategy *strategy) {
    return table_edit(strategy->table[STATE], 0, 0);
}

static struct chunk *edit_chunk(struct strategy *strategy, uint32_t slot) {
    return table_edit(strategy->table[CHUNKS], 0, slot);
}

static const struct chunk *get_chunk(const struct strategy *strategy, uint32_t slot) {
    return table_get(strategy->table[CHUNKS], 0, slot);
}

static void bind(struct strategy *strategy) {
    static const struct table_type types[] = {
        [CHUNKS] = { "pooled_chunk", sizeof(struct chunk), TABLE_STATE, false },
        [BLOCKS] = { "pooled_block", sizeof(struct pooled_block), TABLE_STATE, false },
        [STATE] = { "pooled_state", sizeof(struct pooled_state), TABLE_STATE, false },
    };
    for (int place = 0; place <= STATE; place++) {
        strategy->table[place] = store_table(strategy->store, &types[place]);
    }
    strategy->map = range_map_bind(strategy->store, "pooled_free");
    if (!table_has(strategy->table[STATE], 0, 0)) {
        table_add(strategy->table[STATE], 0);
        range_map_make(&strategy->map, LINE_FREE, 0, (uint64_t)1 << LINE_BITS);
        range_map_make(&strategy->map, LINE_WHOLE, 0, (uint64_t)1 << SLOT_BITS);
    }
}

static uint64_t key_of(const struct strategy *strategy, uint32_t slot) {
    return get_chunk(strategy, slot)->units << SLOT_BITS | slot;
}

static bool is_whole(const struct strategy *strategy, uint32_t slot) {
    const struct chunk *chunk = get_chunk(strategy, slot);
    return chunk->before == 0 && chunk->behind == 0;
}

static void put_free(struct strategy *strategy, uint32_t slot) {
    edit_chunk(strategy, slot)->is_used = 0;
    range_take(&strategy->map, LINE_FREE, (struct range){ key_of(strategy, slot), 1, 1 });
    if (is_whole(strategy, slot)) {
        range_take(&strategy->map, LINE_WHOLE, (struct range){ slot, 1, 1 });
    }
}

static void take_free(struct strategy *strategy, uint32_t slot) {
    range_give(&strategy->map, LINE_FREE, key_of(strategy, slot));
    if (is_whole(strategy, slot)) {
        range_give(&strategy->map, LINE_WHOLE, slot);
    }
    edit_chunk(strategy, slot)->is_used = 1;
}

/* The smallest free chunk that has so many units, of equals the one with the lowest slot. Free
 * chunks of neighbouring slots may be one range of the line. */
static bool find_fit(const struct strategy *strategy, uint64_t units, uint32_t *slot) {
    struct range range;
    uint64_t key = units << SLOT_BITS;
    if (!range_next_used(&strategy->map, LINE_FREE, key, &range)) {
        return false;
    }
    uint64_t found = range.start < key ? key : range.start;
    *slot = (uint32_t)(found & (((uint64_t)1 << SLOT_BITS) - 1));
    return true;
}

static uint32_t add_chunk(struct strategy *strategy, struct chunk chunk) {
    uint32_t slot = table_add(strategy->table[CHUNKS], 0);
    *edit_chunk(strategy, slot) = chunk;
    return slot;
}

/* Cuts the units that are too many off a chunk that is not on the line. */
static void split(struct strategy *strategy, uint32_t slot, uint64_t units) {
    struct chunk whole = *get_chunk(strategy, slot);
    if (whole.units == units) {
        return;
    }
    uint32_t rest = add_chunk(strategy, (struct chunk){
                                            .address = whole.address + units * UNIT,
                                            .units = whole.units - units,
                                            .before = slot + 1,
                                            .behind = whole.behind,
                                        });
    if (whole.behind != 0) {
        edit_chunk(strategy, whole.behind - 1)->before = rest + 1;
    }
    edit_chunk(strategy, slot)->units = units;
    edit_chunk(strategy, slot)->behind = rest + 1;
    put_free(strategy, rest);
}

static enum strategy_answer hand_out(struct strategy *strategy, uint32_t slot) {
    struct pooled_state *state = edit_state(strategy);
    take_free(strategy, slot);
    split(strategy, slot, state->units);
    table_add_at(strategy->table[BLOCKS], 0, state->block);
    ((struct pooled_block *)table_edit(strategy->table[BLOCKS], 0, state->block))->chunk = slot;
    state->used += state->units * UNIT;
    return STRATEGY_DONE;
}

/* Takes a free chunk into the one before it, which is not on the line. */
static void merge(struct strategy *strategy, uint32_t slot, uint32_t behind) {
    struct chunk gone = *get_chunk(strategy, behind);
    take_free(strategy, behind);
    table_remove(strategy->table[CHUNKS], 0, behind);
    edit_chunk(strategy, slot)->units += gone.units;
    edit_chunk(strategy, slot)->behind = gone.behind;
    if (gone.behind != 0) {
        edit_chunk(strategy, gone.behind - 1)->before = slot + 1;
    }
}

static bool is_free(const struct strategy *strategy, uint32_t neighbour) {
    return neighbour != 0 && get_chunk(strategy, neighbour - 1)->is_used == 0;
}

static enum strategy_answer give(struct strategy *strategy, uint32_t block) {
    struct table *blocks = strategy->table[BLOCKS];
    uint32_t slot = (uint32_t)((const struct pooled_block *)table_get(blocks, 0, block))->chunk;
    struct chunk chunk = *get_chunk(strategy, slot);
    edit_state(strategy)->used -= chunk.units * UNIT;
    table_remove(blocks, 0, block);
    if (is_free(strategy, chunk.behind)) {
        merge(strategy, slot, chunk.behind - 1);
    }
    if (is_free(strategy, chunk.before)) {
        uint32_t before = chunk.before - 1;
        struct chunk gone = *get_chunk(strategy, slot);
        range_give(&strategy->map, LINE_FREE, key_of(strategy, before));
        table_remove(strategy->table[CHUNKS], 0, slot);
        edit_chunk(strategy, before)->units += gone.units;
        edit_chunk(strategy, before)->behind = gone.behind;
        if (gone.behind != 0) {
            edit_chunk(strategy, gone.behind - 1)->before = before + 1;
        }
        slot = before;
    }
    put_free(strategy, slot);
    return STRATEGY_DONE;
}

static enum strategy_answer grow(struct strategy *strategy, enum phase phase) {
    struct pooled_state *state = edit_state(strategy);
    state->phase = phase;
    return strategy_call(strategy, "aclrtMallocAlign32", state->piece);
}

/* The next piece that is wholly free goes; then the request is tried once more. */
static enum strategy_answer give_back(struct strategy *strategy) {
    struct pooled_state *state = edit_state(strategy);
    struct range first;
    if (range_next_used(&strategy->map, LINE_WHOLE, 0, &first)) {
        state->phase = PHASE_GIVE_BACK;
        state->giving = first.start;
        return strategy_call(strategy, "aclrtFree",
                             get_chunk(strategy, (uint32_t)first.start)->address);
    }
    return grow(strategy, PHASE_GROW_AGAIN);
}

static enum strategy_answer begin(struct strategy *strategy,
                                  const struct strategy_request *request) {
    uint32_t slot = 0;
    if (request->is_free != 0) {
        return give(strategy, request->block);
    }
    uint64_t units = request->size / UNIT + (request->size % UNIT != 0);
    if (units >= (uint64_t)1 << (LINE_BITS - SLOT_BITS)) {
        return STRATEGY_FAILED; /* More than any device has. */
    }
    struct pooled_state *state = edit_state(strategy);
    uint64_t bytes = units * UNIT;
    state->block = request->block;
    state->units = units;
    state->piece = bytes <= PIECE ? PIECE : (bytes + ROUND - 1) / ROUND * ROUND;
    return find_fit(strategy, units, &slot) ? hand_out(strategy, slot) : grow(strategy, PHASE_GROW);
}

static enum strategy_answer go_on(struct strategy *strategy, const struct acl_result *result) {
    struct pooled_state *state = edit_state(strategy);
    if (state->phase == PHASE_GIVE_BACK) {
        uint32_t slot = (uint32_t)state->giving;
        state->held -= get_chunk(strategy, slot)->units * UNIT;
        take_free(strategy, slot);
        table_remove(strategy->table[CHUNKS], 0, slot);
        return give_back(strategy);
    }
    if (result->code != ACL_SUCCESS) {
        return state->phase == PHASE_GROW ? give_back(strategy) : STRATEGY_FAILED;
    }
    uint32_t slot = add_chunk(strategy, (struct chunk){
                                            .address = result->out[0],
                                            .units = state->piece / UNIT,
                                        });
    state->held += state->piece;
    put_free(strategy, slot);
    return hand_out(strategy, slot);
}

/* The last key on the line, found by halving it. */
static uint64_t largest_units(const struct strategy *strategy) {
    struct range range;
    uint64_t low = 0; /* something is at or behind it */
    uint64_t high = (uint64_t)1 << (LINE_BITS - SLOT_BITS);
    if (!range_next_used(&strategy->map, LINE_FREE, 0, &range)) {
        return 0;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (range_next_used(&strategy->map, LINE_FREE, middle << SLOT_BITS, &range)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct strategy_holdings holdings(const struct strategy *strategy) {
    const struct pooled_state *state = table_get(strategy->table[STATE], 0, 0);
    return (struct strategy_holdings){
        .held = state->held,
        .used = state->used,
        .free_largest = largest_units(strategy) * UNIT,
    };
}

static uint64_t address(const struct strategy *strategy, uint32_t block) {
    const struct pooled_block *named = table_get(strategy->table[BLOCKS], 0, block);
    return get_chunk(strategy, (uint32_t)named->chunk)->address;
}

const struct strategy_row strategy_pooled = {
    .name = "pooled",
    .summary = "best fit over pieces of 20 MiB from aclrtMallocAlign32, split and merged at 512 "
               "bytes, given back only when a request would fail",
    .bind = bind,
    .begin = begin,
    .go_on = go_on,
    .holdings = holdings,
    .address = address,
};
