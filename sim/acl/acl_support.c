/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_row.h"
#include "base/host.h"

enum { LINE_BYTES = 4096 };

struct reader {
    const char *path;
    struct acl_support *support;
    struct problem *problem;
    uint32_t line;
    bool *has_line; /* by call */
};

static void complain(const struct reader *reader, const char *what, const char *word) {
    struct problem_place place = { .file = reader->path, .line = reader->line };
    problem_add(reader->problem, place, "\"%s\": %s", word, what);
}

/* The next field of a line without quotes, terminated in place; NULL after the last. */
static char *next_field(char **rest) {
    char *field = *rest;
    if (field == NULL) {
        return NULL;
    }
    char *comma = strchr(field, ',');
    *rest = comma == NULL ? NULL : comma + 1;
    if (comma != NULL) {
        *comma = '\0';
    }
    return field;
}

static void read_header(struct reader *reader, char *line) {
    char *rest = line;
    char *field = next_field(&rest);
    if (strcmp(field, "api") != 0) {
        complain(reader, "expected the column \"api\" first", field);
        return;
    }
    while ((field = next_field(&rest)) != NULL && strcmp(field, "source") != 0) {
        if (reader->support->family_count == ACL_FAMILIES) {
            complain(reader, "this is one family more than aclsim knows", field);
            return;
        }
        reader->support->family[reader->support->family_count++] = host_copy_string(field);
    }
}

/* "unknown" is an option of no model yet, and no until then. */
static void read_line(struct reader *reader, char *line) {
    char *rest = line;
    const char *name = next_field(&rest);
    uint32_t row = 0;
    bool is_known = acl_row_find(name, &row);
    for (uint32_t family = 0; family < reader->support->family_count; family++) {
        const char *answer = next_field(&rest);
        if (answer == NULL || (strcmp(answer, "yes") != 0 && strcmp(answer, "no") != 0 &&
                               strcmp(answer, "unknown") != 0)) {
            complain(reader, "expected yes, no or unknown for each family", name);
            return;
        }
        if (is_known && strcmp(answer, "yes") == 0) {
            reader->support->rows[row] |= (uint8_t)(1 << family);
        }
    }
    if (is_known && reader->has_line[row]) {
        complain(reader, "this call has a line further up", name);
    } else if (is_known) {
        reader->has_line[row] = true;
    }
}

static void read_lines(struct reader *reader, FILE *file) {
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        reader->line++;
        line[strcspn(line, "\r\n")] = '\0';
        if (reader->line == 1) {
            read_header(reader, line);
        } else if (line[0] != '\0') {
            read_line(reader, line);
        }
    }
}

bool acl_support_read(const char *path, struct acl_support *support, struct problem *problem) {
    FILE *file = fopen(path, "r");
    size_t before = problem->complaints.count;
    if (file == NULL) {
        problem_add(problem, (struct problem_place){ .file = path }, "%s", strerror(errno));
        return false;
    }
    *support = (struct acl_support){ .rows = host_zeroed(acl_row_count(), 1) };
    struct reader reader = { path, support, problem, 0, host_zeroed(acl_row_count(), 1) };
    read_lines(&reader, file);
    if (ferror(file)) {
        problem_add(problem, (struct problem_place){ .file = path }, "it can not be read");
    }
    reader.line = 0;
    for (uint32_t row = 0; problem->complaints.count == before && row < acl_row_count(); row++) {
        if (!reader.has_line[row]) {
            complain(&reader, "this call has no line", acl_row_get(row)->name);
            break;
        }
    }
    free(reader.has_line);
    (void)fclose(file);
    if (problem->complaints.count != before) {
        acl_support_fini(support);
        return false;
    }
    return true;
}

void acl_support_fini(struct acl_support *support) {
    for (uint32_t family = 0; family < support->family_count; family++) {
        free(support->family[family]);
    }
    free(support->rows);
    *support = (struct acl_support){ .rows = NULL };
}

bool acl_support_find(const struct acl_support *support, const char *family, uint32_t *number) {
    for (uint32_t place = 0; place < support->family_count; place++) {
        if (strcmp(support->family[place], family) == 0) {
            *number = place;
            return true;
        }
    }
    return false;
}
