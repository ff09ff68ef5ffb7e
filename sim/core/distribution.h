/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributions of random whole numbers. One is a table: 4,097 quantiles that GSL's inverse
 * distribution functions fill once, rounded to 20 significant bits so that they are the same on
 * every machine, or what a user measured or lists. A draw takes bits of a random stream and looks
 * the table up, in integers throughout.
 */
#ifndef CORE_DISTRIBUTION_H
#define CORE_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/mix.h"
#include "core/random.h"

enum { DISTRIBUTION_STEPS = 4096, DISTRIBUTION_PARAMETERS = 2, DISTRIBUTION_WEIGHT_MAX = 1 << 30 };

/* A family of distributions that GSL knows; its parameters are positive. */
struct distribution_law {
    const char *name;
    const char *parameter[DISTRIBUTION_PARAMETERS]; /* NULL for none */
    bool has_unit[DISTRIBUTION_PARAMETERS];         /* a size or time, not a bare factor */
    double (*quantile)(double probability, const double *parameter);
};

const struct distribution_law *distribution_law(uint32_t place); /* NULL behind the last */

enum distribution_form {
    DISTRIBUTION_EVEN,      /* each whole number from the least to the most, alike */
    DISTRIBUTION_LISTED,    /* one of the values, by weight */
    DISTRIBUTION_QUANTILES, /* between values at equal steps of probability, in a straight line */
};

struct distribution {
    enum distribution_form form;
    uint64_t least; /* a draw below it is this; so is one above the most */
    uint64_t most;
    ARRAY(uint64_t) values;  /* quantiles ascend */
    ARRAY(uint64_t) weights; /* as many; sums up to and with each value */
};

void distribution_fini(struct distribution *distribution);

/* Adds one of the values that are listed; a weight is at most DISTRIBUTION_WEIGHT_MAX. */
void distribution_list(struct distribution *distribution, uint64_t value, uint64_t weight);

/*
 * Fills the table of quantiles: at 0, 1/4096, ..., 1, where an end that is infinite is cut at
 * 2^-16 and 1 - 2^-16. What would be negative is 0. False when a quantile does not fit 64 bits or
 * GSL finds none.
 */
bool distribution_fill(struct distribution *distribution, const struct distribution_law *law,
                       const double parameter[DISTRIBUTION_PARAMETERS]);

uint64_t distribution_draw(const struct distribution *distribution, struct random_stream *stream);

/* Of all that a draw depends on. */
struct hash128 distribution_digest(const struct distribution *distribution);

#endif
