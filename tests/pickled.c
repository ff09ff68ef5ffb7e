/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/pickled.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "form/form_json.h"
#include "form/form_pickle.h"

static char path[64];
static struct text tale;
static const char *const words[] = { "red", "blue" };

const char *pickled_file(const void *bytes, size_t size) {
    strcpy(path, "pickled.XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, bytes, size), (ssize_t)size);
    ck_assert_int_eq(close(file), 0);
    return path;
}

void pickled_remove(void) {
    ck_assert_int_eq(unlink(path), 0);
}

static void tell(const struct form_value *value) {
    static const char *const names[] = { "none", "bool", "", "float", "", "dict", "list", "tuple" };
    if (value->kind == FORM_INTEGER) {
        text_printf(&tale, "%" PRId64, (int64_t)value->number);
    } else if (value->kind == FORM_STRING) {
        text_append(&tale, value->word == FORM_OTHER_WORD ? "word" : words[value->word]);
    } else {
        text_append(&tale, names[value->kind]);
        if (value->kind == FORM_BOOL) {
            text_printf(&tale, "%" PRIu64, value->number);
        }
    }
}

static void tell_set(void *context, struct form_value *dict, const struct form_value *key,
                     const struct form_value *value) {
    (void)context;
    (void)dict;
    text_append(&tale, "set ");
    tell(key);
    text_append(&tale, "=");
    tell(value);
    text_append(&tale, ";");
}

static void tell_append(void *context, struct form_value *list, const struct form_value *item) {
    (void)context;
    (void)list;
    text_append(&tale, "append ");
    tell(item);
    text_append(&tale, ";");
}

typedef bool reader(struct form_source *source, const struct form_consumer *consumer,
                    struct form_value *result, struct problem *problem);

static const char *tale_of(reader *read, const void *bytes, size_t size) {
    struct problem problem = { 0 };
    struct form_value result;
    const struct form_consumer consumer = {
        .words = words, .word_count = 2, .set = tell_set, .append = tell_append
    };
    text_clear(&tale);
    struct form_source *source = form_source_open(pickled_file(bytes, size), &problem);
    ck_assert_ptr_nonnull(source);
    if (read(source, &consumer, &result, &problem)) {
        ck_assert(problem_is_empty(&problem));
        text_append(&tale, "result ");
        tell(&result);
    } else {
        ck_assert_uint_eq(problem.complaints.count, 1);
        text_printf(&tale, "bad: %s: %s", problem.complaints.items[0].place.place,
                    problem.complaints.items[0].message);
    }
    form_source_close(source);
    pickled_remove();
    problem_fini(&problem);
    return text_get(&tale);
}

const char *pickled_tale(const void *bytes, size_t size) {
    return tale_of(form_pickle_read, bytes, size);
}

const char *json_tale(const void *bytes, size_t size) {
    return tale_of(form_json_read, bytes, size);
}
