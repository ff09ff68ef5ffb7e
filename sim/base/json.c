/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/host.h"
#include "base/json_scan.h"
#include "base/must.h"
#include "base/text.h"

struct json {
    const struct json_document *document;
    const cJSON *item;
    const struct json *parent;
    uint32_t place; /* among the members or items of the parent */
    uint32_t next;  /* values up to the one after this and all inside it */
    struct json_position position;
};

struct json_document {
    char *name;
    cJSON *tree;
    struct json *values; /* in the order of the text */
    size_t count;
};

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

struct json_document *json_parse(const char *name, const char *text, size_t size,
                                 struct problem *problem) {
    struct json_scan scan = { .name = name, .text = text, .size = size, .problem = problem };
    if (!json_scan(&scan)) {
        json_scan_fini(&scan);
        return NULL;
    }
    struct json_document *document = host_zeroed(1, sizeof *document);
    document->name = host_copy_string(name);
    document->tree = cJSON_ParseWithLength(text, size);
    if (document->tree == NULL) {
        host_out_of_memory();
    }
    document->count = scan.positions.count;
    document->values = host_zeroed(document->count, sizeof *document->values);
    size_t numbered = number_values(document, document->tree, NULL, 0, scan.positions.items);
    must(numbered == document->count);
    json_scan_fini(&scan);
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
    return (int64_t)value->item->valuedouble;
}

const char *json_key(const struct json *value) {
    return value->item->string;
}

uint32_t json_line(const struct json *value) {
    return value->position.line;
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

/* A JSON pointer (RFC 6901) to the value. */
static void append_pointer(const struct json *value, struct text *pointer) {
    if (value->parent == NULL) {
        return;
    }
    append_pointer(value->parent, pointer);
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

void json_complain(const struct json *value, struct problem *problem, const char *format, ...) {
    struct text pointer = { 0 };
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    append_pointer(value, &pointer);
    struct problem_place place = {
        .file = value->document->name,
        .place = pointer.size > 0 ? text_get(&pointer) : NULL,
        .line = value->position.line,
        .column = value->position.column,
    };
    problem_add(problem, place, "%s", message);
    text_fini(&pointer);
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
            json_complain(at, problem, "unknown key \"%s\"; did you mean \"%s\"?", json_key(at),
                          nearest);
        } else {
            json_complain(at, problem, "unknown key \"%s\"", json_key(at));
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
