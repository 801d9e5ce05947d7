/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_WORDS_H
#define TCLK_CLOCK_WORDS_H

#include "clock/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The packed words of a record (clock/record.h), which its thread, the signal handlers of that thread, and other
 * threads store to without a lock. No other file packs, unpacks, loads or exchanges them.
 *
 * Assumptions:
 *   1. One thread owns a record at a time. Its signal handlers interrupt it and each other. Interrupted code goes on
 *      after they have ended, or never.
 *   2. A thread has used less than 2^58 ns (9 years) of CPU time, and a machine has been up for less than 9 years.
 *   3. A word does not return to the same number and the same CPU time while some thread has an older copy of it.
 *      Numbers repeat after 64 anchors, those of a frontier after 2048 changes of line, and CPU time has moved on by
 *      then. When a slot is taken again, the words begin at another number, or CPU time, than before.
 *   4. The CPU has a locked exchange of 16 bytes (cmpxchg16b, ldaxp and stlxp), and an exchange that no interrupt
 *      splits.
 *
 * Guarantees:
 *   1. No exchange succeeds on a word that has changed since it was loaded. A word is loaded whole.
 *   2. State: the times that a thread returns to itself do not decrease, inside and outside of handlers. Each reading
 *      exchanges the state with which it started, and fails if a handler has read, or set an anchor, in between.
 *   3. Floor: no thread returns less than another one has been told. The floor is raised before a time is returned, and
 *      checked after the time is computed.
 *   4. Frontier: user time is fixed for good up to it. A thread that fixes more exchanges the frontier with which it
 *      started, so that all threads fix it one after the other.
 *   5. Holder: a record that was given back, and taken for another thread, is not mistaken for what it was.
 *   6. Looked: its share and its tick belong to the same look.
 */

/* ---- moment: the words `state` and `floor` ---- */

/*
 * A CPU time, and the number of the anchor by which it was read. Moments of the same anchor have the order of their CPU
 * times.
 */
#define TCLK_MOMENT_CPU_BITS 58
#define TCLK_MOMENT_CPU_MASK ((UINT64_C(1) << TCLK_MOMENT_CPU_BITS) - 1)
#define TCLK_MOMENT_NUMBER_MASK (UINT64_MAX >> TCLK_MOMENT_CPU_BITS)

static inline uint64_t tclk_moment_make(int64_t cpu_ns, uint64_t number)
{
    return (uint64_t)cpu_ns | number << TCLK_MOMENT_CPU_BITS;
}

static inline int64_t tclk_moment_cpu_ns(uint64_t moment)
{
    return (int64_t)(moment & TCLK_MOMENT_CPU_MASK);
}

static inline uint64_t tclk_moment_number(uint64_t moment)
{
    return moment >> TCLK_MOMENT_CPU_BITS;
}

/* True if `moment` has the same anchor as `last`, and is not before it. */
static inline bool tclk_moment_follows(uint64_t moment, uint64_t last)
{
    return moment - last <= TCLK_MOMENT_CPU_MASK;
}

/* Loads that follow this one are not older than it. */
static inline uint64_t tclk_moment_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Sets the first moment of a record that nobody else has yet. */
static inline void tclk_moment_begin(uint64_t *word, uint64_t moment)
{
    __atomic_store_n(word, moment, __ATOMIC_RELAXED);
}

/* This is atomic only against signal handlers of the calling thread, which is cheaper than a locked exchange. */
static inline bool tclk_moment_exchange_own(uint64_t *word, uint64_t from, uint64_t to)
{
#if defined(__x86_64__)
    bool done;
    __asm__ volatile("cmpxchgq %3, %1" : "=@ccz"(done), "+m"(*word), "+a"(from) : "r"(to) : "memory");
    return done;
#else
    return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
#endif
}

/* This is atomic for all CPUs, in one order with all exchanges of this kind. False: `from` receives the present
 * value. */
static inline bool tclk_moment_exchange(uint64_t *word, uint64_t *from, uint64_t to)
{
    return __atomic_compare_exchange_n(word, from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* ---- frontier ---- */

/*
 * How far a thread's curve of user time over CPU time is fixed, in two words that change together.
 *
 * Up to the frontier nothing changes any more. After it, the curve follows the line of the anchor with the frontier's
 * number. If the frontier is free, the curve follows no line, and the next reader decides where it goes on.
 *
 * `user` holds the user time in its lower 58 bits, and whether the frontier is free in its highest bit. The bits
 * between them are the upper bits of the count of lines, whose lower bits are the moment's number.
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

/* The frontier further along the same line, or free as before. */
static inline struct tclk_frontier tclk_frontier_at(struct tclk_frontier f, struct tclk_point point)
{
    uint64_t rest = f.user & ~TCLK_MOMENT_CPU_MASK;
    uint64_t moment = tclk_moment_make(point.cpu_ns, tclk_frontier_number(f));
    return (struct tclk_frontier){moment, (uint64_t)point.user_ns | rest};
}

/* The frontier at which another line begins, or none (free). */
static inline struct tclk_frontier tclk_frontier_turn(struct tclk_frontier f, struct tclk_point point, bool is_free)
{
    uint64_t number = tclk_frontier_number(f) + 1;
    uint64_t epoch =
        (f.user >> TCLK_MOMENT_CPU_BITS & TCLK_FRONTIER_EPOCH_MASK) + (number >> (64 - TCLK_MOMENT_CPU_BITS));
    uint64_t rest = (epoch & TCLK_FRONTIER_EPOCH_MASK) << TCLK_MOMENT_CPU_BITS | (is_free ? TCLK_FRONTIER_FREE : 0);
    uint64_t moment = tclk_moment_make(point.cpu_ns, number & TCLK_MOMENT_NUMBER_MASK);
    return (struct tclk_frontier){moment, (uint64_t)point.user_ns | rest};
}

/* Sets the frontier of a record that nobody else has yet: nothing of its curve is fixed. */
static inline void tclk_frontier_begin(struct tclk_frontier *at, uint64_t moment)
{
    __atomic_store_n(&at->moment, moment, __ATOMIC_RELAXED);
    __atomic_store_n(&at->user, TCLK_FRONTIER_FREE, __ATOMIC_RELAXED);
}

static inline bool tclk_frontier_equals(struct tclk_frontier a, struct tclk_frontier b)
{
    return a.moment == b.moment && a.user == b.user;
}

/* Loads both words as a pair. Every exchange changes the moment, so an equal one before and after means that nothing
 * was exchanged in between. */
static inline struct tclk_frontier tclk_frontier_load(const struct tclk_frontier *at)
{
    struct tclk_frontier f;
    do {
        f.moment = __atomic_load_n(&at->moment, __ATOMIC_ACQUIRE);
        f.user = __atomic_load_n(&at->user, __ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&at->moment, __ATOMIC_RELAXED) != f.moment);
    return f;
}

/* Exchanges both words at once, atomically for all CPUs. False: it was not `from` any more; nothing has changed.
 *
 * clc: QEMU up to 7.2 computes the flags that cmpxchg16b leaves alone from what it last noted of them, which
 * may be any number; an interrupt or a signal that comes next saves them, and the trap flag among them ends
 * the process when they are restored. After clc they are noted. */
static inline bool tclk_frontier_exchange(struct tclk_frontier *at, struct tclk_frontier from, struct tclk_frontier to)
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

/* ---- holder ---- */

/* The thread that a record belongs to, and who holds it. Tid and hold are one word, which is exchanged as a whole.
 * Therefore a record that has been given back and taken for another thread is not mistaken for what it was. */
enum tclk_hold {
    TCLK_HOLD_NOBODY = 0, /* in the pool */
    TCLK_HOLD_OWNER,      /* held by its thread, which reads itself, or may */
    TCLK_HOLD_OBSERVERS,  /* held by observers, for a thread that has never read itself */
    TCLK_HOLD_ENDED,      /* held by observers, too; its thread is ending, or has ended */
};

static inline uint64_t tclk_holder_make(pid_t tid, enum tclk_hold hold)
{
    return (uint32_t)tid | (uint64_t)hold << 32;
}

/* 0 = no thread's. */
static inline pid_t tclk_holder_tid(uint64_t holder)
{
    return (pid_t)(uint32_t)holder;
}

static inline enum tclk_hold tclk_holder_hold(uint64_t holder)
{
    return (enum tclk_hold)(holder >> 32);
}

/* Loads that follow see everything that was stored before the holder was set. */
static inline uint64_t tclk_holder_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* A thread that sees the new holder sees everything that was stored before. */
static inline void tclk_holder_set(uint64_t *word, uint64_t holder)
{
    __atomic_store_n(word, holder, __ATOMIC_RELEASE);
}

/* This is atomic for all CPUs, in one order with all exchanges of this kind. */
static inline bool tclk_holder_exchange(uint64_t *word, uint64_t from, uint64_t to)
{
    return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

/* ---- looked ---- */

/*
 * The share that the kernel has told in a tick, and the number of that tick, from 1 on; 0 = nothing has been noted.
 * They are in one word, so that both belong to the same look. The word orders nothing else. A load is true if that tick
 * is the one that was noted.
 */
static inline bool tclk_looked_load(const uint64_t *word, uint32_t tick, uint32_t *share)
{
    uint64_t looked = __atomic_load_n(word, __ATOMIC_RELAXED);
    *share = (uint32_t)looked;
    return (uint32_t)(looked >> 32) == tick;
}

static inline void tclk_looked_set(uint64_t *word, uint32_t tick, uint32_t share)
{
    __atomic_store_n(word, (uint64_t)tick << 32 | share, __ATOMIC_RELAXED);
}

#endif
