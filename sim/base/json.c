/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/host.h"
#include "base/json_document.h"
#include "base/must.h"
#include "base/text.h"

/* Walks the tree in the order of the text, and gives each value its place there. */
static size_t number_values(struct json_document *document, const cJSON *item,
                            const struct json *parent, size_t at,
                            const struct json_position *positions) {
    struct json *value = &document->values[at];
    uint32_t place = 0;
    size_t next = at + 1;
    *value = (struct json){ .document = document, .item = item, .parent = parent };
    value->position = positions[at];
    for (const cJSON *child = item->child; child != NULL; child = child->next) {
        size_t first = next;
        next = number_values(document, child, value, next, positions);
        document->values[first].place = place++;
    }
    value->next = (uint32_t)(next - at);
    return next;
}

void json_number_values(struct json_document *document, const struct json_position *positions,
                        size_t count) {
    document->values = host_resize(document->values, count, sizeof *document->values);
    document->count = count;
    size_t numbered = number_values(document, document->tree, NULL, 0, positions);
    must(numbered == count);
}

static int by_key(const void *left, const void *right) {
    const struct json *first = *(const struct json *const *)left;
    const struct json *second = *(const struct json *const *)right;
    int order = strcmp(json_key(first), json_key(second));
    return order != 0 ? order : (first > second) - (first < second);
}

/* Keys are compared as they read, not as they are escaped. The first one of equals is good. */
static void check_twice(struct json_document *document, size_t at, struct problem *problem) {
    const struct json *object = &document->values[at];
    ARRAY(const struct json *) members = { 0 };
    for (const struct json *member = json_first(object); member != NULL;
         member = json_next(member)) {
        array_add(&members, member);
    }
    if (members.count > 1) {
        qsort(members.items, members.count, sizeof *members.items, by_key);
    }
    for (size_t place = 1; place < members.count; place++) {
        if (strcmp(json_key(members.items[place - 1]), json_key(members.items[place])) == 0) {
            json_complain_of_key(members.items[place], problem,
                                 "the key \"%.60s\" stands here a second time",
                                 json_key(members.items[place]));
            document->values[members.items[place] - document->values].position.is_bad = true;
        }
    }
    array_fini(&members);
}

/* Letters that would change how a terminal or a line of text reads: all below a blank but the ends
 * of lines and tabs, the one behind "~", and U+0080 to U+009F. */
static bool has_control(const char *string, bool is_key) {
    for (const unsigned char *byte = (const unsigned char *)string; *byte != '\0'; byte++) {
        bool is_space = *byte == '\n' || *byte == '\t';
        if ((*byte < ' ' && (is_key || !is_space)) || *byte == 0x7f ||
            (*byte == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0)) {
            return true;
        }
    }
    return false;
}

static void check_letters(struct json *value, struct problem *problem) {
    bool bad_key = json_key(value) != NULL && has_control(json_key(value), true);
    if (bad_key || (json_type(value) == JSON_STRING && has_control(json_string(value), false))) {
        (bad_key ? json_complain_of_key : json_complain)(
            value, problem, "a control character stands in this %s; expected letters",
            bad_key ? "key" : "string");
        value->position.is_bad = true;
    }
}

struct json_document *json_parse(const char *name, const char *text, size_t size,
                                 struct problem *problem) {
    struct json_scan scan = { .name = name, .text = text, .size = size, .problem = problem };
    size_t before = problem->complaints.count;
    if (!json_scan(&scan)) {
        json_scan_fini(&scan);
        return NULL;
    }
    struct json_document *document = host_zeroed(1, sizeof *document);
    document->name = host_copy_string(name);
    document->tree = cJSON_ParseWithLength(text, size);
    if (document->tree == NULL && problem->complaints.count == before) {
        host_out_of_memory();
    }
    if (document->tree == NULL) {
        /* A number of more digits than cJSON reads, of which we complained. */
        json_scan_fini(&scan);
        json_free(document);
        return NULL;
    }
    json_number_values(document, scan.positions.items, scan.positions.count);
    json_scan_fini(&scan);
    for (size_t at = 0; at < document->count; at++) {
        if (json_type(&document->values[at]) == JSON_OBJECT) {
            check_twice(document, at, problem);
        }
        check_letters(&document->values[at], problem);
    }
    return document;
}

static void complain_of_file(struct problem *problem, const char *path, const char *what) {
    problem_add(problem, (struct problem_place){ .file = path }, "%s", what);
}

/* The whole file, terminated; NULL with a complaint. */
static char *read_all(const char *path, size_t *size, struct problem *problem) {
    struct stat status;
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        complain_of_file(problem, path, strerror(errno));
    } else if (S_ISDIR(status.st_mode)) {
        complain_of_file(problem, path, "this is a directory; expected a file");
    } else if (S_ISREG(status.st_mode) && status.st_size > JSON_BYTES_MAX) {
        complain_of_file(problem, path, "this file has more than 64 MiB; expected less");
    } else {
        /* One byte more than is allowed tells a pipe that never ends from a large file. */
        size_t most = S_ISREG(status.st_mode) ? (size_t)status.st_size : JSON_BYTES_MAX;
        text = host_resize(NULL, most + 2, 1);
        *size = fread(text, 1, most + 1, file);
        text[*size] = '\0';
        if (ferror(file) || *size > JSON_BYTES_MAX) {
            complain_of_file(problem, path,
                             ferror(file) ? "it can not be read to its end"
                                          : "this file has more than 64 MiB; expected less");
            free(text);
            text = NULL;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

struct json_document *json_read(const char *path, struct problem *problem) {
    size_t size = 0;
    char *text = read_all(path, &size, problem);
    if (text == NULL) {
        return NULL;
    }
    struct json_document *document = json_parse(path, text, size, problem);
    free(text);
    return document;
}

void json_free(struct json_document *document) {
    if (document != NULL) {
        cJSON_Delete(document->tree);
        free(document->values);
        free(document->name);
        free(document);
    }
}

const struct json *json_root(const struct json_document *document) {
    return document->values;
}

const char *json_name(const struct json_document *document) {
    return document->name;
}

enum json_type json_type(const struct json *value) {
    switch (value->item->type & 0xff) {
    case cJSON_False:
        return JSON_FALSE;
    case cJSON_True:
        return JSON_TRUE;
    case cJSON_Number:
        return JSON_NUMBER;
    case cJSON_String:
        return JSON_STRING;
    case cJSON_Array:
        return JSON_ARRAY;
    case cJSON_Object:
        return JSON_OBJECT;
    default:
        return JSON_NULL;
    }
}

static const char *name_of(enum json_type type) {
    static const char *const names[] = {
        [JSON_NULL] = "null",          [JSON_FALSE] = "true or false",
        [JSON_TRUE] = "true or false", [JSON_NUMBER] = "a whole number",
        [JSON_STRING] = "a string",    [JSON_ARRAY] = "a list",
        [JSON_OBJECT] = "an object",
    };
    return names[type];
}

const char *json_type_name(const struct json *value) {
    return name_of(json_type(value));
}

bool json_is_bool(const struct json *value) {
    return json_type(value) == JSON_TRUE || json_type(value) == JSON_FALSE;
}

const char *json_string(const struct json *value) {
    must(json_type(value) == JSON_STRING);
    return value->item->valuestring;
}

int64_t json_integer(const struct json *value) {
    must(json_type(value) == JSON_NUMBER);
    return value->position.is_bad ? 0 : (int64_t)value->item->valuedouble;
}

const char *json_key(const struct json *value) {
    return value->item->string;
}

uint32_t json_line(const struct json *value) {
    return value->position.line;
}

bool json_is_set(const struct json *value) {
    return value->position.is_set;
}

const struct json *json_first(const struct json *value) {
    return value->item->child == NULL ? NULL : value + 1;
}

const struct json *json_next(const struct json *value) {
    return value->item->next == NULL ? NULL : value + value->next;
}

uint32_t json_count(const struct json *value) {
    return (uint32_t)cJSON_GetArraySize(value->item);
}

const struct json *json_find(const struct json *object, const char *key) {
    for (const struct json *at = json_first(object); at != NULL; at = json_next(at)) {
        if (at->item->string != NULL && strcmp(at->item->string, key) == 0) {
            return at;
        }
    }
    return NULL;
}

void json_write_pointer(const struct json *value, struct text *pointer) {
    if (value->parent == NULL) {
        return;
    }
    json_write_pointer(value->parent, pointer);
    if (value->item->string == NULL) {
        text_printf(pointer, "/%u", value->place);
        return;
    }
    text_append(pointer, "/");
    for (const char *byte = value->item->string; *byte != '\0'; byte++) {
        if (*byte == '~' || *byte == '/') {
            text_append(pointer, *byte == '~' ? "~0" : "~1");
        } else {
            text_append_bytes(pointer, byte, 1);
        }
    }
}

void json_append_shown(struct text *text, const char *string) {
    for (size_t left = strlen(string); left > 0;) {
        size_t size = json_utf8_size(string, left);
        bool is_shown = size > 0 && (unsigned char)string[0] >= ' ' && string[0] != 0x7f;
        size = size > 0 ? size : 1;
        text_append_bytes(text, is_shown ? string : "?", is_shown ? size : 1);
        string += size;
        left -= size;
    }
}

static void complain(const struct json *value, struct problem *problem, bool at_key,
                     const char *message) {
    const struct json_position *position = &value->position;
    struct text pointer = { 0 };
    struct text shown_pointer = { 0 };
    struct text shown = { 0 };
    if (position->is_bad) {
        return;
    }
    json_write_pointer(value, &pointer);
    json_append_shown(&shown_pointer, text_get(&pointer));
    json_append_shown(&shown, message);
    bool has_key = at_key && position->key_line > 0;
    struct problem_place place = {
        .file = position->is_set ? "--set" : value->document->name,
        .place = pointer.size > 0 ? text_get(&shown_pointer) : NULL,
    };
    if (!position->is_set) {
        place.line = has_key ? position->key_line : position->line;
        place.column = has_key ? position->key_column : position->column;
    }
    problem_add(problem, place, "%s", text_get(&shown));
    text_fini(&shown);
    text_fini(&shown_pointer);
    text_fini(&pointer);
}

void json_complain(const struct json *value, struct problem *problem, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    complain(value, problem, false, message);
}

void json_complain_of_key(const struct json *value, struct problem *problem, const char *format,
                          ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    complain(value, problem, true, message);
}

/* A key that is like none: all that there are, while they fit a line or two. */
static void complain_of_stranger(const struct json *member, const char *const *keys, size_t count,
                                 struct problem *problem) {
    struct text known = { 0 };
    for (size_t place = 0; place < count; place++) {
        text_printf(&known, "%s%s", place == 0 ? "" : ", ", keys[place]);
    }
    json_complain_of_key(member, problem, "unknown key \"%.60s\"; expected one of %.300s",
                         json_key(member), text_get(&known));
    text_fini(&known);
}

bool json_check_keys(const struct json *object, const char *const *keys, size_t count,
                     struct problem *problem) {
    bool is_well = true;
    for (const struct json *at = json_first(object); at != NULL; at = json_next(at)) {
        size_t place = 0;
        while (place < count && strcmp(json_key(at), keys[place]) != 0) {
            place++;
        }
        if (place < count) {
            continue;
        }
        const char *nearest = problem_nearest(json_key(at), keys, count);
        is_well = false;
        if (nearest != NULL) {
            json_complain_of_key(at, problem, "unknown key \"%.60s\"; did you mean \"%s\"?",
                                 json_key(at), nearest);
        } else {
            complain_of_stranger(at, keys, count, problem);
        }
    }
    return is_well;
}

bool json_expect(const struct json *value, enum json_type type, const char *what,
                 struct problem *problem) {
    bool fits = json_type(value) == type || (type == JSON_TRUE && json_is_bool(value));
    if (!fits) {
        json_complain(value, problem, "%s is %s; expected %s", what, json_type_name(value),
                      name_of(type));
    }
    return fits;
}
