/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/command.h"
#include "machine/product_schema.h"
#include "scenario/schema.h"

struct form {
    const char *name;
    void (*write)(struct text *text);
};

static const struct form forms[] = {
    { "scenario", schema_write },
    { "model", product_schema_write },
};
enum { FORMS = sizeof forms / sizeof *forms };

static enum command_exit schema(const struct invocation *invocation) {
    const char *names[FORMS];
    for (size_t place = 0; place < FORMS; place++) {
        names[place] = forms[place].name;
        if (strcmp(forms[place].name, invocation->words[0]) == 0) {
            struct text text = { 0 };
            forms[place].write(&text);
            (void)fputs(text_get(&text), stdout);
            text_fini(&text);
            return COMMAND_EXIT_EXPECTED;
        }
    }
    return command_refuse("schema", invocation->words[0], names, FORMS);
}

const struct command cmd_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of a form of files",
    .words = "FORM",
    .words_min = 1,
    .words_max = 1,
    .about = "Prints a JSON Schema (2020-12) for editors and other programs, made from the tables "
             "that the reader of files goes by. FORM is scenario or model. A schema sees the form "
             "of a file only: the simulator still refuses what names something that is not there.",
    .example = { { "schema scenario >scenario.schema.json", "for an editor that knows schemas" },
                 { "schema model >model.schema.json", "for an editor that checks models" } },
    .body = schema,
};
