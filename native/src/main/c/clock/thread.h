/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_H
#define TCLK_CLOCK_THREAD_H

#include "clock/line.h"
#include "clock/record.h"
#include "include/threadclock.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A look: the wall time at a CPU time. */
struct tclk_wall {
    int64_t ns;
    int64_t cpu_ns;
    int half; /* 1 if the anchor's CPU time goes at half its speed (clock/resync.c), else 0 */
};

/* How the thread has waited, as clock/waits.h keeps it. */
struct tclk_kept {
    uint32_t generation; /* of the anchor; 0 = nothing is kept */
    bool storing;
    int error; /* why some of `waits` are unknown */
    struct tclk_waits waits;
    struct tclk_wall wall;
};

/*
 * The thread-local words, in one place, because a library that is loaded late finds them by a call.
 */
struct tclk_thread {
    struct tclk_record *counting; /* NULL: nothing is armed for the thread, or it may not read the counter */
    struct tclk_record *own;      /* NULL: it has none */
    const void *known_as;         /* for jvm/known_threads.h */
    struct tclk_kept kept;
    int64_t wall_returned_ns; /* the last wall time (clock/wall.h) that it was told */
};

extern _Thread_local struct tclk_thread tclk_thread;

/* Forgets what the calling thread has kept of its waits. Call this before the thread gets another record, or goes on
 * with one that the kernel has wiped. */
void tclk_thread_forget_waits(void);

/* True if the calling thread has this tid and a record. Async-signal-safe; a few ns. */
bool tclk_thread_is(pid_t tid);

/* Stops extrapolation in the calling thread, so that its next reading asks the kernel. */
void tclk_thread_disarm(void);

/* The calling thread's point by extrapolation. False, with `point` untouched: the kernel must be asked. Never makes
 * a system call; a few ns. Async-signal-safe. */
static inline bool tclk_thread_extrapolate(const struct tclk_thread *thread, struct tclk_point *point)
{
    struct tclk_record *record = thread->counting;
    return record != NULL && tclk_record_extrapolate(record, record->anchor.window, point);
}

#endif
