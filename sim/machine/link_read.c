/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/link_read.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "machine/product_leaf.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool read_time(struct product_reader *reader, const struct json *value, uint64_t *time_ns) {
    if (json_type(value) != JSON_STRING || !units_read_time(json_string(value), time_ns)) {
        json_complain(value, reader->problem, "this is %s; expected a time such as \"900ns\"",
                      json_type(value) == JSON_STRING ? json_string(value) : json_type_name(value));
        return false;
    }
    return true;
}

static bool read_size(struct product_reader *reader, const struct json *value, uint64_t *size) {
    if (json_type(value) == JSON_NUMBER && json_integer(value) >= 0) {
        *size = (uint64_t)json_integer(value);
        return true;
    }
    if (json_type(value) != JSON_STRING || !units_read_size(json_string(value), size)) {
        json_complain(value, reader->problem,
                      "this is %s; expected a number or a size such as \"16KiB\"",
                      json_type(value) == JSON_STRING ? json_string(value) : json_type_name(value));
        return false;
    }
    return true;
}

/* A table is a list of pairs of size and time. */
static void read_table(struct product_reader *reader, const struct json *table,
                       struct link_curve *curve) {
    if (!json_expect(table, JSON_ARRAY, "a table", reader->problem)) {
        return;
    }
    curve->points = 0;
    for (const struct json *at = json_first(table); at != NULL; at = json_next(at)) {
        uint32_t place = curve->points;
        if (json_type(at) != JSON_ARRAY || json_count(at) != 2 || place == LINK_POINTS) {
            json_complain(at, reader->problem, "expected at most %d pairs of size and time",
                          LINK_POINTS);
            return;
        }
        const struct json *size = json_first(at);
        if (!read_size(reader, size, &curve->bytes[place]) ||
            !read_time(reader, json_next(size), &curve->time_ns[place])) {
            return;
        }
        if (curve->bytes[place] == 0 ||
            (place > 0 && (curve->bytes[place] <= curve->bytes[place - 1] ||
                           curve->time_ns[place] < curve->time_ns[place - 1]))) {
            json_complain(at, reader->problem, "sizes begin above 0 and rise, times do not fall");
            return;
        }
        curve->points++;
    }
    if (curve->points == 0) {
        json_complain(table, reader->problem, "a table has at least one pair of size and time");
    }
}

static void read_curve(struct product_reader *reader, const struct json *json,
                       struct link_curve *curve) {
    static const char *const keys[] = { "overhead", "rate", "table" };
    const struct json *overhead = NULL;
    const struct json *rate = NULL;
    const struct json *table = NULL;
    if (!json_expect(json, JSON_OBJECT, "a curve", reader->problem) ||
        !json_check_keys(json, keys, COUNT(keys), reader->problem)) {
        return;
    }
    overhead = json_find(json, "overhead");
    rate = json_find(json, "rate");
    table = json_find(json, "table");
    if (overhead != NULL) {
        read_time(reader, overhead, &curve->overhead_ns);
    }
    if (rate != NULL) {
        read_size(reader, rate, &curve->rate);
    }
    if (table != NULL) {
        read_table(reader, table, curve);
    }
    if (rate == NULL && table == NULL) {
        json_complain(json, reader->problem, "a curve has a \"rate\" or a \"table\"");
    }
    if (table != NULL && (rate != NULL || overhead != NULL)) {
        json_complain(json, reader->problem,
                      "a curve has a \"table\", or a \"rate\" and an \"overhead\"");
    }
}

static const char *const names[] = {
    [LINK_PAIRS] = "pairs", [LINK_GROUPS] = "groups", [LINK_ALL] = "all", [LINK_HOST] = "host"
};

/* pairs, groups (with "group"), all, host */
static void read_peers(struct product_reader *reader, const struct json *json, struct link *link) {
    const struct json *peers = json_find(json, "peers");
    const struct json *group = json_find(json, "group");
    if (peers == NULL || json_type(peers) != JSON_STRING) {
        json_complain(json, reader->problem, "a link says whom it joins: \"peers\"");
        return;
    }
    link->peers = 0;
    while (link->peers < COUNT(names) && strcmp(names[link->peers], json_string(peers)) != 0) {
        link->peers++;
    }
    if (link->peers == COUNT(names)) {
        json_complain(peers, reader->problem,
                      "\"%.60s\" joins nobody; expected pairs, groups, all or host",
                      json_string(peers));
        link->peers = LINK_ALL;
        return;
    }
    bool is_group = link->peers == LINK_GROUPS;
    if (is_group && (group == NULL || json_type(group) != JSON_NUMBER || json_integer(group) < 1 ||
                     json_integer(group) >= UINT32_MAX)) {
        json_complain(group == NULL ? json : group, reader->problem,
                      "\"peers\": \"groups\" has a \"group\" of so many devices, such as 4");
        link->peers = LINK_ALL;
    } else if (is_group) {
        link->group = (uint32_t)json_integer(group);
    } else if (group != NULL) {
        json_complain_of_key(group, reader->problem, "only \"peers\": \"groups\" has a \"group\"");
    }
}

static void read_link(struct product_reader *reader, const struct json *json, struct link *link) {
    static const char *const keys[] = { "name", "peers", "group", "peer_access", "push", "pull" };
    const struct json *name = NULL;
    const struct json *access = NULL;
    if (!json_expect(json, JSON_OBJECT, "a link", reader->problem) ||
        !json_check_keys(json, keys, COUNT(keys), reader->problem)) {
        return;
    }
    name = json_find(json, "name");
    access = json_find(json, "peer_access");
    if (name == NULL || json_type(name) != JSON_STRING || strlen(json_string(name)) >= LINK_NAME) {
        json_complain(json, reader->problem, "a link has a \"name\" of at most 15 bytes");
    } else {
        strcpy(link->name, json_string(name));
    }
    if (access != NULL && json_expect(access, JSON_TRUE, "peer_access", reader->problem)) {
        link->peer_access = json_type(access) == JSON_TRUE;
    }
    read_peers(reader, json, link);
    if (json_find(json, "push") == NULL) {
        json_complain(json, reader->problem, "a link has a curve \"push\"");
        return;
    }
    read_curve(reader, json_find(json, "push"), &link->push);
    link->pull = link->push;
    if (json_find(json, "pull") != NULL) {
        link->pull = (struct link_curve){ .points = 0 };
        read_curve(reader, json_find(json, "pull"), &link->pull);
    }
}

static void write_curve(const struct link_curve *curve, struct text *written) {
    char size[UNITS_TEXT_SIZE];
    char time[UNITS_TEXT_SIZE];
    for (uint32_t place = 0; place < curve->points; place++) {
        text_printf(written, "%s%s %s", place == 0 ? "" : ", ",
                    units_write_size(curve->bytes[place], size),
                    units_write_time(curve->time_ns[place], time));
    }
    if (curve->points == 0) {
        text_printf(written, "%s and %" PRIu64 " bytes/s",
                    units_write_time(curve->overhead_ns, time), curve->rate);
    }
}

/* Whom a link joins and each of its curves have a source. */
static void note_sources(struct product_reader *reader, const struct json *json,
                         const struct link *link, uint32_t place) {
    static const char *const curves[] = { "push", "pull" };
    struct text pointer = { 0 };
    struct text written = { 0 };
    text_printf(&pointer, "/links/%u", place);
    text_printf(&written, "%s, %s", link->name, names[link->peers]);
    if (link->peers == LINK_GROUPS) {
        text_printf(&written, " of %u", link->group);
    }
    text_append(&written, link->peer_access ? ", peer access" : "");
    product_note_source(reader, json, text_get(&pointer), text_get(&written));
    for (size_t curve = 0; curve < COUNT(curves); curve++) {
        const struct json *at =
            json_type(json) == JSON_OBJECT ? json_find(json, curves[curve]) : NULL;
        text_clear(&pointer);
        text_clear(&written);
        text_printf(&pointer, "/links/%u/%s", place, curves[curve]);
        write_curve(curve == 0 ? &link->push : &link->pull, &written);
        if (at != NULL) {
            product_note_source(reader, at, text_get(&pointer), text_get(&written));
        }
    }
    text_fini(&pointer);
    text_fini(&written);
}

void link_read_all(struct product_reader *reader, const struct json *list) {
    struct product *product = reader->product;
    if (!json_expect(list, JSON_ARRAY, "links", reader->problem)) {
        return;
    }
    product->link_count = 0;
    product_leaf_drop(product, "/links");
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        if (product->link_count == LINKS) {
            json_complain(at, reader->problem, "a product has at most %d links", LINKS);
            return;
        }
        struct link *link = &product->link[product->link_count];
        *link = (struct link){ .peers = LINK_ALL };
        read_link(reader, at, link);
        note_sources(reader, at, link, product->link_count++);
    }
}
