/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_TICKS_H
#define TCLK_TEST_TICKS_H

/* Bursts of computing at a known phase of the clock tick. */

#include "clocks.h"
#include "kernel/clockid.h"
#include "sources.h"

#define BURST_NS (300 * US)

static int64_t tick_ns;
static int64_t tick_at_ns; /* the time of some tick, on CLOCK_MONOTONIC */

static inline void find_tick(void)
{
    int64_t last_ns = clock_now_ns(CLOCK_MONOTONIC_COARSE);
    tick_ns = tclk_clock_tick_ns();
    do {
        tick_at_ns = wall_ns();
    } while (clock_now_ns(CLOCK_MONOTONIC_COARSE) == last_ns);
}

static inline void sleep_until_phase(int64_t after_tick_ns)
{
    int64_t ns = tick_at_ns + ((wall_ns() - tick_at_ns) / tick_ns + 1) * tick_ns + after_tick_ns;
    struct timespec t = {.tv_sec = ns / S, .tv_nsec = ns % S};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* What ticks have found of the calling thread. */
static inline int64_t ticked_now_ns(enum tclk_clock_kind kind)
{
    int64_t ns = 0;
    tclk_clock_read_own(kind, &ns);
    return ns;
}

/* Adds the times of a burst. False: user time has grown by more than CPU time, or has fallen. */
static inline bool burst_at_phase(int64_t after_tick_ns, struct tclk_times *sum)
{
    sleep_until_phase(after_tick_ns);
    struct tclk_times before = times_now();
    spin_wall_ns(BURST_NS);
    struct tclk_times after = times_now();
    int64_t user_ns = after.user_ns - before.user_ns;
    int64_t cpu_ns = after.cpu_ns - before.cpu_ns;
    sum->user_ns += user_ns;
    sum->cpu_ns += cpu_ns;
    return user_ns >= 0 && user_ns <= cpu_ns;
}

#endif
