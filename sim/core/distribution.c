/* SPDX-License-Identifier: Apache-2.0 */
#include "core/distribution.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

#include "base/must.h"

enum { BITS = 20 }; /* that are significant in a quantile */

static const double TAIL = 1.0 / 65536; /* where an infinite end is cut */

static double exponential(double probability, const double *parameter) {
    return gsl_cdf_exponential_Pinv(probability, parameter[0]);
}

static double lognormal(double probability, const double *parameter) {
    return parameter[0] * gsl_cdf_lognormal_Pinv(probability, 0, parameter[1]);
}

static double normal(double probability, const double *parameter) {
    return parameter[0] + gsl_cdf_gaussian_Pinv(probability, parameter[1]);
}

static double gamma_law(double probability, const double *parameter) {
    return parameter[1] * gsl_cdf_gamma_Pinv(probability, parameter[0], 1);
}

static double weibull(double probability, const double *parameter) {
    return gsl_cdf_weibull_Pinv(probability, parameter[1], parameter[0]);
}

static double pareto(double probability, const double *parameter) {
    return gsl_cdf_pareto_Pinv(probability, parameter[1], parameter[0]);
}

static const struct distribution_law laws[] = {
    { "exponential", { "mean", NULL }, { true, false }, exponential },
    { "lognormal", { "median", "sigma" }, { true, false }, lognormal },
    { "normal", { "mean", "deviation" }, { true, true }, normal },
    { "gamma", { "shape", "scale" }, { false, true }, gamma_law },
    { "weibull", { "shape", "scale" }, { false, true }, weibull },
    { "pareto", { "least", "shape" }, { true, false }, pareto },
};

const struct distribution_law *distribution_law(uint32_t place) {
    return place < sizeof laws / sizeof *laws ? &laws[place] : NULL;
}

void distribution_fini(struct distribution *distribution) {
    array_fini(&distribution->values);
    array_fini(&distribution->weights);
}

void distribution_list(struct distribution *distribution, uint64_t value, uint64_t weight) {
    size_t count = distribution->weights.count;
    uint64_t before = count == 0 ? 0 : distribution->weights.items[count - 1];
    must(weight <= DISTRIBUTION_WEIGHT_MAX);
    array_add(&distribution->values, value);
    array_add(&distribution->weights, before + weight);
}

/* Rounds to whole numbers and to 20 significant bits; false when it is none of 64 bits. */
static bool round_quantile(double quantile, uint64_t *value) {
    int exponent = 0;
    double fraction = frexp(quantile, &exponent);
    if (!isfinite(quantile) || exponent > 63) {
        return false;
    }
    uint64_t bits = fraction <= 0 ? 0 : (uint64_t)floor(ldexp(fraction, BITS) + 0.5);
    int down = BITS - exponent;
    if (down > BITS + 1 || bits == 0) {
        *value = 0;
    } else if (down > 0) {
        *value = (bits + ((uint64_t)1 << (down - 1))) >> down;
    } else {
        *value = bits << -down;
    }
    return true;
}

/* The quantile at an end may be infinite: then it is taken a little before. */
static double quantile_at(const struct distribution_law *law, const double *parameter,
                          uint32_t place) {
    double quantile = law->quantile((double)place / DISTRIBUTION_STEPS, parameter);
    bool is_end = place == 0 || place == DISTRIBUTION_STEPS;
    return is_end && isinf(quantile) ? law->quantile(place == 0 ? TAIL : 1 - TAIL, parameter)
                                     : quantile;
}

bool distribution_fill(struct distribution *distribution, const struct distribution_law *law,
                       const double parameter[DISTRIBUTION_PARAMETERS]) {
    /* GSL would end the program where it finds no quantile. */
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    uint64_t before = 0;
    bool is_well = true;
    distribution->form = DISTRIBUTION_QUANTILES;
    for (uint32_t place = 0; is_well && place <= DISTRIBUTION_STEPS; place++) {
        uint64_t value = 0;
        is_well = round_quantile(quantile_at(law, parameter, place), &value) && value >= before;
        array_add(&distribution->values, value);
        before = value;
    }
    (void)gsl_set_error_handler(handler);
    return is_well;
}

/* One of the values: the first whose sum of weights is above a number below the whole sum. */
static uint64_t draw_listed(const struct distribution *distribution, struct random_stream *stream) {
    size_t low = 0;
    size_t high = distribution->weights.count - 1;
    uint64_t pick = random_below(stream, distribution->weights.items[high]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (distribution->weights.items[middle] > pick) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return distribution->values.items[low];
}

/* 32 bits choose two quantiles side by side, 32 others the place between them. */
static uint64_t draw_between(const struct distribution *distribution,
                             struct random_stream *stream) {
    uint64_t steps = distribution->values.count - 1;
    const uint64_t *at = &distribution->values.items[random_draw(stream) * steps >> 32];
    uint64_t part = random_draw(stream);
    uint64_t width = at[1] - at[0];
    uint64_t rest = (width & UINT32_MAX) * part + ((uint64_t)1 << 31);
    return at[0] + (width >> 32) * part + (rest >> 32);
}

static uint64_t draw_even(const struct distribution *distribution, struct random_stream *stream) {
    uint64_t width = distribution->most - distribution->least;
    if (width < UINT64_MAX) {
        return distribution->least + random_below(stream, width + 1);
    }
    uint64_t high = random_draw(stream);
    return high << 32 | random_draw(stream);
}

uint64_t distribution_draw(const struct distribution *distribution, struct random_stream *stream) {
    uint64_t value = 0;
    switch (distribution->form) {
    case DISTRIBUTION_EVEN:
        value = draw_even(distribution, stream);
        break;
    case DISTRIBUTION_LISTED:
        value = draw_listed(distribution, stream);
        break;
    case DISTRIBUTION_QUANTILES:
        value = draw_between(distribution, stream);
        break;
    }
    value = value < distribution->least ? distribution->least : value;
    return value > distribution->most ? distribution->most : value;
}

/* Takes a number into a digest, the lowest byte first. */
static void take(struct hash128 *digest, uint64_t number) {
    unsigned char bytes[8];
    for (int place = 0; place < 8; place++) {
        bytes[place] = (unsigned char)(number >> 8 * place);
    }
    struct hash128 next = mix128(digest->low, bytes, sizeof bytes);
    digest->low = next.low;
    digest->high = mix64(digest->high ^ next.high, MIX_HIGH);
}

struct hash128 distribution_digest(const struct distribution *distribution) {
    struct hash128 digest = { 0, 0 };
    take(&digest, distribution->form);
    take(&digest, distribution->least);
    take(&digest, distribution->most);
    for (size_t place = 0; place < distribution->values.count; place++) {
        take(&digest, distribution->values.items[place]);
    }
    for (size_t place = 0; place < distribution->weights.count; place++) {
        take(&digest, distribution->weights.items[place]);
    }
    return digest;
}
