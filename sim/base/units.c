/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/must.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const struct unit sizes[] = {
    { "", 1, "bytes" },
    { "KiB", UINT64_C(1) << 10, "1024 bytes" },
    { "MiB", UINT64_C(1) << 20, "1024 KiB" },
    { "GiB", UINT64_C(1) << 30, "1024 MiB" },
    { "TiB", UINT64_C(1) << 40, "1024 GiB" },
};

static const struct unit times[] = {
    { "ns", 1, "nanoseconds" },
    { "us", UINT64_C(1000), "1000 ns" },
    { "ms", UINT64_C(1000000), "1000 us" },
    { "s", UINT64_C(1000000000), "1000 ms" },
};

const struct unit *units_get_sizes(size_t *count) {
    *count = COUNT(sizes);
    return sizes;
}

const struct unit *units_get_times(size_t *count) {
    *count = COUNT(times);
    return times;
}

bool units_align_up(uint64_t value, uint64_t alignment, uint64_t *aligned) {
    must(alignment > 0);
    uint64_t excess = value % alignment;
    return units_add(value, excess != 0 ? alignment - excess : 0, aligned);
}

/* Reads the digits at the start; NULL when there are none or they overflow, else what follows. */
static const char *read_digits(const char *text, uint64_t *number) {
    const char *next = text;

    *number = 0;
    for (; *next >= '0' && *next <= '9'; next++) {
        uint64_t digit = (uint64_t)(*next - '0');
        if (!units_multiply(*number, 10, number) || !units_add(*number, digit, number)) {
            return NULL;
        }
    }
    return next != text ? next : NULL;
}

static bool read_amount(const char *text, const struct unit *units, size_t count,
                        uint64_t *amount) {
    uint64_t number;
    const char *name = read_digits(text, &number);

    if (name == NULL) {
        return false;
    }
    for (size_t index = 0; index < count; index++) {
        if (strcmp(name, units[index].name) == 0) {
            return units_multiply(number, units[index].factor, amount);
        }
    }
    return false;
}

static const char *write_amount(uint64_t amount, const struct unit *units, size_t count,
                                char text[UNITS_TEXT_SIZE]) {
    size_t index = amount != 0 ? count - 1 : 0;

    while (amount % units[index].factor != 0) {
        index--;
    }
    (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 "%s", amount / units[index].factor,
                   units[index].name);
    return text;
}

bool units_read_size(const char *text, uint64_t *size_bytes) {
    return read_amount(text, sizes, COUNT(sizes), size_bytes);
}

bool units_read_time(const char *text, uint64_t *time_ns) {
    return read_amount(text, times, COUNT(times), time_ns);
}

const char *units_write_size(uint64_t size_bytes, char text[UNITS_TEXT_SIZE]) {
    return write_amount(size_bytes, sizes, COUNT(sizes), text);
}

const char *units_write_time(uint64_t time_ns, char text[UNITS_TEXT_SIZE]) {
    return write_amount(time_ns, times, COUNT(times), text);
}
