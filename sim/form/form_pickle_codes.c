/* SPDX-License-Identifier: Apache-2.0 */
#include "form/form_pickle_codes.h"

#include <stddef.h>

static const struct pickle_code codes[] = {
    { 'c', "GLOBAL", true },
    { 0x93, "STACK_GLOBAL", true },
    { 'i', "INST", true },
    { 'o', "OBJ", true },
    { 0x81, "NEWOBJ", true },
    { 0x92, "NEWOBJ_EX", true },
    { 'R', "REDUCE", true },
    { 'b', "BUILD", true },
    { 'P', "PERSID", true },
    { 'Q', "BINPERSID", true },
    { 0x82, "EXT1", true },
    { 0x83, "EXT2", true },
    { 0x84, "EXT4", true },
    { '2', "DUP", false },
    { 'S', "STRING", false },
    { 'T', "BINSTRING", false },
    { 'U', "SHORT_BINSTRING", false },
    { 'B', "BINBYTES", false },
    { 'C', "SHORT_BINBYTES", false },
    { 0x8e, "BINBYTES8", false },
    { 0x8f, "EMPTY_SET", false },
    { 0x90, "ADDITEMS", false },
    { 0x91, "FROZENSET", false },
    { 0x96, "BYTEARRAY8", false },
    { 0x97, "NEXT_BUFFER", false },
    { 0x98, "READONLY_BUFFER", false },
};

const struct pickle_code *form_pickle_code(int code) {
    for (size_t place = 0; place < sizeof codes / sizeof *codes; place++) {
        if (codes[place].code == code) {
            return &codes[place];
        }
    }
    return NULL;
}
