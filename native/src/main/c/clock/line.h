/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_LINE_H
#define TCLK_CLOCK_LINE_H

#include <stdint.h>

/*
 * How user time follows CPU time. It reads no clock.
 *
 * A thread's user time is a curve over its CPU time, made of straight lines. A point that has been returned never
 * changes: a new line starts at or after the last such point, and its slope is between 0 and 1. Therefore user time
 * never decreases, and never grows faster than CPU time. Slopes and shares are fixed-point numbers with 31 bits behind
 * the point, so that 1 fits into 32 bits.
 */
#define TCLK_SHARE_BITS 31
#define TCLK_SHARE_ONE (UINT32_C(1) << TCLK_SHARE_BITS)

/* A point of the curve. */
struct tclk_point {
    int64_t cpu_ns;
    int64_t user_ns;
};

/* A line: from `start`, user time grows by `rate` for each ns of CPU time. The curve follows an anchor's line for
 * `reach_ns` at least, which is more than the window, so that the thread itself never extrapolates beyond it. */
struct tclk_line {
    struct tclk_point start;
    uint32_t rate;
    uint32_t reach_ns; /* 0 until an anchor has the line */
};

/* ns x share, rounded down. */
static inline int64_t tclk_share_of(int64_t ns, uint32_t share)
{
    return (int64_t)((__int128)ns * share >> TCLK_SHARE_BITS);
}

/* The point of this line at a CPU time. */
static inline struct tclk_point tclk_line_at(const struct tclk_line *line, int64_t cpu_ns)
{
    int64_t user_ns = line->start.user_ns + tclk_share_of(cpu_ns - line->start.cpu_ns, line->rate);
    return (struct tclk_point){cpu_ns, user_ns};
}

/* The point at this CPU time, with user time as near to `user_ns` as the rules above allow after `last`. */
static inline struct tclk_point tclk_point_near(struct tclk_point last, int64_t cpu_ns, int64_t user_ns)
{
    int64_t most_ns = last.user_ns + (cpu_ns - last.cpu_ns);
    return (struct tclk_point){cpu_ns, user_ns < last.user_ns ? last.user_ns : user_ns > most_ns ? most_ns : user_ns};
}

/* user / (user + system), or `otherwise` if both are 0. Computes as many bits at a time as fit, because a division of
 * 128 bits takes much of a reading's stack. */
static inline uint32_t tclk_share_between(int64_t user_ns, int64_t system_ns, uint32_t otherwise)
{
    if (user_ns < 0 || system_ns < 0 || user_ns + system_ns <= 0) {
        return otherwise;
    }
    uint64_t part = (uint64_t)user_ns;
    uint64_t all = (uint64_t)(user_ns + system_ns);
    uint64_t share = 0;
    for (int left = TCLK_SHARE_BITS; left > 0;) {
        int room = __builtin_clzll(all);
        int bits = left < room ? left : room;
        part <<= bits;
        share = (share << bits) + part / all;
        part %= all;
        left -= bits;
    }
    return (uint32_t)share;
}

#endif
