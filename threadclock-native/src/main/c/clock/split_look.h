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
 * A resync's findings about how the calling thread divides its time: the kernel's usage, if the kernel was asked
 * (at most once per clock tick), and the thread's samples, if it has any.
 */
struct tclk_split_look {
    struct tclk_sampled sampled;
    bool taken;      /* the kernel was asked */
    bool holds;      /* the kernel's split does not count; the thread goes on at `share` */
    bool tested;     /* the PROF clock was asked */
    bool doubts;     /* the thread is not divided by all its ticks */
    bool has_news;   /* the kernel's split shows that ticks have come */
    uint32_t share;  /* the share since the origin, or the one at which the thread goes on */
    uint32_t passed; /* if it holds: the share since the last point */
    enum tclk_ticks ticks;
    uint32_t waited_ns; /* system time, in what has passed */
    struct tclk_usage usage;
    struct tclk_trend trend;
    /* clock/epoch.h, or the point where trust began again (clock/doubt.h) */
    struct tclk_point origin;
    int64_t booked_ns;
    struct tclk_tick_test test;
};

/* Call this after the CPU clock was read, because that brings the kernel's sums up to date. `origin` was loaded
 * before that. */
void tclk_split_look(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin,
                     enum tclk_resync_cause cause, struct tclk_split_look *look);

/* User time as the record keeps it. */
static inline uint32_t tclk_split_look_user_1024ns(const struct tclk_split_look *look)
{
    return (uint32_t)(look->usage.user_ns >> 10);
}

/* Notes what this look shows about the thread's ticks; it has become a line that starts at `start`. */
void tclk_split_look_note_ticks(struct tclk_record *record, int64_t cpu_ns, const struct tclk_split_look *look,
                                struct tclk_point start);

/* The line by which user time goes on. `last` is the last point that is fixed, `rate` the slope until now. */
struct tclk_line tclk_split_look_line(const struct tclk_split_look *look, struct tclk_point last, int64_t cpu_ns,
                                      uint32_t rate);

/* The aim to which the curve is steered if there is no anchor to be set. Returns 0 or -errno. */
int tclk_split_look_aim(const struct tclk_record *record, struct tclk_aim *aim);

#endif
