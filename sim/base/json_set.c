/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/json_document.h"
#include "base/text.h"

static const char option[] = "--set";

/* A setting under way. */
struct setting {
    const char *text; /* "/a/b=1" */
    const char *stop; /* the end of the pointer */
    struct json_document *document;
    struct problem *problem;
};

static bool complain(const struct setting *setting, const char *end, const char *what) {
    struct text pointer = { 0 };
    struct text place = { 0 };
    struct text shown = { 0 };
    text_append_bytes(&pointer, setting->text, (size_t)(end - setting->text));
    json_append_shown(&place, text_get(&pointer));
    json_append_shown(&shown, what);
    problem_add(
        setting->problem,
        (struct problem_place){ .file = option, .place = place.size > 0 ? text_get(&place) : NULL },
        "%s", text_get(&shown));
    text_fini(&shown);
    text_fini(&place);
    text_fini(&pointer);
    return false;
}

/* Letters as a file may have them: UTF-8, and no control characters. */
static bool check_letters(const struct setting *setting) {
    const char *at = setting->text;
    for (size_t left = strlen(at); left > 0;) {
        size_t size = json_utf8_size(at, left);
        bool is_value = at > setting->stop;
        bool is_control = (unsigned char)*at < ' ' || *at == 0x7f ||
                          (size == 2 && at[0] == '\xc2' && (unsigned char)at[1] < 0xa0);
        if (size == 0 || (is_control && !(is_value && (*at == '\n' || *at == '\t')))) {
            return complain(setting, setting->stop,
                            size == 0 ? "a byte of this is not valid UTF-8"
                                      : "a control character stands in this; expected letters");
        }
        at += size;
        left -= size;
    }
    return true;
}

/* One part of a pointer, behind its slash, without its escapes. */
static void read_part(const char *from, const char *to, struct text *part) {
    text_clear(part);
    text_append(part, "");
    while (from < to) {
        bool is_escape = from[0] == '~' && from + 1 < to && (from[1] == '0' || from[1] == '1');
        text_append_bytes(part, is_escape ? (from[1] == '0' ? "~" : "/") : from, 1);
        from += is_escape ? 2 : 1;
    }
}

static const char *end_of_part(const char *at, const char *stop) {
    while (at < stop && *at != '/') {
        at++;
    }
    return at;
}

/* The member or item; NULL when there is none. */
static const struct json *find(const struct json *value, const char *part) {
    if (json_type(value) == JSON_OBJECT) {
        return json_find(value, part);
    }
    const struct json *at = json_type(value) == JSON_ARRAY ? json_first(value) : NULL;
    for (uint32_t place = 0; at != NULL; at = json_next(at), place++) {
        struct text number = { 0 };
        text_printf(&number, "%u", place);
        bool is_it = strcmp(text_get(&number), part) == 0;
        text_fini(&number);
        if (is_it) {
            return at;
        }
    }
    return NULL;
}

/* What the document has instead of a part that is not there. */
static bool complain_of_part(const struct setting *setting, const struct json *parent,
                             const char *part, const char *end) {
    struct text what = { 0 };
    if (json_type(parent) == JSON_OBJECT) {
        ARRAY(const char *) keys = { 0 };
        for (const struct json *at = json_first(parent); at != NULL; at = json_next(at)) {
            array_add(&keys, json_key(at));
        }
        const char *nearest = problem_nearest(part, keys.items, keys.count);
        text_printf(&what, "there is no \"%.60s\" in %s%s%s%s", part, json_name(setting->document),
                    nearest == NULL ? "" : "; did you mean \"", nearest == NULL ? "" : nearest,
                    nearest == NULL ? "" : "\"?");
        array_fini(&keys);
    } else if (json_type(parent) == JSON_ARRAY) {
        text_printf(&what,
                    "the list in %s has %u items; expected a number below that, or \"-\" at "
                    "the end of the pointer for a new one",
                    json_name(setting->document), json_count(parent));
    } else {
        text_printf(&what, "%s in %s has no parts", json_type_name(parent),
                    json_name(setting->document));
    }
    (void)complain(setting, end, text_get(&what));
    text_fini(&what);
    return false;
}

/* The value as a document of its own: as JSON if it is that, else as a text. */
static struct json_document *parse_value(const char *value, struct problem *problem) {
    struct problem scratch = { 0 };
    struct text quoted = { 0 };
    struct json_document *document = json_parse(option, value, strlen(value), &scratch);
    if (document == NULL || !problem_is_empty(&scratch)) {
        json_free(document);
        text_append_json_string(&quoted, value);
        document = json_parse(option, text_get(&quoted), quoted.size, problem);
    }
    text_fini(&quoted);
    problem_fini(&scratch);
    return document;
}

static cJSON *item_of(const struct json *value) {
    return (cJSON *)value->item;
}

/* Hangs the tree of a value under its parent, in the place of an old one or behind the last. */
static void graft(const struct json *parent, const struct json *old, const char *key, cJSON *tree) {
    bool is_object = json_type(parent) == JSON_OBJECT;
    if (old == NULL && is_object) {
        cJSON_AddItemToObject(item_of(parent), key, tree);
    } else if (old == NULL) {
        cJSON_AddItemToArray(item_of(parent), tree);
    } else if (is_object) {
        cJSON_ReplaceItemInObjectCaseSensitive(item_of(parent), key, tree);
    } else {
        cJSON_ReplaceItemInArray(item_of(parent), (int)old->place, tree);
    }
}

/* The value takes over the line of what it replaces, or of its parent. */
static void put(struct json_document *document, const struct json *parent, const struct json *old,
                const char *key, struct json_document *value) {
    size_t from = (size_t)((old == NULL ? parent + parent->next : old) - document->values);
    size_t gone = old == NULL ? 0 : old->next;
    uint32_t line = (old == NULL ? parent : old)->position.line;
    ARRAY(struct json_position) positions = { 0 };
    for (size_t at = 0; at < from; at++) {
        array_add(&positions, document->values[at].position);
    }
    for (size_t at = 0; at < value->count; at++) {
        struct json_position position = value->values[at].position;
        position.line = line;
        position.is_set = true;
        array_add(&positions, position);
    }
    for (size_t at = from + gone; at < document->count; at++) {
        array_add(&positions, document->values[at].position);
    }
    graft(parent, old, key, value->tree);
    value->tree = NULL;
    json_number_values(document, positions.items, positions.count);
    array_fini(&positions);
}

static bool apply(const struct setting *setting) {
    const struct json *parent = NULL;
    const struct json *value = json_root(setting->document);
    const char *at = setting->text;
    struct text part = { 0 };
    bool is_well = true;
    while (is_well && at < setting->stop) {
        const char *end = end_of_part(at + 1, setting->stop);
        bool is_last = end == setting->stop;
        parent = value;
        read_part(at + 1, end, &part);
        value = find(parent, text_get(&part));
        bool is_new = json_type(parent) == JSON_OBJECT ||
                      (json_type(parent) == JSON_ARRAY && strcmp(text_get(&part), "-") == 0);
        if (value == NULL && !(is_last && is_new)) {
            is_well = complain_of_part(setting, parent, text_get(&part), end);
        }
        at = end;
    }
    struct json_document *given = is_well ? parse_value(setting->stop + 1, setting->problem) : NULL;
    if (given != NULL) {
        put(setting->document, parent, value, text_get(&part), given);
    }
    json_free(given);
    text_fini(&part);
    return given != NULL;
}

bool json_set(struct json_document *document, const struct json_settings *settings,
              struct problem *problem) {
    bool is_well = true;
    for (size_t place = 0; place < settings->items.count; place++) {
        struct setting setting = {
            .text = settings->items.items[place],
            .stop = strchr(settings->items.items[place], '='),
            .document = document,
            .problem = problem,
        };
        if (setting.text[0] != '/' || setting.stop == NULL) {
            is_well = complain(&setting, setting.text + strlen(setting.text),
                               "expected a JSON pointer and a value, such as "
                               "/processes/A/device=1");
        } else {
            is_well = check_letters(&setting) && apply(&setting) && is_well;
        }
    }
    return is_well;
}
