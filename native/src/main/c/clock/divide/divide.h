/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_DIVIDE_H
#define TCLK_CLOCK_DIVIDE_DIVIDE_H

#include "clock/divide/division.h"
#include "clock/divide/samples.h"
#include "clock/divide/tally.h"
#include "clock/line.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How a thread's CPU time is divided into user and system time: with samples.h, the one door to clock/divide/.
 *
 * A resync begins with tclk_samples_follow(), looks (tclk_divide_look()), makes the look a line (tclk_divide_line())
 * for a while (tclk_divide_window_ns()), and notes it (tclk_divide_note()). Others ask for the thread's share
 * (tclk_divide_share()). At the thread's end, tclk_samples_end() leaves nothing behind.
 *
 *   divide.c -> samples.c -> tally.c
 *
 * All of it is for the calling thread and its division, and async-signal-safe, if nothing else is said.
 */

/* H: the CPU time in which a deviation from the kernel's share falls to 1/e. It is long enough to average over some
 * 60 ticks; the trend (clock/divide/tally.h) handles changes of work. */
#define TCLK_SPLIT_H_NS INT64_C(250000000)

/* What a look does. */
enum tclk_look_does {
    TCLK_LOOK_TURNS,   /* looks at the samples alone, for a new line of the same anchor */
    TCLK_LOOK_GOES_ON, /* looks at the samples, for a new anchor */
    TCLK_LOOK_ASKS,    /* asks the kernel as well, at most once per clock tick */
};

/* By what user time goes on. */
enum tclk_look_by {
    TCLK_BY_LINE, /* as before */
    TCLK_BY_TICKS,
    TCLK_BY_BOUTS,
    TCLK_BY_SAMPLES, /* those of a bout that lasts */
};

/* A resync's findings about how the calling thread divides its time. */
struct tclk_look {
    enum tclk_look_does does;
    enum tclk_look_by by;
    struct tclk_sampled sampled;
    struct tclk_pace pace;
    int64_t lost_ns;       /* system time since the last reading that belongs to switches */
    uint32_t passed_share; /* of the rest since then */
    uint32_t kernel_share; /* since the origin */
    int64_t slice_ns;      /* until the samples are looked at again; 0 = not before the window ends */
    struct tclk_usage usage;
    struct tclk_trend trend;
    struct tclk_point origin; /* clock/origin.h */
};

/* Looks at what is due, or must be asked: the kernel's split, the samples. Call this after the CPU clock was read,
 * because that brings the kernel's sums up to date. `origin` was loaded before that. */
void tclk_divide_look(const struct tclk_division *division, int64_t cpu_ns, struct tclk_point origin, bool must_ask,
                      struct tclk_look *look);

/* Looks at the samples alone, for a new line of the same anchor. */
void tclk_divide_look_again(const struct tclk_division *division, int64_t cpu_ns, struct tclk_look *look);

/* The line by which user time goes on. `last` is the last point that is fixed, `rate` the slope until now. */
struct tclk_line tclk_divide_line(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns, uint32_t rate);

/* The time from the anchor until the line ends, which is `passed_ns` old. It is shorter than the window if samples may
 * show a change. */
int64_t tclk_divide_window_ns(const struct tclk_look *look, int64_t passed_ns, int64_t window_ns);

/* Notes that this look has become that line. */
void tclk_divide_note(struct tclk_division *division, int64_t cpu_ns, const struct tclk_look *look,
                      const struct tclk_line *line);

/* Whether a look is due. */
bool tclk_divide_is_due(const struct tclk_division *division, int64_t cpu_ns);

/* The thread's share by its samples, if it has any. Any thread may call this. */
bool tclk_divide_share(const struct tclk_division *division, uint32_t *share);

/* The share to which the curve is steered if there is no anchor to be set, and whether it is the slope. Returns 0 or
 * -errno. */
int tclk_divide_aim(const struct tclk_division *division, uint32_t *share, bool *is_slope);

#endif
