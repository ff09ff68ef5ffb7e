/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/range.h"

#include "base/must.h"
#include "memory/range_inner.h"
#include "memory/range_leaf.h"
#include "memory/range_tree.h"

/* Ends of lines stay below this, so that rounding up never overflows. */
static const uint64_t LINE_END = UINT64_MAX - RANGE_COARSE;

/* What range_fit() looks for. */
struct wish {
    uint64_t from;
    uint64_t last; /* the highest start */
    uint64_t size;
    uint64_t alignment;     /* a power of two */
    struct range_room room; /* what a node must have to be looked at */
};

struct range_map range_map_bind(struct store *store, const char *name) {
    const struct table_type type = { name, RANGE_RECORD_SIZE, TABLE_INDEX, false };
    return (struct range_map){ store_table(store, &type) };
}

void range_map_make(struct range_map *map, uint32_t owner, uint64_t start, uint64_t size) {
    must(size > 0 && size <= LINE_END);
    must(start <= LINE_END - size);
    range_tree_make(map->node, owner, start, start + size);
}

bool range_map_exists(const struct range_map *map, uint32_t owner) {
    return table_has(map->node, owner, RANGE_ROOT);
}

void range_map_drop(struct range_map *map, uint32_t owner) {
    must(range_map_exists(map, owner));
    for (uint32_t slot = RANGE_ROOT; slot != SLOT_NONE; slot = table_next(map->node, owner, slot)) {
        table_remove(map->node, owner, slot);
    }
}

static bool is_in(const struct range_tree *tree, uint64_t unit) {
    return unit >= tree->root->start && unit < tree->root->end;
}

static struct range range_of(const struct range_path *path) {
    uint64_t start = path->leaf->start[path->entry];
    return (struct range){ start, path->leaf->start[path->entry + 1] - start,
                           path->leaf->id[path->entry] };
}

bool range_find_spot(const struct range_map *map, uint32_t owner, uint64_t unit,
                     struct range_spot *spot, struct range *range) {
    spot->tree = range_tree_open(map->node, owner);
    if (!is_in(&spot->tree, unit)) {
        return false;
    }
    range_tree_find(&spot->tree, unit, &spot->path);
    *range = range_of(&spot->path);
    return true;
}

bool range_at(const struct range_map *map, uint32_t owner, uint64_t unit, struct range *range) {
    struct range_spot spot;
    return range_find_spot(map, owner, unit, &spot, range);
}

bool range_next_used(const struct range_map *map, uint32_t owner, uint64_t unit,
                     struct range *range) {
    struct range_tree tree = range_tree_open(map->node, owner);
    if (unit < tree.root->start) {
        unit = tree.root->start;
    }
    while (unit < tree.root->end) {
        struct range_path path;
        range_tree_find(&tree, unit, &path);
        if (path.leaf->id[path.entry] == 0 && path.entry + 1 < path.leaf->count) {
            path.entry++;
        }
        *range = range_of(&path);
        if (range->id != 0) {
            return true;
        }
        unit = range->start + range->size;
    }
    return false;
}

/* The lowest place in a leaf. */
static inline bool fit_in_leaf(struct range_path *path, const struct wish *wish, uint64_t *start) {
    const struct range_leaf *leaf = path->leaf;
    for (uint64_t free = leaf->free; free != 0; free &= free - 1) {
        uint32_t at = bits_lowest(free);
        uint64_t end = leaf->start[at + 1];
        if (end - leaf->start[at] < wish->size) {
            continue;
        }
        uint64_t first = leaf->start[at] > wish->from ? leaf->start[at] : wish->from;
        uint64_t skip = (0 - first) & (wish->alignment - 1);
        if (end > first && end - first >= wish->size && end - first - wish->size >= skip) {
            if (first + skip > wish->last) {
                return false;
            }
            *start = first + skip;
            path->entry = at;
            return true;
        }
    }
    return false;
}

/* The children of a node that have the room, and do not end before the window. */
static inline uint32_t fitting_children(const struct range_inner *inner, const struct wish *wish) {
    uint32_t fitting = range_inner_fitting(inner, wish->room);
    if (inner->start[0] < wish->from) {
        fitting &= UINT32_MAX << range_inner_search(inner, wish->from);
    }
    return fitting;
}

/* The lowest place of the tree: down to the first promising leaf, and on while one disappoints. */
static bool fit_in_tree(const struct range_tree *tree, const struct wish *wish,
                        struct range_path *path, uint64_t *start) {
    uint32_t fitting[RANGE_LEVELS];
    uint32_t node = tree->root->top;
    uint32_t level = tree->root->height;
    for (;;) {
        if (level == 0) {
            path->leaf = range_tree_node(tree, node);
            range_leaf_prefetch(path->leaf);
            if (fit_in_leaf(path, wish, start)) {
                return true;
            }
            level = 1;
        } else {
            path->step[level].inner = range_tree_node(tree, node);
            fitting[level] = fitting_children(path->step[level].inner, wish);
        }
        while (level <= tree->root->height && fitting[level] == 0) {
            level++;
        }
        if (level > tree->root->height) {
            return false;
        }
        const struct range_inner *inner = path->step[level].inner;
        uint32_t at = bits_lowest(fitting[level]);
        if (inner->start[at] > wish->last) {
            return false;
        }
        fitting[level] &= fitting[level] - 1;
        path->step[level].index = at;
        node = inner->child[at];
        level--;
    }
}

/* The lowest place, and the way to the free range that holds it. */
static bool fit(const struct range_tree *tree, struct range_window window, uint64_t size,
                uint64_t alignment, struct range_path *path, uint64_t *start) {
    must(size > 0);
    must(alignment > 0 && (alignment & (alignment - 1)) == 0);
    uint64_t to = window.to < tree->root->end ? window.to : tree->root->end;
    if (to < size || window.from > to - size) {
        return false;
    }
    struct wish wish = {
        .from = window.from,
        .last = to - size,
        .size = size,
        .alignment = alignment,
        .room = { range_room_most(size), alignment >= RANGE_COARSE ? range_room_most(size) : 0 },
    };
    return fit_in_tree(tree, &wish, path, start);
}

bool range_fit(const struct range_map *map, uint32_t owner, struct range_window window,
               uint64_t size, uint64_t alignment, uint64_t *start) {
    struct range_tree tree = range_tree_open(map->node, owner);
    struct range_path path;
    return fit(&tree, window, size, alignment, &path, start);
}

/* Makes a part of the entry at the end of the way an entry of its own, with another id. */
static void carve(struct range_tree *tree, struct range_path *path, struct range part) {
    struct range whole = range_of(path);
    uint64_t end = part.start + part.size;
    must(part.size > 0 && part.start >= whole.start && part.size <= whole.size);
    must(part.start - whole.start <= whole.size - part.size);
    uint32_t head = part.start > whole.start;
    uint32_t tail = end < whole.start + whole.size;
    if (path->leaf->count + head + tail > RANGE_LEAF_ENTRIES) {
        range_tree_make_space(tree, whole.start, head + tail, path);
    }
    range_tree_touch(tree, path, 0);
    struct range_leaf *leaf = path->leaf;
    uint32_t at = path->entry + head;
    uint64_t was_free = leaf->free >> path->entry & 1;
    if (head + tail > 0) {
        range_leaf_insert(leaf, path->entry + 1, head + tail);
    }
    leaf->start[at] = part.start;
    leaf->id[at] = part.id;
    leaf->free &= ~((uint64_t)1 << at);
    if (tail != 0) {
        leaf->start[at + 1] = end;
        leaf->id[at + 1] = whole.id;
        leaf->free |= was_free << (at + 1);
    }
    path->entry = at;
}

static void take(struct range_tree *tree, struct range_path *path, struct range range) {
    struct range had = range_of(path);
    uint64_t had_end = had.start + had.size;
    must(had.id == 0 && range.id != 0);
    carve(tree, path, range);
    uint64_t end = range.start + range.size;
    uint64_t coarse = range_coarse_between(had.start, range.start) +
                      range_coarse_between(end, had_end) - range_coarse_between(had.start, had_end);
    range_tree_count(tree, (struct range_change){ 0 - range.size, coarse, 1 });
    range_tree_shrink_room(tree, path, had.start, had_end);
}

void range_take(struct range_map *map, uint32_t owner, struct range range) {
    struct range_tree tree = range_tree_open(map->node, owner);
    must(is_in(&tree, range.start));
    struct range_path path;
    range_tree_find(&tree, range.start, &path);
    take(&tree, &path, range);
}

bool range_take_fit(struct range_map *map, uint32_t owner, struct range_window window,
                    uint64_t alignment, struct range *range) {
    struct range_tree tree = range_tree_open(map->node, owner);
    struct range_path path;
    if (!fit(&tree, window, range->size, alignment, &path, &range->start)) {
        return false;
    }
    take(&tree, &path, *range);
    return true;
}

bool range_take_lowest(struct range_map *map, uint32_t owner, uint64_t most, uint32_t id,
                       struct range *taken) {
    must(most > 0);
    struct range_tree tree = range_tree_open(map->node, owner);
    struct range_path path;
    uint64_t start = 0;
    if (!fit(&tree, (struct range_window){ 0, UINT64_MAX }, 1, 1, &path, &start)) {
        return false;
    }
    uint64_t size = range_of(&path).size;
    *taken = (struct range){ start, size < most ? size : most, id };
    take(&tree, &path, *taken);
    return true;
}

/* Makes the entry at the end of the way free, and one with its free neighbours. */
static void give(struct range_tree *tree, const struct range_path *path) {
    range_tree_touch(tree, path, 0);
    struct range_leaf *leaf = path->leaf;
    uint32_t before = (uint32_t)(leaf->free << 1 >> path->entry & 1);
    uint32_t after = (uint32_t)(leaf->free >> path->entry >> 1 & 1);
    uint32_t at = path->entry - before;
    uint64_t start = leaf->start[path->entry];
    uint64_t end = leaf->start[path->entry + 1];
    uint64_t from = leaf->start[at];
    uint64_t to = leaf->start[path->entry + 1 + after];
    uint64_t coarse = range_coarse_between(from, to) - range_coarse_between(from, start) -
                      range_coarse_between(end, to);
    if (before + after > 0) {
        range_leaf_remove(leaf, at + 1, before + after);
    }
    leaf->id[at] = 0;
    leaf->free |= (uint64_t)1 << at;
    range_tree_count(tree, (struct range_change){ end - start, coarse, UINT64_MAX });
    range_tree_grow_room(tree, path, from, to);

    bool first = at == 0 && from > tree->root->start;
    bool last = at + 1 == leaf->count && to < tree->root->end;
    bool joined = last && range_tree_join_at(tree, to);
    joined = (first && range_tree_join_at(tree, from)) || joined;
    if (joined || leaf->count <= RANGE_LEAF_LOW) {
        range_tree_mend(tree, start);
    }
}

void range_give_spot(struct range_spot *spot) {
    must((spot->path.leaf->free >> spot->path.entry & 1) == 0);
    give(&spot->tree, &spot->path);
}

void range_give(struct range_map *map, uint32_t owner, uint64_t start) {
    struct range_spot spot;
    struct range range;
    bool is_there = range_find_spot(map, owner, start, &spot, &range);
    must(is_there && range.start == start);
    range_give_spot(&spot);
}

void range_give_part(struct range_map *map, uint32_t owner, uint64_t start, uint64_t size) {
    struct range_tree tree = range_tree_open(map->node, owner);
    must(is_in(&tree, start));
    struct range_path path;
    range_tree_find(&tree, start, &path);
    struct range range = range_of(&path);
    must(range.id != 0);
    carve(&tree, &path, (struct range){ start, size, range.id });
    uint64_t pieces = (uint64_t)(start > range.start) + (start + size < range.start + range.size);
    range_tree_count(&tree, (struct range_change){ .ranges = pieces });
    give(&tree, &path);
}

/* The largest free runs of a node whose room is so much: of the leaves that have it, if capped. */
static void find_largest(const struct range_tree *tree, uint32_t node, uint32_t level,
                         struct range_room room, struct range_totals *largest) {
    if (level == 0) {
        struct range_totals leaf = range_leaf_totals(range_tree_node(tree, node));
        if (largest->free_largest < leaf.free_largest) {
            largest->free_largest = leaf.free_largest;
        }
        if (largest->coarse_largest < leaf.coarse_largest) {
            largest->coarse_largest = leaf.coarse_largest;
        }
        return;
    }
    const struct range_inner *inner = range_tree_node(tree, node);
    for (uint32_t at = 0; at < inner->count; at++) {
        if (inner->run[at] == room.run) {
            find_largest(tree, inner->child[at], level - 1, room, largest);
        }
    }
}

struct range_totals range_totals(const struct range_map *map, uint32_t owner) {
    struct range_tree tree = range_tree_open(map->node, owner);
    const struct range_root *root = tree.root;
    if (root->height == 0) {
        return range_leaf_totals(range_tree_node(&tree, root->top));
    }
    struct range_totals totals = {
        .free = root->free,
        .free_largest = root->room.run,
        .coarse_free = root->coarse_free,
        .coarse_largest = root->room.aligned / RANGE_COARSE,
        .ranges = root->ranges,
    };
    if (root->room.run == RANGE_ROOM_MOST) {
        find_largest(&tree, root->top, root->height, root->room, &totals);
    }
    return totals;
}

/* The longest free run of a leaf within the window, if it is longer than the one so far. */
static void longest_in_leaf(const struct range_leaf *leaf, struct range_window window,
                            uint64_t *longest) {
    for (uint64_t free = leaf->free; free != 0; free &= free - 1) {
        uint32_t at = bits_lowest(free);
        uint64_t from = leaf->start[at] > window.from ? leaf->start[at] : window.from;
        uint64_t to = leaf->start[at + 1] < window.to ? leaf->start[at + 1] : window.to;
        if (to > from && to - from > *longest) {
            *longest = to - from;
        }
    }
}

/* The same of a node that ends at a unit: what its parent says of it decides, where that can. */
static void longest_in_node(const struct range_tree *tree, uint32_t node, uint32_t level,
                            uint64_t end, struct range_window window, uint64_t *longest) {
    if (level == 0) {
        longest_in_leaf(range_tree_node(tree, node), window, longest);
        return;
    }
    const struct range_inner *inner = range_tree_node(tree, node);
    for (uint32_t at = 0; at < inner->count; at++) {
        uint64_t last = at + 1 < inner->count ? inner->start[at + 1] : end;
        bool is_inside = inner->start[at] >= window.from && last <= window.to;
        bool is_capped = inner->run[at] == RANGE_ROOM_MOST;
        if (last <= window.from || inner->start[at] >= window.to ||
            (inner->run[at] <= *longest && !is_capped)) {
            continue;
        }
        if (is_inside && !is_capped) {
            *longest = inner->run[at];
        } else {
            longest_in_node(tree, inner->child[at], level - 1, last, window, longest);
        }
    }
}

uint64_t range_longest(const struct range_map *map, uint32_t owner, struct range_window window) {
    struct range_tree tree = range_tree_open(map->node, owner);
    uint64_t longest = 0;
    longest_in_node(&tree, tree.root->top, tree.root->height, tree.root->end, window, &longest);
    return longest;
}
