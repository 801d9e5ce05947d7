/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_CLOCK_H
#define TCLK_CLOCK_THREAD_CLOCK_H

#include "clock/record.h"
#include "clock/split.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * What a thread's fast reads start from, in one place, because a library that is loaded late finds what is thread-local by
 * a call.
 */
struct tclk_thread {
    struct tclk_record
        *counting;        /* NULL: nothing is armed for it, or it may not read the counter */
    const void *known_as; /* jvm/known_threads.h */
};

extern _Thread_local struct tclk_thread tclk_thread;

/* True if the calling thread has this tid and a record. Async-signal-safe; a few ns. */
bool tclk_thread_is(pid_t tid);

/* The calling thread's point as it extrapolates it. False, with `point` untouched: the kernel has to be
 * asked. Never a system call; a few ns. Async-signal-safe. */
static inline bool tclk_thread_extrapolate(const struct tclk_thread *thread,
                                           struct tclk_point *point)
{
    struct tclk_record *record = thread->counting;
    return record != NULL && tclk_record_extrapolate(record, record->anchor.window, point);
}

#endif
