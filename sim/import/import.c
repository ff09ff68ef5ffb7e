/* SPDX-License-Identifier: Apache-2.0 */
#include "import/import.h"

#include "base/text.h"

#define ENTRY(format) extern const struct import_format format;
#include "import/formats.inc"
#undef ENTRY

#define ENTRY(format) &format,
static const struct import_format *const formats[] = {
#include "import/formats.inc"
};
#undef ENTRY

enum { FIRST_BYTES = 256 };

size_t import_format_count(void) {
    return sizeof formats / sizeof *formats;
}

const struct import_format *import_format_get(size_t place) {
    return formats[place];
}

static void complain_of_form(const char *path, size_t size, struct problem *problem) {
    struct text text = { 0 };
    text_append(&text, size == 0 ? "this file is empty" : "nobody knows this form of file");
    for (size_t place = 0; place < import_format_count(); place++) {
        text_append(&text, place == 0 ? "; expected " : ", or ");
        text_append(&text, formats[place]->summary);
    }
    problem_add(problem, (struct problem_place){ .file = path }, "%s", text_get(&text));
    text_fini(&text);
}

bool import_open(const char *path, uint32_t device, struct import *import,
                 struct problem *problem) {
    unsigned char first[FIRST_BYTES];
    bool is_open = false;
    struct form_source *source = form_source_open(path, problem);
    if (source == NULL) {
        return false;
    }
    size_t size = form_source_peek(source, first, sizeof first);
    size_t place = 0;
    while (place < import_format_count() && !formats[place]->recognise(first, size)) {
        place++;
    }
    if (place < import_format_count()) {
        is_open = formats[place]->open(source, device, import, problem);
    } else if (!form_source_complain(source, problem)) {
        complain_of_form(path, size, problem);
    }
    form_source_close(source);
    return is_open;
}

void import_close(struct import *import) {
    import->close(import->source.context);
}
