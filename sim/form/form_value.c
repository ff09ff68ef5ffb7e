/* SPDX-License-Identifier: Apache-2.0 */
#include "form/form_value.h"

#include <string.h>

uint32_t form_word_find(const struct form_consumer *consumer, const char *bytes, size_t size) {
    for (uint32_t place = 0; place < consumer->word_count; place++) {
        const char *known = consumer->words[place];
        if (strlen(known) == size && memcmp(known, bytes, size) == 0) {
            return place;
        }
    }
    return FORM_OTHER_WORD;
}
