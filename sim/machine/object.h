/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values that programs see for handles, streams and events: generation, process and slot + 1.
 * Opaque to programs, and never the same for two things that a process had.
 */
#ifndef MACHINE_OBJECT_H
#define MACHINE_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

enum { OBJECT_SLOT_BITS = 24, OBJECT_PROCESS_BITS = 16, OBJECT_GENERATION_BITS = 24 };

struct object_value {
    uint32_t process;
    uint32_t slot;
    uint32_t generation;
};

static inline uint32_t object_generation(uint32_t generation) {
    return generation & (((uint32_t)1 << OBJECT_GENERATION_BITS) - 1);
}

static inline uint64_t object_pack(struct object_value object) {
    return (uint64_t)object_generation(object.generation)
               << (OBJECT_SLOT_BITS + OBJECT_PROCESS_BITS) |
           (uint64_t)object.process << OBJECT_SLOT_BITS | (object.slot + 1);
}

/* False when no thing ever has this value. */
static inline bool object_unpack(uint64_t value, struct object_value *object) {
    uint32_t place = (uint32_t)(value & (((uint64_t)1 << OBJECT_SLOT_BITS) - 1));
    object->slot = place - 1;
    object->process = (uint32_t)(value >> OBJECT_SLOT_BITS) & ((1 << OBJECT_PROCESS_BITS) - 1);
    object->generation = (uint32_t)(value >> (OBJECT_SLOT_BITS + OBJECT_PROCESS_BITS));
    return place != 0 && object->generation != 0;
}

#endif
