/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace_file.h"

#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/host.h"
#include "base/must.h"

bool trace_file_open(struct trace_file *file, const char *path, struct problem *problem) {
    *file = (struct trace_file){ .buffer = NULL };
    if (!whole_file_open(&file->whole, path, problem)) {
        return false;
    }
    file->buffer = host_resize(NULL, TRACE_FILE_BUFFER, 1);
    (void)setvbuf(file->whole.stream, NULL, _IONBF, 0); /* this is the buffer */
    return true;
}

void trace_file_flush(struct trace_file *file) {
    errno = 0;
    if (file->whole.error == 0 &&
        fwrite(file->buffer, 1, file->used, file->whole.stream) != file->used) {
        file->whole.error = errno != 0 ? errno : EIO;
    }
    file->used = 0;
}

bool trace_file_close(struct trace_file *file, struct problem *problem) {
    trace_file_flush(file);
    bool is_well = whole_file_close(&file->whole, problem);
    free(file->buffer);
    file->buffer = NULL;
    return is_well;
}

void trace_file_abandon(struct trace_file *file) {
    whole_file_abandon(&file->whole);
    free(file->buffer);
    file->buffer = NULL;
}

void trace_file_put_bytes(struct trace_file *file, const char *bytes, size_t size) {
    while (size > 0) {
        size_t part = size < TRACE_FILE_BUFFER / 2 ? size : TRACE_FILE_BUFFER / 2;
        memcpy(trace_file_room(file, part), bytes, part);
        file->used += part;
        bytes += part;
        size -= part;
    }
}

static const char pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

/* Digits of a number, from its bits: the logarithm of 2 is a bit more than 1233 / 4096. */
static uint32_t count_digits(uint64_t number) {
    static const uint64_t power[TRACE_FILE_DIGITS] = {
        UINT64_C(0),
        UINT64_C(10),
        UINT64_C(100),
        UINT64_C(1000),
        UINT64_C(10000),
        UINT64_C(100000),
        UINT64_C(1000000),
        UINT64_C(10000000),
        UINT64_C(100000000),
        UINT64_C(1000000000),
        UINT64_C(10000000000),
        UINT64_C(100000000000),
        UINT64_C(1000000000000),
        UINT64_C(10000000000000),
        UINT64_C(100000000000000),
        UINT64_C(1000000000000000),
        UINT64_C(10000000000000000),
        UINT64_C(100000000000000000),
        UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000),
    };
    uint32_t least = (bits_highest(number | 1) + 1) * 1233 >> 12;
    return least + (number >= power[least]);
}

char *trace_file_digits(char *at, uint64_t number) {
    char *end = at + count_digits(number);
    char *first = end;
    while (number >= 100) {
        first -= 2;
        memcpy(first, pairs + number % 100 * 2, 2);
        number /= 100;
    }
    if (number >= 10) {
        memcpy(at, pairs + number * 2, 2);
    } else {
        *at = (char)('0' + number);
    }
    return end;
}

void trace_file_put_number(struct trace_file *file, uint64_t number) {
    char *at = trace_file_room(file, TRACE_FILE_DIGITS);
    file->used += (size_t)(trace_file_digits(at, number) - at);
}

void trace_file_put_signed(struct trace_file *file, int64_t number) {
    if (number < 0) {
        trace_file_put_char(file, '-');
    }
    trace_file_put_number(file, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* A number with zeros before it, so many digits in all. */
static void put_padded(struct trace_file *file, uint32_t number, uint32_t digits) {
    char *at = trace_file_room(file, digits);
    must(digits <= TRACE_FILE_DIGITS);
    for (uint32_t place = digits; place > 0; place--) {
        at[place - 1] = (char)('0' + number % 10);
        number /= 10;
    }
    file->used += digits;
}

void trace_file_put_millionths(struct trace_file *file, uint32_t parts) {
    trace_file_put_number(file, parts / 1000000);
    trace_file_put_char(file, '.');
    put_padded(file, parts % 1000000, 6);
}

void trace_file_put_micros(struct trace_file *file, uint64_t time_ns) {
    trace_file_put_number(file, time_ns / 1000);
    trace_file_put_char(file, '.');
    put_padded(file, (uint32_t)(time_ns % 1000), 3);
}
