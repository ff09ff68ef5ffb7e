/* SPDX-License-Identifier: Apache-2.0 */
#include "form/form_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 200 };

/* A list or dict under way. */
struct level {
    struct form_value container;
    struct form_value key;
};

struct json_reader {
    struct form_source *source;
    const struct form_consumer *consumer;
    struct problem *problem;
    int byte; /* the one to look at; -1 at the end */
    uint32_t depth;
    bool is_bad;
    struct level levels[DEPTH_MAX];
};

static void advance(struct json_reader *reader) {
    reader->byte = form_source_byte(reader->source);
}

static void pass_space(struct json_reader *reader) {
    while (reader->byte == ' ' || reader->byte == '\n' || reader->byte == '\r' ||
           reader->byte == '\t') {
        advance(reader);
    }
}

/* What stands at the byte looked at, against what should. */
static bool complain(struct json_reader *reader, const char *expected) {
    char place[32];
    char found[16];
    if (reader->is_bad) {
        return false;
    }
    reader->is_bad = true;
    if (reader->byte < 0 && form_source_complain(reader->source, reader->problem)) {
        return false;
    }
    uint64_t offset = form_source_offset(reader->source);
    (void)snprintf(place, sizeof place, "byte %" PRIu64, reader->byte < 0 ? offset : offset - 1);
    bool is_visible = reader->byte > ' ' && reader->byte < 127;
    (void)snprintf(found, sizeof found, is_visible ? "'%c'" : "0x%02x", (unsigned)reader->byte);
    problem_add(reader->problem,
                (struct problem_place){ .file = form_source_path(reader->source), .place = place },
                "%s; expected %s", reader->byte < 0 ? "the file ends" : found, expected);
    return false;
}

static int hex_digit(int byte) {
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    int lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The four digits of \u. Words are plain letters, so whatever is beyond them is all the same. */
static bool read_unit(struct json_reader *reader, unsigned char *letter) {
    int unit = 0;
    for (int place = 0; place < 4; place++) {
        advance(reader);
        int digit = hex_digit(reader->byte);
        if (digit < 0) {
            return complain(reader, "four hexadecimal digits");
        }
        unit = unit * 16 + digit;
    }
    *letter = unit < 0x80 ? (unsigned char)unit : 0xff;
    return true;
}

static bool read_escape(struct json_reader *reader, unsigned char *letter) {
    static const char names[] = "\"\\/bfnrt";
    static const unsigned char letters[] = { '"', '\\', '/', 8, 12, 10, 13, 9 };
    advance(reader);
    if (reader->byte == 'u') {
        return read_unit(reader, letter);
    }
    const char *name = reader->byte <= 0 ? NULL : strchr(names, reader->byte);
    if (name == NULL) {
        return complain(reader, "one of \"\\/bfnrtu after the backslash");
    }
    *letter = letters[name - names];
    return true;
}

static bool read_string(struct json_reader *reader, struct form_value *value) {
    char bytes[FORM_WORD_SIZE];
    size_t size = 0;
    for (advance(reader); reader->byte != '"'; advance(reader)) {
        unsigned char letter = (unsigned char)reader->byte;
        if (reader->byte < ' ') {
            return complain(reader, "the end of the string");
        }
        if (reader->byte == '\\' && !read_escape(reader, &letter)) {
            return false;
        }
        if (size < FORM_WORD_SIZE) {
            bytes[size] = (char)letter;
        }
        size++;
    }
    advance(reader);
    *value = (struct form_value){
        .kind = FORM_STRING,
        .word = size <= FORM_WORD_SIZE ? form_word_find(reader->consumer, bytes, size)
                                       : FORM_OTHER_WORD,
    };
    return true;
}

static bool is_digit(int byte) {
    return byte >= '0' && byte <= '9';
}

/* Digits, at least one; whether any of them is not 0. */
static bool read_digits(struct json_reader *reader, bool *has_value) {
    if (!is_digit(reader->byte)) {
        return complain(reader, "a digit");
    }
    for (; is_digit(reader->byte); advance(reader)) {
        *has_value = *has_value || reader->byte != '0';
    }
    return true;
}

/* What may follow the whole part of a number; whether it is whole all the same. */
static bool read_rest_of_number(struct json_reader *reader, bool *is_whole) {
    bool has_value = false;
    if (reader->byte == '.') {
        advance(reader);
        if (!read_digits(reader, &has_value)) {
            return false;
        }
        *is_whole = !has_value;
    }
    if (reader->byte == 'e' || reader->byte == 'E') {
        *is_whole = false;
        advance(reader);
        if (reader->byte == '+' || reader->byte == '-') {
            advance(reader);
        }
        return read_digits(reader, &has_value);
    }
    return true;
}

static bool read_number(struct json_reader *reader, struct form_value *value) {
    bool is_negative = reader->byte == '-';
    bool is_whole = true;
    bool fits = true;
    uint64_t number = 0;
    if (is_negative) {
        advance(reader);
    }
    bool is_zero = reader->byte == '0';
    if (!is_digit(reader->byte)) {
        return complain(reader, "a digit");
    }
    for (uint32_t count = 0; is_digit(reader->byte); count++, advance(reader)) {
        uint64_t more = (uint64_t)(reader->byte - '0');
        if (is_zero && count > 0) {
            return complain(reader, "a number without a leading 0");
        }
        fits = fits && number <= (UINT64_MAX - more) / 10;
        number = number * 10 + more;
    }
    if (!read_rest_of_number(reader, &is_whole)) {
        return false;
    }
    if (is_whole && (!fits || (is_negative && number > (uint64_t)INT64_MAX + 1))) {
        return complain(reader, "an integer of at most 64 bits before it");
    }
    *value = is_whole ? (struct form_value){ .kind = FORM_INTEGER,
                                             .number = is_negative ? 0 - number : number }
                      : (struct form_value){ .kind = FORM_FLOAT };
    return true;
}

static bool read_word(struct json_reader *reader, struct form_value *value) {
    static const struct {
        const char *word;
        struct form_value value;
    } known[] = {
        { "true", { .kind = FORM_BOOL, .number = 1 } },
        { "false", { .kind = FORM_BOOL, .number = 0 } },
        { "null", { .kind = FORM_NONE, .number = 0 } },
    };
    for (size_t place = 0; place < sizeof known / sizeof *known; place++) {
        const char *letter = known[place].word;
        if (reader->byte == *letter) {
            for (; *letter != '\0'; letter++, advance(reader)) {
                if (reader->byte != *letter) {
                    return complain(reader, "true, false or null");
                }
            }
            *value = known[place].value;
            return true;
        }
    }
    return complain(reader, "a value");
}

/* Opens a list or dict, which goes on the levels; no value is ready then. */
static bool open_level(struct json_reader *reader, enum form_kind kind) {
    if (reader->depth == DEPTH_MAX) {
        return complain(reader, "at most 200 levels of nesting");
    }
    reader->levels[reader->depth++] = (struct level){ .container = { .kind = (uint32_t)kind } };
    advance(reader);
    return true;
}

/* The key of the next pair and its colon. */
static bool read_key(struct json_reader *reader) {
    struct level *level = &reader->levels[reader->depth - 1];
    pass_space(reader);
    if (reader->byte != '"') {
        return complain(reader, "a key in quotes");
    }
    if (!read_string(reader, &level->key)) {
        return false;
    }
    pass_space(reader);
    if (reader->byte != ':') {
        return complain(reader, "a colon after the key");
    }
    advance(reader);
    return true;
}

/* Gives a value to the innermost container, and closes as many as end behind it. False at the end
 * of the text, with the value that it was, and after a complaint. */
static bool settle(struct json_reader *reader, struct form_value *value, bool has_value) {
    for (;; has_value = true) {
        if (reader->depth == 0) {
            return false;
        }
        struct level *level = &reader->levels[reader->depth - 1];
        bool is_dict = level->container.kind == FORM_DICT;
        void *context = reader->consumer->context;
        if (has_value && is_dict) {
            reader->consumer->set(context, &level->container, &level->key, value);
        } else if (has_value) {
            reader->consumer->append(context, &level->container, value);
        }
        pass_space(reader);
        if (reader->byte != (is_dict ? '}' : ']')) {
            if (has_value && reader->byte != ',') {
                return complain(reader, is_dict ? "a comma or }" : "a comma or ]");
            }
            if (has_value) {
                advance(reader);
            }
            return !is_dict || read_key(reader);
        }
        *value = level->container;
        reader->depth--;
        advance(reader);
    }
}

/* One value, or the beginning of one with parts. */
static bool read_value(struct json_reader *reader, struct form_value *value, bool *has_value) {
    pass_space(reader);
    *has_value = true;
    switch (reader->byte) {
    case '{':
        *has_value = false;
        return open_level(reader, FORM_DICT);
    case '[':
        *has_value = false;
        return open_level(reader, FORM_LIST);
    case '"':
        return read_string(reader, value);
    default:
        return reader->byte == '-' || is_digit(reader->byte) ? read_number(reader, value)
                                                             : read_word(reader, value);
    }
}

/* A byte-order mark may come first. */
static bool begin(struct json_reader *reader) {
    static const int mark[] = { 0xef, 0xbb, 0xbf };
    advance(reader);
    for (int place = 0; reader->byte == 0xef || place > 0; place++) {
        if (reader->byte != mark[place]) {
            return complain(reader, "a value");
        }
        advance(reader);
        if (place == 2) {
            break;
        }
    }
    return true;
}

bool form_json_read(struct form_source *source, const struct form_consumer *consumer,
                    struct form_value *result, struct problem *problem) {
    struct json_reader reader = { .source = source, .consumer = consumer, .problem = problem };
    bool has_value = false;
    bool goes_on = begin(&reader);
    while (goes_on) {
        goes_on = read_value(&reader, result, &has_value) && settle(&reader, result, has_value);
    }
    pass_space(&reader);
    if (!reader.is_bad && (reader.byte >= 0 || form_source_complain(source, problem))) {
        return reader.byte >= 0 && complain(&reader, "the end of the file");
    }
    return !reader.is_bad;
}
