/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_CLOCK_H
#define TCLK_CLOCK_THREAD_CLOCK_H

#include "clock/line.h"
#include "clock/record.h"
#include "clock/waits.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The thread-local words of a fast read, in one place, because a library that is loaded late finds them by a call.
 */
struct tclk_thread {
    struct tclk_record
        /* NULL: nothing is armed for the thread, or it may not read the counter */
        *counting;
    const void *known_as;  /* for jvm/known_threads.h */
    struct tclk_kept kept; /* for clock/waits.h */
    int64_t wall_told_ns;  /* the last wall time (clock/wall.h) that it was told */
};

extern _Thread_local struct tclk_thread tclk_thread;

/* True if the calling thread has this tid and a record. Async-signal-safe; a few ns. */
bool tclk_thread_is(pid_t tid);

/* As tclk_filter_count_own(), for the copy that is the clock of this process, too. */
void tclk_clock_count_filter(int change);

/* The calling thread's point by extrapolation. False, with `point` untouched: the kernel must be asked. Never makes
 * a system call; a few ns. Async-signal-safe. */
static inline bool tclk_thread_extrapolate(const struct tclk_thread *thread, struct tclk_point *point)
{
    struct tclk_record *record = thread->counting;
    return record != NULL && tclk_record_extrapolate(record, record->anchor.window, point);
}

#endif
