/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SPLIT_LOOK_H
#define TCLK_CLOCK_SPLIT_LOOK_H

#include "clock/curve.h"
#include "clock/record.h"
#include "clock/sampler.h"
#include "clock/split.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What a resync finds out of how the calling thread divides its time: what the kernel says, if it was
 * asked (once in a clock tick at most), and what the thread's samples say, if it has any.
 */
struct tclk_split_look {
    struct tclk_sampled sampled;
    bool taken;      /* the kernel was asked */
    bool holds;      /* nothing that the kernel says counts: at `share` */
    bool tested;     /* the PROF clock was asked */
    bool doubts;     /* the thread does not go by all its ticks */
    bool has_news;   /* ticks have come, by the kernel's split */
    uint32_t share;  /* since the origin, or that it goes on at */
    uint32_t passed; /* since the last point, where it holds */
    enum tclk_ticks ticks;
    uint32_t waited_ns; /* system time, of what has passed */
    struct tclk_usage usage;
    struct tclk_trend trend;
    struct tclk_point origin; /* clock/epoch.h; or where trust began anew (clock/doubt.h) */
    int64_t booked_ns;
    struct tclk_tick_test test;
};

/* After the CPU clock, whose reading brings the kernel's sums up to date. `origin` was loaded before that. */
void tclk_split_look(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin,
                     enum tclk_resync_cause cause, struct tclk_split_look *look);

/* As the record keeps it. */
static inline uint32_t tclk_split_look_user_1024ns(const struct tclk_split_look *look)
{
    return (uint32_t)(look->usage.user_ns >> 10);
}

/* That look has become a line that starts at `start`. What it tells of the thread's ticks. */
void tclk_split_look_note_ticks(struct tclk_record *record, int64_t cpu_ns,
                                const struct tclk_split_look *look, struct tclk_point start);

/* How user time goes on. `last` is the last point that is fixed, `rate` the slope until now. */
struct tclk_line tclk_split_look_line(const struct tclk_split_look *look, struct tclk_point last,
                                      int64_t cpu_ns, uint32_t rate);

/* Where the curve is to be steered if there is no anchor to be set. Returns 0 or -errno. */
int tclk_split_look_aim(const struct tclk_record *record, struct tclk_aim *aim);

#endif
