/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree behind a map of ranges: its root record, the way to a unit, and what keeps it in shape.
 * A node is split when it is full, and merged with a neighbour of the same parent when both are
 * small. The totals in the root are kept while the tree has inner nodes; a lone leaf is counted.
 */
#ifndef MEMORY_RANGE_TREE_H
#define MEMORY_RANGE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/must.h"
#include "memory/range_inner.h"
#include "memory/range_leaf.h"
#include "memory/range_node.h"
#include "store/table.h"

enum { RANGE_LEVELS = 16 };

/* The tree of one owner, for the length of one operation. */
struct range_tree {
    struct table *table;
    struct table_part *part;
    struct range_root *root;
    uint32_t owner;
};

/* A node on the way down to a unit, and which child was taken. */
struct range_step {
    struct range_inner *inner;
    uint32_t index;
};

/* The way down to a unit. Level 0 is the leaf. */
struct range_path {
    struct range_leaf *leaf;
    uint32_t entry;
    struct range_step step[RANGE_LEVELS]; /* by level, from 1 on */
};

/* Where a range lies in its tree; good until the tree changes. */
struct range_spot {
    struct range_tree tree;
    struct range_path path;
};

/* What an operation changed in the totals; unsigned, so that they may also go down. */
struct range_change {
    uint64_t free;
    uint64_t coarse_free;
    uint64_t ranges;
};

void range_tree_make(struct table *table, uint32_t owner, uint64_t start, uint64_t end);

static inline void *range_tree_node(const struct range_tree *tree, uint32_t node) {
    return tree->part->chunk[node >> RANGE_PLACE_BITS] +
           (uint64_t)range_node_place(node) * RANGE_RECORD_SIZE;
}

static inline struct range_tree range_tree_open(struct table *table, uint32_t owner) {
    struct range_tree tree = { .table = table, .part = table_part(table, owner), .owner = owner };
    must(tree.part != NULL && tree.part->capacity > 0);
    tree.root = range_tree_node(&tree, range_node_refer(RANGE_ROOT));
    must(tree.root->end > 0);
    return tree;
}

/* The way to a unit of the line. */
static inline void range_tree_find(const struct range_tree *tree, uint64_t unit,
                                   struct range_path *path) {
    uint32_t node = tree->root->top;
    for (uint32_t level = tree->root->height; level > 0; level--) {
        struct range_step *step = &path->step[level];
        step->inner = range_tree_node(tree, node);
        step->index = range_inner_search(step->inner, unit);
        node = step->inner->child[step->index];
    }
    path->leaf = range_tree_node(tree, node);
    range_leaf_prefetch(path->leaf);
    path->entry = range_leaf_search(path->leaf, unit);
}

/* The node of a level. */
static inline uint32_t range_tree_node_on(const struct range_tree *tree,
                                          const struct range_path *path, uint32_t level) {
    if (level == tree->root->height) {
        return tree->root->top;
    }
    const struct range_step *above = &path->step[level + 1];
    return above->inner->child[above->index];
}

/* What table_edit() does, for a place that is known: to be called before a node is written. */
static inline void range_tree_touch(struct range_tree *tree, const struct range_path *path,
                                    uint32_t level) {
    if (*tree->table->epoch != 0) {
        uint32_t node = range_tree_node_on(tree, path, level);
        table_save(tree->table, tree->part, tree->owner, range_node_slot(node));
    }
}

static inline void range_tree_touch_root(struct range_tree *tree) {
    if (*tree->table->epoch != 0) {
        table_save(tree->table, tree->part, tree->owner, RANGE_ROOT);
    }
}

static inline void range_tree_count(struct range_tree *tree, struct range_change change) {
    if (tree->root->height > 0) {
        range_tree_touch_root(tree);
        tree->root->free += change.free;
        tree->root->coarse_free += change.coarse_free;
        tree->root->ranges += change.ranges;
    }
}

/* Tells the nodes above that the leaf has a new free run, or lost one from start to end. */
void range_tree_grow_room(struct range_tree *tree, const struct range_path *path, uint64_t start,
                          uint64_t end);
void range_tree_shrink_room(struct range_tree *tree, const struct range_path *path, uint64_t start,
                            uint64_t end);

/* Splits until the leaf at a unit has space for so many entries more; finds the way anew. */
void range_tree_make_space(struct range_tree *tree, uint64_t unit, uint32_t entries,
                           struct range_path *path);

/* Makes one range of the two that meet at a unit where a leaf ends; false when one is in use. */
bool range_tree_join_at(struct range_tree *tree, uint64_t unit);

/* Merges the nodes on the way to a unit with their neighbours, where they are small. */
void range_tree_mend(struct range_tree *tree, uint64_t unit);

#endif
