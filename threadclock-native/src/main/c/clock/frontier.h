/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_FRONTIER_H
#define TCLK_CLOCK_FRONTIER_H

#include "clock/moment.h"
#include "clock/split.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How far a thread's curve of user time over CPU time is fixed, in two words that change together.
 *
 * Up to the frontier nothing changes any more. From there on the curve runs along the line of the
 * anchor that has the frontier's number; or nowhere in particular, if the frontier is free: then
 * whoever reads next says where it goes on. Whoever fixes more of the curve, the thread itself or
 * another one that observes it, exchanges the frontier that he has started from; so they fix it one
 * after the other.
 *
 * user holds the user time in its lower 58 bits, whether it is free in its highest one, and between
 * them more bits of the count whose lowest are the moment's number: a frontier that comes back to the
 * same time (which does not happen, time moves on) would still differ for 2048 changes of line.
 */
struct tclk_frontier {
    uint64_t moment;
    uint64_t user;
} __attribute__((aligned(16)));

#define TCLK_FRONTIER_FREE (UINT64_C(1) << 63)
#define TCLK_FRONTIER_EPOCH_MASK UINT64_C(31)

static inline int64_t tclk_frontier_cpu_ns(struct tclk_frontier f)
{
    return tclk_moment_cpu_ns(f.moment);
}

static inline struct tclk_point tclk_frontier_point(struct tclk_frontier f)
{
    return (struct tclk_point){tclk_moment_cpu_ns(f.moment), tclk_moment_cpu_ns(f.user)};
}

static inline uint64_t tclk_frontier_number(struct tclk_frontier f)
{
    return tclk_moment_number(f.moment);
}

static inline bool tclk_frontier_is_free(struct tclk_frontier f)
{
    return (f.user & TCLK_FRONTIER_FREE) != 0;
}

/* Further along the same line, or free as before. */
static inline struct tclk_frontier tclk_frontier_at(struct tclk_frontier f, struct tclk_point point)
{
    uint64_t rest = f.user & ~TCLK_MOMENT_CPU_MASK;
    return (struct tclk_frontier){tclk_moment_make(point.cpu_ns, tclk_frontier_number(f)),
                                  (uint64_t)point.user_ns | rest};
}

/* Where another line begins, or none (free). */
static inline struct tclk_frontier tclk_frontier_turn(struct tclk_frontier f,
                                                      struct tclk_point point, bool is_free)
{
    uint64_t number = tclk_frontier_number(f) + 1;
    uint64_t epoch = (f.user >> TCLK_MOMENT_CPU_BITS & TCLK_FRONTIER_EPOCH_MASK) +
                     (number >> (64 - TCLK_MOMENT_CPU_BITS));
    uint64_t rest = (epoch & TCLK_FRONTIER_EPOCH_MASK) << TCLK_MOMENT_CPU_BITS |
                    (is_free ? TCLK_FRONTIER_FREE : 0);
    return (struct tclk_frontier){tclk_moment_make(point.cpu_ns, number & TCLK_MOMENT_NUMBER_MASK),
                                  (uint64_t)point.user_ns | rest};
}

static inline bool tclk_frontier_equals(struct tclk_frontier a, struct tclk_frontier b)
{
    return a.moment == b.moment && a.user == b.user;
}

/* Whole: every exchange changes the moment, so an equal one before and after means that nothing was
 * exchanged in between. */
static inline struct tclk_frontier tclk_frontier_load(const struct tclk_frontier *at)
{
    struct tclk_frontier f;
    do {
        f.moment = __atomic_load_n(&at->moment, __ATOMIC_ACQUIRE);
        f.user = __atomic_load_n(&at->user, __ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&at->moment, __ATOMIC_RELAXED) != f.moment);
    return f;
}

/* Both words at once, against all CPUs. False: it was not `from` any more; nothing has changed.
 *
 * clc: QEMU up to 7.2 computes the flags that cmpxchg16b leaves alone from what it last noted of them, which
 * may be any number; an interrupt or a signal that comes next saves them, and the trap flag among them ends
 * the process when they are restored. After clc they are noted. */
static inline bool tclk_frontier_exchange(struct tclk_frontier *at, struct tclk_frontier from,
                                          struct tclk_frontier to)
{
#if defined(__x86_64__)
    bool done;
    __asm__ volatile("clc\n\tlock cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*at), "+a"(from.moment), "+d"(from.user)
                     : "b"(to.moment), "c"(to.user)
                     : "memory");
    return done;
#elif defined(__aarch64__)
    uint64_t moment;
    uint64_t user;
    uint32_t lost;
    __asm__ volatile("1: ldaxp %0, %1, [%3]\n\t"
                     "cmp %0, %4\n\t"
                     "ccmp %1, %5, #0, eq\n\t"
                     "b.ne 2f\n\t"
                     "stlxp %w2, %6, %7, [%3]\n\t"
                     "cbnz %w2, 1b\n\t"
                     "b 3f\n"
                     "2: clrex\n\t"
                     "mov %w2, #1\n"
                     "3:"
                     : "=&r"(moment), "=&r"(user), "=&r"(lost)
                     : "r"(at), "r"(from.moment), "r"(from.user), "r"(to.moment), "r"(to.user)
                     : "memory", "cc");
    return lost == 0;
#endif
}

#endif
