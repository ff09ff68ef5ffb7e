/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_constant.h"
#include "base/must.h"
#include "base/units.h"

enum { WORD_BYTES = 128, NESTING_MAX = 32, STACK = 128 };

struct parser {
    const struct expression_reader *reader;
    const struct json *value; /* for complaints */
    struct problem *problem;
    const char *at;
    uint32_t depth;
    bool has_unit; /* of time; or a name, of which only the run knows what it is */
};

static bool parse_sum(struct parser *parser);

static void emit(struct parser *parser, enum expression_operation operation, uint64_t value) {
    array_add(&parser->reader->code->tokens, (struct expression_token){ operation, value });
}

static void skip_space(struct parser *parser) {
    while (*parser->at == ' ') {
        parser->at++;
    }
}

static bool complain(struct parser *parser, const char *what) {
    const char *string = json_string(parser->value);
    json_complain(parser->value, parser->problem, "\"%.60s%s\" is not a value: %s", string,
                  strnlen(string, 61) > 60 ? "..." : "", what);
    return false;
}

/* What stands behind a value that is complete. */
static bool complain_of_rest(struct parser *parser) {
    json_complain(parser->value, parser->problem, "\"%s\" is not a value: \"%s\" stands behind %s",
                  json_string(parser->value), parser->at,
                  parser->reader->as_time ? "a time; its units are ns, us, ms, s" : "its end");
    return false;
}

static bool is_word_byte(char byte) {
    return isalnum((unsigned char)byte) != 0 || byte == '_' || byte == '.';
}

/* A word of letters, digits, _ and dots; false when it is too long or empty. */
static bool read_word(struct parser *parser, char word[WORD_BYTES]) {
    size_t size = 0;
    while (is_word_byte(parser->at[size])) {
        size++;
    }
    if (size == 0 || size >= WORD_BYTES) {
        return false;
    }
    memcpy(word, parser->at, size);
    word[size] = '\0';
    parser->at += size;
    return true;
}

bool expression_is_name(const char *word) {
    size_t size = 0;
    while (is_word_byte(word[size])) {
        size++;
    }
    return size > 0 && size < WORD_BYTES && word[size] == '\0';
}

static bool parse_name(struct parser *parser) {
    char word[WORD_BYTES];
    uint32_t number = 0;
    const char *nearest = NULL;
    parser->at++;
    if (!read_word(parser, word)) {
        return complain(parser, "a name is expected after $");
    }
    if (!parser->reader->find(parser->reader->context, word, &number, &nearest)) {
        if (nearest != NULL) {
            json_complain(parser->value, parser->problem,
                          "\"$%s\" is not bound here; did you mean \"$%s\"?", word, nearest);
        } else {
            json_complain(parser->value, parser->problem, "\"$%s\" is not bound here", word);
        }
        return false;
    }
    parser->has_unit = true;
    emit(parser, EXPRESSION_NAME, number);
    return true;
}

static bool parse_hexadecimal(struct parser *parser, const char *word) {
    size_t digits = strlen(word + 2);
    if (digits == 0 || digits > 16) {
        return complain(parser, "a hexadecimal number has 1 to 16 digits");
    }
    if (strspn(word + 2, "0123456789abcdefABCDEF") != digits) {
        return complain(parser, "a hexadecimal number has the digits 0 to f");
    }
    emit(parser, EXPRESSION_CONSTANT, strtoull(word + 2, NULL, 16));
    return true;
}

static bool parse_number(struct parser *parser) {
    char word[WORD_BYTES];
    uint64_t value = 0;
    if (!read_word(parser, word)) {
        return complain(parser, "a number is too long");
    }
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
        return parse_hexadecimal(parser, word);
    }
    bool as_time = parser->reader->as_time;
    bool is_plain = strspn(word, "0123456789") == strlen(word);
    bool is_number =
        as_time && !is_plain ? units_read_time(word, &value) : units_read_size(word, &value);
    if (!is_number) {
        return complain(parser, is_plain  ? "a number has at most 64 bits"
                                : as_time ? "times are whole, with one of ns, us, ms, s"
                                          : "sizes are whole, with one of KiB, MiB, GiB, TiB or "
                                            "none");
    }
    parser->has_unit = parser->has_unit || !is_plain || value == 0;
    emit(parser, EXPRESSION_CONSTANT, value);
    return true;
}

struct function {
    const char *name;
    enum expression_operation operation;
};

static const struct function functions[] = {
    { "align_up", EXPRESSION_ALIGN_UP },
    { "align_down", EXPRESSION_ALIGN_DOWN },
    { "min", EXPRESSION_MIN },
    { "max", EXPRESSION_MAX },
};

/* Both arguments and the closing bracket. */
static bool parse_arguments(struct parser *parser, enum expression_operation operation) {
    parser->at++;
    if (!parse_sum(parser)) {
        return false;
    }
    if (*parser->at != ',') {
        return complain(parser, "a comma is expected: this function has two arguments");
    }
    parser->at++;
    if (!parse_sum(parser)) {
        return false;
    }
    if (*parser->at != ')') {
        return complain(parser, "a closing bracket is expected");
    }
    parser->at++;
    emit(parser, operation, 0);
    return true;
}

/* A word that stands for nothing: a name without its $, or a constant that is misspelt. */
static bool complain_of_word(struct parser *parser, const char *word) {
    ARRAY(const char *) names = { 0 };
    const char *nearest = NULL;
    uint32_t number = 0;
    if (parser->reader->find(parser->reader->context, word, &number, &nearest)) {
        json_complain(parser->value, parser->problem,
                      "\"%s\" is not a value; did you mean \"$%s\"?", word, word);
        return false;
    }
    for (uint32_t place = 0; place < acl_constant_count(); place++) {
        array_add(&names, acl_constant_name(place));
    }
    nearest = problem_nearest(word, names.items, names.count);
    array_fini(&names);
    if (nearest != NULL) {
        json_complain(parser->value, parser->problem,
                      "there is no constant \"%s\"; did you mean \"%s\"?", word, nearest);
        return false;
    }
    return complain(parser, parser->reader->as_time
                                ? "a time is expected, such as 15us"
                                : "names of values begin with $, names of constants with ACL_");
}

static bool parse_word(struct parser *parser) {
    char word[WORD_BYTES];
    uint64_t value = 0;
    if (!read_word(parser, word)) {
        return complain(parser, "a number, a $name or a bracket is expected");
    }
    skip_space(parser);
    for (size_t place = 0; *parser->at == '(' && place < sizeof functions / sizeof *functions;
         place++) {
        if (strcmp(functions[place].name, word) == 0) {
            return parse_arguments(parser, functions[place].operation);
        }
    }
    if (*parser->at == '(') {
        return complain(parser, "the functions are align_up, align_down, min and max");
    }
    if (!acl_constant_find(word, &value)) {
        return complain_of_word(parser, word);
    }
    emit(parser, EXPRESSION_CONSTANT, value);
    return true;
}

static bool parse_bracket(struct parser *parser) {
    parser->at++;
    if (!parse_sum(parser)) {
        return false;
    }
    if (*parser->at != ')') {
        return complain(parser, "a closing bracket is expected");
    }
    parser->at++;
    return true;
}

static bool parse_atom(struct parser *parser) {
    bool is_well = false;
    if (parser->depth == NESTING_MAX) {
        return complain(parser, "it is nested too deep");
    }
    parser->depth++;
    skip_space(parser);
    if (*parser->at == '$') {
        is_well = parse_name(parser);
    } else if (*parser->at == '(') {
        is_well = parse_bracket(parser);
    } else if (isdigit((unsigned char)*parser->at) != 0) {
        is_well = parse_number(parser);
    } else {
        is_well = parse_word(parser);
    }
    skip_space(parser);
    parser->depth--;
    return is_well;
}

static bool parse_product(struct parser *parser) {
    bool is_well = parse_atom(parser);
    while (is_well && *parser->at != '\0' && strchr("*/%", *parser->at) != NULL) {
        char sign = *parser->at++;
        is_well = parse_atom(parser);
        emit(parser,
             sign == '*'   ? EXPRESSION_MULTIPLY
             : sign == '/' ? EXPRESSION_DIVIDE
                           : EXPRESSION_REMAINDER,
             0);
    }
    return is_well;
}

static bool parse_sum(struct parser *parser) {
    bool is_well = parse_product(parser);
    while (is_well && (*parser->at == '+' || *parser->at == '-')) {
        char sign = *parser->at++;
        is_well = parse_product(parser);
        emit(parser, sign == '+' ? EXPRESSION_ADD : EXPRESSION_SUBTRACT, 0);
    }
    return is_well;
}

static bool read_integer(const struct expression_reader *reader, const struct json *value,
                         struct problem *problem) {
    struct expression_token token = { EXPRESSION_CONSTANT, (uint64_t)json_integer(value) };
    if (reader->as_time && token.value != 0) {
        json_complain(value, problem, "%lld has no unit; expected a time such as \"%lldus\"",
                      (long long)json_integer(value), llabs((long long)json_integer(value)));
        return false;
    }
    array_add(&reader->code->tokens, token);
    return true;
}

static bool read_string(struct parser *parser, const struct json *value) {
    parser->at = json_string(value);
    if (!parse_sum(parser)) {
        return false;
    }
    if (*parser->at != '\0') {
        return complain_of_rest(parser);
    }
    return !parser->reader->as_time || parser->has_unit ||
           complain(parser, "a time has one of the units ns, us, ms, s");
}

bool expression_read(const struct expression_reader *reader, const struct json *value,
                     struct expression *expression, struct problem *problem) {
    struct parser parser = { .reader = reader, .value = value, .problem = problem };
    uint32_t first = (uint32_t)reader->code->tokens.count;
    bool is_well = false;
    if (json_type(value) == JSON_NUMBER) {
        is_well = read_integer(reader, value, problem);
    } else if (json_type(value) == JSON_STRING) {
        is_well = read_string(&parser, value);
    } else {
        json_complain(value, problem, "this is %s; expected a number or a string such as \"%s\"",
                      json_type_name(value), reader->as_time ? "15us" : "4MiB");
    }
    *expression = (struct expression){ first, (uint32_t)reader->code->tokens.count - first };
    return is_well;
}

static bool combine(enum expression_operation operation, uint64_t left, uint64_t right,
                    uint64_t *value) {
    switch (operation) {
    case EXPRESSION_ADD:
        return units_add(left, right, value);
    case EXPRESSION_SUBTRACT:
        *value = left - right;
        return left >= right;
    case EXPRESSION_MULTIPLY:
        return units_multiply(left, right, value);
    case EXPRESSION_DIVIDE:
        *value = right == 0 ? 0 : left / right;
        return right != 0;
    case EXPRESSION_REMAINDER:
        *value = right == 0 ? 0 : left % right;
        return right != 0;
    case EXPRESSION_ALIGN_UP:
        return right != 0 && units_align_up(left, right, value);
    case EXPRESSION_ALIGN_DOWN:
        *value = right == 0 ? 0 : left - left % right;
        return right != 0;
    case EXPRESSION_MIN:
        *value = left < right ? left : right;
        return true;
    case EXPRESSION_MAX:
        *value = left > right ? left : right;
        return true;
    case EXPRESSION_CONSTANT:
    case EXPRESSION_NAME:
        break;
    }
    return false;
}

bool expression_evaluate(const struct expression_code *code, struct expression expression,
                         expression_name_value *name_value, void *context, uint64_t *value) {
    uint64_t stack[STACK];
    uint32_t height = 0;
    for (uint32_t place = 0; place < expression.count; place++) {
        const struct expression_token *token = &code->tokens.items[expression.first + place];
        bool is_operand =
            token->operation == EXPRESSION_CONSTANT || token->operation == EXPRESSION_NAME;
        if (is_operand) {
            must(height < STACK);
            stack[height] = token->value;
            if (token->operation == EXPRESSION_NAME &&
                !name_value(context, (uint32_t)token->value, &stack[height])) {
                return false;
            }
            height++;
            continue;
        }
        must(height >= 2);
        height--;
        if (!combine(token->operation, stack[height - 1], stack[height], &stack[height - 1])) {
            return false;
        }
    }
    must(height == 1);
    *value = stack[0];
    return true;
}
