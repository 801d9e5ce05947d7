/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SPLIT_H
#define TCLK_CLOCK_SPLIT_H

#include <stdint.h>

/*
 * How user time runs along CPU time: arithmetic alone, no clock is read here.
 *
 * A thread's user time is a curve over its CPU time, made of straight lines. What has been returned
 * once is never changed: a new line starts at or after the last point that was returned, and its
 * slope is between 0 and 1. So user time never decreases, and never grows faster than CPU time.
 * Slopes and shares are fixed-point numbers with 31 bits behind the point: so 1 fits into 32 bits.
 */
#define TCLK_SHARE_BITS 31
#define TCLK_SHARE_ONE (UINT32_C(1) << TCLK_SHARE_BITS)

/* A point of the curve. */
struct tclk_point {
    int64_t cpu_ns;
    int64_t user_ns;
};

/* A line: from `start`, user time grows by `rate` for each ns of CPU time. */
struct tclk_line {
    struct tclk_point start;
    uint32_t rate;
};

/* H: how much CPU time it takes for a deviation from the kernel's share to fall to 1/e. Long enough
 * to average over some 60 ticks; changes of work are clock/trend.h's. */
#define TCLK_SPLIT_H_NS INT64_C(250000000)

/* ns x share, rounded down. */
static inline int64_t tclk_share_of(int64_t ns, uint32_t share)
{
    return (int64_t)((__int128)ns * share >> TCLK_SHARE_BITS);
}

/* user / (user + system), or `otherwise` if both are 0. */
uint32_t tclk_share_between(int64_t user_ns, int64_t system_ns, uint32_t otherwise);

/* `smoothed`: from `last` on towards share x CPU time, which has been growing by `trend` for each ns of late. The gap
 * between the two falls exponentially with H: over the CPU time since `last`, which nobody has seen divided yet, and
 * then by the slope. */
struct tclk_line tclk_split_smoothed(struct tclk_point last, int64_t cpu_ns, uint32_t share,
                                     uint32_t trend);

/* `sampled`: as near to `user_ns`, where the samples see user time, as the rules above allow. What is left
 * is made up for by the slope, over the next few periods. */
struct tclk_line tclk_split_sampled(struct tclk_point last, int64_t cpu_ns, int64_t user_ns,
                                    uint32_t share, int64_t period_ns);

/* `share`, of the last `over_ns`, after so much more user and CPU time: what is older weighs no more than `over_ns`. */
uint32_t tclk_share_followed(uint32_t share, int64_t user_ns, int64_t cpu_ns, int64_t over_ns);

/* `kernel`: as near to the kernel's own user time as the rules above allow, then at its share. */
struct tclk_line tclk_split_kernel(struct tclk_point last, int64_t cpu_ns, int64_t user_ns,
                                   uint32_t share);

#endif
