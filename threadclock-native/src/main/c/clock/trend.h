/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_TREND_H
#define TCLK_CLOCK_TREND_H

#include <stdbool.h>
#include <stdint.h>

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

/* A thread that has had so many ticks, of which such a part (clock/split.h) was user time. */
struct tclk_trend tclk_trend_begin(uint32_t share, int64_t cpu_ns, int64_t tick_ns);

/* After so much more of both. cpu_ns > 0. */
struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns,
                                    int64_t tick_ns);

/* As clock/split.h has it. */
uint32_t tclk_trend_share(struct tclk_trend trend);

static inline bool tclk_trend_is_known(struct tclk_trend trend)
{
    return trend.ticks != 0;
}

#endif
