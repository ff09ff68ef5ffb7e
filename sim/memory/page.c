/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/page.h"

#include "base/must.h"

const char *page_name(enum page_class page) {
    static const char *const names[PAGE_CLASSES] = {
        [PAGE_NORMAL] = "normal",
        [PAGE_HUGE] = "huge",
        [PAGE_GIANT] = "giant",
    };
    must(page < PAGE_CLASSES);
    return names[page];
}
