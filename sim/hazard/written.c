/* SPDX-License-Identifier: Apache-2.0 */
#include "hazard/written.h"

#include "machine/block.h"
#include "machine/handle.h"
#include "machine/mapping.h"

/* An allocation has 2^40 bytes of its maker's line to itself; lines have room for 2^22 of them. */
enum { ALLOCATION_BITS = 40, LINE_BITS = 62, WRITTEN = 1 };

struct written_span written_block(struct process_id process, uint64_t address, uint64_t size) {
    return (struct written_span){ process.index, address, size };
}

struct written_span written_allocation(const struct hazard *hazard, struct object_id allocation,
                                       uint64_t size) {
    return (struct written_span){
        .line = hazard->machine->site->process_count + allocation.process,
        .start = (uint64_t)allocation.slot << ALLOCATION_BITS,
        .size = size,
    };
}

bool written_span_at(const struct hazard *hazard, struct process_id process, uint64_t address,
                     uint64_t size, struct written_span *span) {
    const struct machine *machine = hazard->machine;
    uint32_t slot = 0;
    if (block_find(machine, process, address, &slot)) {
        const struct block *block = block_get(machine, process, slot);
        uint64_t left = block->address + block_bytes(block) - address;
        *span = written_block(process, address, size < left ? size : left);
        return true;
    }
    if (!mapping_find(machine, process, address, &slot)) {
        return false;
    }
    const struct mapping *mapping = mapping_get(machine, process, slot);
    const struct handle *handle = handle_get(machine, process, mapping->handle);
    uint64_t left = mapping->start + mapping->size - address;
    *span = written_allocation(hazard, handle->allocation, size < left ? size : left);
    span->start += address - mapping->start;
    return true;
}

static bool has_line(const struct hazard *hazard, uint32_t line) {
    return range_map_exists(&hazard->written, line);
}

/* Takes the bytes out of whatever is written; its edges outside of the span stay. */
void written_forget(struct hazard *hazard, struct written_span span) {
    struct range range;
    uint64_t end = span.start + span.size;
    while (has_line(hazard, span.line) &&
           range_next_used(&hazard->written, span.line, span.start, &range) && range.start < end) {
        uint64_t from = range.start > span.start ? range.start : span.start;
        uint64_t to = range.start + range.size < end ? range.start + range.size : end;
        range_give_part(&hazard->written, span.line, from, to - from);
    }
}

/* What touches or overlaps the span becomes one range with it. */
void written_add(struct hazard *hazard, struct written_span span) {
    struct range range;
    uint64_t start = span.start;
    uint64_t end = span.start + span.size;
    if (!has_line(hazard, span.line)) {
        range_map_make(&hazard->written, span.line, 0, (uint64_t)1 << LINE_BITS);
    }
    uint64_t from = start == 0 ? 0 : start - 1;
    while (range_next_used(&hazard->written, span.line, from, &range) && range.start <= end) {
        start = range.start < start ? range.start : start;
        end = range.start + range.size > end ? range.start + range.size : end;
        range_give(&hazard->written, span.line, range.start);
    }
    range_take(&hazard->written, span.line, (struct range){ start, end - start, WRITTEN });
}

bool written_find_gap(const struct hazard *hazard, struct written_span span,
                      struct written_span *gap) {
    struct range range;
    uint64_t at = span.start;
    uint64_t end = span.start + span.size;
    while (at < end) {
        if (!has_line(hazard, span.line) ||
            !range_at(&hazard->written, span.line, at, &range)) {
            *gap = (struct written_span){ span.line, at, end - at };
            return true;
        }
        uint64_t stop = range.start + range.size < end ? range.start + range.size : end;
        if (range.id == 0) {
            *gap = (struct written_span){ span.line, at, stop - at };
            return true;
        }
        at = stop;
    }
    return false;
}
