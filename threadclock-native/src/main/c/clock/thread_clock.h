/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_CLOCK_H
#define TCLK_CLOCK_THREAD_CLOCK_H

#include "clock/split.h"

#include <stdbool.h>
#include <sys/types.h>

/* True if the calling thread has this tid and a record. Async-signal-safe; a few ns. */
bool tclk_thread_is(pid_t tid);

/* True if the calling thread may read the counter, and so the vDSO's clocks. A thread that has no record
 * yet gets one. Async-signal-safe. */
bool tclk_thread_may_count(void);

/* The calling thread's point as it extrapolates it. False, with `point` untouched: the kernel has to be
 * asked. Never a system call; a few ns. Async-signal-safe. */
bool tclk_thread_extrapolate(struct tclk_point *point);

#endif
