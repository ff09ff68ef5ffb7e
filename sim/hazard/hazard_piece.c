/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that a program cuts up, and memory that media units work on. */
#include "hazard/hazard_family.h"
#include "machine/block.h"
#include "machine/mapping.h"
#include "machine/touch.h"
#include "memory/piece.h"

enum row {
    START_UNALIGNED,
    TOO_SMALL,
    OVERLAP,
    OUT_OF_BLOCK,
    NOT_MEDIA,
};

static const struct finding_row rows[] = {
    [START_UNALIGNED] = { "sub_start_unaligned", FINDING_UNDEFINED,
                          "a piece of the block does not start on the boundary that it needs",
                          "pieces start on 64 bytes, those of media memory on 128 "
                          "(malloc-and-friends 4)",
                          "round the start of each piece up to the boundary",
                          { NULL } },
    [TOO_SMALL] = { "sub_too_small", FINDING_UNDEFINED,
                    "a piece has too few bytes to itself: hardware reads past its end",
                    "a piece takes its size rounded up to 32, and 32 more "
                    "(malloc-and-friends 4)",
                    "leave align_up(size, 32) + 32 bytes to each piece",
                    { "bytes that it has", "bytes that it needs" } },
    [OVERLAP] = { "sub_overlap", FINDING_ERROR, "a piece overlaps the piece before it",
                  "pieces of a block lie apart (malloc-and-friends 4)",
                  "start each piece behind the end of the one before", { "address of the other" } },
    [OUT_OF_BLOCK] = { "sub_out_of_block", FINDING_ERROR,
                       "a piece does not lie inside of the block",
                       "pieces lie in what the block was asked for (malloc-and-friends 4)",
                       "allocate the sum of all pieces with what each needs on top", { NULL } },
    [NOT_MEDIA] = { "media_buffer_not_media", FINDING_ERROR,
                    "the media units work on memory that no media allocation gave",
                    "media units work on memory of acldvppMalloc or hi_mpi_dvpp_malloc "
                    "(malloc-and-friends 5)",
                    "allocate the buffer with the media call of the product", { NULL } },
};

/* The block at an address, and who made it. */
static void add_block(const struct hazard *hazard, const struct hazard_event *event,
                      uint64_t address, struct finding *finding) {
    const struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    finding->thing = THING_BLOCK;
    finding->value = finding->address = address;
    finding->size = event->fact->value[1];
    if (block_find(machine, event->process, address, &slot)) {
        const struct block *block = block_get(machine, event->process, slot);
        finding->value = block->address;
        finding->cause = hazard_made(
            block->made, table_get(machine->block_life, event->process.index, slot));
    } else if (mapping_find(machine, event->process, address, &slot)) {
        const struct mapping *mapping = mapping_get(machine, event->process, slot);
        finding->thing = THING_MAPPING;
        finding->value = mapping->start;
        finding->cause = hazard_made(
            mapping->made, table_get(machine->mapping_life, event->process.index, slot));
    }
}

static void see_breach(struct hazard *hazard, const struct hazard_event *event) {
    static const enum row by_breach[] = {
        [PIECE_START_UNALIGNED] = START_UNALIGNED,
        [PIECE_TOO_SMALL] = TOO_SMALL,
        [PIECE_OVERLAP] = OVERLAP,
        [PIECE_OUT_OF_BLOCK] = OUT_OF_BLOCK,
        [PIECE_EMPTY] = OUT_OF_BLOCK,
    };
    const struct fact *fact = event->fact;
    enum row row = by_breach[fact->value[0]];
    struct finding finding = hazard_finding(hazard, event, &rows[row]);
    add_block(hazard, event, fact->value[1], &finding);
    finding.size = fact->value[2];
    finding.number[0] = fact->value[3];
    finding.number[1] = fact->value[4];
    hazard_report(hazard, &finding);
}

static void see_media(struct hazard *hazard, const struct hazard_event *event) {
    enum touch_source source = (enum touch_source)event->fact->value[4];
    if (source == TOUCH_FROM_MEDIA || source == TOUCH_FROM_NOWHERE) {
        return; /* Where nothing is, the fault says enough. */
    }
    struct finding finding = hazard_finding(hazard, event, &rows[NOT_MEDIA]);
    add_block(hazard, event, event->fact->value[0], &finding);
    hazard_report(hazard, &finding);
}

static const struct hazard_watcher watchers[] = {
    { FACT_PIECE_BREACHED, NULL, see_breach },
    { FACT_MEDIA_TOUCHED, NULL, see_media },
};

const struct hazard_family hazard_piece = HAZARD_FAMILY(rows, watchers);
