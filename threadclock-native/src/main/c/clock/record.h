/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_RECORD_H
#define TCLK_CLOCK_RECORD_H

#include "clock/anchor.h"
#include "kernel/perf_page.h"
#include "kernel/rseq_area.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the clock knows of one thread. 256 bytes, in a pool that outlives the thread.
 *
 * Only the thread itself writes here, but a signal handler of the thread may do so in the middle of
 * anything the thread does. What makes that safe is one word, `state`: the moment that was last
 * returned, with the number of the anchor in use.
 *
 * A read loads the anchor's moment (and so its number), takes the count, looks at the marker, loads the
 * state, checks that the state has the same number and lies before what it is about to return, and
 * exchanges the state against that. A resync fills in an anchor of the next number and exchanges the
 * state against its start. If a handler has read, or set an anchor, in between, the number or the
 * state has changed, and the interrupted read starts over. So
 *   - no read returns less than one that came before it, handlers included;
 *   - no read uses an anchor that a handler has replaced since it began (the handler may have armed
 *     the detector again, and so hidden a switch).
 * The exchange need not be locked: it is against the same thread, not against other CPUs.
 *
 * While the anchor is being replaced, `writing` says so, and `previous` holds the old one: handlers
 * then replace nothing, and take the old line as long as the state has its number.
 */
enum tclk_resync_cause {
    TCLK_RESYNC_FIRST,
    TCLK_RESYNC_SWITCH,
    TCLK_RESYNC_WINDOW,
    TCLK_RESYNC_AHEAD,
    TCLK_RESYNC_OVERLAP,
    TCLK_RESYNC_UNARMED,
    TCLK_RESYNC_CAUSES
};

enum tclk_writing {
    TCLK_WRITING_NOTHING = 0,
    TCLK_WRITING_PREVIOUS, /* nobody else publishes; `anchor` is whole */
    TCLK_WRITING_ANCHOR,   /* `previous` is whole */
};

struct tclk_record {
    /* The line that a read touches. */
    uint64_t state;
    struct tclk_anchor anchor;

    struct tclk_anchor previous;
    uint32_t writing; /* enum tclk_writing */
    pid_t tid;        /* 0 = this slot is nobody's */

    uint64_t reads;              /* that asked the kernel; all of them while they are counted */
    uint64_t generation;         /* anchors published so far */
    struct tclk_rseq_area *area; /* NULL = none */
    struct tclk_perf_page *page; /* NULL = none */
    int64_t steered_cpu_ns;      /* CPU time at the last look at the kernel's split */
    int64_t switches;            /* the thread's switches at that look */
    uint64_t steered_reads;      /* reads at that look */
    uint32_t counted_window;     /* while reads are counted: what anchor.window would be */
    uint32_t lost;               /* resyncs that lost their marker every time */

    uint64_t resyncs[TCLK_RESYNC_CAUSES];
    uint8_t probation;       /* so many anchors more note their switch count (clock/watch.h) */
    bool switches_at_anchor; /* `switches` was read for the anchor in use */
    bool counter_refused;    /* this thread may not read the counter */
    bool area_tried;
    bool page_tried;
    bool page_pays; /* clock/thread_detector.h */
    char padding[10];
};

_Static_assert(sizeof(struct tclk_record) == 256, "four cache lines");
_Static_assert(offsetof(struct tclk_record, previous) == 64, "a read touches one line");

static inline uint64_t tclk_record_state(const struct tclk_record *record)
{
    return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
}

/* Exchanges the state if it is still `from`. Atomic against signal handlers of this thread alone. */
static inline bool tclk_record_exchange(struct tclk_record *record, uint64_t from, uint64_t to)
{
#if defined(__x86_64__)
    bool done;
    __asm__ volatile("cmpxchgq %3, %1"
                     : "=@ccz"(done), "+m"(record->state), "+a"(from)
                     : "r"(to)
                     : "memory");
    return done;
#else
    return __atomic_compare_exchange_n(&record->state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
#endif
}

/*
 * The read that costs one look at the counter, in the order that the protocol above asks for. False:
 * ask the kernel (clock/resync.h); `point` is untouched then, and nothing has changed. Not for a
 * thread that may not read the counter.
 */
static inline bool tclk_record_extrapolate(struct tclk_record *record, uint32_t window,
                                           struct tclk_point *point)
{
    const struct tclk_anchor *anchor = &record->anchor;
    uint64_t start = __atomic_load_n(&anchor->moment, __ATOMIC_ACQUIRE);
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
    if (!tclk_moment_follows(now, last) || !tclk_record_exchange(record, last, now)) {
        return false;
    }
    *point = (struct tclk_point){tclk_moment_cpu_ns(now),
                                 line_ns + (int64_t)(since_ns * rate >> TCLK_SHARE_BITS)};
    return true;
}

/* Returns a CPU time that is known by other means, or the last one if that is more, with the user
 * time that the anchor in use gives for it. */
struct tclk_point tclk_record_commit(struct tclk_record *record, int64_t cpu_ns);

/* The anchor whose line a state lies on. */
const struct tclk_anchor *tclk_record_line(const struct tclk_record *record, uint64_t state);

/* The point that was returned last. */
struct tclk_point tclk_record_last(const struct tclk_record *record, uint64_t state);

/* Makes the anchor in use useless for extrapolation; it still tells user time. */
void tclk_record_disarm(struct tclk_record *record);

/* The pool. All of it is async-signal-safe and lock-free. NULL: no memory, or more threads than
 * TCLK_SLAB_MAX, or a kernel that cannot wipe memory on fork. */
struct tclk_record *tclk_record_take(void);

/* The calling thread owns this record from now on. Also for a record that a fork has wiped. */
void tclk_record_claim(struct tclk_record *record);

/* True if there are records to be had. */
bool tclk_record_pool_works(void);

/* At the thread's end; also frees the detectors. The counts go to the total of the ended. */
void tclk_record_give(struct tclk_record *record);

/* In a fork child, before a second thread exists: forgets every record of the parent. */
void tclk_record_forget_all(void);

struct tclk_stats;

/* Sums the counts of all records, of living and ended threads. */
void tclk_record_sum(struct tclk_stats *stats);

#endif
