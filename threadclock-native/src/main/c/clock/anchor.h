/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_ANCHOR_H
#define TCLK_CLOCK_ANCHOR_H

#include "clock/counter.h"
#include "clock/moment.h"
#include "clock/scale.h"
#include "clock/split.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * An anchor: what the kernel said of a thread's CPU time at one count, how to go on from there, how
 * user time runs along (one line of the curve of clock/split.h), and by what to tell that the thread
 * has been switched out since.
 */
struct tclk_anchor {
    uint64_t moment; /* the kernel's CPU time at `counter`, and this anchor's number */
    int64_t user_ns; /* where the line of user time is there; the curve may start later on it */
    struct tclk_count counter;
    uint32_t window; /* counts for which the anchor may be used; 0 = not armed */
    uint32_t rate;   /* user ns per CPU ns; clock/split.h */
    uint64_t scale;  /* ns per count; clock/scale.h */
    const volatile uint64_t *marker;
    uint64_t armed; /* what *marker holds while the thread has not been switched out */
};

_Static_assert(sizeof(struct tclk_anchor) == 56,
               "one cache line, with the state that belongs to it");

/* Half the range of a count's lower half: a counter that went backwards looks like a longer time. */
#define TCLK_WINDOW_MAX UINT32_C(0x7fffffff)

/*
 * What others need of an anchor: its line. It is the curve from where the anchor was set until `reach_ns`
 * later at least, which is more than the window: the thread itself never extrapolates beyond.
 */
struct tclk_course {
    uint64_t moment;
    int64_t user_ns;
    uint32_t rate;
    uint32_t reach_ns;
};

/* User time at a CPU time on this line. */
static inline int64_t tclk_course_user_ns(const struct tclk_course *course, int64_t cpu_ns)
{
    int64_t since_ns = cpu_ns - tclk_moment_cpu_ns(course->moment);
    return course->user_ns + tclk_share_of(since_ns, course->rate);
}

/* Puts the line through its start, to the nanosecond: at line.start.cpu_ns it gives line.start.user_ns.
 * (The kernel's CPU time may lie a little before the start, if the last reading ran ahead of it.) */
static inline void tclk_anchor_set_line(struct tclk_anchor *anchor, struct tclk_line line)
{
    int64_t before_ns = line.start.cpu_ns - tclk_moment_cpu_ns(anchor->moment);
    anchor->rate = line.rate;
    anchor->user_ns = line.start.user_ns - tclk_share_of(before_ns, line.rate);
}

/* What the anchor predicts at a count, however far away. */
static inline int64_t tclk_anchor_cpu_ns(const struct tclk_anchor *anchor, uint64_t counter)
{
    uint64_t counts = counter - tclk_count_whole(anchor->counter);
    return tclk_moment_cpu_ns(anchor->moment) + (int64_t)tclk_scale_ns(counts, anchor->scale);
}

static inline bool tclk_anchor_is_marked(const struct tclk_anchor *anchor)
{
    return *anchor->marker == anchor->armed;
}

/*
 * Is the anchor good at this count? Not if the window is over (or the counter went backwards, or its
 * upper half has changed, which costs one resync every second or so), and not if the thread has been
 * switched out. The count has been taken before the marker is looked at here, so that a switch
 * between the two is seen.
 */
static inline bool tclk_anchor_holds(const struct tclk_anchor *anchor, struct tclk_count count,
                                     uint32_t window)
{
    return count.high == anchor->counter.high && count.low - anchor->counter.low < window &&
           tclk_anchor_is_marked(anchor);
}

/* The ns since the anchor. Inside a window, 64 bits hold the product. */
static inline uint64_t tclk_anchor_since_ns(const struct tclk_anchor *anchor,
                                            struct tclk_count count)
{
    return (uint64_t)(count.low - anchor->counter.low) * anchor->scale >> 32;
}

#endif
