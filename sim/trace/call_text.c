/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/call_text.h"

#include <inttypes.h>

#include "acl/acl_error.h"
#include "acl/acl_row.h"
#include "base/units.h"
#include "trace/reason_text.h"

void call_text_value(enum acl_kind kind, uint64_t value, struct text *text) {
    char size[UNITS_TEXT_SIZE];
    switch (acl_kind_notation(kind)) {
    case ACL_HEXADECIMAL:
        text_printf(text, value == 0 ? "NULL" : "0x%" PRIx64, value);
        break;
    case ACL_BYTES:
        text_append(text, units_write_size(value, size));
        break;
    case ACL_DECIMAL:
        text_printf(text, "%" PRId64, (int64_t)value);
        break;
    }
}

static void append_list(const struct acl_record *record, enum acl_kind kind, struct text *text) {
    uint32_t width = acl_kind_width(kind);
    text_append(text, "[");
    for (uint32_t place = 0; place < record->list_count; place++) {
        bool begins = place % width == 0;
        text_append(text, place == 0 ? "" : begins ? "; " : ",");
        call_text_value(kind, record->list[place], text);
    }
    text_append(text, "]");
}

static void append_members(const struct acl_record *record, uint32_t place, uint32_t width,
                           struct text *text) {
    text_append(text, "{");
    for (uint32_t member = 0; member < width; member++) {
        text_printf(text, "%s%" PRId64, member == 0 ? "" : ",",
                    (int64_t)record->arg[place + member]);
    }
    text_append(text, "}");
}

void call_text_arguments(const struct acl_record *record, struct text *text) {
    const struct acl_row *row = acl_row_get(record->row);
    const char *comma = "";
    uint32_t place = 0;
    text_printf(text, "%s(", row->name);
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        const struct acl_parameter *parameter = &row->parameter[number];
        uint32_t width = acl_kind_width(parameter->kind);
        bool is_null = (record->null_mask >> number & 1) != 0;
        if (acl_kind_is_output(parameter->kind) && (!is_null || acl_row_goes_on(row, number))) {
            continue;
        }
        text_printf(text, "%s%.*s=", comma, (int)acl_parameter_length(parameter), parameter->name);
        comma = ", ";
        if (is_null) {
            text_append(text, "NULL");
        } else if (acl_kind_is_list(parameter->kind)) {
            append_list(record, parameter->kind, text);
        } else if (width > 1) {
            append_members(record, place, width, text);
        } else {
            call_text_value(parameter->kind, record->arg[place], text);
        }
        place += acl_kind_is_list(parameter->kind) ? 0 : width;
    }
    text_append(text, ")");
}

void call_text_result(const struct acl_record *record, const struct acl_result *result,
                      struct text *text) {
    const struct acl_row *row = acl_row_get(record->row);
    const char *comma = " -> ";
    uint32_t out = 0;
    if (result->code != ACL_SUCCESS) {
        const char *name = acl_error_name(result->code);
        text_printf(text, "= %d %s: ", result->code, name == NULL ? "unknown" : name);
        reason_text(record, result, text);
        text_printf(text, " (%s)", reason_section(record, result));
        return;
    }
    text_append(text, "= 0");
    for (uint32_t number = 0; number < acl_row_parameters(row); number++) {
        const struct acl_parameter *parameter = &row->parameter[number];
        if (!acl_kind_is_output(parameter->kind) || out == result->out_count) {
            continue;
        }
        uint64_t value = result->out[out++];
        if ((record->null_mask >> number & 1) == 0) {
            text_printf(text, "%s%s=", comma, parameter->name);
            call_text_value(parameter->kind, value, text);
            comma = ", ";
        }
    }
}
