/* SPDX-License-Identifier: Apache-2.0 */
#include "form/form_pickle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "form/form_pickle_codes.h"

enum {
    VALUES_MAX = 1 << 25, /* on the stack, and in the memo */
    MARKS_MAX = 10000,    /* one for each container under way: nesting */
};

struct pickle {
    struct form_source *source;
    const struct form_consumer *consumer;
    struct problem *problem;
    uint64_t offset; /* of the opcode under way */
    ARRAY(struct form_value) stack;
    ARRAY(size_t) marks; /* heights of the stack */
    ARRAY(struct form_value) memo;
    bool has_stopped;
    bool is_bad;
};

static bool complain(struct pickle *pickle, const char *format, ...) {
    struct text text = { 0 };
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    text_printf(&text, "byte %" PRIu64, pickle->offset);
    problem_add(pickle->problem,
                (struct problem_place){ .file = form_source_path(pickle->source),
                                        .place = text_get(&text) },
                "%s", words);
    text_fini(&text);
    pickle->is_bad = true;
    return false;
}

static bool complain_of_end(struct pickle *pickle) {
    if (form_source_complain(pickle->source, pickle->problem)) {
        pickle->is_bad = true;
        return false;
    }
    return complain(pickle, "the file ends inside of the pickle; expected the opcode STOP");
}

/* Little-endian, as all numbers of pickles but floats. */
static bool read_number(struct pickle *pickle, uint32_t size, uint64_t *number) {
    unsigned char copy[8];
    const unsigned char *bytes = form_source_take(pickle->source, size);
    if (bytes == NULL) {
        if (!form_source_bytes(pickle->source, copy, size)) {
            return complain_of_end(pickle);
        }
        bytes = copy;
    }
    *number = 0;
    for (uint32_t place = size; place-- > 0;) {
        *number = *number << 8 | bytes[place];
    }
    return true;
}

static bool push(struct pickle *pickle, struct form_value value) {
    if (pickle->stack.count >= VALUES_MAX) {
        return complain(pickle, "more than %d values at a time; expected fewer", VALUES_MAX);
    }
    array_add(&pickle->stack, value);
    return true;
}

static bool push_integer(struct pickle *pickle, uint64_t number) {
    return push(pickle, (struct form_value){ .kind = FORM_INTEGER, .number = number });
}

static bool push_kind(struct pickle *pickle, enum form_kind kind) {
    return push(pickle, (struct form_value){ .kind = kind });
}

/* The height that values above the last mark begin at, or 0. */
static size_t floor_of(const struct pickle *pickle) {
    return pickle->marks.count == 0 ? 0 : pickle->marks.items[pickle->marks.count - 1];
}

static bool need(struct pickle *pickle, size_t count) {
    return pickle->stack.count - floor_of(pickle) >= count ||
           complain(pickle, "an opcode takes more values than there are");
}

static bool pop_mark(struct pickle *pickle, size_t *height) {
    if (pickle->marks.count == 0) {
        return complain(pickle, "an opcode goes back to a mark, and there is none");
    }
    *height = pickle->marks.items[--pickle->marks.count];
    return true;
}

static bool read_string(struct pickle *pickle, uint32_t length_size) {
    char bytes[FORM_WORD_SIZE];
    uint64_t size = 0;
    uint32_t word = FORM_OTHER_WORD;
    if (!read_number(pickle, length_size, &size)) {
        return false;
    }
    bool is_short = size <= FORM_WORD_SIZE;
    if (!form_source_bytes(pickle->source, is_short ? (unsigned char *)bytes : NULL, size)) {
        return complain_of_end(pickle);
    }
    if (is_short) {
        word = form_word_find(pickle->consumer, bytes, (size_t)size);
    }
    return push(pickle, (struct form_value){ .kind = FORM_STRING, .word = word });
}

/* Two's complement of any length; what does not fit into 64 bits is refused. */
static bool read_long(struct pickle *pickle, uint32_t length_size) {
    uint64_t size = 0;
    uint64_t number = 0;
    if (!read_number(pickle, length_size, &size)) {
        return false;
    }
    for (uint64_t place = 0; place < size; place++) {
        int byte = form_source_byte(pickle->source);
        if (byte < 0) {
            return complain_of_end(pickle);
        }
        if (place < 8) {
            number |= (uint64_t)byte << (8 * place);
        } else if (byte != 0 && byte != 0xff) {
            return complain(pickle, "an integer of more than 64 bits; expected fewer");
        }
        if (place + 1 == size && size < 8 && (byte & 0x80) != 0) {
            number |= UINT64_MAX << (8 * size);
        }
    }
    return push_integer(pickle, number);
}

static bool put_memo(struct pickle *pickle, uint64_t index) {
    if (!need(pickle, 1)) {
        return false;
    }
    /* A writer counts up; an index far beyond what was stored would only cost memory. */
    if (index >= VALUES_MAX || index > 2 * pickle->memo.count + 1024) {
        return complain(pickle, "memo index %" PRIu64 " is far beyond the %zu values stored", index,
                        pickle->memo.count);
    }
    while (pickle->memo.count <= index) {
        array_add(&pickle->memo, (struct form_value){ .kind = FORM_NONE });
    }
    struct form_value value = pickle->stack.items[pickle->stack.count - 1];
    if (value.kind >= FORM_DICT) {
        /* What the consumer made of a container is told once, where it stands first. */
        value.number = 0;
        value.word = 0;
    }
    pickle->memo.items[index] = value;
    return true;
}

static bool get_memo(struct pickle *pickle, uint64_t index) {
    if (index >= pickle->memo.count) {
        return complain(pickle, "memo index %" PRIu64 " was never stored", index);
    }
    return push(pickle, pickle->memo.items[index]);
}

/* Gives the pairs above a height to the dict below it. */
static bool set_items(struct pickle *pickle, size_t height) {
    size_t count = pickle->stack.count - height;
    if (height == 0 || pickle->stack.items[height - 1].kind != FORM_DICT || count % 2 != 0) {
        return complain(pickle, "pairs are given to what is no dict, or a value is missing");
    }
    struct form_value *dict = &pickle->stack.items[height - 1];
    for (size_t place = height; place < pickle->stack.count; place += 2) {
        pickle->consumer->set(pickle->consumer->context, dict, &pickle->stack.items[place],
                              &pickle->stack.items[place + 1]);
    }
    pickle->stack.count = height;
    return true;
}

static bool append_items(struct pickle *pickle, size_t height) {
    if (height == 0 || pickle->stack.items[height - 1].kind != FORM_LIST) {
        return complain(pickle, "items are given to what is no list");
    }
    struct form_value *list = &pickle->stack.items[height - 1];
    for (size_t place = height; place < pickle->stack.count; place++) {
        pickle->consumer->append(pickle->consumer->context, list, &pickle->stack.items[place]);
    }
    pickle->stack.count = height;
    return true;
}

/* Lists and dicts that are written with their items at once, as protocol 0 does. */
static bool build(struct pickle *pickle, enum form_kind kind) {
    size_t height = 0;
    if (!pop_mark(pickle, &height) || !push_kind(pickle, kind)) {
        return false;
    }
    struct form_value container = pickle->stack.items[pickle->stack.count - 1];
    size_t count = pickle->stack.count - 1 - height;
    memmove(&pickle->stack.items[height + 1], &pickle->stack.items[height],
            count * sizeof(struct form_value));
    pickle->stack.items[height] = container;
    return kind == FORM_LIST ? append_items(pickle, height + 1) : set_items(pickle, height + 1);
}

static bool make_tuple(struct pickle *pickle, size_t height) {
    pickle->stack.count = height;
    return push_kind(pickle, FORM_TUPLE);
}

/* A line of text, as protocol 0 writes numbers; without its end. */
static bool read_line(struct pickle *pickle, char line[FORM_WORD_SIZE]) {
    size_t size = 0;
    for (;;) {
        int byte = form_source_byte(pickle->source);
        if (byte < 0) {
            return complain_of_end(pickle);
        }
        if (byte == '\n') {
            line[size] = '\0';
            return true;
        }
        if (size + 1 == FORM_WORD_SIZE) {
            return complain(pickle, "a number of more than %d characters", FORM_WORD_SIZE - 1);
        }
        line[size++] = (char)byte;
    }
}

/* "42", "-7", "42L"; and I00, I01 for the bools of protocol 0. */
static bool read_decimal(struct pickle *pickle, bool may_be_bool) {
    char line[FORM_WORD_SIZE];
    if (!read_line(pickle, line)) {
        return false;
    }
    if (may_be_bool && (strcmp(line, "00") == 0 || strcmp(line, "01") == 0)) {
        return push(pickle,
                    (struct form_value){ .kind = FORM_BOOL, .number = line[1] == '1' ? 1 : 0 });
    }
    bool is_negative = line[0] == '-';
    const char *digit = line + is_negative;
    uint64_t number = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        uint64_t more = (uint64_t)(*digit - '0');
        if (number > (UINT64_MAX - more) / 10) {
            return complain(pickle, "an integer of more than 64 bits; expected fewer");
        }
        number = number * 10 + more;
    }
    if (digit == line + is_negative || (strcmp(digit, "") != 0 && strcmp(digit, "L") != 0)) {
        return complain(pickle, "\"%.40s\" is not a whole number", line);
    }
    return push_integer(pickle, is_negative ? 0 - number : number);
}

/* Protocol 0 writes text as a line; its escapes belong to no word that anybody looks for. */
static bool read_text_line(struct pickle *pickle) {
    char bytes[FORM_WORD_SIZE];
    size_t size = 0;
    for (int byte = form_source_byte(pickle->source); byte != '\n';
         byte = form_source_byte(pickle->source)) {
        if (byte < 0) {
            return complain_of_end(pickle);
        }
        if (size < FORM_WORD_SIZE) {
            bytes[size] = (char)byte;
        }
        size++;
    }
    uint32_t word = FORM_OTHER_WORD;
    if (size <= FORM_WORD_SIZE) {
        word = form_word_find(pickle->consumer, bytes, size);
    }
    return push(pickle, (struct form_value){ .kind = FORM_STRING, .word = word });
}

static bool read_memo_line(struct pickle *pickle, bool is_put) {
    if (!read_decimal(pickle, false)) {
        return false;
    }
    uint64_t index = pickle->stack.items[--pickle->stack.count].number;
    return is_put ? put_memo(pickle, index) : get_memo(pickle, index);
}

static bool read_float(struct pickle *pickle, bool is_line) {
    char line[FORM_WORD_SIZE];
    bool is_read = is_line ? read_line(pickle, line)
                           : form_source_bytes(pickle->source, NULL, 8) || complain_of_end(pickle);
    return is_read && push_kind(pickle, FORM_FLOAT);
}

static bool refuse(struct pickle *pickle, int code) {
    const struct pickle_code *known = form_pickle_code(code);
    if (known == NULL) {
        return complain(pickle, "0x%02x is no opcode; expected a pickle of plain values",
                        (unsigned)code);
    }
    return complain(pickle, "the opcode %s (0x%02x) %s; expected a pickle of plain values",
                    known->name, (unsigned)code,
                    known->runs_code ? "could run code and is refused" : "is not for plain values");
}

static bool perform_number(struct pickle *pickle, int code) {
    uint64_t number = 0;
    switch (code) {
    case 'K':
        return read_number(pickle, 1, &number) && push_integer(pickle, number);
    case 'M':
        return read_number(pickle, 2, &number) && push_integer(pickle, number);
    case 'J':
        return read_number(pickle, 4, &number) &&
               push_integer(pickle, (uint64_t)(int64_t)(int32_t)(uint32_t)number);
    case 0x8a:
        return read_long(pickle, 1);
    case 0x8b:
        return read_long(pickle, 4);
    case 'I':
    case 'L':
        return read_decimal(pickle, code == 'I');
    case 'G':
    case 'F':
        return read_float(pickle, code == 'F');
    case 'X':
        return read_string(pickle, 4);
    case 0x8c:
        return read_string(pickle, 1);
    case 0x8d:
        return read_string(pickle, 8);
    case 'V':
        return read_text_line(pickle);
    case 'N':
        return push_kind(pickle, FORM_NONE);
    case 0x88:
    case 0x89:
        return push(pickle,
                    (struct form_value){ .kind = FORM_BOOL, .number = code == 0x88 ? 1 : 0 });
    default:
        return refuse(pickle, code);
    }
}

static bool perform_memo(struct pickle *pickle, int code) {
    uint64_t number = 0;
    switch (code) {
    case 0x94:
        return put_memo(pickle, pickle->memo.count);
    case 'q':
        return read_number(pickle, 1, &number) && put_memo(pickle, number);
    case 'r':
        return read_number(pickle, 4, &number) && put_memo(pickle, number);
    case 'h':
        return read_number(pickle, 1, &number) && get_memo(pickle, number);
    case 'j':
        return read_number(pickle, 4, &number) && get_memo(pickle, number);
    case 'p':
    case 'g':
        return read_memo_line(pickle, code == 'p');
    default:
        return perform_number(pickle, code);
    }
}

static bool perform_container(struct pickle *pickle, int code) {
    size_t height = 0;
    switch (code) {
    case '}':
        return push_kind(pickle, FORM_DICT);
    case ']':
        return push_kind(pickle, FORM_LIST);
    case ')':
        return push_kind(pickle, FORM_TUPLE);
    case 0x85:
    case 0x86:
    case 0x87:
        return need(pickle, (size_t)code - 0x84) &&
               make_tuple(pickle, pickle->stack.count - ((size_t)code - 0x84));
    case 't':
        return pop_mark(pickle, &height) && make_tuple(pickle, height);
    case 'l':
        return build(pickle, FORM_LIST);
    case 'd':
        return build(pickle, FORM_DICT);
    case 's':
        return need(pickle, 3) && set_items(pickle, pickle->stack.count - 2);
    case 'u':
        return pop_mark(pickle, &height) && set_items(pickle, height);
    case 'a':
        return need(pickle, 2) && append_items(pickle, pickle->stack.count - 1);
    case 'e':
        return pop_mark(pickle, &height) && append_items(pickle, height);
    default:
        return perform_memo(pickle, code);
    }
}

static bool perform(struct pickle *pickle, int code) {
    uint64_t number = 0;
    size_t height = 0;
    switch (code) {
    case 0x80:
        return read_number(pickle, 1, &number) &&
               (number <= 5 || complain(pickle, "protocol %" PRIu64 "; expected 0 to 5", number));
    case 0x95:
        return read_number(pickle, 8, &number);
    case '(':
        if (pickle->marks.count >= MARKS_MAX) {
            return complain(pickle, "more than %d levels of nesting; expected fewer", MARKS_MAX);
        }
        array_add(&pickle->marks, pickle->stack.count);
        return true;
    case '0':
        if (pickle->stack.count == floor_of(pickle)) {
            return pop_mark(pickle, &height);
        }
        pickle->stack.count--;
        return true;
    case '1':
        if (!pop_mark(pickle, &height)) {
            return false;
        }
        pickle->stack.count = height;
        return true;
    case '.':
        pickle->has_stopped = true;
        return pickle->marks.count == 0 && pickle->stack.count == 1
                   ? true
                   : complain(pickle, "%zu values are left at the end; expected one",
                              pickle->stack.count);
    default:
        return perform_container(pickle, code);
    }
}

bool form_pickle_read(struct form_source *source, const struct form_consumer *consumer,
                      struct form_value *result, struct problem *problem) {
    struct pickle pickle = { .source = source, .consumer = consumer, .problem = problem };
    while (!pickle.has_stopped && !pickle.is_bad) {
        pickle.offset = form_source_offset(source);
        int code = form_source_byte(source);
        if (code < 0) {
            complain_of_end(&pickle);
        } else {
            (void)perform(&pickle, code);
        }
    }
    pickle.offset = form_source_offset(source);
    if (!pickle.is_bad && form_source_byte(source) >= 0) {
        (void)complain(&pickle, "more bytes follow the pickle; expected the end of the file");
    }
    /* What gzip packed has its checksum behind the last byte. */
    pickle.is_bad = pickle.is_bad || form_source_complain(source, problem);
    if (!pickle.is_bad) {
        *result = pickle.stack.items[0];
    }
    array_fini(&pickle.stack);
    array_fini(&pickle.marks);
    array_fini(&pickle.memo);
    return !pickle.is_bad;
}
