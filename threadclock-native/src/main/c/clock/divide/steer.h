/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_STEER_H
#define TCLK_CLOCK_DIVIDE_STEER_H

#include "clock/divide/division.h"
#include "clock/line.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The line by which user time goes on, in each split, and the share of the present work. It reads no clock.
 */

/* H: the CPU time in which a deviation from the kernel's share falls to 1/e. It is long enough to average over some
 * 60 ticks; the trend, below, handles changes of work. */
#define TCLK_SPLIT_H_NS INT64_C(250000000)

/* For `smoothed`: the line from `last` towards `aim_ns` of user time, which has recently been growing by `trend` for
 * each ns. The gap between the two falls exponentially with H: first over the CPU time since `last`, which nobody has
 * seen divided yet, and then by the slope. */
struct tclk_line tclk_split_smoothed(struct tclk_point last, int64_t cpu_ns, int64_t aim_ns, uint32_t trend);

/* For `sampled`: the line as near to `user_ns`, which is user time by the samples, as the rules above allow. The
 * slope makes up for the rest over the next few periods. */
struct tclk_line tclk_split_sampled(struct tclk_point last, int64_t cpu_ns, int64_t user_ns, uint32_t share,
                                    int64_t period_ns);

/* The new share after this much more user and CPU time. `share` is of the last `over_ns`, and older times weigh no
 * more than `over_ns`. */
uint32_t tclk_share_followed(uint32_t share, int64_t user_ns, int64_t cpu_ns, int64_t over_ns);

/* For `kernel`: the line as near to the kernel's own user time as the rules above allow, then at its share. */
struct tclk_line tclk_split_kernel(struct tclk_point last, int64_t cpu_ns, int64_t user_ns, uint32_t share);

/* ---- the recent share ---- */

/*
 * The user share of a thread's present work, computed from the growth of the kernel's user time and CPU time between
 * looks. It reads no clock.
 *
 * The share is the mean since the work last changed, over 1000 ticks at most. The work has changed when the share
 * of the last few ticks is another one altogether. Ticks alone cannot tell that from a steady thread in
 * step with the tick, which they find in user mode for a while, and then in the kernel for a while; but such a thread
 * seems to change again and again. A change is therefore believed only as often as credit allows: three times,
 * and once more for every 2 s of CPU time. The mean goes on through those that are not believed.
 */

/* The trend of a thread that has had this much CPU time, of which this share was user time. */
struct tclk_trend tclk_trend_begin(uint32_t share, int64_t cpu_ns, int64_t tick_ns);

/* The trend after this much more user and CPU time. cpu_ns > 0. */
struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns, int64_t tick_ns);

/* The trend's share, as a tclk share. */
uint32_t tclk_trend_share(struct tclk_trend trend);

static inline bool tclk_trend_is_known(struct tclk_trend trend)
{
    return trend.ticks != 0;
}

#endif
