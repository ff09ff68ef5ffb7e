/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/cut_read.h"

static void complain(struct step_reader *reader, const struct json *value, const char *what) {
    reader->is_bad = true;
    json_complain(value, reader->problem, "%s", what);
}

static uint32_t read_count(struct step_reader *reader, const struct json *value) {
    bool is_count = json_type(value) == JSON_NUMBER && json_integer(value) >= 1 &&
                    json_integer(value) <= CUT_PIECES_MAX;
    if (!is_count) {
        complain(reader, value, "a count of pieces is a number from 1 to 1000000");
        return 1;
    }
    return (uint32_t)json_integer(value);
}

static void read_piece(struct step_reader *reader, const struct json *json,
                       struct step_piece *piece) {
    static const char *const keys[] = { "size", "at", "count", "as" };
    if (!json_expect(json, JSON_OBJECT, "a piece", reader->problem)) {
        reader->is_bad = true;
        return;
    }
    if (!json_check_keys(json, keys, sizeof keys / sizeof *keys, reader->problem)) {
        reader->is_bad = true;
    }
    const struct json *size = json_find(json, "size");
    if (size == NULL) {
        complain(reader, json, "a piece has a \"size\"");
    } else {
        step_read_value(reader, size, false, &piece->size);
    }
    if (json_find(json, "at") != NULL) {
        step_read_value(reader, json_find(json, "at"), false, &piece->at);
    }
    if (json_find(json, "count") != NULL) {
        piece->count = read_count(reader, json_find(json, "count"));
    }
}

void cut_read_pieces(struct step_reader *reader, const struct json *list, struct step *step) {
    struct scenario *scenario = reader->scenario;
    uint64_t total = 0;
    step->piece_first = (uint32_t)scenario->pieces.count;
    if (!json_expect(list, JSON_ARRAY, "pieces", reader->problem)) {
        reader->is_bad = true;
        return;
    }
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        struct step_piece piece = { .count = 1, .binding = PROGRAM_NONE };
        read_piece(reader, at, &piece);
        total += piece.count;
        array_add(&scenario->pieces, piece);
        step->piece_count++;
    }
    /* Names only now: the offset of one piece is not that of another in the same step. */
    uint32_t place = step->piece_first;
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at), place++) {
        const struct json *as = json_type(at) == JSON_OBJECT ? json_find(at, "as") : NULL;
        if (as != NULL) {
            scenario->pieces.items[place].binding = step_bind(reader, as);
        }
    }
    if (total > CUT_PIECES_MAX) {
        complain(reader, list, "a block is cut into at most 1000000 pieces");
    }
}
