/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_LOOK_H
#define TCLK_CLOCK_DIVIDE_LOOK_H

#include "clock/divide/division.h"
#include "clock/line.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdint.h>

/* The result of reading the samples. */
struct tclk_sampled {
    uint64_t head;
    int64_t user_ns;
    uint32_t share;
    uint32_t period_ns;
    bool taken;
    bool is_first; /* the first reading only shows where the samples begin */
};

/*
 * A resync's findings about how the calling thread divides its time: the kernel's usage, if the kernel was asked
 * (at most once per clock tick), and the thread's samples, if it has any.
 */
struct tclk_look {
    struct tclk_sampled sampled;
    bool is_turn;    /* only the samples were looked at */
    bool taken;      /* the kernel was asked */
    bool is_sampled; /* a bout is in progress */
    bool is_paced;   /* the kernel's split does not count; the thread goes on by its bouts */
    struct tclk_pace pace;
    int64_t lost_ns; /* system time since the last reading that belongs to switches */
    uint32_t passed; /* the share of the rest since then */
    uint32_t share;  /* the kernel's, since the origin */
    struct tclk_usage usage;
    struct tclk_trend trend;
    struct tclk_point origin; /* clock/origin.h */
};

/* With fewer ticks of its own, the thread's share is unknown, and the share of the process is used. */
#define TCLK_TICKS_NEEDED INT64_C(3)

/* User time as the record keeps it. */
static inline uint32_t tclk_look_user_1024ns(const struct tclk_look *look)
{
    return (uint32_t)(look->usage.user_ns >> 10);
}

#endif
