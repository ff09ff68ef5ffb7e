/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"

void json_scan_fini(struct json_scan *scan) {
    array_fini(&scan->positions);
}

static bool complain_at(struct json_scan *scan, size_t at, const char *format, ...) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct problem_place place = {
        .file = scan->name,
        .line = scan->line,
        .column = (uint32_t)(at - scan->line_start) + 1,
    };
    problem_add(scan->problem, place, "%s", message);
    return false;
}

static char peek(const struct json_scan *scan) {
    return scan->at < scan->size ? scan->text[scan->at] : '\0';
}

static void skip_space(struct json_scan *scan) {
    while (scan->at < scan->size) {
        char byte = scan->text[scan->at];
        if (byte == '\n') {
            scan->line++;
            scan->line_start = scan->at + 1;
        } else if (byte != ' ' && byte != '\t' && byte != '\r') {
            return;
        }
        scan->at++;
    }
}

/* What stands at a place, for a message: the byte, or the end of the file. */
static bool expected(struct json_scan *scan, const char *what) {
    if (scan->at >= scan->size) {
        return complain_at(scan, scan->at, "the file ends here; expected %s", what);
    }
    unsigned char byte = (unsigned char)scan->text[scan->at];
    if (byte < ' ' || byte >= 0x7f) {
        return complain_at(scan, scan->at, "a byte 0x%02x stands here; expected %s", byte, what);
    }
    return complain_at(scan, scan->at, "\"%c\" stands here; expected %s", byte, what);
}

size_t json_utf8_size(const char *text, size_t left) {
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = byte[0] < 0x80   ? 1
                  : byte[0] < 0xc2 ? 0
                  : byte[0] < 0xe0 ? 2
                  : byte[0] < 0xf0 ? 3
                  : byte[0] < 0xf5 ? 4
                                   : 0;
    if (size == 0 || size > left) {
        return 0;
    }
    for (size_t place = 1; place < size; place++) {
        if ((byte[place] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_overlong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xf0 && byte[1] < 0x90);
    bool is_beyond = (byte[0] == 0xed && byte[1] > 0x9f) || (byte[0] == 0xf4 && byte[1] > 0x8f);
    return is_overlong || is_beyond ? 0 : size;
}

/* The value of a \u escape at a place; UINT32_MAX when there is none. */
static uint32_t read_unit(const struct json_scan *scan, size_t at) {
    uint32_t unit = 0;
    if (scan->size - at < 6 || scan->text[at] != '\\' || scan->text[at + 1] != 'u') {
        return UINT32_MAX;
    }
    for (size_t place = at + 2; place < at + 6; place++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = scan->text[place] == '\0' ? NULL : strchr(digits, scan->text[place]);
        if (digit == NULL) {
            return UINT32_MAX;
        }
        unit = unit * 16 + (uint32_t)(digit - digits) % 16;
    }
    return unit;
}

/* Characters beyond 16 bits are two units, a high one and a low one (RFC 8259, 7). */
static bool scan_unit(struct json_scan *scan) {
    uint32_t unit = read_unit(scan, scan->at);
    if (unit == UINT32_MAX) {
        return complain_at(scan, scan->at, "\\u has four hexadecimal digits");
    }
    if (unit == 0) {
        return complain_at(scan, scan->at, "a string may not hold a zero byte");
    }
    bool is_half = unit >= 0xd800 && unit <= 0xdfff;
    if (is_half) {
        uint32_t low = scan->at + 6 < scan->size ? read_unit(scan, scan->at + 6) : UINT32_MAX;
        if (unit >= 0xdc00 || low < 0xdc00 || low > 0xdfff) {
            return complain_at(scan, scan->at, "\\u%04x is half of a character", unit);
        }
    }
    scan->at += is_half ? 12 : 6;
    return true;
}

static bool scan_escape(struct json_scan *scan) {
    char escaped = scan->at + 1 < scan->size ? scan->text[scan->at + 1] : '\0';
    if (escaped == '\0' || strchr("\"\\/bfnrtu", escaped) == NULL) {
        return complain_at(scan, scan->at, "this escape is none of JSON's");
    }
    if (escaped == 'u') {
        return scan_unit(scan);
    }
    scan->at += 2;
    return true;
}

static bool scan_string(struct json_scan *scan) {
    size_t start = scan->at++;
    while (peek(scan) != '"') {
        unsigned char byte = (unsigned char)peek(scan);
        if (scan->at >= scan->size || byte == '\n') {
            return complain_at(scan, start, "this string has no end");
        }
        if (byte < ' ') {
            return complain_at(scan, scan->at, "a byte 0x%02x stands in a string; escape it", byte);
        }
        if (byte == '\\') {
            if (!scan_escape(scan)) {
                return false;
            }
            continue;
        }
        size_t size = json_utf8_size(scan->text + scan->at, scan->size - scan->at);
        if (size == 0) {
            return complain_at(scan, scan->at, "byte 0x%02x is not valid UTF-8", byte);
        }
        scan->at += size;
    }
    scan->at++;
    return true;
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* A number that we do not allow; the reader of the value says no more about it. */
static void refuse_number(struct json_scan *scan, size_t start, const char *what) {
    size_t size = scan->at - start;
    complain_at(scan, start, "%.*s%s %s", (int)(size > 40 ? 40 : size), scan->text + start,
                size > 40 ? "..." : "", what);
    scan->positions.items[scan->positions.count - 1].is_bad = true;
}

/* Whole numbers up to 2^53, which a double holds exactly; larger ones are written as strings. */
static bool scan_number(struct json_scan *scan) {
    static const uint64_t most = (uint64_t)1 << 53;
    size_t start = scan->at;
    uint64_t value = 0;
    scan->at += peek(scan) == '-';
    if (!is_digit(peek(scan))) {
        return expected(scan, "a digit");
    }
    if (peek(scan) == '0' && scan->at + 1 < scan->size && is_digit(scan->text[scan->at + 1])) {
        return complain_at(scan, start, "a number may not begin with 0");
    }
    for (; is_digit(peek(scan)); scan->at++) {
        value = value > most ? value : value * 10 + (uint64_t)(peek(scan) - '0');
    }
    char after = peek(scan);
    if (after == '.' || after == 'e' || after == 'E') {
        while (scan->at < scan->size && peek(scan) != '\0' &&
               strchr("+-.eE0123456789", peek(scan)) != NULL) {
            scan->at++;
        }
        refuse_number(scan, start,
                      "is not a whole number; expected one, or one with a unit in a string: "
                      "\"1536MiB\"");
    } else if (value > most) {
        refuse_number(scan, start, "is beyond 2^53; write it as a string");
    }
    return true;
}

static bool scan_word(struct json_scan *scan, const char *word) {
    size_t size = strlen(word);
    if (scan->size - scan->at < size || memcmp(scan->text + scan->at, word, size) != 0) {
        return expected(scan, "a value");
    }
    scan->at += size;
    return true;
}

static bool scan_value(struct json_scan *scan, struct json_position position);

static uint32_t column_of(const struct json_scan *scan) {
    return (uint32_t)(scan->at - scan->line_start) + 1;
}

static bool scan_member(struct json_scan *scan) {
    struct json_position key = { 0 };
    skip_space(scan);
    key.key_line = scan->line;
    key.key_column = column_of(scan);
    if (peek(scan) != '"') {
        return expected(scan, "a key in quotes");
    }
    if (!scan_string(scan)) {
        return false;
    }
    skip_space(scan);
    if (peek(scan) != ':') {
        return expected(scan, "a colon");
    }
    scan->at++;
    return scan_value(scan, key);
}

/* The inside of an object or a list, and its closing bracket. */
static bool scan_inside(struct json_scan *scan, char close) {
    static const struct json_position no_key = { 0 };
    scan->at++;
    skip_space(scan);
    if (peek(scan) == close) {
        scan->at++;
        return true;
    }
    for (;;) {
        if (!(close == '}' ? scan_member(scan) : scan_value(scan, no_key))) {
            return false;
        }
        skip_space(scan);
        if (peek(scan) == close) {
            scan->at++;
            return true;
        }
        if (peek(scan) != ',') {
            return expected(scan, close == '}' ? "a comma or }" : "a comma or ]");
        }
        scan->at++;
    }
}

static bool scan_nested(struct json_scan *scan, char close) {
    if (scan->depth == JSON_DEPTH_MAX) {
        return complain_at(scan, scan->at, "this is nested more than %d deep", JSON_DEPTH_MAX);
    }
    scan->depth++;
    bool is_well = scan_inside(scan, close);
    scan->depth--;
    return is_well;
}

/* The position brings the place of the key. */
static bool scan_value(struct json_scan *scan, struct json_position position) {
    skip_space(scan);
    position.line = scan->line;
    position.column = column_of(scan);
    array_add(&scan->positions, position);
    switch (peek(scan)) {
    case '{':
        return scan_nested(scan, '}');
    case '[':
        return scan_nested(scan, ']');
    case '"':
        return scan_string(scan);
    case 't':
        return scan_word(scan, "true");
    case 'f':
        return scan_word(scan, "false");
    case 'n':
        return scan_word(scan, "null");
    default:
        return peek(scan) == '-' || is_digit(peek(scan)) ? scan_number(scan)
                                                         : expected(scan, "a value");
    }
}

bool json_scan(struct json_scan *scan) {
    static const char mark[] = "\xef\xbb\xbf";
    scan->line = 1;
    if (scan->size >= 3 && memcmp(scan->text, mark, 3) == 0) {
        return complain_at(scan, 0, "a byte order mark stands here; save the file without it");
    }
    skip_space(scan);
    if (scan->at >= scan->size) {
        return complain_at(scan, scan->at, "the file is empty; expected a JSON object");
    }
    if (!scan_value(scan, (struct json_position){ 0 })) {
        return false;
    }
    skip_space(scan);
    return scan->at >= scan->size || expected(scan, "the end of the file");
}
