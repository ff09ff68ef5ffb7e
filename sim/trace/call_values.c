/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/call_values.h"

#include <inttypes.h>

#include "acl/acl_row.h"

/* How values stand together. */
struct style_row {
    const char *quote; /* around a name, and around numbers that JSON has no form for */
    const char *equals;
    const char *comma; /* between pairs */
    const char *open;  /* around the members of a struct */
    const char *close;
};

static const struct style_row styles[] = {
    [CALL_JSON] = { .quote = "\"", .equals = ":", .comma = ",", .open = "[", .close = "]" },
    [CALL_LOG] = { .quote = "", .equals = "=", .comma = ", ", .open = "{", .close = "}" },
};

static const int64_t MOST = (int64_t)1 << 53;

void call_values_number(int64_t value, struct text *text) {
    bool is_exact = value >= -MOST && value <= MOST;
    text_printf(text, is_exact ? "%" PRId64 : "\"%" PRId64 "\"", value);
}

void call_values_hexadecimal(uint64_t value, struct text *text) {
    text_printf(text, "\"0x%" PRIx64 "\"", value);
}

static void append_value(enum acl_kind kind, uint64_t value, const struct style_row *style,
                         struct text *text) {
    const char *quote = value > (uint64_t)MOST ? style->quote : "";
    if (kind == ACL_TEXT) {
        text_append(text, value == 0 ? "null" : "\"\"");
        return;
    }
    switch (acl_kind_notation(kind)) {
    case ACL_HEXADECIMAL:
        text_printf(text, "%s0x%" PRIx64 "%s", style->quote, value, style->quote);
        break;
    case ACL_BYTES:
        text_printf(text, "%s%" PRIu64 "%s", quote, value, quote);
        break;
    case ACL_DECIMAL:
        quote = (int64_t)value < -MOST || (int64_t)value > MOST ? style->quote : "";
        text_printf(text, "%s%" PRId64 "%s", quote, (int64_t)value, quote);
        break;
    }
}

/* One value, or the members of one struct. */
static void append_item(enum acl_kind kind, const uint64_t *value, const struct style_row *style,
                        struct text *text) {
    uint32_t width = acl_kind_width(kind);
    if (width == 1) {
        append_value(kind, value[0], style, text);
        return;
    }
    for (uint32_t member = 0; member < width; member++) {
        text_append(text, member == 0 ? style->open : ",");
        append_value(kind, value[member], style, text);
    }
    text_append(text, style->close);
}

static void append_list(const struct acl_record *record, enum acl_kind kind,
                        const struct style_row *style, struct text *text) {
    uint32_t width = acl_kind_width(kind);
    text_append(text, "[");
    for (uint32_t place = 0; place + width <= record->list_count; place += width) {
        text_append(text, place == 0 ? "" : ",");
        append_item(kind, record->list + place, style, text);
    }
    text_append(text, "]");
}

static void append_name(const char *name, size_t length, bool is_first,
                        const struct style_row *style, struct text *text) {
    text_printf(text, "%s%s%.*s%s%s", is_first ? "" : style->comma, style->quote, (int)length, name,
                style->quote, style->equals);
}

void call_values_arguments(const struct acl_record *record, enum call_style style,
                           struct text *text) {
    const struct acl_row *row = acl_row_get(record->row);
    bool is_first = true;
    uint32_t place = 0;
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        const struct acl_parameter *parameter = &row->parameter[number];
        bool is_null = (record->null_mask >> number & 1) != 0;
        bool is_list = acl_kind_is_list(parameter->kind);
        if (acl_kind_is_output(parameter->kind) && (!is_null || acl_row_goes_on(row, number))) {
            continue;
        }
        append_name(parameter->name, acl_parameter_length(parameter), is_first, &styles[style],
                    text);
        is_first = false;
        if (is_null) {
            text_append(text, "null");
        } else if (is_list) {
            append_list(record, parameter->kind, &styles[style], text);
        } else {
            append_item(parameter->kind, record->arg + place, &styles[style], text);
        }
        place += is_list ? 0 : acl_kind_width(parameter->kind);
    }
}

void call_values_results(const struct acl_record *record, const struct acl_result *result,
                         enum call_style style, struct text *text) {
    const struct acl_row *row = acl_row_get(record->row);
    bool is_first = true;
    uint32_t out = 0;
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        const struct acl_parameter *parameter = &row->parameter[number];
        if (!acl_kind_is_output(parameter->kind) || out == result->out_count) {
            continue;
        }
        uint64_t value = result->out[out++];
        if ((record->null_mask >> number & 1) == 0) {
            append_name(parameter->name, strlen(parameter->name), is_first, &styles[style], text);
            append_value(parameter->kind, value, &styles[style], text);
            is_first = false;
        }
    }
}
