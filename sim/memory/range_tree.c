/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/range_tree.h"

void range_tree_make(struct table *table, uint32_t owner, uint64_t start, uint64_t end) {
    table_add_at(table, owner, RANGE_ROOT);
    uint32_t slot = table_add(table, owner);
    range_leaf_init(table_edit(table, owner, slot), start, end);
    struct range_root *root = table_edit(table, owner, RANGE_ROOT);
    root->start = start;
    root->end = end;
    root->top = range_node_refer(slot);
}

/* The node of a level, for writing. */
static struct range_inner *edit_inner(struct range_tree *tree, const struct range_path *path,
                                      uint32_t level) {
    range_tree_touch(tree, path, level);
    return path->step[level].inner;
}

static struct range_leaf *edit_leaf(struct range_tree *tree, const struct range_path *path) {
    range_tree_touch(tree, path, 0);
    return path->leaf;
}

static void *edit(struct range_tree *tree, uint32_t node) {
    return table_edit(tree->table, tree->owner, range_node_slot(node));
}

static uint32_t add_node(struct range_tree *tree) {
    return range_node_refer(table_add(tree->table, tree->owner));
}

static void remove_node(struct range_tree *tree, uint32_t node) {
    table_remove(tree->table, tree->owner, range_node_slot(node));
}

/* The room of the node of a level, as the one above it knows it. */
static struct range_room room_on(const struct range_tree *tree, const struct range_path *path,
                                 uint32_t level) {
    return level == tree->root->height
               ? tree->root->room
               : range_inner_room_at(path->step[level + 1].inner, path->step[level + 1].index);
}

static bool equal(struct range_room left, struct range_room right) {
    return left.run == right.run && left.aligned == right.aligned;
}

/* The room of a node of which one child's room changed; its children are asked only if need be. */
static struct range_room room_after(const struct range_inner *inner, struct range_room whole,
                                    struct range_room old, struct range_room new) {
    if ((old.run == whole.run && new.run < old.run) ||
        (old.aligned == whole.aligned && new.aligned < old.aligned)) {
        return range_inner_room(inner);
    }
    return range_room_max(whole, new);
}

/* Tells the nodes above a level about its new room, up to the first that need not know. */
static void tell_room(struct range_tree *tree, const struct range_path *path, uint32_t level,
                      struct range_room room) {
    struct range_room old = room_on(tree, path, level);
    for (; level < tree->root->height && !equal(old, room); level++) {
        struct range_room whole = room_on(tree, path, level + 1);
        struct range_inner *inner = edit_inner(tree, path, level + 1);
        range_inner_set_room(inner, path->step[level + 1].index, room);
        room = room_after(inner, whole, old, room);
        old = whole;
    }
    if (tree->root->height > 0 && !equal(old, room)) {
        range_tree_touch_root(tree);
        tree->root->room = room;
    }
}

void range_tree_grow_room(struct range_tree *tree, const struct range_path *path, uint64_t start,
                          uint64_t end) {
    if (tree->root->height > 0) {
        struct range_room had = room_on(tree, path, 0);
        struct range_room room = range_room_max(had, range_room_of(start, end));
        if (!equal(had, room)) {
            tell_room(tree, path, 0, room);
        }
    }
}

void range_tree_shrink_room(struct range_tree *tree, const struct range_path *path, uint64_t start,
                            uint64_t end) {
    if (tree->root->height > 0) {
        struct range_room had = room_on(tree, path, 0);
        struct range_room lost = range_room_of(start, end);
        if (lost.run == had.run || (lost.aligned == had.aligned && lost.aligned > 0)) {
            struct range_room room = range_leaf_room(path->leaf);
            if (!equal(had, room)) {
                tell_room(tree, path, 0, room);
            }
        }
    }
}

/* Puts an inner node with one child above the topmost node. */
static void add_level(struct range_tree *tree, struct range_path *path) {
    struct range_root *root = tree->root;
    range_tree_touch_root(tree);
    if (root->height == 0) {
        struct range_totals totals = range_leaf_totals(path->leaf);
        root->free = totals.free;
        root->coarse_free = totals.coarse_free;
        root->ranges = totals.ranges;
        root->room = range_leaf_room(path->leaf);
    }
    must(root->height + 1 < RANGE_LEVELS);
    uint32_t node = add_node(tree);
    struct range_inner *inner = edit(tree, node);
    range_inner_init(inner);
    range_inner_insert(inner, 0);
    inner->start[0] = root->start;
    inner->child[0] = root->top;
    range_inner_set_room(inner, 0, root->room);
    root->top = node;
    root->height++;
    path->step[root->height].inner = inner;
    path->step[root->height].index = 0;
}

/* A leaf that grows at its end gives little away, so that leaves filled in order are full. */
static uint32_t place_to_split(uint32_t count, uint32_t at) {
    return at + 1 >= count ? count - count / 8 : count / 2;
}

/* Splits the leaf; its parent has space. */
static void split_leaf(struct range_tree *tree, const struct range_path *path) {
    uint32_t index = path->step[1].index;
    uint32_t node = add_node(tree);
    struct range_leaf *right = edit(tree, node);
    struct range_leaf *left = edit_leaf(tree, path);
    range_leaf_split(left, place_to_split(left->count, path->entry), right);
    struct range_inner *parent = edit_inner(tree, path, 1);
    range_inner_insert(parent, index + 1);
    parent->start[index + 1] = right->start[0];
    parent->child[index + 1] = node;
    range_inner_set_room(parent, index, range_leaf_room(left));
    range_inner_set_room(parent, index + 1, range_leaf_room(right));
}

static void split_inner(struct range_tree *tree, const struct range_path *path, uint32_t level) {
    uint32_t index = path->step[level + 1].index;
    uint32_t node = add_node(tree);
    struct range_inner *right = edit(tree, node);
    struct range_inner *left = edit_inner(tree, path, level);
    range_inner_split(left, place_to_split(left->count, path->step[level].index), right);
    struct range_inner *parent = edit_inner(tree, path, level + 1);
    range_inner_insert(parent, index + 1);
    parent->start[index + 1] = right->start[0];
    parent->child[index + 1] = node;
    range_inner_set_room(parent, index, range_inner_room(left));
    range_inner_set_room(parent, index + 1, range_inner_room(right));
}

void range_tree_make_space(struct range_tree *tree, uint64_t unit, uint32_t entries,
                           struct range_path *path) {
    range_tree_find(tree, unit, path);
    while (path->leaf->count + entries > RANGE_LEAF_ENTRIES) {
        uint32_t level = 0;
        while (level < tree->root->height &&
               path->step[level + 1].inner->count == RANGE_INNER_CHILDREN) {
            level++;
        }
        if (level == tree->root->height) {
            add_level(tree, path);
        }
        if (level == 0) {
            split_leaf(tree, path);
        } else {
            split_inner(tree, path, level);
        }
        range_tree_find(tree, unit, path);
    }
}

/* Tells the nodes above a level where it starts now. */
static void tell_start(struct range_tree *tree, const struct range_path *path, uint32_t level,
                       uint64_t start) {
    for (; level < tree->root->height; level++) {
        edit_inner(tree, path, level + 1)->start[path->step[level + 1].index] = start;
        if (path->step[level + 1].index > 0) {
            return;
        }
    }
}

/* Removes the leaf, and the nodes above that it leaves without a child. */
static void remove_leaf(struct range_tree *tree, const struct range_path *path) {
    uint32_t level = 0;
    do {
        uint32_t node = range_tree_node_on(tree, path, level++);
        range_inner_remove(edit_inner(tree, path, level), path->step[level].index);
        remove_node(tree, node);
    } while (path->step[level].inner->count == 0);
    tell_room(tree, path, level, range_inner_room(path->step[level].inner));
    if (path->step[level].index == 0) {
        tell_start(tree, path, level, path->step[level].inner->start[0]);
    }
}

bool range_tree_join_at(struct range_tree *tree, uint64_t unit) {
    struct range_path left, right;
    range_tree_find(tree, unit - 1, &left);
    range_tree_find(tree, unit, &right);
    if ((left.leaf->free >> left.entry & 1) == 0 || (right.leaf->free & 1) == 0) {
        return false;
    }
    uint64_t start = left.leaf->start[left.entry];
    uint64_t end = right.leaf->start[1];
    edit_leaf(tree, &left)->start[left.entry + 1] = end;
    range_tree_grow_room(tree, &left, start, end);
    uint64_t coarse = range_coarse_between(start, end) - range_coarse_between(start, unit) -
                      range_coarse_between(unit, end);
    range_tree_count(tree, (struct range_change){ .coarse_free = coarse });
    if (right.leaf->count == 1) {
        remove_leaf(tree, &right);
        return true;
    }
    range_leaf_remove(edit_leaf(tree, &right), 0, 1);
    tell_start(tree, &right, 0, end);
    range_tree_shrink_room(tree, &right, unit, end);
    return true;
}

static uint32_t count_of(const struct range_tree *tree, const struct range_inner *parent,
                         uint32_t index, uint32_t level) {
    const void *node = range_tree_node(tree, parent->child[index]);
    return level == 0 ? ((const struct range_leaf *)node)->count
                      : ((const struct range_inner *)node)->count;
}

/* Appends a child of the node above a level to the child before it. */
static void merge(struct range_tree *tree, const struct range_path *path, uint32_t level,
                  uint32_t index) {
    struct range_inner *parent = edit_inner(tree, path, level + 1);
    uint32_t node = parent->child[index];
    void *left = edit(tree, parent->child[index - 1]);
    if (level == 0) {
        range_leaf_append(left, range_tree_node(tree, node));
    } else {
        range_inner_append(left, range_tree_node(tree, node));
    }
    range_inner_set_room(
        parent, index - 1,
        range_room_max(range_inner_room_at(parent, index - 1), range_inner_room_at(parent, index)));
    range_inner_remove(parent, index);
    remove_node(tree, node);
}

static void mend_level(struct range_tree *tree, const struct range_path *path, uint32_t level) {
    const struct range_inner *parent = path->step[level + 1].inner;
    uint32_t index = path->step[level + 1].index;
    uint32_t count = count_of(tree, parent, index, level);
    uint32_t most = level == 0 ? RANGE_LEAF_MERGED : RANGE_INNER_MERGED;
    if (count > (level == 0 ? RANGE_LEAF_LOW : RANGE_INNER_LOW)) {
        return;
    }
    if (index + 1 < parent->count && count + count_of(tree, parent, index + 1, level) <= most) {
        merge(tree, path, level, index + 1);
    } else if (index > 0 && count + count_of(tree, parent, index - 1, level) <= most) {
        merge(tree, path, level, index);
    }
}

/* Removes topmost nodes with one child. */
static void drop_levels(struct range_tree *tree) {
    while (tree->root->height > 0) {
        uint32_t node = tree->root->top;
        const struct range_inner *inner = range_tree_node(tree, node);
        if (inner->count > 1) {
            return;
        }
        struct range_root *root = tree->root;
        range_tree_touch_root(tree);
        root->top = inner->child[0];
        root->height--;
        remove_node(tree, node);
    }
}

void range_tree_mend(struct range_tree *tree, uint64_t unit) {
    struct range_path path;
    range_tree_find(tree, unit, &path);
    for (uint32_t level = 0; level < tree->root->height; level++) {
        mend_level(tree, &path, level);
    }
    drop_levels(tree);
}
