/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/reason_text.h"

#include <inttypes.h>
#include <string.h>

#include "acl/acl_row.h"
#include "base/must.h"
#include "base/units.h"
#include "memory/page.h"
#include "trace/call_text.h"

/* A place in a sentence, without its braces. */
struct place {
    const char *word;
    size_t size;
};

static bool is_word(struct place place, const char *word) {
    return strlen(word) == place.size && strncmp(place.word, word, place.size) == 0;
}

static void append_in_form(struct place form, const struct acl_row *row, uint64_t value,
                           struct text *text) {
    char size[UNITS_TEXT_SIZE];
    if (is_word(form, "bytes")) {
        text_append(text, units_write_size(value, size));
    } else if (is_word(form, "hex")) {
        text_printf(text, "0x%" PRIx64, value);
    } else if (is_word(form, "page")) {
        text_append(text, units_write_size(page_bytes((enum page_class)value), size));
    } else {
        must(is_word(form, "parameter"));
        const struct acl_parameter *parameter = &row->parameter[value];
        text_append_bytes(text, parameter->name, acl_parameter_length(parameter));
    }
}

/* An argument by its name. */
static void append_argument(struct place name, const struct acl_record *record, struct text *text) {
    const struct acl_row *row = acl_row_get(record->row);
    uint32_t place = 0;
    uint32_t number = 0;
    while (!is_word(name, row->parameter[number].name)) {
        enum acl_kind kind = row->parameter[number].kind;
        place += acl_kind_is_list(kind) ? 0 : acl_kind_width(kind);
        number++;
        must(number < acl_row_parameters(row));
    }
    call_text_value(row->parameter[number].kind, record->arg[place], text);
}

static void append_place(struct place place, const struct acl_record *record,
                         const struct acl_result *result, struct text *text) {
    if (place.word[0] < '0' || place.word[0] > '9') {
        append_argument(place, record, text);
        return;
    }
    uint32_t number = (uint32_t)(place.word[0] - '0');
    must(number < ACL_RULE_VALUES);
    if (place.size == 1) {
        text_printf(text, "%" PRId64, (int64_t)result->rule_value[number]);
    } else {
        struct place form = { place.word + 2, place.size - 2 };
        append_in_form(form, acl_row_get(record->row), result->rule_value[number], text);
    }
}

void reason_text(const struct acl_record *record, const struct acl_result *result,
                 struct text *text) {
    if (result->rule == ACL_NO_RULE) {
        return;
    }
    const char *at = acl_rule_sentence(result->rule);
    for (const char *open = strchr(at, '{'); open != NULL; open = strchr(at, '{')) {
        const char *close = strchr(open, '}');
        must(close != NULL);
        text_append_bytes(text, at, (size_t)(open - at));
        append_place((struct place){ open + 1, (size_t)(close - open) - 1 }, record, result, text);
        at = close + 1;
    }
    text_append(text, at);
}

const char *reason_section(const struct acl_record *record, const struct acl_result *result) {
    if (result->rule == ACL_NO_RULE) {
        return NULL;
    }
    const char *section = acl_rule_section(result->rule);
    return section != NULL ? section : acl_row_get(record->row)->section;
}
