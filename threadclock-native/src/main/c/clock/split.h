/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SPLIT_H
#define TCLK_CLOCK_SPLIT_H

#include <stdbool.h>
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

/* A line: from `start`, user time grows by `rate` for each ns of CPU time. The curve follows that of an anchor for
 * `reach_ns` at least, which is more than the window: the thread itself never extrapolates beyond. */
struct tclk_line {
    struct tclk_point start;
    uint32_t rate;
    uint32_t reach_ns; /* 0 until an anchor has it */
};

/* H: how much CPU time it takes for a deviation from the kernel's share to fall to 1/e. Long enough
 * to average over some 60 ticks; changes of work are the trend's, below. */
#define TCLK_SPLIT_H_NS INT64_C(250000000)

/* ns x share, rounded down. */
static inline int64_t tclk_share_of(int64_t ns, uint32_t share)
{
    return (int64_t)((__int128)ns * share >> TCLK_SHARE_BITS);
}

/* User time at a CPU time on this line. */
static inline int64_t tclk_line_user_ns(const struct tclk_line *line, int64_t cpu_ns)
{
    return line->start.user_ns + tclk_share_of(cpu_ns - line->start.cpu_ns, line->rate);
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

/* ---- the share of late ---- */

/*
 * The user share of what a thread is doing at present, from what the kernel's user time and CPU time have grown by
 * from look to look: arithmetic alone, no clock is read here.
 *
 * The share is the mean since the work last changed, over 1000 ticks at most. The work has changed when the share
 * of the last few ticks is another one altogether. Ticks alone cannot tell that from a steady thread in
 * step with the tick, which they find in user mode for a while, and then in the kernel for a while; but such a thread
 * seems to change again and again. A change is therefore believed only as often as credit allows: three times,
 * and once more for every 2 s of CPU time. The mean goes on through those that are not believed.
 */
struct tclk_trend {
    uint16_t share;      /* of 65535 */
    uint16_t recent;     /* the same of the last 6 ticks */
    uint16_t ticks;      /* that the mean is over; 0 = nothing is known yet */
    uint16_t credit_qms; /* quarters of ms of CPU time */
};

/* A thread that has had so many ticks, of which such a part (above) was user time. */
struct tclk_trend tclk_trend_begin(uint32_t share, int64_t cpu_ns, int64_t tick_ns);

/* After so much more of both. cpu_ns > 0. */
struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns,
                                    int64_t tick_ns);

/* As a share has it. */
uint32_t tclk_trend_share(struct tclk_trend trend);

static inline bool tclk_trend_is_known(struct tclk_trend trend)
{
    return trend.ticks != 0;
}

#endif
