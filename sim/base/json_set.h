/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of a document before it is read: "/processes/A/device=1". The pointer (RFC 6901) names a
 * value that is there, a new member of an object that is there, or "-" behind the last item of a
 * list. The value is JSON, or else a text as it stands. What is complained about in it has the
 * place "--set" instead of a file.
 */
#ifndef BASE_JSON_SET_H
#define BASE_JSON_SET_H

#include "base/json.h"

struct json_settings {
    ARRAY(const char *) items; /* borrowed */
};

/* False, with a problem, when a setting is none, or the document has no place for it. */
bool json_set(struct json_document *document, const struct json_settings *settings,
              struct problem *problem);

#endif
