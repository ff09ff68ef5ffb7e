/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/product_check.h"

#include "base/units.h"
#include "memory/pool.h"

enum { DEVICES_MAX = 1024 };
static const uint64_t ADDRESSES = (uint64_t)1 << 48;

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct check {
    const struct product *product;
    const char *file;
    struct problem *problem;
};

static void complain(const struct check *check, const char *pointer, const char *found,
                     const char *expected) {
    struct problem_place place = { .file = check->file, .place = pointer };
    problem_add(check->problem, place, "this is %s; expected %s", found, expected);
}

static void complain_of_size(const struct check *check, const char *pointer, uint64_t found,
                             const char *expected) {
    char size[UNITS_TEXT_SIZE];
    complain(check, pointer, units_write_size(found, size), expected);
}

static bool is_pool(uint64_t bytes) {
    return bytes >= PAGE_HUGE_BYTES && bytes <= POOL_FRAMES * PAGE_HUGE_BYTES;
}

/* The memory of one kind of devices. */
static void check_device(const struct check *check, const char *pointer, uint64_t usable,
                         uint64_t ddr) {
    uint64_t held = check->product->held;
    if (usable < held || !is_pool(usable - held)) {
        complain_of_size(check, pointer, usable,
                         "usable memory of 2MiB to 256GiB beyond what is held");
    }
    if (ddr != 0 && !is_pool(ddr)) {
        complain_of_size(check, pointer, ddr, "a second medium of 2MiB to 256GiB, or 0");
    }
}

static void check_memory(const struct check *check) {
    static const char *const pointers[UNLIKE_MAX] = { "/unlike/0", "/unlike/1", "/unlike/2",
                                                      "/unlike/3" };
    const struct product *product = check->product;
    static const char most[] = "at most /memory/physical";
    if (product->is_usable_derived && product->reserved > product->physical) {
        complain_of_size(check, "/memory/reserved", product->reserved, most);
        return;
    }
    check_device(check, "/memory", product->usable, product->ddr_usable);
    for (uint32_t place = 0; place < product->unlike_count; place++) {
        const struct product_unlike *unlike = &product->unlike[place];
        if (product->is_usable_derived && unlike->reserved > product->physical) {
            complain_of_size(check, pointers[place], unlike->reserved, most);
        } else {
            check_device(check, pointers[place], product_usable(product, unlike->from),
                         product_ddr_usable(product, unlike->from));
        }
    }
}

/* The sizes of pages are facts about a product that the simulator takes for granted. */
static void check_pages(const struct check *check) {
    const struct product *product = check->product;
    const struct {
        const char *pointer;
        uint64_t found;
        uint64_t expected;
        const char *text;
    } sizes[] = {
        { "/pages/normal", product->page_normal, PAGE_NORMAL_BYTES, "4KiB" },
        { "/pages/huge", product->page_huge, PAGE_HUGE_BYTES, "2MiB" },
        { "/pages/giant", product->page_giant, PAGE_GIANT_BYTES, "1GiB, or 0 for none" },
        { "/granularity/minimum", product->granularity, PAGE_HUGE_BYTES, "2MiB" },
        { "/granularity/recommended", product->granularity_best, PAGE_HUGE_BYTES, "2MiB" },
    };
    for (size_t place = 0; place < COUNT(sizes); place++) {
        bool is_none = sizes[place].expected == PAGE_GIANT_BYTES && sizes[place].found == 0;
        if (sizes[place].found != sizes[place].expected && !is_none) {
            complain_of_size(check, sizes[place].pointer, sizes[place].found, sizes[place].text);
        }
    }
}

static void check_templates(const struct check *check) {
    const struct product *product = check->product;
    for (uint32_t place = 0; place < product->vnpu_count; place++) {
        const struct product_template *at = &product->vnpu[place];
        if (at->memory == 0 && at->cores > product->cores) {
            complain(check, "/virtual/templates", at->name,
                     "a template with memory, or with no more than /cores");
        } else if (at->memory != 0 && !is_pool(at->memory)) {
            complain_of_size(check, "/virtual/templates", at->memory,
                             "memory of 2MiB to 256GiB for a template");
        }
    }
}

/* Address 0 is NULL; an empty window may lie anywhere. */
static void check_window(const struct check *check, const char *pointer, uint64_t from,
                         uint64_t to) {
    if (from > to || to > ADDRESSES || (from == 0 && to > 0)) {
        char first[UNITS_TEXT_SIZE];
        char last[UNITS_TEXT_SIZE];
        struct problem_place place = { .file = check->file, .place = pointer };
        problem_add(check->problem, place,
                    "this is from %s to %s; expected a window above 0 that ends at 256TiB or below",
                    units_write_size(from, first), units_write_size(to, last));
    }
}

bool product_check(const struct product *product, const char *file, struct problem *problem) {
    struct check check = { product, file, problem };
    size_t before = problem->complaints.count;
    if (product->family_name == NULL) {
        complain(&check, "/family", "missing", "a column of support.csv");
    }
    check_memory(&check);
    check_pages(&check);
    check_templates(&check);
    check_window(&check, "/addresses/plain", product->plain_from, product->plain_to);
    check_window(&check, "/addresses/reserve", product->reserve_from, product->reserve_to);
    check_window(&check, "/addresses/spill", product->spill_from, product->spill_to);
    check_window(&check, "/addresses/host", product->host_from, product->host_to);
    if (product->devices == 0 || product->devices > DEVICES_MAX) {
        struct problem_place place = { .file = file, .place = "/devices" };
        problem_add(problem, place, "this is %u; expected 1 to %d", product->devices, DEVICES_MAX);
    }
    return problem->complaints.count == before;
}
