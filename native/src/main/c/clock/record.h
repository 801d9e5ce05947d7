/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_RECORD_H
#define TCLK_CLOCK_RECORD_H

#include "clock/counter.h"
#include "clock/detector.h"
#include "clock/divide/division.h"
#include "clock/line.h"
#include "clock/words.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The clock's record of one thread: 320 bytes, in a pool that outlives the thread. README.md beside this file names its
 * parts, who writes and who reads each, and the order; clock/words.h says what that assumes, and what it guarantees.
 */

/*
 * An anchor: the CPU time of a thread at one count, the kernel's or a later one that has been told, the scale by which
 * to go on from there, the line of user time (one line of the curve of clock/line.h), and the marker that tells whether
 * the thread has been switched out since.
 */
struct tclk_anchor {
    uint64_t moment; /* the CPU time at `counter`, and this anchor's number */
    int64_t user_ns; /* user time on the line at that moment; the curve may start later on it */
    struct tclk_count counter;
    uint32_t window; /* counts for which the anchor may be used; 0 = not armed */
    uint32_t rate;   /* user ns per CPU ns; clock/line.h */
    uint64_t scale;  /* ns per count; clock/counter.h */
    const volatile uint64_t *marker;
    uint64_t armed; /* the value of *marker while the thread has not been switched out */
};

_Static_assert(sizeof(struct tclk_anchor) == 56, "one cache line, with the state that belongs to it");

/* Half the range of a count's lower half, so that a counter that went backwards looks like a longer time. */
#define TCLK_WINDOW_MAX UINT32_C(0x7fffffff)

static inline bool tclk_anchor_is_marked(const struct tclk_anchor *anchor)
{
    return *anchor->marker == anchor->armed;
}

/*
 * Whether the anchor can be used at this count. It cannot if the window is over, or the thread has been switched out.
 * The window is also over if the counter went backwards, or its upper half has changed, which costs one resync every
 * second or so. The counter was read before the marker is checked here, so that a switch between the two is seen.
 */
static inline bool tclk_anchor_holds(const struct tclk_anchor *anchor, struct tclk_count count, uint32_t window)
{
    return count.high == anchor->counter.high && count.low - anchor->counter.low < window &&
           tclk_anchor_is_marked(anchor);
}

/* The ns since the anchor. Within a window, 64 bits hold the product. */
static inline uint64_t tclk_anchor_since_ns(const struct tclk_anchor *anchor, struct tclk_count count)
{
    return (uint64_t)(count.low - anchor->counter.low) * anchor->scale >> 32;
}

enum tclk_resync_cause {
    TCLK_RESYNC_SWITCH,
    TCLK_RESYNC_WINDOW,
    TCLK_RESYNC_AHEAD,
    TCLK_RESYNC_OVERLAP,
    TCLK_RESYNC_UNARMED,
    TCLK_RESYNC_CAUSES,
    TCLK_RESYNC_FIRST = TCLK_RESYNC_CAUSES /* too rare to be counted in the record */
};

enum tclk_writing {
    TCLK_WRITING_NOTHING = 0,
    TCLK_WRITING_PREVIOUS, /* no other thread or handler publishes; `anchor` is complete */
    TCLK_WRITING_ANCHOR,   /* `previous` is complete */
};

struct tclk_record {
    /* The cache line that a read uses. */
    uint64_t state;
    struct tclk_anchor anchor;

    /* The cache line that other threads write to. */
    struct tclk_frontier frontier;
    uint64_t floor;
    struct {
        uint64_t moment;
        int64_t user_ns;
        uint32_t rate;
        uint32_t reach_ns;
    } previous; /* the line of the anchor before, while the anchor is being replaced */
    uint64_t holder;

    struct tclk_own_detectors own;
    uint32_t generation;   /* anchors published so far, modulo 2^32, without 0 */
    uint32_t whole_window; /* counts from the anchor until the kernel is asked again, whatever ends its line */
    uint32_t reach_ns;     /* of the anchor's line; struct tclk_line */
    uint8_t writing;       /* enum tclk_writing */
    /* for the continuous check of clock/resync.c */
    bool switches_at_anchor; /* own.switches was read for the anchor in use */
    uint8_t probation;       /* this many more anchors note their switch count */

    uint64_t resyncs[TCLK_RESYNC_CAUSES];

    int64_t kernels_ns; /* what the kernel told when the anchor was set, plus the origin */

    /* clock/observe.c */
    int64_t seen_ns; /* CLOCK_BOOTTIME at which the tid was this thread's */
    uint64_t looked; /* the kernel's share, and the tick in which it was asked for */

    struct tclk_division division; /* clock/divide/ */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct tclk_record) == 320, "five cache lines");
_Static_assert(offsetof(struct tclk_record, frontier) == 64, "a read writes to one line");

static inline uint64_t tclk_record_state(const struct tclk_record *record)
{
    return tclk_moment_load(&record->state);
}

/* Nobody may return less CPU time than this. */
static inline uint64_t tclk_record_floor(const struct tclk_record *record)
{
    return tclk_moment_load(&record->floor);
}

static inline struct tclk_frontier tclk_record_frontier(const struct tclk_record *record)
{
    return tclk_frontier_load(&record->frontier);
}

/* The moment of the anchor in use. Loads that follow are not older than it. */
static inline uint64_t tclk_record_anchor_moment(const struct tclk_record *record)
{
    return tclk_moment_load(&record->anchor.moment);
}

/* The number of anchors published so far; 0 = none, or a record that has been wiped. Loads that follow are not older
 * than it. */
static inline uint32_t tclk_record_generation(const struct tclk_record *record)
{
    return __atomic_load_n(&record->generation, __ATOMIC_ACQUIRE);
}

/* The time, of CLOCK_BOOTTIME, at which the record's thread is known to have had its tid (clock/origin.h). Orders
 * nothing. */
static inline int64_t tclk_record_seen_ns(const struct tclk_record *record)
{
    return __atomic_load_n(&record->seen_ns, __ATOMIC_RELAXED);
}

static inline void tclk_record_note_seen(struct tclk_record *record, int64_t seen_ns)
{
    __atomic_store_n(&record->seen_ns, seen_ns, __ATOMIC_RELAXED);
}

/* The CPU time that the kernel has told the owner last. Orders nothing. */
static inline int64_t tclk_record_kernels_ns(const struct tclk_record *record)
{
    return __atomic_load_n(&record->kernels_ns, __ATOMIC_RELAXED);
}

static inline void tclk_record_note_kernels(struct tclk_record *record, int64_t cpu_ns)
{
    __atomic_store_n(&record->kernels_ns, cpu_ns, __ATOMIC_RELAXED);
}

/* Whether the owner is replacing the anchor, for its handlers. Orders nothing. */
static inline bool tclk_record_is_written(const struct tclk_record *record)
{
    return __atomic_load_n(&record->writing, __ATOMIC_RELAXED) != TCLK_WRITING_NOTHING;
}

/* Raises a count of the calling thread's record, which other threads may read meanwhile. On x86_64 this is one
 * instruction, so that no handler interrupts it. */
static inline void tclk_record_count(uint64_t *count)
{
#if defined(__x86_64__)
    __asm__ volatile("incq %0" : "+m"(*count) : : "cc");
#else
    __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
#endif
}

/*
 * The fast read, which costs one reading of the counter, in the order of README.md. False: ask the kernel
 * (clock/resync.h); `point` is untouched then, and nothing has changed. Not for a thread that may not read the counter.
 */
static inline bool tclk_record_extrapolate(struct tclk_record *record, uint32_t window, struct tclk_point *point)
{
    const struct tclk_anchor *anchor = &record->anchor;
    uint64_t start = tclk_record_anchor_moment(record);
    struct tclk_count count = tclk_count_read();
    if (!tclk_anchor_holds(anchor, count, window)) {
        return false;
    }
    uint64_t since_ns = tclk_anchor_since_ns(anchor, count);
    uint64_t now = start + since_ns;
    uint64_t rate = anchor->rate;
    int64_t line_ns = anchor->user_ns;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t last = tclk_record_state(record);
    if (!tclk_moment_follows(now, last) || !tclk_moment_follows(now, tclk_record_floor(record)) ||
        !tclk_moment_exchange_own(&record->state, last, now)) {
        return false;
    }
    *point = (struct tclk_point){tclk_moment_cpu_ns(now), line_ns + (int64_t)(since_ns * rate >> TCLK_SHARE_BITS)};
    return true;
}

/* Stops extrapolation from the anchor in use; its line of user time stays. Handlers see it before what is stored
 * later. */
void tclk_record_disarm(struct tclk_record *record);

/* Lets reads extrapolate from the anchor for so many counts. Handlers see it after what was stored before. */
void tclk_record_arm(struct tclk_record *record, uint32_t window);

/* Counts of the calling thread: a resync; a resync that lost its marker every time. */
void tclk_record_count_resync(struct tclk_record *record, enum tclk_resync_cause cause);
void tclk_record_count_lost(struct tclk_own_detectors *own);

/* The resyncs of the calling thread but for its first, modulo 2^32. */
uint32_t tclk_record_resyncs(const struct tclk_record *record);

/* ---- lines, for other threads ---- */

/*
 * Only the owner publishes a line: it keeps the line of the anchor in use, sets another anchor, and counts a
 * generation, with `writing` set around it. A thread that reads meanwhile gets one of the two lines complete, or reads
 * again.
 */
void tclk_record_set_writing(struct tclk_record *record, enum tclk_writing writing);

/* Returns the line that it has kept. */
struct tclk_line tclk_record_keep_line(struct tclk_record *record);
void tclk_record_set_anchor(struct tclk_record *record, const struct tclk_anchor *anchor, uint32_t reach_ns);
void tclk_record_count_generation(struct tclk_record *record);

/* The line of the anchor in use, for the owner. */
struct tclk_line tclk_record_line(const struct tclk_record *record);

/* The line with that number; any thread may call this. False: the owner has replaced it meanwhile, so the frontier
 * has moved. */
bool tclk_record_find_line(const struct tclk_record *record, uint64_t number, struct tclk_line *line);

/* ---- the last times that were told ---- */

/* The time that the owner has returned last, under the frontier's number. */
void tclk_record_set_state(struct tclk_record *record, int64_t cpu_ns);

/* Gives the floor the number of the owner's new anchor. The floor may have been raised beyond the anchor meanwhile. */
void tclk_record_renew_floor(struct tclk_record *record, uint64_t moment);

/* Any thread may call this. False: the record is another thread's by now, whose floor must not be raised. */
bool tclk_record_raise_floor(struct tclk_record *record, pid_t tid, int64_t cpu_ns);

/* ---- the pool, and who holds a record ---- */

/*
 * Five verbs tell what becomes of a record:
 *   take, give   from the pool, and back to it. Places in other pools are taken and given as well.
 *   own          the calling thread makes itself the owner.
 *   hand over    from one kind of holder to another, under the same tid: by one exchange, so that one of those who
 *                try succeeds.
 *   detach       ends what a record refers to (events, pages, the rseq area), before it is handed over or given.
 *   drop         an ended thread's record is handed over to nobody, detached and given (clock/observe.h).
 * A record is entered into the directory when it is taken, and removed when it is dropped. In a fork child, the
 * functions …_after_fork() make each file as it was when the library was loaded.
 */

/* A record's curve starts at less than a microsecond of CPU time, which differs each time its slot is taken. */
#define TCLK_LIFE_NS_MASK 1023u

/* All of these are async-signal-safe and lock-free. Returns a record that belongs to that thread from now on, with
 * nothing of its curve fixed. NULL: no memory, or more threads than TCLK_SLAB_MAX. */
struct tclk_record *tclk_record_take(pid_t tid, enum tclk_hold hold);

/* Makes the calling thread the owner of this record, which the kernel has wiped. */
void tclk_record_own(struct tclk_record *record);

/* A record's index in the pool, by which shared words refer to it. */
uint32_t tclk_record_index(const struct tclk_record *record);

/* clock/origin.h */
struct tclk_point tclk_record_origin(const struct tclk_record *record);

struct tclk_record *tclk_record_at(uint32_t index);
uint32_t tclk_record_used(void);

/*
 * Records in a child process. In a child of libc's fork(), all records are gone (tclk_record_after_fork()). In a child
 * that libc does not know of (clone(2), _Fork()), the kernel has wiped them: its thread finds a record of nobody, and
 * makes itself the owner. Where the kernel cannot wipe memory on fork (Linux before 4.14, gVisor) there are no records:
 * threads are read as clock/process_share.h says.
 */

/* True if certainly no record can be taken: the kernel cannot wipe memory on fork, or has refused some a moment ago.
 * Costs a few loads. */
bool tclk_record_pool_is_dry(void);

/* Frees the record's detectors, and adds its counts to those of ended threads. Call this when the thread ends, after
 * its samples have been freed (clock/divide/divide.h). */
void tclk_record_detach(struct tclk_record *record);

/* As tclk_record_detach(), by another thread. The record's thread has ended without it, and nobody holds the record
 * any more. */
void tclk_record_detach_ended(struct tclk_record *record);

/* Gives the record back to the pool. A thread that still reads it finds that its thread has ended. */
void tclk_record_give(struct tclk_record *record);

/* 0 = no thread has this slot. */
static inline pid_t tclk_record_tid(const struct tclk_record *record)
{
    return tclk_holder_tid(tclk_holder_load(&record->holder));
}

/* The hold on the record, whatever thread it is of. */
static inline enum tclk_hold tclk_record_hold(const struct tclk_record *record)
{
    return tclk_holder_hold(tclk_holder_load(&record->holder));
}

/* As tclk_record_hold(), but nobody's if it is another thread's by now. */
static inline enum tclk_hold tclk_record_hold_of(const struct tclk_record *record, pid_t tid)
{
    uint64_t holder = tclk_holder_load(&record->holder);
    return tclk_holder_tid(holder) == tid ? tclk_holder_hold(holder) : TCLK_HOLD_NOBODY;
}

/* Changes the hold, atomically for all CPUs. False: it is another thread's, or held otherwise; nothing has changed. */
static inline bool tclk_record_hand_over(struct tclk_record *record, pid_t tid, enum tclk_hold from, enum tclk_hold to)
{
    return tclk_holder_exchange(&record->holder, tclk_holder_make(tid, from), tclk_holder_make(tid, to));
}

/* ---- the directory ---- */

/*
 * Maps each tid to its record, of which there is at most one, whoever made it. There is a word for each tid that the
 * kernel can give (below 2^22). Words are mapped in pieces of 4096 as they are needed, never unmapped, and wiped on
 * fork where the kernel can do that. All functions are lock-free and async-signal-safe.
 */

/* The tid's record, or NULL. */
struct tclk_record *tclk_record_find(pid_t tid);

/* Enters a record that the caller has taken for its tid. Returns that record; or the one that another thread has
 * entered meanwhile; or NULL (no memory, or not a tid). */
struct tclk_record *tclk_record_enter(struct tclk_record *record);

/* Removes a record, so that it is not found any more. True for the one caller that removed it. */
bool tclk_record_remove(struct tclk_record *record, pid_t tid);

/* Forgets every record of the parent, and what the calling thread has entered since. Call this in a child of fork(),
 * before a second thread exists. */
void tclk_record_after_fork(bool has_records);

struct tclk_stats;

/* Sums the counts of all records, of living and ended threads. */
void tclk_record_sum(struct tclk_stats *stats);

#endif
