/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"

void json_scan_fini(struct json_scan *scan) {
    array_fini(&scan->positions);
    array_fini(&scan->keys);
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
    scan->is_bad = true;
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

/* Bytes of the UTF-8 character at a place; 0 when it is none (RFC 3629). */
static size_t utf8_size(const unsigned char *byte, size_t left) {
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

static bool is_hex(char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') ||
           (byte >= 'A' && byte <= 'F');
}

static bool scan_escape(struct json_scan *scan) {
    char escaped = scan->at + 1 < scan->size ? scan->text[scan->at + 1] : '\0';
    if (escaped == '\0' || strchr("\"\\/bfnrtu", escaped) == NULL) {
        return complain_at(scan, scan->at, "this escape is none of JSON's");
    }
    scan->at += 2;
    for (int digit = 0; escaped == 'u' && digit < 4; digit++, scan->at++) {
        if (!is_hex(peek(scan))) {
            return complain_at(scan, scan->at, "\\u has four hexadecimal digits");
        }
    }
    if (escaped == 'u' && memcmp(scan->text + scan->at - 4, "0000", 4) == 0) {
        return complain_at(scan, scan->at - 6, "a string may not hold a zero byte");
    }
    return true;
}

/* A string; its bytes between the quotes. */
static bool scan_string(struct json_scan *scan, struct json_scan_key *string) {
    size_t start = ++scan->at;
    while (peek(scan) != '"') {
        unsigned char byte = (unsigned char)peek(scan);
        if (scan->at >= scan->size || byte == '\n') {
            return complain_at(scan, start - 1, "this string has no end");
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
        size_t size =
            utf8_size((const unsigned char *)scan->text + scan->at, scan->size - scan->at);
        if (size == 0) {
            return complain_at(scan, scan->at, "byte 0x%02x is not valid UTF-8", byte);
        }
        scan->at += size;
    }
    *string = (struct json_scan_key){ start, scan->at - start };
    scan->at++;
    return true;
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
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
        while (scan->at < scan->size && strchr("+-.eE0123456789", peek(scan)) != NULL) {
            scan->at++;
        }
        complain_at(scan, start, "%.*s is not a whole number; expected one, or a unit in a string",
                    (int)(scan->at - start > 40 ? 40 : scan->at - start), scan->text + start);
    } else if (value > most) {
        complain_at(scan, start, "%.*s is beyond 2^53; write it as a string",
                    (int)(scan->at - start > 40 ? 40 : scan->at - start), scan->text + start);
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

static bool scan_value(struct json_scan *scan);

/* Keys of one object must differ. Quadratic in one object, and objects people write are small;
 * a bound keeps a hostile one from costing more than a moment. */
static void check_key(struct json_scan *scan, size_t first, struct json_scan_key key) {
    enum { KEYS_COMPARED = 4096 };
    size_t from =
        scan->keys.count > first + KEYS_COMPARED ? scan->keys.count - KEYS_COMPARED : first;
    for (size_t place = from; place < scan->keys.count; place++) {
        const struct json_scan_key *other = &scan->keys.items[place];
        if (other->size == key.size &&
            memcmp(scan->text + other->start, scan->text + key.start, key.size) == 0) {
            complain_at(scan, key.start - 1, "the key \"%.*s\" stands here a second time",
                        (int)(key.size > 60 ? 60 : key.size), scan->text + key.start);
            return;
        }
    }
}

static bool scan_member(struct json_scan *scan, size_t first) {
    struct json_scan_key key;
    skip_space(scan);
    if (peek(scan) != '"') {
        return expected(scan, "a key in quotes");
    }
    if (!scan_string(scan, &key)) {
        return false;
    }
    check_key(scan, first, key);
    array_add(&scan->keys, key);
    skip_space(scan);
    if (peek(scan) != ':') {
        return expected(scan, "a colon");
    }
    scan->at++;
    return scan_value(scan);
}

/* The inside of an object or a list, and its closing bracket. */
static bool scan_inside(struct json_scan *scan, char close) {
    size_t first = scan->keys.count;
    scan->at++;
    skip_space(scan);
    if (peek(scan) == close) {
        scan->at++;
        return true;
    }
    for (;;) {
        if (!(close == '}' ? scan_member(scan, first) : scan_value(scan))) {
            return false;
        }
        skip_space(scan);
        if (peek(scan) == close) {
            scan->at++;
            scan->keys.count = first;
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

static bool scan_value(struct json_scan *scan) {
    struct json_scan_key string;
    skip_space(scan);
    array_add(&scan->positions,
              (struct json_position){ scan->line, (uint32_t)(scan->at - scan->line_start) + 1 });
    switch (peek(scan)) {
    case '{':
        return scan_nested(scan, '}');
    case '[':
        return scan_nested(scan, ']');
    case '"':
        return scan_string(scan, &string);
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
    scan->line = 1;
    skip_space(scan);
    if (scan->at >= scan->size) {
        return complain_at(scan, scan->at, "the file is empty; expected a JSON object");
    }
    if (!scan_value(scan)) {
        return false;
    }
    skip_space(scan);
    if (scan->at < scan->size) {
        return expected(scan, "the end of the file");
    }
    return !scan->is_bad;
}
